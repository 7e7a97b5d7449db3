use super::*;
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
    assert_eq!(tokens("OR one OR"), ["OR", "one", "OR"]);
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
        (8, "is: expects open or closed".to_owned())
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

proptest! {
    #![proptest_config(proptest::test_runner::Config::default())]

    #[test]
    fn written_tokens_parse_to_the_same_tokens(text in "[a-zé:\"*\\- O.R/]{0,40}") {
        if let Ok(first) = tokenize(&text) {
            let written: Vec<String> = first.iter().map(Token::to_string).collect();
            let second = tokenize(&written.join(" ")).unwrap();
            prop_assert_eq!(first.len(), second.len());
            for (first, second) in first.into_iter().zip(second) {
                prop_assert_eq!(Token { position: second.position, ..first }, second);
            }
        }
    }

    #[test]
    fn any_text_is_tokenized(text in "\\PC{0,60}") {
        let _ = tokenize(&text);
    }
}
