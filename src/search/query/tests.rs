use super::{BadQuery, Query};
use crate::search::Mapping;

fn parse(text: &str) -> Result<Query, BadQuery> {
    Query::parse(text, &Mapping::embedded().unwrap().bounds)
}

fn words(text: &str) -> String {
    let read = |word: &super::Word| {
        let readings = word
            .readings
            .iter()
            .map(|steps| steps.iter().map(|step| format!("{}@{}", step.term, step.offset)).collect::<Vec<_>>().join(" "));
        readings.collect::<Vec<_>>().join(" | ") + if word.prefix { "*" } else { "" }
    };
    parse(text).unwrap().words.iter().map(read).collect::<Vec<_>>().join(", ")
}

#[test]
fn questions_become_words() {
    for (text, wanted) in [
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
        assert_eq!(words(text), wanted, "{text}");
    }
}

#[test]
fn questions_are_bounded() {
    assert_eq!(parse(&"a ".repeat(1001)), Err(BadQuery::TooLong { limit: 2000 }));
    let many = (0..101).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
    assert_eq!(parse(&many), Err(BadQuery::TooManyWords { limit: 100 }));
    assert_eq!(parse("x").unwrap().words.len(), 1);
}

proptest::proptest! {
    #[test]
    fn any_input_is_read(text in "(.|[\"*“” a-z東\u{0}]){0,200}") {
        for word in parse(&text).unwrap().words {
            proptest::prop_assert!(!word.readings.is_empty() && word.readings.iter().all(|steps| !steps.is_empty()));
        }
    }
}
