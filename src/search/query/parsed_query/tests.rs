use super::super::word::{QueryTerm, Word};
use super::{ParsedQuery, QueryError};
use crate::IndexConfig;

fn parse(text: &str) -> Result<ParsedQuery, QueryError> {
    ParsedQuery::parse(text, &IndexConfig::embedded().unwrap().bounds)
}

fn words(text: &str) -> String {
    let words = parse(text).unwrap().words;
    words.iter().map(format_word).collect::<Vec<_>>().join(", ")
}

fn format_word(word: &Word) -> String {
    let variants: Vec<String> = word
        .variants
        .iter()
        .map(|terms| format_terms(terms))
        .collect();
    variants.join(" | ") + if word.prefix { "*" } else { "" }
}

fn format_terms(terms: &[QueryTerm]) -> String {
    let terms: Vec<String> = terms
        .iter()
        .map(|term| format!("{}@{}", term.term, term.offset))
        .collect();
    terms.join(" ")
}

#[test]
fn text_is_parsed_to_words() {
    for (text, expected) in [
        ("  ", ""),
        ("!!! ---", ""),
        ("crash bug crash", "crash@0, bug@0"),
        ("\"quick brown\" fox", "quick@0 brown@1, fox@0"),
        ("\"open end", "open@0 end@1"),
        ("a\u{0}b", "a@0, b@0"),
        ("issue_query.rb", "issu@0 queri@1 rb@2 | issuequeryrb@0"),
        ("iOS7", "io@0 7@1 | ios7@0"),
        ("e-mail", "e@0 mail@1 | email@0"),
        (
            "net.actionBar",
            "net@0 action@1 bar@2 | net@0 actionbar@1 | netactionbar@0",
        ),
        ("config*", "config@0*"),
        ("c*", "c@0"),
        ("title:(foo AND +bar)^2~", "titl@0 foo@1, and@0, bar@0 2@1"),
        ("(foo OR bar) AND baz", "foo@0, baz@0"),
        ("東京都 都", "東京@0 京都@1, 都@0"),
        ("東京tower", "東京@0 tower@2"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn length_and_number_of_words_are_limited() {
    assert!(parse(&"a ".repeat(4000)).is_ok());
    assert_eq!(
        parse(&"a ".repeat(4001)).err(),
        Some(QueryError::TooLong { limit: 8000 })
    );
    let bounds = IndexConfig::embedded().unwrap().bounds;
    let mut words: Vec<String> = (0..100).map(|n| format!("w{n}")).collect();
    let longest = parse(&words.join(" ")).unwrap();
    assert_eq!(longest.check_all_words(&bounds), Ok(()));
    words.push("w100".to_owned());
    let too_long = parse(&words.join(" ")).unwrap();
    assert_eq!(
        too_long.check_all_words(&bounds),
        Err(QueryError::TooManyWords { limit: 100 })
    );
    assert_eq!(
        parse(&"is:open ".repeat(101)).err(),
        Some(QueryError::TooManyQualifiers { limit: 100 })
    );
    assert_eq!(parse("x").unwrap().words.len(), 1);
}

#[test]
fn repeated_words_are_ignored_but_not_their_alternatives() {
    for (text, expected) in [
        ("cat dog cat", "cat, dog"),
        ("cat dog cat OR hen", "cat, dog, cat OR hen"),
        ("cat OR hen cat OR hen OR hen", "cat OR hen, cat OR hen"),
    ] {
        let words: Vec<String> = parse(text)
            .unwrap()
            .words
            .iter()
            .map(with_alternatives)
            .collect();
        assert_eq!(words.join(", "), expected, "{text}");
    }
}

fn with_alternatives(word: &Word) -> String {
    let words: Vec<&str> = std::iter::once(word)
        .chain(&word.alternatives)
        .map(|word| word.variants[0][0].unstemmed.as_str())
        .collect();
    words.join(" OR ")
}

fn spellings(text: &str) -> Vec<Vec<String>> {
    let words = parse(text).unwrap().words;
    words
        .iter()
        .map(|word| {
            word.spellings
                .iter()
                .map(|terms| unstemmed(terms))
                .collect()
        })
        .collect()
}

fn unstemmed(terms: &[QueryTerm]) -> String {
    let terms: Vec<&str> = terms.iter().map(|term| term.unstemmed.as_str()).collect();
    terms.join(" ")
}

#[test]
fn compound_words_have_other_spellings() {
    assert_eq!(spellings("webview"), [["web view", "webv iew"]]);
    assert_eq!(spellings("web view"), [["webview"], ["webview"]]);
    assert_eq!(
        spellings("web view tab"),
        [vec!["webview"], vec!["webview", "viewtab"], vec!["viewtab"]]
    );
    assert_eq!(
        spellings(&"web view ".repeat(300)),
        [["webview", "viewweb"], ["webview", "viewweb"]]
    );
    assert_eq!(spellings("Web-View"), [["webview"]]);
    for text in [
        "web is:open view",
        "web -view",
        "web OR view",
        "\"web view\"",
        "web view*",
        "we bview",
        "webview9",
        "größer",
    ] {
        assert!(
            spellings(text)
                .iter()
                .flatten()
                .all(|spelling| !spelling.contains("web")),
            "{text}: {:?}",
            spellings(text)
        );
    }
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::default())]

    #[test]
    fn any_text_is_parsed(text in "(.|[\"*“” a-z東\u{0}]){0,200}") {
        for word in parse(&text).unwrap().words {
            proptest::prop_assert!(!word.variants.is_empty() && word.variants.iter().all(|terms| !terms.is_empty()));
        }
    }
}

#[test]
fn repeated_words_are_counted_and_words_with_alternatives_are_not() {
    let counts: Vec<u32> = parse("pump motor Pump pump OR valve pump")
        .unwrap()
        .words
        .iter()
        .map(|word| word.count)
        .collect();
    assert_eq!(counts, [3, 1, 1]);
}

#[test]
fn repeated_word_is_no_alternative_of_itself() {
    let query = parse("pump pump !! OR pump").unwrap();
    assert_eq!(query.words.len(), 1);
    assert!(query.words[0].alternatives.is_empty());
}
