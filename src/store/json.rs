//! Columns that hold JSON: lists and maps that are read as a whole and never queried by SQL.

use serde_json::Value;
use std::collections::BTreeMap;

/// Parses a list into texts; empty when the column has no list.
pub fn parse_texts(json: Option<&str>) -> Vec<String> {
    match parse(json) {
        Value::Array(items) => items.iter().map(to_text).collect(),
        _ => Vec::new(),
    }
}

/// Returns a list of texts as JSON.
pub fn from_texts(texts: &[String]) -> String {
    Value::from(texts.to_vec()).to_string()
}

/// Parses a map of texts; empty when the column has no map.
pub fn parse_map(json: Option<&str>) -> BTreeMap<String, String> {
    match parse(json) {
        Value::Object(entries) => entries
            .iter()
            .map(|(name, value)| (name.clone(), to_text(value)))
            .collect(),
        _ => BTreeMap::new(),
    }
}

/// Returns a map of texts as JSON; `None` for an empty one.
pub fn from_map(map: &BTreeMap<String, String>) -> Option<String> {
    let entries = map
        .iter()
        .map(|(name, text)| (name.clone(), Value::from(text.as_str())));
    (!map.is_empty()).then(|| Value::Object(entries.collect()).to_string())
}

/// Returns the value of a string, and other values as JSON.
pub fn to_text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Parses the column; null when it is NULL or invalid.
pub fn parse(json: Option<&str>) -> Value {
    json.and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default()
}

/// Whether the text of a column is JSON. Empty text stands for no value.
pub fn is_valid(text: &str) -> bool {
    text.is_empty() || serde_json::from_str::<Value>(text).is_ok()
}
