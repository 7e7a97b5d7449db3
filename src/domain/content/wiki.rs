//! Wiki pages and their titles (compatibility 7).

use crate::ids::{AttachmentId, ProjectId, UserId, WikiPageId};
use crate::validation::ValidationErrors;
use crate::values::patch::Patch;
use jiff::Timestamp;
use unicode_normalization::UnicodeNormalization;

/// Maximum length of a title in characters (compatibility 7).
pub const MAX_TITLE_LENGTH: usize = 255;
/// Maximum length of the comment on a version in characters (compatibility 7).
pub const MAX_COMMENT_LENGTH: usize = 1024;
/// Characters that are removed from titles (compatibility 7).
const REMOVED_CHARS: &[char] = &[',', '.', '/', '?', ';', '|', ':'];
/// The key of the page that is shown as the sidebar. It is always protected (compatibility 7).
const SIDEBAR: &str = "sidebar";

/// Returns the stored form of a title: `_` in place of white space, without `,./?;|:`, the first
/// letter in upper case (compatibility 7), and in Unicode normalization form C. Normalizing twice
/// changes nothing.
pub fn normalize_title(title: &str) -> String {
    let mut kept = String::with_capacity(title.len());
    let mut in_space = false;
    // Composes first, because a composed character may be one of those to remove.
    for c in title.nfc() {
        if c.is_whitespace() && !in_space {
            kept.push('_');
        } else if !c.is_whitespace() && !REMOVED_CHARS.contains(&c) {
            kept.push(c);
        }
        in_space = c.is_whitespace();
    }
    let composed: String = kept.nfc().collect();
    let mut rest = composed.chars();
    let first = rest.next();
    first
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(rest)
        .nfc()
        .collect()
}

/// Returns the key by which titles are compared: ignoring case, in every script. `ß` and `ss`
/// differ.
pub fn title_key(title: &str) -> String {
    normalize_title(title).to_lowercase()
}

/// Whether two titles name the same page.
pub fn is_same_title(a: &str, b: &str) -> bool {
    a == b || title_key(a) == title_key(b)
}

/// Adds the errors of a normalized title.
pub fn validate_title(title: &str, errors: &mut ValidationErrors) {
    errors.require_text("title", "Title", title, MAX_TITLE_LENGTH);
    if title.chars().any(char::is_control) {
        errors.add(
            "title",
            "Title",
            "is invalid (it contains a control character)",
        );
    }
}

/// A wiki.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wiki {
    pub id: i64,
    /// The title of its start page.
    pub start_page: String,
}

/// A wiki page, without its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WikiPage {
    pub id: WikiPageId,
    pub wiki: i64,
    pub project: ProjectId,
    /// Normalized.
    pub title: String,
    pub parent: Option<WikiPageId>,
    pub parent_title: Option<String>,
    /// The stored flag; see [`WikiPage::is_protected`].
    pub protected: bool,
    /// The number of its current version.
    pub version: i64,
    pub created_on: Timestamp,
}

impl WikiPage {
    /// Whether only users who may protect pages can change it.
    pub fn is_protected(&self) -> bool {
        self.protected || is_protected_by_name(&self.title)
    }
}

/// Whether a page with this title is always protected.
pub fn is_protected_by_name(title: &str) -> bool {
    title_key(title) == SIDEBAR
}

/// A version of a wiki page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WikiVersion {
    /// Its number, from 1.
    pub version: i64,
    /// `None` for anonymous.
    pub author: Option<UserId>,
    /// What the author wrote about the change.
    pub comments: Option<String>,
    pub updated_on: Timestamp,
    /// The whole text; empty in lists.
    pub text: String,
}

/// A redirect from a former title of a page to the page, which may be in another wiki.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WikiRedirect {
    pub wiki: i64,
    pub title: String,
    pub target_wiki: i64,
    pub target_title: String,
    pub created_on: Timestamp,
}

/// The attributes of a wiki page in a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WikiChange {
    /// The whole text.
    pub text: Patch<String>,
    pub comments: Option<String>,
    /// The version that the change is based on. Text that is not a number becomes `-1`, which no
    /// version has.
    pub base_version: Patch<i64>,
    /// The title of the parent page; empty for none.
    pub parent: Patch<String>,
    /// The new title.
    pub title: Patch<String>,
    /// Whether to create no redirect from the old title.
    pub without_redirect: bool,
    /// Whether it becomes the start page of the wiki.
    pub is_start_page: bool,
    /// Attachments to delete.
    pub deleted_files: Vec<AttachmentId>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn titles_are_normalized_as_in_redmine() {
        for (title, expected) in [
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
            assert_eq!(normalize_title(title), expected, "{title:?}");
        }
    }

    #[test]
    fn titles_are_compared_ignoring_case_in_every_script() {
        for (a, b) in [
            ("Ähre", "äHRE"),
            ("ΟΔΟΣ", "οδος"),
            ("Привет мир", "привет_МИР"),
            ("Child_Page", "child page"),
        ] {
            assert!(is_same_title(a, b), "{a} {b}");
        }
        for (a, b) in [("Maße", "Masse"), ("Ähre", "Ahre"), ("A_b", "Ab")] {
            assert!(!is_same_title(a, b), "{a} {b}");
        }
    }

    #[test]
    fn title_has_a_maximum_length_and_no_control_characters() {
        assert_eq!(title_errors(&"Ä".repeat(255)), [""; 0]);
        assert_eq!(
            title_errors(&"Ä".repeat(256)),
            ["Title is too long (maximum is 255 characters)"]
        );
        assert_eq!(title_errors(""), ["Title cannot be blank"]);
        assert_eq!(
            title_errors("A\0"),
            ["Title is invalid (it contains a control character)"]
        );
    }

    fn title_errors(title: &str) -> Vec<String> {
        let mut errors = ValidationErrors::new();
        validate_title(title, &mut errors);
        errors.messages()
    }

    fn titles() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<String>(),
            "[a-zA-ZäÄßſıİǆŉΐᾳςΣ\u{308}\u{301}\u{37e}\u{212a}\u{10d0} ,._/\u{2003}-]{0,12}"
        ]
    }

    proptest! {
        #![proptest_config(proptest::test_runner::Config::default())]

        #[test]
        fn normalizing_twice_changes_nothing(title in titles()) {
            let normalized = normalize_title(&title);
            prop_assert_eq!(normalize_title(&normalized), normalized.clone());
            prop_assert!(!normalized.contains(REMOVED_CHARS) && !normalized.contains(char::is_whitespace), "{:?}", normalized);
        }

        #[test]
        fn title_is_the_same_as_its_normalized_form(title in titles()) {
            let normalized = normalize_title(&title);
            prop_assert!(is_same_title(&title, &normalized));
            // As in a URL with spaces.
            prop_assert!(normalized.contains("__") || is_same_title(&normalized, &normalized.replace('_', " ")));
        }
    }
}
