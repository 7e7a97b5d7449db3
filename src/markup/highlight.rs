//! Highlights code: spans with CSS classes, in time linear in its length. Classes, because the
//! pages allow no inline styles.

mod lexer;

use hl_lite::{Kind, Lang};

/// Maximum length of code that is highlighted, in bytes. Longer code is shown in one colour.
const MAX_LENGTH: usize = 64 * 1024;

/// Returns the code as spans, each with its class, which may be empty; `None` where the language is
/// not known.
pub(super) fn spans<'c>(language: &str, code: &'c str) -> Option<Vec<(&'static str, &'c str)>> {
    if code.len() > MAX_LENGTH || language.is_empty() {
        return None;
    }
    if let Some(language) = Lang::from_slug(language) {
        let spans = hl_lite::highlight(language, code);
        return Some(
            spans
                .into_iter()
                .map(|span| (class(span.kind), span.text))
                .collect(),
        );
    }
    lexer::Language::parse(language).map(|language| language.spans(code))
}

fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Keyword => "hl-keyword",
        Kind::String => "hl-string",
        Kind::Comment => "hl-comment",
        Kind::Number => "hl-number",
        Kind::Type => "hl-type",
        Kind::Function => "hl-function",
        Kind::Attribute => "hl-attribute",
        Kind::Property => "hl-property",
        Kind::Tag => "hl-tag",
        Kind::Constant => "hl-constant",
        Kind::Variable => "hl-variable",
        // A span for every operator would double the size of the page.
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(language: &str, code: &str) -> Vec<(&'static str, String)> {
        let spans = spans(language, code).unwrap();
        spans
            .into_iter()
            .filter(|(class, _)| !class.is_empty())
            .map(|(class, text)| (class, text.to_owned()))
            .collect()
    }

    #[test]
    fn unknown_languages_and_long_code_are_not_highlighted() {
        assert_eq!(spans("brainfuck", "+++"), None);
        assert_eq!(spans("", "let x"), None);
        assert_eq!(spans("rust", &"a".repeat(MAX_LENGTH + 1)), None);
    }

    #[test]
    fn words_of_a_language_get_their_class() {
        let ruby = classes("ruby", "def x # note\n  'a\\'b' + 12\nend\n");
        let expected = [
            ("hl-keyword", "def"),
            ("hl-comment", "# note"),
            ("hl-string", "'a\\'b'"),
            ("hl-number", "12"),
            ("hl-keyword", "end"),
        ];
        assert_eq!(ruby, expected.map(|(class, text)| (class, text.to_owned())));
        let sql = classes("SQL", "SELECT 'it''s' -- all\nfrom t");
        assert_eq!(
            sql.iter().map(|(class, _)| *class).collect::<Vec<_>>(),
            [
                "hl-keyword",
                "hl-string",
                "hl-string",
                "hl-comment",
                "hl-keyword"
            ]
        );
        let diff = classes("diff", "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same\n");
        assert_eq!(
            diff.iter().map(|(class, _)| *class).collect::<Vec<_>>(),
            ["hl-meta", "hl-meta", "hl-meta", "hl-deleted", "hl-inserted"]
        );
        assert_eq!(
            classes("rust", "fn main() {}")[0],
            ("hl-keyword", "fn".to_owned())
        );
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config::default())]

        #[test]
        fn no_character_is_lost(language in "(rust|ruby|sql|diff|java|c|go|php|js|bash|html|yaml)", code in "[a-z0-9#'\"/*\\-+<>$\n {}é`=]{0,80}") {
            let joined: String = spans(&language, &code).unwrap().into_iter().map(|(_, text)| text).collect();
            proptest::prop_assert_eq!(joined, code);
        }
    }
}
