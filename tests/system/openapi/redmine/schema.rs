//! Validates bodies against the schemas of the description.
//!
//! Schemas of OpenAPI 3.0 become JSON Schema. They also become closed: a field that is not
//! described is an error.

use super::description::{DOCUMENT, resolve};
use jsonschema::Validator;
use serde_json::{Map, Value, json};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, Mutex};

static COMPONENTS: LazyLock<Value> = LazyLock::new(|| {
    let schemas = DOCUMENT["components"]["schemas"].as_object().unwrap();
    let schemas: Map<String, Value> = schemas
        .iter()
        .map(|(name, schema)| (name.clone(), json_schema(schema)))
        .collect();
    json!({ "schemas": schemas })
});

static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// Returns what is wrong with a body: each message with the place of the value, and only once for
/// all items of a list.
pub fn errors(pointer: &str, body: &Value) -> BTreeSet<String> {
    validator(pointer)
        .iter_errors(body)
        .map(|error| {
            format!(
                "{}: {error}",
                without_indexes(error.instance_path().as_str())
            )
        })
        .collect()
}

/// Replaces the indexes in a JSON pointer by `*`.
fn without_indexes(pointer: &str) -> String {
    pointer
        .split('/')
        .map(|part| {
            if part.parse::<usize>().is_ok() {
                "*"
            } else {
                part
            }
        })
        .collect::<Vec<_>>()
        .join("/")
}

/// Returns the places of all fields that the schema at the pointer describes, such as
/// `/issues/*/subject`.
pub fn described_fields(pointer: &str) -> BTreeSet<String> {
    let mut fields = BTreeSet::new();
    collect_described(DOCUMENT.pointer(pointer).unwrap(), "", &mut fields);
    fields
}

fn collect_described(schema: &'static Value, place: &str, fields: &mut BTreeSet<String>) {
    let schema = resolve(schema);
    for (name, property) in schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let place = format!("{place}/{name}");
        collect_described(property, &place, fields);
        fields.insert(place);
    }
    if let Some(items) = schema.get("items") {
        collect_described(items, &format!("{place}/*"), fields);
    }
}

/// Adds the places of all fields of a body.
pub fn collect_fields(body: &Value, place: &str, fields: &mut BTreeSet<String>) {
    match body {
        Value::Object(entries) => {
            for (name, value) in entries {
                let place = format!("{place}/{name}");
                collect_fields(value, &place, fields);
                fields.insert(place);
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| collect_fields(item, &format!("{place}/*"), fields)),
        _ => {}
    }
}

fn compile(pointer: &str) -> Arc<Validator> {
    let mut schema = json_schema(DOCUMENT.pointer(pointer).unwrap());
    schema["components"] = COMPONENTS.clone();
    Arc::new(
        jsonschema::options()
            .should_validate_formats(true)
            .build(&schema)
            .unwrap(),
    )
}

fn validator(pointer: &str) -> Arc<Validator> {
    let mut validators = VALIDATORS
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    Arc::clone(
        validators
            .entry(pointer.to_owned())
            .or_insert_with(|| compile(pointer)),
    )
}

/// Converts a schema of OpenAPI 3.0: `nullable` becomes a type, and objects with listed properties
/// have no others.
fn json_schema(schema: &Value) -> Value {
    let mut converted = schema.as_object().unwrap().clone();
    for name in ["items", "additionalProperties"] {
        if let Some(inner) = converted.get_mut(name).filter(|inner| inner.is_object()) {
            *inner = json_schema(inner);
        }
    }
    if let Some(alternatives) = converted.get_mut("oneOf") {
        *alternatives = alternatives
            .as_array()
            .unwrap()
            .iter()
            .map(json_schema)
            .collect();
    }
    if let Some(properties) = converted
        .get_mut("properties")
        .and_then(Value::as_object_mut)
    {
        properties
            .values_mut()
            .for_each(|property| *property = json_schema(property));
        converted
            .entry("additionalProperties")
            .or_insert(Value::Bool(false));
    }
    if converted.remove("nullable") == Some(Value::Bool(true)) {
        let kind = converted["type"].take();
        converted.insert("type".to_owned(), json!([kind, "null"]));
        if let Some(values) = converted.get_mut("enum").and_then(Value::as_array_mut) {
            values.push(Value::Null);
        }
    }
    Value::Object(converted)
}

#[test]
fn nullable_and_formats_and_further_fields_are_checked() {
    let schema = json!({
        "type": "object", "required": ["day"],
        "properties": {"day": {"type": "string", "format": "date", "nullable": true}, "kind": {"type": "string", "enum": ["a"], "nullable": true}}
    });
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&json_schema(&schema))
        .unwrap();
    for valid in [
        json!({"day": null}),
        json!({"day": "2026-11-20", "kind": "a"}),
        json!({"day": null, "kind": null}),
    ] {
        assert!(validator.is_valid(&valid), "{valid}");
    }
    for invalid in [
        json!({}),
        json!({"day": "yesterday"}),
        json!({"day": 1}),
        json!({"day": null, "kind": "b"}),
        json!({"day": null, "x": 1}),
    ] {
        assert!(!validator.is_valid(&invalid), "{invalid}");
    }
}
