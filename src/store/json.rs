//! The columns that hold JSON: lists and maps that are read as a whole and never asked about in a statement.

use serde_json::Value;

/// The texts of a list, each as it is said; nothing where there is no list.
pub fn texts(kept: Option<&str>) -> Vec<String> {
    match read(kept) {
        Value::Array(items) => items.iter().map(plain).collect(),
        _ => Vec::new(),
    }
}

/// A list of texts, as it is kept.
pub fn list(texts: &[String]) -> String {
    Value::from(texts.to_vec()).to_string()
}

/// A text in its own right or as JSON writes it.
pub fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What is kept; null where there is nothing, or nothing that can be read.
pub fn read(kept: Option<&str>) -> Value {
    kept.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}
