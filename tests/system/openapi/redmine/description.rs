//! The operations of Redmine 7, as `fixtures/openapi/redmine-7.yaml` describes them.

use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;
use yaml_rust2::{Yaml, YamlLoader};

const TEXT: &str = include_str!("../../../../fixtures/openapi/redmine-7.yaml");

/// The document.
pub static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| to_json(&YamlLoader::load_from_str(TEXT).unwrap()[0]));

/// The operations by `operationId`.
pub static OPERATIONS: LazyLock<HashMap<&str, Operation>> = LazyLock::new(operations);

/// One operation.
pub struct Operation {
    /// The method in upper case.
    pub method: String,
    /// The path with its parameters, such as `/issues/{issue_id}.{format}`.
    pub path: &'static str,
    /// Each described status with the JSON pointer of the schema of its JSON body. `None` for a
    /// response without one.
    pub responses: BTreeMap<u16, Option<String>>,
    /// The names of the parameters of the query.
    pub query: Vec<&'static str>,
    /// The attributes of the record in the body, as JSON pointers such as `/issue/subject`.
    pub attributes: Vec<String>,
}

impl Operation {
    /// Returns whether the path selects JSON or XML.
    pub fn has_format(&self) -> bool {
        self.path.contains("{format}")
    }
}

fn operations() -> HashMap<&'static str, Operation> {
    let mut operations = HashMap::new();
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let pointer = format!("/paths/{}/{method}/responses", path.replace('/', "~1"));
            let responses =
                operation["responses"]
                    .as_object()
                    .unwrap()
                    .iter()
                    .map(|(status, response)| {
                        let schema = response.pointer("/content/application~1json/schema");
                        (
                            status.parse().unwrap(),
                            schema.map(|_| {
                                format!("{pointer}/{status}/content/application~1json/schema")
                            }),
                        )
                    });
            let parameters = operation["parameters"]
                .as_array()
                .unwrap()
                .iter()
                .map(resolve);
            let query = parameters
                .filter(|parameter| parameter["in"] == "query")
                .map(|parameter| parameter["name"].as_str().unwrap());
            let id = operation["operationId"].as_str().unwrap();
            let responses = responses.collect();
            let query = query.collect();
            let attributes =
                attributes(operation.pointer("/requestBody/content/application~1json/schema"));
            let operation = Operation {
                method: method.to_uppercase(),
                path,
                responses,
                query,
                attributes,
            };
            assert!(
                operations.insert(id, operation).is_none(),
                "{id} is described twice"
            );
        }
    }
    operations
}

fn properties_of(schema: &'static Value) -> Option<&'static Map<String, Value>> {
    resolve(schema).get("properties").and_then(Value::as_object)
}

/// Returns the attributes in the schema of a body: those of its record, which is its first
/// property, or those of the body itself.
fn attributes(body: Option<&'static Value>) -> Vec<String> {
    let Some(body) = body.and_then(properties_of) else {
        return Vec::new();
    };
    let (record, schema) = body.iter().next().unwrap();
    match properties_of(schema) {
        Some(attributes) => attributes
            .keys()
            .map(|attribute| format!("/{record}/{attribute}"))
            .collect(),
        None => body
            .keys()
            .map(|attribute| format!("/{attribute}"))
            .collect(),
    }
}

/// Returns what a reference stands for.
pub fn resolve(value: &'static Value) -> &'static Value {
    match value.get("$ref").and_then(Value::as_str) {
        Some(target) => DOCUMENT.pointer(target.trim_start_matches('#')).unwrap(),
        None => value,
    }
}

fn to_json(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::Real(number) => Value::from(number.parse::<f64>().unwrap()),
        Yaml::Integer(number) => Value::from(*number),
        Yaml::String(text) => Value::from(text.as_str()),
        Yaml::Boolean(value) => Value::from(*value),
        Yaml::Array(items) => items.iter().map(to_json).collect(),
        Yaml::Hash(entries) => Value::Object(
            entries
                .iter()
                .map(|(key, value)| (key_text(key), to_json(value)))
                .collect(),
        ),
        Yaml::Null => Value::Null,
        Yaml::Alias(_) | Yaml::BadValue => panic!("{yaml:?} is not expected in the description"),
    }
}

/// Returns the name of an entry. Statuses are numbers in YAML.
fn key_text(key: &Yaml) -> String {
    match key {
        Yaml::Integer(number) => number.to_string(),
        key => key.as_str().unwrap().to_owned(),
    }
}
