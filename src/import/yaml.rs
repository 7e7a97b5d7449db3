//! Converts the YAML that Redmine stores (lists and maps with Ruby symbols) to JSON.

use serde_json::{Map, Number, Value};
use yaml_rust2::{Yaml, YamlLoader};

/// Returns the document as JSON; `None` when it is null or empty.
pub fn to_json(text: &str) -> Result<Option<String>, String> {
    let value = parse(text)?;
    Ok(if value.is_null() {
        None
    } else {
        Some(value.to_string())
    })
}

/// Returns the items of a list of symbols or texts; none for an empty document.
pub fn list(text: &str) -> Result<Vec<String>, String> {
    match parse(text)? {
        Value::Array(items) => Ok(items.iter().map(to_text).collect()),
        Value::Null => Ok(Vec::new()),
        _ => Err("is not a list".to_owned()),
    }
}

/// Returns the value of a key in a map, if it exists.
pub fn map_value(text: &str, key: &str) -> Result<Option<String>, String> {
    Ok(parse(text)?.get(key).map(to_text))
}

fn to_text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn parse(text: &str) -> Result<Value, String> {
    if text.trim().is_empty() {
        return Ok(Value::Null);
    }
    let documents =
        YamlLoader::load_from_str(text).map_err(|error| format!("is not YAML: {error}"))?;
    Ok(documents.first().map_or(Value::Null, yaml_to_json))
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
