//! Converts the YAML that Redmine stores (lists and maps with Ruby symbols) to JSON.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Number, Value};
use std::collections::HashMap;
use yaml_rust2::parser::{Event, MarkedEventReceiver, Parser, Tag};
use yaml_rust2::scanner::{Marker, TScalarStyle};
use yaml_rust2::{Yaml, YamlLoader};

/// Returns the document as JSON; `None` when it is null or empty.
pub fn to_json(text: &str) -> Result<Option<String>, String> {
    let value = parse_document(text)?;
    Ok(if value.is_null() {
        None
    } else {
        Some(value.to_string())
    })
}

/// Returns the items of a list of symbols or texts; none for an empty document.
pub fn list(text: &str) -> Result<Vec<String>, String> {
    match parse_document(text)? {
        Value::Array(items) => Ok(items.iter().map(to_text).collect()),
        Value::Null => Ok(Vec::new()),
        _ => Err("is not a list".to_owned()),
    }
}

/// Returns the value of a key in a map, if it exists.
pub fn map_value(text: &str, key: &str) -> Result<Option<String>, String> {
    Ok(parse_document(text)?.get(key).map(to_text))
}

fn to_text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn parse_document(text: &str) -> Result<Value, String> {
    if text.trim().is_empty() {
        return Ok(Value::Null);
    }
    check_size(text)?;
    let mut loader = BinaryLoader::default();
    Parser::new_from_str(text)
        .load(&mut loader, false)
        .map_err(|error| format!("is not YAML: {error}"))?;
    if let Some(problem) = loader.problem {
        return Err(problem);
    }
    match loader.loader.documents().first() {
        Some(document) => Ok(yaml_to_json(document)),
        None if loader.has_document => Err("is not YAML: a key is repeated in a map".to_owned()),
        None => Ok(Value::Null),
    }
}

/// Builds a document in which binary texts are decoded: Ruby writes texts so whose encoding it does not
/// know.
#[derive(Default)]
struct BinaryLoader {
    /// Builds no document when it has met an error.
    loader: YamlLoader,
    has_document: bool,
    /// Why the first binary text that is unusable is so.
    problem: Option<String>,
}

impl MarkedEventReceiver for BinaryLoader {
    fn on_event(&mut self, event: Event, marker: Marker) {
        let event = match event {
            Event::Scalar(text, _, anchor, Some(tag)) if is_binary(&tag) => {
                let decoded = decode_binary(&text).unwrap_or_else(|problem| {
                    self.problem.get_or_insert(problem);
                    String::new()
                });
                Event::Scalar(decoded, TScalarStyle::DoubleQuoted, anchor, None)
            }
            event => event,
        };
        self.has_document |= event == Event::DocumentEnd;
        self.loader.on_event(event, marker);
    }
}

/// Whether a tag is `!binary` or `!!binary`.
fn is_binary(tag: &Tag) -> bool {
    tag.suffix == "binary" && matches!(tag.handle.as_str(), "!" | "tag:yaml.org,2002:")
}

/// Decodes Base64, which may have line breaks.
fn decode_binary(text: &str) -> Result<String, String> {
    let digits: String = text.split_whitespace().collect();
    let bytes = STANDARD
        .decode(digits)
        .map_err(|_| "has a binary value that is not Base64".to_owned())?;
    String::from_utf8(bytes).map_err(|_| "has a binary value that is not UTF-8".to_owned())
}

/// Maximum depth of lists and maps.
const MAX_DEPTH: usize = 50;
/// Maximum number of bytes and values of a document, with what its aliases repeat. Redmine's longest
/// are lists of a few hundred permissions or values.
const MAX_SIZE: usize = 2 * 1024 * 1024;
/// What a value counts in addition to its bytes.
const VALUE_SIZE: usize = 8;

/// The size and the depth of a value with everything in it.
#[derive(Clone, Copy, Default)]
struct Extent {
    size: usize,
    /// Number of lists and maps within each other; 0 for a scalar.
    depth: usize,
}

/// Checks a document before it is built: lists within lists, and aliases of aliases, take more memory
/// than their text.
fn check_size(text: &str) -> Result<(), String> {
    let mut parser = Parser::new_from_str(text);
    // The open lists and maps: the anchor, the total before them, and the depth of what is in them.
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    let mut anchors: HashMap<usize, Extent> = HashMap::new();
    let mut total: usize = 0;
    loop {
        let (event, _) = parser
            .next_token()
            .map_err(|error| format!("is not YAML: {error}"))?;
        let added = match event {
            Event::StreamEnd => return Ok(()),
            Event::Scalar(text, _, anchor, _) => {
                let size = text.len() + VALUE_SIZE;
                anchors.insert(anchor, Extent { size, depth: 0 });
                Extent { size, depth: 0 }
            }
            Event::Alias(anchor) => {
                let known = anchors.get(&anchor).copied().unwrap_or_default();
                let size = known.size + VALUE_SIZE;
                Extent { size, ..known }
            }
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                open.push((anchor, total, 0));
                let size = VALUE_SIZE;
                Extent { size, depth: 0 }
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let (anchor, before, inner) = open.pop().unwrap_or_default();
                let size = total.saturating_sub(before);
                let depth = inner + 1;
                anchors.insert(anchor, Extent { size, depth });
                Extent { size: 0, depth }
            }
            _ => Extent::default(),
        };
        total = total.saturating_add(added.size);
        if let Some((_, _, inner)) = open.last_mut() {
            *inner = added.depth.max(*inner);
        }
        if open.len() + added.depth > MAX_DEPTH {
            return Err(format!("is nested more than {MAX_DEPTH} levels deep"));
        }
        if total > MAX_SIZE {
            return Err(format!("has more than {MAX_SIZE} bytes with its aliases"));
        }
    }
}

