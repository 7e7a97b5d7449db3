//! The format of the JSON files in `src/openapi`.

use serde_json::Value;
use std::path::Path;

const MAX_COLUMNS: usize = 100;

/// Returns a value in the format: an object or a list that ends within the columns is on one line;
/// otherwise each of its entries is on a line of its own, indented by one space.
fn format(value: &Value) -> String {
    let mut text = String::new();
    write(&mut text, value, 0, 0);
    text.push('\n');
    text
}

/// Writes a value. `others` is the number of columns that its line has besides it.
fn write(text: &mut String, value: &Value, indent: usize, others: usize) {
    let line = on_one_line(value);
    let entries = entries(value);
    if entries.is_empty() || others + line.chars().count() <= MAX_COLUMNS {
        return text.push_str(&line);
    }
    let (open, close) = brackets(value);
    text.push(open);
    for (index, (key, value)) in entries.iter().enumerate() {
        let comma = if index + 1 < entries.len() { "," } else { "" };
        text.push('\n');
        text.push_str(&" ".repeat(indent + 1));
        text.push_str(key);
        let others = indent + 1 + key.chars().count() + comma.len();
        write(text, value, indent + 1, others);
        text.push_str(comma);
    }
    text.push('\n');
    text.push_str(&" ".repeat(indent));
    text.push(close);
}

fn on_one_line(value: &Value) -> String {
    if !value.is_object() && !value.is_array() {
        return value.to_string();
    }
    let entries = entries(value)
        .into_iter()
        .map(|(key, value)| key + &on_one_line(value));
    let (open, close) = brackets(value);
    format!("{open}{}{close}", entries.collect::<Vec<_>>().join(", "))
}

/// Returns the entries of an object or a list, with the keys as they are written.
fn entries(value: &Value) -> Vec<(String, &Value)> {
    match value {
        Value::Object(entries) => entries
            .iter()
            .map(|(key, value)| (format!("{}: ", Value::from(key.as_str())), value))
            .collect(),
        Value::Array(items) => items.iter().map(|item| (String::new(), item)).collect(),
        _ => Vec::new(),
    }
}

fn brackets(value: &Value) -> (char, char) {
    if value.is_object() {
        ('{', '}')
    } else {
        ('[', ']')
    }
}

#[test]
fn files_of_openapi_are_formatted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/openapi");
    let is_rewrite = std::env::var_os("UPDATE_OPENAPI").is_some();
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        });
    let mut count = 0;
    let mut unformatted = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let value: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let formatted = format(&value);
        if is_rewrite {
            std::fs::write(&path, formatted).unwrap();
        } else if formatted != text {
            unformatted.push(path);
        }
        count += 1;
    }
    assert!(count > 30, "the files were not found");
    assert!(
        unformatted.is_empty(),
        "UPDATE_OPENAPI=1 cargo test --test architecture formatted {unformatted:#?}"
    );
}

#[test]
fn values_that_end_within_100_columns_are_on_one_line() {
    let text = "x".repeat(MAX_COLUMNS - r#" "a": [""],"#.len());
    let value = |text: &str| serde_json::json!({"a": [text], "b": {"c": {}, "d": null}});
    assert_eq!(
        format(&value(&text)),
        format!("{{\n \"a\": [\"{text}\"],\n \"b\": {{\"c\": {{}}, \"d\": null}}\n}}\n")
    );
    let text = text + "x";
    assert_eq!(
        format(&value(&text)),
        format!("{{\n \"a\": [\n  \"{text}\"\n ],\n \"b\": {{\"c\": {{}}, \"d\": null}}\n}}\n")
    );
}
