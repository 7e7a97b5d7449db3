//! Pages of wikis: what a title is, and what a page must have (compatibility 7).

use super::ids::{AttachmentId, ProjectId, UserId, WikiPageId};
use super::patch::Patch;
use super::validation::ValidationErrors;
use jiff::Timestamp;
use unicode_normalization::UnicodeNormalization;

/// The longest title, in characters (compatibility 7).
pub const MAX_TITLE_LENGTH: usize = 255;
/// The longest comment on a version, in characters (compatibility 7).
pub const MAX_COMMENT_LENGTH: usize = 1024;
/// What a title cannot contain: it is taken out (compatibility 7).
const REMOVED_CHARS: &[char] = &[',', '.', '/', '?', ';', '|', ':'];
/// The page that is shown beside all others counts as protected, whatever is stored (compatibility 7).
const SIDEBAR: &str = "sidebar";

/// A title as it is kept: white space is one `_`, what cannot stand in it is taken out, the first letter is upper case
/// (compatibility 7). Letters are composed (NFC), so that `Ä` is one letter however a keyboard writes it. Normalising twice
/// changes nothing.
pub fn normalize_title(title: &str) -> String {
    let mut kept = String::with_capacity(title.len());
    let mut in_space = false;
    // Composed first: what cannot stand in a title may hide behind a sign that is composed into it.
    for c in title.nfc() {
        if c.is_whitespace() && !in_space {
            kept.push('_');
        } else if !c.is_whitespace() && !REMOVED_CHARS.contains(&c) {
            kept.push(c);
        }
        in_space = c.is_whitespace();
    }
    let kept: String = kept.nfc().collect();
    let mut rest = kept.chars();
    let first = rest.next();
    first.into_iter().flat_map(char::to_uppercase).chain(rest).nfc().collect()
}

/// What two titles have in common that name one page: they are compared without regard to case, in every script.
/// `ß` is not `ss`: those are different words.
pub fn title_key(title: &str) -> String {
    normalize_title(title).to_lowercase()
}

/// Whether two titles name one page.
pub fn is_same_title(one: &str, other: &str) -> bool {
    one == other || title_key(one) == title_key(other)
}

/// What is wrong with a normalised title.
pub fn validate_title(title: &str, errors: &mut ValidationErrors) {
    errors.require_text("Title", title, MAX_TITLE_LENGTH);
    if title.chars().any(char::is_control) {
        errors.add("Title", "is invalid (it contains a control character)");
    }
}

/// A page, without what its versions say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WikiPage {
    /// The id.
    pub id: WikiPageId,
    /// The wiki.
    pub wiki: i64,
    /// The project of the wiki.
    pub project: ProjectId,
    /// Its title, normalised.
    pub title: String,
    /// The page above it.
    pub parent: Option<WikiPageId>,
    /// The title of that page.
    pub parent_title: Option<String>,
    /// Whether it was marked as one that only some may change; [`WikiPage::is_protected`] says whether it is one.
    pub protected: bool,
    /// The number of its current version.
    pub version: i64,
    /// When it was created.
    pub created_on: Timestamp,
}

impl WikiPage {
    /// Whether only those may change it who may protect pages.
    pub fn is_protected(&self) -> bool {
        self.protected || is_protected_by_name(&self.title)
    }
}

/// Whether a page of this title is protected because of it.
pub fn is_protected_by_name(title: &str) -> bool {
    title_key(title) == SIDEBAR
}

/// What a page said, at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WikiVersion {
    /// The id.
    pub version: i64,
    /// Who wrote it; `None` for somebody who was not logged in.
    pub author: Option<UserId>,
    /// Why, in the author's words.
    pub comments: Option<String>,
    /// When it was written.
    pub updated_on: Timestamp,
    /// The whole text.
    pub text: String,
}

/// What a request wants of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WikiChange {
    /// The whole text.
    pub text: Patch<String>,
    /// Why.
    pub comments: Option<String>,
    /// The number of the version that the viewer saw last. What is no number arrives as `-1`, which no version has.
    pub base_version: Patch<i64>,
    /// The title of the page above it; empty for none.
    pub parent: Patch<String>,
    /// Its own title, as asked for.
    pub title: Patch<String>,
    /// Whether the title that it had leads to it no longer.
    pub without_redirect: bool,
    /// Whether the wiki begins with it from now on.
    pub is_start_page: bool,
    /// Files that are taken from it.
    pub deleted_files: Vec<AttachmentId>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn titles_are_normalised_as_in_redmine() {
        for (title, wanted) in [
            ("lower case title", "Lower_case_title"),
            ("a \t\n b", "A_b"),
            (" a ", "_a_"),
            ("we:ird,?title.dot", "Weirdtitledot"),
            ("a/b", "Ab"),
            ("has;semi|pipe", "Hassemipipe"),
            ("ünïcode päge", "Ünïcode_päge"),
            ("a\u{308}hre", "Ähre"),
            ("a\u{37e}b", "Ab"),
            ("日本", "日本"),
            ("", ""),
            (",.", ""),
        ] {
            assert_eq!(normalize_title(title), wanted, "{title:?}");
        }
    }

    #[test]
    fn case_counts_in_no_script() {
        for (one, other) in [("Ähre", "äHRE"), ("ΟΔΟΣ", "οδος"), ("Привет мир", "привет_МИР"), ("Child_Page", "child page")]
        {
            assert!(is_same_title(one, other), "{one} {other}");
        }
        for (one, other) in [("Maße", "Masse"), ("Ähre", "Ahre"), ("A_b", "Ab")] {
            assert!(!is_same_title(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_title_is_bounded_and_printable() {
        let errors = |title: &str| {
            let mut errors = ValidationErrors::new();
            validate_title(title, &mut errors);
            errors.messages().to_vec()
        };
        assert_eq!(errors(&"Ä".repeat(255)), [""; 0]);
        assert_eq!(errors(&"Ä".repeat(256)), ["Title is too long (maximum is 255 characters)"]);
        assert_eq!(errors(""), ["Title cannot be blank"]);
        assert_eq!(errors("A\0"), ["Title is invalid (it contains a control character)"]);
    }

    fn titles() -> impl Strategy<Value = String> {
        prop_oneof![any::<String>(), "[a-zA-ZäÄßſıİǆŉΐᾳςΣ\u{308}\u{301}\u{37e}\u{212a}\u{10d0} ,._/\u{2003}-]{0,12}"]
    }

    proptest! {
        #![proptest_config(crate::proptest_config())]

        #[test]
        fn normalising_twice_changes_nothing(title in titles()) {
            let once = normalize_title(&title);
            prop_assert_eq!(normalize_title(&once), once.clone());
            prop_assert!(!once.contains(REMOVED_CHARS) && !once.contains(char::is_whitespace), "{:?}", once);
        }

        #[test]
        fn a_normalised_title_finds_itself(title in titles()) {
            let once = normalize_title(&title);
            prop_assert!(is_same_title(&title, &once));
            // As an address may write it.
            prop_assert!(once.contains("__") || is_same_title(&once, &once.replace('_', " ")));
        }
    }
}
