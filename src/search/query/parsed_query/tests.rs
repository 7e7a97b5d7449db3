use super::super::word::{QueryTerm, Word};
use super::{ParsedQuery, QueryError};
use crate::search::IndexConfig;

fn parse(text: &str) -> Result<ParsedQuery, QueryError> {
    ParsedQuery::parse(text, &IndexConfig::embedded().unwrap().bounds)
}

fn words(text: &str) -> String {
    let format_word = |word: &Word| {
        let variants = word.variants.iter().map(|terms| {
            terms
                .iter()
                .map(|term| format!("{}@{}", term.term, term.offset))
                .collect::<Vec<_>>()
                .join(" ")
        });
        variants.collect::<Vec<_>>().join(" | ") + if word.prefix { "*" } else { "" }
    };
    parse(text)
        .unwrap()
        .words
        .iter()
        .map(format_word)
        .collect::<Vec<_>>()
        .join(", ")
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
        ("issue_query.rb", "issu@0 queri@1 rb@2 | issue_query.rb@0"),
        (
            "net.actionBar",
            "net@0 action@1 bar@2 | net@0 actionbar@1 | net.actionbar@0",
        ),
        ("config*", "config@0*"),
        ("c*", "c@0"),
        ("title:(foo AND +bar)^2~", "titl@0 foo@1, and@0, bar@0 2@1"),
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
    let words = |count: usize| {
        (0..count)
            .map(|n| format!("w{n}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(parse(&words(100)).unwrap().check_all_words(&bounds), Ok(()));
    assert_eq!(
        parse(&words(101)).unwrap().check_all_words(&bounds),
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
    let parse = |text: &str| -> Vec<(String, Vec<String>)> {
        let name = |word: &Word| word.variants[0][0].unstemmed.clone();
        let words = parse(text).unwrap().words.into_iter();
        words
            .map(|word| (name(&word), word.alternatives.iter().map(name).collect()))
            .collect()
    };
    let word = |name: &str, alternatives: &[&str]| {
        (
            name.to_owned(),
            alternatives.iter().map(|name| (*name).to_owned()).collect(),
        )
    };
    assert_eq!(parse("cat dog cat"), [word("cat", &[]), word("dog", &[])]);
    assert_eq!(
        parse("cat dog cat OR hen"),
        [word("cat", &[]), word("dog", &[]), word("cat", &["hen"])]
    );
    assert_eq!(
        parse("cat OR hen cat OR hen OR hen"),
        [word("cat", &["hen"]), word("cat", &["hen"])]
    );
}

#[test]
fn compound_words_have_other_spellings() {
    let spellings = |text: &str| {
        let join = |terms: &Vec<QueryTerm>| {
            terms
                .iter()
                .map(|term| term.unstemmed.as_str())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let words = parse(text).unwrap().words.into_iter();
        words
            .map(|word| word.spellings.iter().map(join).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
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
    assert_eq!(spellings("Web-View"), [[""; 0]]);
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
    #![proptest_config(crate::proptest_config())]

    #[test]
    fn any_text_is_parsed(text in "(.|[\"*“” a-z東\u{0}]){0,200}") {
        for word in parse(&text).unwrap().words {
            proptest::prop_assert!(!word.variants.is_empty() && word.variants.iter().all(|terms| !terms.is_empty()));
        }
    }
}
