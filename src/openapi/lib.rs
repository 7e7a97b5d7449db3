//! The OpenAPI description of the REST API: one file per resource, with its operations and the
//! schemas of its records.
//!
//! The files have the structure of OpenAPI, without what follows from it; `complete.rs` adds that:
//!
//! * Operations: the tag is the name of the file, and `operationId` is the tag and a verb that
//!   follows from method and path: `list`, `show`, `create`, `update` or `delete`.
//! * Parameters: those of a path come before those of its operations. A string is the name of a
//!   parameter in `components`. A parameter without `in` is in the path, required and an integer
//!   by default; `{id}` after `/projects` is always the parameter `project`. `nometa_header` (of
//!   lists with `nometa`) and `switch_user` come last, unless they are listed.
//! * Responses: 400, 401, 403, 412 and 422, and 404 if the path has a parameter. `null` stands for
//!   a response that an operation does not have, `{}` for one that its status describes.
//! * Content: `schema` is that of `application/json`, and an object if it has `properties`. In a
//!   response, this object has no other properties, and only the first is required unless there is
//!   `required` (`null` for none). `total_count`, `offset` and `limit` follow the first property if
//!   the operation has `nometa` and `offset`.
//! * References: a name alone is that of a schema.
//!
//! Invariant: every route of `api` is described, and every response has a described status and fits
//! its schema; the integration tests compare each response that they receive. May import: nothing.

mod complete;

use complete::{Object, complete, complete_references, complete_shared_responses};
use serde_json::Value;
use std::sync::OnceLock;

/// Info, authentication, and what the resources share.
const MAIN: &str = include_str!("main.json");

macro_rules! resources {
    ($($tag:literal),* $(,)?) => {
        &[$(($tag, include_str!(concat!($tag, ".json")))),*]
    };
}

/// The resources: tags and files.
const RESOURCES: &[(&str, &str)] = resources![
    "attachments",
    "boards",
    "custom_fields",
    "documents",
    "email_addresses",
    "enumerations",
    "files",
    "groups",
    "inbox",
    "issue_categories",
    "issue_statuses",
    "issues",
    "journals",
    "memberships",
    "messages",
    "my",
    "news",
    "openapi",
    "projects",
    "queries",
    "reactions",
    "relations",
    "repositories",
    "roles",
    "search",
    "settings",
    "time_entries",
    "trackers",
    "uploads",
    "user_permissions",
    "users",
    "versions",
    "watchers",
    "wiki",
    "workflows",
];

/// Returns the document for a service at this address.
pub fn document(base_url: &str) -> String {
    static TEMPLATE: OnceLock<String> = OnceLock::new();
    TEMPLATE
        .get_or_init(|| template().to_string())
        .replace("{base_url}", base_url)
        .replace("{app_version}", env!("CARGO_PKG_VERSION"))
}

/// Returns the document with placeholders for address and version.
fn template() -> Value {
    let mut document = parse_object(MAIN);
    complete_shared_responses(&mut document);
    for (tag, text) in RESOURCES {
        let mut resource = parse_object(text);
        complete(tag, &mut resource);
        merge(&mut document, resource);
    }
    let mut document = Value::Object(document);
    complete_references(&mut document);
    document
}

/// Parses a file. Tests of its routes fail if it is not an object.
fn parse_object(text: &str) -> Object {
    serde_json::from_str(text).unwrap_or_default()
}

/// Merges two objects at every depth. The second one takes precedence.
fn merge(into: &mut Object, from: Object) {
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
    use super::{MAIN, RESOURCES, merge};
    use serde_json::{Value, json};
    use std::collections::HashSet;

    #[test]
    fn every_schema_is_defined_once() {
        let mut names = HashSet::new();
        for text in std::iter::once(&MAIN).chain(RESOURCES.iter().map(|(_, text)| text)) {
            let file: Value = serde_json::from_str(text).unwrap();
            for name in file["components"]["schemas"]
                .as_object()
                .into_iter()
                .flat_map(|schemas| schemas.keys())
            {
                assert!(names.insert(name.clone()), "{name} is defined twice");
            }
        }
    }

    #[test]
    fn objects_are_merged_at_every_depth() {
        let object = |value: Value| value.as_object().unwrap().clone();
        let mut merged = object(json!({"a": {"b": 1, "c": {}}, "d": [1]}));
        merge(&mut merged, object(json!({"a": {"c": {"e": 2}}, "d": [2]})));
        assert_eq!(
            Value::Object(merged).to_string(),
            r#"{"a":{"b":1,"c":{"e":2}},"d":[2]}"#
        );
    }
}
