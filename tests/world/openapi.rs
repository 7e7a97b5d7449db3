//! Compares responses with the OpenAPI description.

use jsonschema::Validator;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

/// The description, for a service at any address.
pub static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(&quarry::openapi::document("http://quarry.test")).unwrap()
});

static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// Asserts that the response is one of those that are described for this operation. Paths that are
/// not described, such as those of pages, are left out; that each route is described is another
/// test. So are responses that `accepts` no data.
pub fn check(method: &str, path: &str, status: u16, content_type: &str, body: &str) {
    let path = path.split('?').next().unwrap_or_default();
    let Some((template, item)) = path.strip_suffix(".json").and_then(|_| find(path)) else {
        return;
    };
    let method = method.to_lowercase().replace("patch", "put");
    // Other methods, faults of the connection and of the disk, and redirects of a query to an issue
    // are described once for all.
    let Some(operation) = item.get(&method).filter(|_| {
        !matches!(
            status,
            302 | 304 | 401 | 403 | 404 | 406 | 408 | 413 | 429 | 500..
        )
    }) else {
        return;
    };
    let described = &operation["responses"][status.to_string()];
    assert!(
        !described.is_null(),
        "{method} {template} does not describe the status {status}: {body}"
    );
    let has_body = !body.is_empty() && content_type.starts_with("application/json");
    if has_body {
        let pointer = match described.get("$ref").and_then(Value::as_str) {
            Some(target) => target.trim_start_matches('#').to_owned(),
            None => format!("/paths/{}/{method}/responses/{status}", escape(&template)),
        };
        let instance: Value = serde_json::from_str(body).unwrap();
        let validator = validator(&format!("{pointer}/content/application~1json/schema"));
        let errors: Vec<String> = validator
            .iter_errors(&instance)
            .map(|error| format!("{} at {}", error, error.instance_path()))
            .collect();
        assert!(
            errors.is_empty(),
            "{method} {template} {status} differs from src/openapi: {errors:#?}\n{body}"
        );
    }
}

/// Returns the described path with the fewest parameters that matches.
fn find(path: &str) -> Option<(String, &'static Value)> {
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let matching = paths
        .iter()
        .filter(|(template, _)| template.ends_with(".json") && matches(template, path));
    matching
        .min_by_key(|(template, _)| template.matches('{').count())
        .map(|(template, item)| (template.clone(), item))
}

fn matches(template: &str, path: &str) -> bool {
    let mut template = template.trim_end_matches(".json").split('/');
    let mut path = path.trim_end_matches(".json").split('/');
    loop {
        match (template.next(), path.next()) {
            (None, None) => return true,
            (Some(segment), Some(text)) if segment.starts_with('{') || segment == text => {}
            _ => return false,
        }
    }
}

fn compile(pointer: &str) -> Arc<Validator> {
    // References are pointers to the components of the description.
    let mut schema = DOCUMENT
        .pointer(pointer)
        .unwrap_or_else(|| panic!("no schema at {pointer}"))
        .clone();
    schema["components"] = DOCUMENT["components"].clone();
    Arc::new(jsonschema::validator_for(&schema).unwrap())
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

fn escape(path: &str) -> String {
    path.replace('~', "~0").replace('/', "~1")
}
