//! Merges JSON documents of our own that are kept in several files.

use serde_json::{Map, Value};

/// Merges objects, key by key and at every depth. Where two have the same key, the later value counts, unless both are objects. Texts
/// that are not objects are left out.
pub fn merge_json<'t>(texts: impl IntoIterator<Item = &'t &'t str>) -> String {
    let mut merged = Map::new();
    for text in texts {
        if let Ok(object) = serde_json::from_str::<Map<String, Value>>(text) {
            merge(&mut merged, object);
        }
    }
    Value::Object(merged).to_string()
}

fn merge(into: &mut Map<String, Value>, from: Map<String, Value>) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(Value::Object(into)), Value::Object(from)) => merge(into, from),
            (_, value) => drop(into.insert(key, value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::merge_json;

    #[test]
    fn objects_are_merged_at_every_depth() {
        let merged = merge_json(&[r#"{"a":{"b":1,"c":{}},"d":[1]}"#, r#"{"a":{"c":{"e":2}},"d":[2]}"#]);
        assert_eq!(merged, r#"{"a":{"b":1,"c":{"e":2}},"d":[2]}"#);
    }
}
