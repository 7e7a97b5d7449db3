//! What Redmine keeps as YAML: lists and maps with symbols, which become JSON.

use serde_json::{Map, Number, Value};
use yaml_rust2::{Yaml, YamlLoader};

/// The text as JSON; `None` when it says nothing.
pub fn to_json(text: &str) -> Result<Option<String>, String> {
    let value = read(text)?;
    Ok(if value.is_null() { None } else { Some(value.to_string()) })
}

/// The names in a list, symbols or texts; nothing for an empty text.
pub fn names(text: &str) -> Result<Vec<String>, String> {
    match read(text)? {
        Value::Array(items) => Ok(items.iter().map(plain).collect()),
        Value::Null => Ok(Vec::new()),
        _ => Err("is not a list".to_owned()),
    }
}

/// The value of a key in a map, if there is one.
pub fn entry(text: &str, key: &str) -> Result<Option<String>, String> {
    Ok(read(text)?.get(key).map(plain))
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn read(text: &str) -> Result<Value, String> {
    if text.trim().is_empty() {
        return Ok(Value::Null);
    }
    let documents = YamlLoader::load_from_str(text).map_err(|error| format!("is not YAML: {error}"))?;
    Ok(documents.first().map_or(Value::Null, json))
}

fn json(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::Null | Yaml::BadValue | Yaml::Alias(_) => Value::Null,
        Yaml::Boolean(on) => Value::Bool(*on),
        Yaml::Integer(number) => Value::from(*number),
        Yaml::Real(text) => text.parse().ok().and_then(Number::from_f64).map_or_else(|| Value::from(text.as_str()), Value::Number),
        Yaml::String(text) => Value::from(symbol(text)),
        Yaml::Array(items) => Value::Array(items.iter().map(json).collect()),
        Yaml::Hash(entries) => Value::Object(entries.iter().map(|(key, value)| (plain(&json(key)), json(value))).collect::<Map<_, _>>()),
    }
}

/// A symbol is a text with a colon before it.
fn symbol(text: &str) -> &str {
    match text.strip_prefix(':') {
        Some(name) if !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_?!.".contains(c)) => name,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_maps_and_lists_become_json() {
        let text = "---\nstatus_id:\n  :operator: o\n  :values:\n  - ''\n  - '1'\n:totalable_names:\n- :hours\n";
        assert_eq!(to_json(text), Ok(Some(r#"{"status_id":{"operator":"o","values":["","1"]},"totalable_names":["hours"]}"#.to_owned())));
        assert_eq!(to_json("--- {}\n"), Ok(Some("{}".to_owned())));
        assert_eq!(to_json("--- \n"), Ok(None));
        assert_eq!(to_json("---\n- - priority\n  - desc\n"), Ok(Some(r#"[["priority","desc"]]"#.to_owned())));
        let rails = "--- !ruby/hash:ActiveSupport::HashWithIndifferentAccess\nurl_pattern: http://x/%value%\n";
        assert_eq!(to_json(rails), Ok(Some(r#"{"url_pattern":"http://x/%value%"}"#.to_owned())));
        assert!(to_json("a: [").is_err());
    }

    #[test]
    fn names_and_entries_are_found() {
        assert_eq!(names("---\n- :view_issues\n- 'add_issues'\n"), Ok(vec!["view_issues".to_owned(), "add_issues".to_owned()]));
        assert_eq!(names(""), Ok(Vec::new()));
        assert_eq!(entry("---\n:bookmarked_project_ids: '1,2'\n", "bookmarked_project_ids"), Ok(Some("1,2".to_owned())));
    }
}
