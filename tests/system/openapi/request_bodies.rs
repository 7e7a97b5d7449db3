//! The attributes in the bodies of requests.

use super::document::{is_described, modules, operations, resolve};
use regex::Regex;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the schemas of the properties in the bodies of all operations, by name.
fn objects() -> Vec<(String, String, &'static Value)> {
    let bodies = operations()
        .into_iter()
        .flat_map(|(method, path, operation)| {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let properties = resolve(schema)["properties"]
                .as_object()
                .into_iter()
                .flatten();
            properties.map(move |(name, schema)| (format!("{method} {path}"), name.clone(), schema))
        });
    bodies.collect()
}

/// Asserts that each attribute in this schema is described, at every depth.
fn assert_described(operation: &str, schema: &'static Value) {
    let schema = resolve(schema);
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        assert!(
            is_described(property) || is_described(resolve(property)),
            "{operation}: {name} has no description"
        );
        assert_described(operation, property);
    }
    if schema["items"].is_object() {
        assert_described(operation, &schema["items"]);
    }
}

#[test]
fn every_attribute_of_a_request_is_described() {
    for (operation, name, schema) in objects() {
        assert!(
            is_described(schema) || is_described(resolve(schema)),
            "{operation}: {name} has no description"
        );
        assert_described(&operation, schema);
    }
}

/// Adds the files in this folder and below.
pub(super) fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_files(&path, files)
        } else {
            files.push(path)
        }
    }
}

/// Returns the source files of the REST API, and of what it shares with the pages.
fn sources() -> Vec<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    add_files(&source.join("http/resources/fields"), &mut files);
    add_files(&source.join("api"), &mut files);
    files
}

/// Returns the names of the attributes that the handlers read, by the object that has them.
fn read_attributes() -> BTreeMap<String, BTreeSet<String>> {
    let object = Regex::new(
        r#"(?:BodyFields::from_(?:body|input)\(\s*\w+,|const OBJECT: &'static str =)\s*"(\w+)""#,
    )
    .unwrap();
    let attribute = Regex::new(r#"(?:[^.]body\s*\.\w+\(\s*|\(\s*&body,\s*)"(\w+)""#).unwrap();
    let with_uploads = Regex::new(r#"request\s*\.body\s*\.get\("(\w+)"\)"#).unwrap();
    let mut read: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in sources() {
        let text = fs::read_to_string(path).unwrap();
        let starts: Vec<_> = object.captures_iter(&text).collect();
        for (index, start) in starts.iter().enumerate() {
            let end = starts
                .get(index + 1)
                .map_or(text.len(), |next| next.get(0).unwrap().start());
            let part = &text[start.get(0).unwrap().end()..end];
            let objects = match &start[1] {
                "enumeration" => vec!["issue_priority", "time_entry_activity", "document_category"],
                name => vec![name],
            };
            for object in objects {
                let names = read.entry(object.to_owned()).or_default();
                names.extend(attribute.captures_iter(part).map(|name| name[1].to_owned()));
                if part.contains("body.custom_fields()") {
                    names.extend(["custom_fields", "custom_field_values"].map(str::to_owned));
                }
            }
        }
        if text.contains("uploads(") {
            for object in with_uploads.captures_iter(&text) {
                read.entry(object[1].to_owned())
                    .or_default()
                    .insert("uploads".to_owned());
            }
        }
    }
    read
}

/// The objects whose attributes are not those of records, and those that pages alone send.
const OTHER_OBJECTS: [&str; 5] = [
    "settings",
    "watcher",
    "issue_template",
    "saved_reply",
    "custom_field_enumeration",
];

#[test]
fn requests_describe_every_attribute_that_is_read_and_nothing_else() {
    let mut described: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, name, schema) in objects() {
        if let Some(properties) = resolve(schema)["properties"].as_object() {
            described
                .entry(name)
                .or_default()
                .extend(properties.keys().cloned());
        }
    }
    let mut read = read_attributes();
    assert!(
        read["user"].contains("must_change_passwd"),
        "the source is read"
    );
    for object in OTHER_OBJECTS {
        described.remove(object);
        read.remove(object);
    }
    assert_eq!(described, read);
}

/// Returns the names of the values that the handlers of each module read outside of an object, in
/// bodies.
fn read_values() -> BTreeMap<String, BTreeSet<String>> {
    let reads_body = Regex::new(r"\.body\b|\bbody: &Input").unwrap();
    let value =
        Regex::new(r#"\b(?:(?:body|input)\s*\.get|param)\((?:request, )?"(\w+)"\)"#).unwrap();
    let objects: BTreeSet<String> = objects()
        .into_iter()
        .filter(|(.., schema)| resolve(schema)["properties"].is_object())
        .map(|(_, name, _)| name)
        .collect();
    let api = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/api");
    let mut read: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in sources().iter().filter(|path| path.starts_with(&api)) {
        let module = path
            .strip_prefix(&api)
            .unwrap()
            .iter()
            .next()
            .unwrap()
            .to_str()
            .unwrap()
            .trim_end_matches(".rs");
        let text = fs::read_to_string(path).unwrap();
        if !reads_body.is_match(&text) {
            continue;
        }
        for name in value
            .captures_iter(&text)
            .map(|found| found[1].to_owned())
            .filter(|name| !objects.contains(name))
        {
            read.entry(module.to_owned()).or_default().insert(name);
        }
    }
    read
}

#[test]
fn requests_describe_every_value_outside_an_object_and_nothing_else() {
    let mut described: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let modules: BTreeMap<String, String> = modules()
        .into_iter()
        .map(|((method, path), name)| (format!("{method} {path}"), name))
        .collect();
    // Another test is about `include`.
    for (operation, name, schema) in objects()
        .into_iter()
        .filter(|(_, name, _)| name != "include")
    {
        if !resolve(schema)["properties"].is_object() {
            described
                .entry(modules[&operation].clone())
                .or_default()
                .insert(name);
        }
    }
    assert_eq!(described, read_values());
}
