use super::*;
use crate::query::token::text_of;
use proptest::prelude::*;

fn tokens(text: &str) -> Vec<String> {
    tokenize(text)
        .unwrap()
        .iter()
        .map(Token::to_string)
        .collect()
}

fn problem(text: &str) -> (usize, String) {
    let error = tokenize(text).unwrap_err();
    (error.position, error.problem)
}

#[test]
fn query_is_split_into_tokens() {
    assert_eq!(
        tokens("rocket  \"two words\" pre*"),
        ["rocket", "\"two words\"", "pre*"]
    );
    assert_eq!(
        tokens("-engine -\"not this\" -is:open"),
        ["-engine", "-\"not this\"", "-is:open"]
    );
    assert_eq!(tokens("one OR two three"), ["one", "OR two", "three"]);
    assert_eq!(
        tokens("status:\"In Progress\" author:me"),
        ["status:\"In Progress\"", "author:me"]
    );
    assert_eq!(tokens("\"open"), ["\"open\""]);
    assert_eq!(tokens("OR one OR"), ["\"OR\"", "one", "\"OR\""]);
}

#[test]
fn text_with_colons_is_words() {
    for text in [
        "https://example.org/x",
        "std::fmt",
        "C:\\Temp",
        "localhost:3000",
        "12:30",
        "Error:x",
        "error: x",
        "a:b",
        "--verbose",
        "-",
        "::",
    ] {
        let words: Vec<&str> = text.split(' ').collect();
        assert_eq!(tokens(text), words, "{text}");
    }
    assert_eq!(tokens("\"is:open\""), ["\"is:open\""]);
    assert_eq!(tokens("is:open\"a b\""), ["is:open", "\"a b\""]);
}

#[test]
fn errors_have_position_and_problem() {
    assert_eq!(
        problem("rocket is:"),
        (
            8,
            "is: expects open, closed, mine, watched, overdue, private or unread".to_owned()
        )
    );
    assert_eq!(
        problem("é asignee:bob"),
        (
            3,
            "there is no qualifier asignee:, did you mean assignee:?".to_owned()
        )
    );
    assert_eq!(
        problem("-autor:me"),
        (
            1,
            "there is no qualifier autor:, did you mean author:?".to_owned()
        )
    );
}

/// Returns the query as its tokens are typed, and why it was searched as text.
fn read(text: &str) -> (String, Option<String>) {
    let parsed = parse(text).unwrap();
    let reason = parsed.as_text.map(|reason| reason.to_string());
    (text_of(&parsed.tokens), reason)
}

#[test]
fn groups_that_change_nothing_are_left_out() {
    for (text, expected) in [
        ("crash AND hang", "crash hang"),
        ("crash NOT hang", "crash -hang"),
        ("NOT hang", "-hang"),
        ("(crash OR hang) leak", "crash OR hang leak"),
        ("(crash OR hang)", "crash OR hang"),
        ("(crash hang) leak", "crash hang leak"),
        ("((crash))", "crash"),
        ("-(crash)", "-crash"),
        ("-(-crash)", "crash"),
        ("NOT NOT crash", "crash"),
        (
            "-(status:Closed OR status:Rejected)",
            "-status:Closed -status:Rejected",
        ),
        ("NOT (a1 OR (b1 OR c1))", "-a1 -b1 -c1"),
        ("a1 OR (b1 OR c1)", "a1 OR b1 OR c1"),
        ("a1 OR (b1 AND c1)", "a1 OR (b1 c1)"),
        ("a1 OR NOT b1", "a1 OR -b1"),
        ("-(a1 b1)", "-(a1 b1)"),
        ("a1 OR -(b1 OR c1)", "a1 OR -(b1 OR c1)"),
        ("-(a1 OR (b1 c1))", "-a1 -(b1 c1)"),
        ("(crash in:title) hang", "(crash in:title) hang"),
        ("(is:open a1) (is:closed b1)", "is:open a1 (is:closed b1)"),
        ("(\"a b\" OR c1), d1", "\"a b\" OR c1 d1"),
        ("( a1 OR b1 )", "a1 OR b1"),
        ("(render() OR draw())", "render() OR draw()"),
        ("()", "()"),
        ("crash ( )", "crash"),
        ("((((((((((((a1 OR b1))))))))))))", "a1 OR b1"),
        ("HTTP NOT TLS", "HTTP -TLS"),
        ("404 NOT 500 NOT 501", "404 -500 -501"),
        ("memory leak NOT ios", "memory leak -ios"),
        ("a1 b1 c1 d1 NOT (e1 OR f1)", "a1 b1 c1 d1 -e1 -f1"),
        ("done: 5 files was: x", "done: 5 files was: x"),
        ("(crash -in:title) hang", "(crash -in:title) hang"),
    ] {
        assert_eq!(read(text), (expected.to_owned(), None), "{text}");
    }
}

#[test]
fn text_that_only_looks_like_operators_is_text() {
    for (text, expected, reason) in [
        (
            "if (a1 AND b1)",
            "if a1 \"AND\" b1",
            "the group at character 4 would change nothing",
        ),
        (
            "(crash OR hang",
            "crash OR hang",
            "the parenthesis at character 1 is never closed",
        ),
        (
            "(crash OR hang) b1) c1",
            "crash OR hang b1 c1",
            "the parenthesis at character 19 is in a word, or has no counterpart",
        ),
        (
            "COULD NOT OPEN FILE",
            "COULD \"NOT\" OPEN FILE",
            "NOT at character 7 is among words as in a message",
        ),
        (
            "AND gate",
            "\"AND\" gate",
            "AND at character 1 has nothing to join on one side",
        ),
        (
            "crash AND",
            "crash \"AND\"",
            "AND at character 7 has nothing to join on one side",
        ),
        (
            "why NOT",
            "why \"NOT\"",
            "NOT at character 5 has nothing to exclude",
        ),
    ] {
        assert_eq!(
            read(text),
            (expected.to_owned(), Some(reason.to_owned())),
            "{text}"
        );
    }
    for text in [
        "crash :)",
        ":-) crash",
        "(: crash",
        "(s)he",
        "foo(bar) baz",
        "at Bar.baz(Bar.java:12)",
        "1) first 2) second",
        "f(a1, b1)",
        "and not",
    ] {
        assert_eq!(read(text), (text.to_owned(), None), "{text}");
    }
}

#[test]
fn groups_are_at_most_five_levels_deep() {
    let text = "-(a1 -(b1 -(c1 -(d1 -(e1 f1)))))";
    assert_eq!(read(text).0, text);
    assert_eq!(
        problem("-(a1 -(b1 -(c1 -(d1 -(e1 -(f1 g1))))))"),
        (
            26,
            "parentheses may be nested at most 5 levels deep".to_owned()
        )
    );
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::default())]

    #[test]
    fn written_tokens_parse_to_the_same_tokens(text in "([a-zé:\"*\\-.R/ ()]|OR| AND | NOT | OR | \\(|\\) ){0,40}") {
        if let Ok(first) = tokenize(&text) {
            let written = text_of(&first);
            let second = tokenize(&written).unwrap();
            prop_assert_eq!(first.len(), second.len(), "{}", written);
            for (first, second) in first.into_iter().zip(second) {
                prop_assert_eq!(Token { position: second.position, ..first }, second);
            }
        }
    }

    #[test]
    fn tokenize_never_panics(text in "\\PC{0,60}") {
        let _ = tokenize(&text);
    }
}
