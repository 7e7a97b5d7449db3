//! Property tests: every tree that all formats can express parses back from each of them, and no
//! input makes a parser panic.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use super::*;
use crate::xml_writer::is_allowed;

/// Returns texts that all formats can express.
fn texts() -> impl Strategy<Value = Input> {
    let legal = any::<char>().prop_filter("a legal XML character", |&c| is_allowed(c));
    let tricky = proptest::sample::select("%+&=[];<>\"'\r\n\t \\#".chars().collect::<Vec<_>>());
    vec(prop_oneof![legal, tricky], 0..10)
        .prop_map(|characters| Input::Text(characters.into_iter().collect()))
}

fn leaf() -> impl Strategy<Value = Input> {
    prop_oneof![4 => texts(), 1 => Just(Input::Null)]
}

fn entries(value: impl Strategy<Value = Input>) -> impl Strategy<Value = Vec<(String, Input)>> {
    btree_map("[a-hj-z_][a-z_]{0,5}", value, 1..4).prop_map(|map| map.into_iter().collect())
}

/// Returns trees that all formats can express: no empty containers, no lists in lists, and maps in
/// a list start with a key (`i`) by which a query string separates them.
fn tree() -> impl Strategy<Value = Input> {
    let value = leaf().prop_recursive(4, 40, 4, |inner| {
        let map = entries(inner.clone()).prop_map(Input::Map);
        let item = (texts(), entries(inner)).prop_map(|(first, mut entries)| {
            entries.insert(0, ("i".to_owned(), first));
            Input::Map(entries)
        });
        prop_oneof![
            map,
            vec(item, 1..4).prop_map(Input::List),
            vec(leaf(), 1..4).prop_map(Input::List),
        ]
    });
    entries(value).prop_map(|entries| Input::Map(vec![("root".to_owned(), Input::Map(entries))]))
}

fn escape(byte: u8) -> String {
    match byte {
        b' ' => "+".to_owned(),
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    }
}

fn to_query(input: &Input, prefix: &str, out: &mut Vec<String>) {
    match input {
        Input::Null => out.push(prefix.to_owned()),
        Input::Text(text) => {
            let escaped: String = text.bytes().map(escape).collect();
            out.push(format!("{prefix}={escaped}"));
        }
        Input::List(items) => {
            items
                .iter()
                .for_each(|item| to_query(item, &format!("{prefix}[]"), out));
        }
        Input::Map(entries) => {
            for (name, value) in entries {
                let path = if prefix.is_empty() {
                    name.clone()
                } else {
                    format!("{prefix}[{name}]")
                };
                to_query(value, &path, out);
            }
        }
        Input::Bool(_) | Input::Number(_) => unreachable!("not in the common subset"),
    }
}

fn to_json(input: &Input) -> serde_json::Value {
    match input {
        Input::Null => serde_json::Value::Null,
        Input::Bool(value) => (*value).into(),
        Input::Number(text) => serde_json::from_str(text).unwrap(),
        Input::Text(text) => text.as_str().into(),
        Input::List(items) => items.iter().map(to_json).collect::<Vec<_>>().into(),
        Input::Map(entries) => entries
            .iter()
            .map(|(name, value)| (name.clone(), to_json(value)))
            .collect(),
    }
}

fn to_xml(name: &str, input: &Input, out: &mut String) {
    match input {
        Input::Null => *out += &format!("<{name}/>"),
        Input::Text(text) => {
            let text = text
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            *out += &format!(
                "<{name} type=\"string\">{}</{name}>",
                text.replace('\r', "&#13;")
            );
        }
        Input::List(items) => {
            *out += &format!("<{name} type=\"array\">");
            items.iter().for_each(|item| to_xml("item", item, out));
            *out += &format!("</{name}>");
        }
        Input::Map(entries) => {
            *out += &format!("<{name}>");
            entries
                .iter()
                .for_each(|(name, value)| to_xml(name, value, out));
            *out += &format!("</{name}>");
        }
        Input::Bool(_) | Input::Number(_) => unreachable!("not in the common subset"),
    }
}

fn parse_all(bytes: &[u8]) {
    for result in [from_form(bytes), from_json(bytes), from_xml(bytes)] {
        if let Err(bad) = result {
            assert!(!bad.to_string().is_empty());
        }
    }
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::default())]

    #[test]
    fn query_json_and_xml_parse_to_the_same_tree(tree in tree()) {
        let mut query = Vec::new();
        to_query(&tree, "", &mut query);
        prop_assert_eq!(&from_query(&query.join("&")).unwrap(), &tree);
        prop_assert_eq!(&from_json(to_json(&tree).to_string().as_bytes()).unwrap(), &tree);
        let mut xml = String::new();
        to_xml("root", tree.get("root").unwrap(), &mut xml);
        prop_assert_eq!(&from_xml(xml.as_bytes()).unwrap(), &tree);
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in vec(any::<u8>(), 0..200)) {
        parse_all(&bytes);
    }

    #[test]
    fn arbitrary_markup_does_not_panic(pieces in vec(proptest::sample::select(PIECES), 0..40)) {
        parse_all(&pieces.concat());
    }
}

const PIECES: &[&[u8]] = &[
    b"<a>",
    b"</a>",
    b"<a ",
    b"/>",
    b">",
    b"<",
    b"type=\"array\"",
    b" nil='true'",
    b"=",
    b"'",
    b"\"",
    b"<!--",
    b"-->",
    b"<![CDATA[",
    b"]]>",
    b"<!DOCTYPE a [",
    b"<?xml version='1.0' ",
    b"encoding='x'",
    b"?>",
    b"&",
    b"&amp;",
    b"&#x41;",
    b"&#",
    b";",
    b"a",
    b"\xc3\xa9",
    b"\xff",
    b"\n",
    b" ",
    b"[",
    b"]",
    b"{",
    b"}",
    b":",
    b",",
    b"1",
    b"-",
    b"e9",
    b"null",
    b"\\u",
    b"%",
    b"%41",
    b"[]",
    b"[x]",
    b"+",
    b"\0",
];
