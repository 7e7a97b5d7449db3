//! Merges JSON documents of our own that are kept in several files.

use serde_json::{Map, Value};

/// Merges objects, key by key and at every depth. Where two have the same key, the later value
/// counts, unless both are objects. Texts that are not objects are left out.
pub fn merge_json<'t>(texts: impl IntoIterator<Item = &'t &'t str>) -> String {
    let mut merged = Map::new();
    for text in texts {
        if let Ok(object) = serde_json::from_str::<Map<String, Value>>(text) {
            merge(&mut merged, object);
        }
    }
    Value::Object(merged).to_string()
}

/// Adds entries to each object at this path, in which `*` stands for every key. Existing entries
/// stay, and the keys of these objects are sorted. Texts that are not objects are returned as they
/// are.
pub fn add_to_each(text: &str, path: &[&str], entries: &str) -> String {
    let (Ok(mut object), Ok(entries)) = (serde_json::from_str(text), serde_json::from_str(entries))
    else {
        return text.to_owned();
    };
    add(&mut object, path, &entries);
    Value::Object(object).to_string()
}

fn add(object: &mut Map<String, Value>, path: &[&str], entries: &Map<String, Value>) {
    let Some((key, rest)) = path.split_first() else {
        for (key, value) in entries {
            object.entry(key.clone()).or_insert_with(|| value.clone());
        }
        return object.sort_keys();
    };
    for (_, value) in object
        .iter_mut()
        .filter(|(name, _)| *key == "*" || name == key)
    {
        if let Value::Object(object) = value {
            add(object, rest, entries);
        }
    }
}

fn merge(into: &mut Map<String, Value>, from: Map<String, Value>) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(Value::Object(into)), Value::Object(from)) => merge(into, from),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{add_to_each, merge_json};

    #[test]
    fn objects_are_merged_at_every_depth() {
        let merged = merge_json(&[
            r#"{"a":{"b":1,"c":{}},"d":[1]}"#,
            r#"{"a":{"c":{"e":2}},"d":[2]}"#,
        ]);
        assert_eq!(merged, r#"{"a":{"b":1,"c":{"e":2}},"d":[2]}"#);
    }

    #[test]
    fn entries_are_added_to_each_object_at_the_path() {
        let text =
            r#"{"a":{"x":{"r":{"2":0}},"y":{"r":{"1":0},"s":{}},"z":[1]},"b":{"x":{"r":{}}}}"#;
        let added = add_to_each(text, &["a", "*", "r"], r#"{"1":9}"#);
        assert_eq!(
            added,
            r#"{"a":{"x":{"r":{"1":9,"2":0}},"y":{"r":{"1":0},"s":{}},"z":[1]},"b":{"x":{"r":{}}}}"#
        );
    }
}