fn yaml_to_json(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::Null | Yaml::BadValue | Yaml::Alias(_) => Value::Null,
        Yaml::Boolean(on) => Value::Bool(*on),
        Yaml::Integer(number) => Value::from(*number),
        Yaml::Real(text) => text
            .parse()
            .ok()
            .and_then(Number::from_f64)
            .map_or_else(|| Value::from(text.as_str()), Value::Number),
        Yaml::String(text) => Value::from(strip_symbol(text)),
        Yaml::Array(items) => Value::Array(items.iter().map(yaml_to_json).collect()),
        Yaml::Hash(entries) => Value::Object(
            entries
                .iter()
                .map(|(key, value)| (to_text(&yaml_to_json(key)), yaml_to_json(value)))
                .collect::<Map<_, _>>(),
        ),
    }
}

/// Returns the name of a Ruby symbol, which starts with a colon; any other text unchanged.
fn strip_symbol(text: &str) -> &str {
    match text.strip_prefix(':') {
        Some(name)
            if !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || "_?!.".contains(c)) =>
        {
            name
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_maps_and_lists_become_json() {
        let text = "---\nstatus_id:\n  :operator: o\n  :values:\n  - ''\n  - '1'\n:totalable_names:\n- :hours\n";
        assert_eq!(
            to_json(text),
            Ok(Some(
                r#"{"status_id":{"operator":"o","values":["","1"]},"totalable_names":["hours"]}"#
                    .to_owned()
            ))
        );
        assert_eq!(to_json("--- {}\n"), Ok(Some("{}".to_owned())));
        assert_eq!(to_json("--- \n"), Ok(None));
        assert_eq!(
            to_json("---\n- - priority\n  - desc\n"),
            Ok(Some(r#"[["priority","desc"]]"#.to_owned()))
        );
        let rails = "--- !ruby/hash:ActiveSupport::HashWithIndifferentAccess\nurl_pattern: http://x/%value%\n";
        assert_eq!(
            to_json(rails),
            Ok(Some(r#"{"url_pattern":"http://x/%value%"}"#.to_owned()))
        );
        assert!(to_json("a: [").is_err());
    }

    #[test]
    fn deep_and_repeating_documents_are_refused() {
        let deep = format!("---\n{}x", "- ".repeat(3000));
        assert!(to_json(&deep).unwrap_err().contains("levels deep"));
        let mut chain = "---\n- &a0 [x]\n".to_owned();
        for level in 1..3000 {
            chain.push_str(&format!("- &a{level} [*a{}]\n", level - 1));
        }
        assert!(to_json(&chain).unwrap_err().contains("levels deep"));
        let mut bomb = "---\n- &a0 xxxxxxxxxx\n".to_owned();
        for level in 1..9 {
            let alias = format!("*a{}, ", level - 1);
            bomb.push_str(&format!("- &a{level} [{}]\n", alias.repeat(10)));
        }
        assert!(to_json(&bomb).unwrap_err().contains("with its aliases"));
        assert_eq!(
            to_json("---\na: &x [1]\nb: *x\n"),
            Ok(Some(r#"{"a":[1],"b":[1]}"#.to_owned()))
        );
    }

    #[test]
    fn binary_texts_are_decoded() {
        let values = "---\n- Plain\n- !binary |-\n  R3LDtsOf\n  ZQ==\n- !!binary 'w4RybWVs'\n";
        let expected = ["Plain", "Größe", "Ärmel"].map(str::to_owned);
        assert_eq!(list(values), Ok(expected.to_vec()));
        let filters =
            "---\ncf_1:\n  :operator: \"=\"\n  :values:\n  - !binary |-\n    VGVzdCDDvA==\n";
        assert_eq!(
            to_json(filters),
            Ok(Some(
                r#"{"cf_1":{"operator":"=","values":["Test ü"]}}"#.to_owned()
            ))
        );
        for (text, problem) in [
            ("- !binary a-b", "has a binary value that is not Base64"),
            ("- !binary /w==", "has a binary value that is not UTF-8"),
            ("a: 1\na: 2\n", "is not YAML: a key is repeated in a map"),
        ] {
            assert_eq!(to_json(text), Err(problem.to_owned()));
        }
    }

    #[test]
    fn lists_and_map_values_are_read() {
        assert_eq!(
            list("---\n- :view_issues\n- 'add_issues'\n"),
            Ok(vec!["view_issues".to_owned(), "add_issues".to_owned()])
        );
        assert_eq!(list(""), Ok(Vec::new()));
        assert_eq!(
            map_value(
                "---\n:bookmarked_project_ids: '1,2'\n",
                "bookmarked_project_ids"
            ),
            Ok(Some("1,2".to_owned()))
        );
    }
}
