use super::*;
use proptest::prelude::*;

fn said(text: &str) -> Vec<String> {
    items(text).unwrap().iter().map(Item::to_string).collect()
}

fn problem(text: &str) -> (usize, String) {
    let malformed = items(text).unwrap_err();
    (malformed.at, malformed.problem)
}

#[test]
fn a_question_is_cut_into_its_items() {
    assert_eq!(said("rocket  \"two words\" pre*"), ["rocket", "\"two words\"", "pre*"]);
    assert_eq!(said("-engine -\"not this\" -is:open"), ["-engine", "-\"not this\"", "-is:\"open\""]);
    assert_eq!(said("one OR two three"), ["one", "OR two", "three"]);
    assert_eq!(said("status:\"In Progress\" author:me"), ["status:\"In Progress\"", "author:\"me\""]);
    assert_eq!(said("\"open"), ["\"open\""]);
    assert_eq!(said("OR one OR"), ["OR", "one", "OR"]);
}

#[test]
fn what_only_looks_like_a_qualifier_is_words() {
    for text in
        ["https://example.org/x", "std::fmt", "C:\\Temp", "localhost:3000", "12:30", "Error:x", "error: x", "a:b", "--verbose", "-", "::"]
    {
        let words: Vec<&str> = text.split(' ').collect();
        assert_eq!(said(text), words, "{text}");
    }
    assert_eq!(said("\"is:open\""), ["\"is:open\""]);
    assert_eq!(said("is:open\"a b\""), ["is:\"open\"", "\"a b\""]);
}

#[test]
fn what_is_malformed_is_named_with_its_place() {
    assert_eq!(problem("rocket is:"), (8, "is: expects open or closed".to_owned()));
    assert_eq!(problem("é asignee:bob"), (3, "there is no qualifier asignee:, did you mean assignee:?".to_owned()));
    assert_eq!(problem("-autor:me"), (1, "there is no qualifier autor:, did you mean author:?".to_owned()));
}

proptest! {
    #[test]
    fn whatever_is_read_reads_the_same_when_it_is_written_again(text in "[a-zé:\"*\\- O.R/]{0,40}") {
        if let Ok(read) = items(&text) {
            let written: Vec<String> = read.iter().map(Item::to_string).collect();
            let again = items(&written.join(" ")).unwrap();
            let plain = |items: Vec<Item>| items.into_iter().map(|item| (item.negated, item.or, item.said)).collect::<Vec<_>>();
            prop_assert_eq!(plain(read), plain(again));
        }
    }

    #[test]
    fn no_text_breaks_it(text in "\\PC{0,60}") {
        let _ = items(&text);
    }
}
