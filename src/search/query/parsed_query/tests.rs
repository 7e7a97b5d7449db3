use super::{ParsedQuery, QueryError};
use crate::search::IndexConfig;

fn parse(text: &str) -> Result<ParsedQuery, QueryError> {
    ParsedQuery::parse(text, &IndexConfig::embedded().unwrap().bounds)
}

fn words(text: &str) -> String {
    let format_word = |word: &super::Word| {
        let variants = word
            .variants
            .iter()
            .map(|terms| terms.iter().map(|term| format!("{}@{}", term.term, term.offset)).collect::<Vec<_>>().join(" "));
        variants.collect::<Vec<_>>().join(" | ") + if word.prefix { "*" } else { "" }
    };
    parse(text).unwrap().words.iter().map(format_word).collect::<Vec<_>>().join(", ")
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
        ("net.actionBar", "net@0 action@1 bar@2 | net@0 actionbar@1 | net.actionbar@0"),
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
    assert_eq!(parse(&"a ".repeat(1001)), Err(QueryError::TooLong { limit: 2000 }));
    let too_many = (0..101).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
    assert_eq!(parse(&too_many), Err(QueryError::TooManyWords { limit: 100 }));
    assert_eq!(parse("x").unwrap().words.len(), 1);
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
