//! Adds to the operations of a resource what follows from their paths, methods and parameters, as
//! described in the parent module. The order of keys and parameters is part of the document.

use serde_json::{Map, Value, json};

/// A JSON object.
pub type Object = Map<String, Value>;

/// Descriptions of successful responses by status.
const DESCRIPTIONS: [(&str, &str); 6] = [
    ("200", "Success"),
    ("201", "Created"),
    ("204", "Success, without a body"),
    ("206", "Success"),
    ("302", "Redirect"),
    ("304", "Not modified"),
];

/// Names of error responses in `main.json` by status.
const ERRORS: [(&str, &str); 12] = [
    ("400", "BadRequest"),
    ("401", "Unauthenticated"),
    ("403", "Forbidden"),
    ("404", "NotFound"),
    ("406", "NotAcceptable"),
    ("409", "Conflict"),
    ("412", "InvalidSwitchUser"),
    ("413", "TooLarge"),
    ("422", "Invalid"),
    ("429", "TooManyAttempts"),
    ("503", "Overloaded"),
    ("507", "StorageFull"),
];

/// Statuses of errors that every operation has, but for those with `null`.
const SHARED_ERRORS: [&str; 5] = ["400", "401", "403", "412", "422"];

/// Completes the operations of a resource.
pub fn complete(tag: &str, resource: &mut Object) {
    for (path, item) in objects(resource.get_mut("paths")) {
        let of_path = take_list(item, "parameters");
        for (method, operation) in item.iter_mut().filter_map(as_object_entry) {
            let parameters = parameters(path, &of_path, take_list(operation, "parameters"));
            complete_content(operation, path, &parameters);
            let id = operation
                .shift_remove("operationId")
                .unwrap_or_else(|| format!("{tag}_{}", verb(method, path)).into());
            let parameters = parameters.into_iter().map(complete_parameter).collect();
            operation.shift_insert(0, "tags".into(), json!([tag]));
            let content = operation
                .keys()
                .position(|key| key == "requestBody" || key == "responses")
                .unwrap_or(operation.len());
            operation.shift_insert(content, "operationId".into(), id);
            operation.shift_insert(content + 1, "parameters".into(), parameters);
        }
    }
}

/// Completes the responses in `components`.
pub fn complete_shared_responses(document: &mut Object) {
    let components = document.get_mut("components");
    for (_, response) in objects(components.and_then(|components| components.get_mut("responses")))
    {
        move_schema(response);
    }
}

/// Replaces the names of schemas by references to them.
pub fn complete_references(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                match value {
                    Value::String(name) if key == "$ref" && !name.starts_with('#') => {
                        name.insert_str(0, "#/components/schemas/");
                    }
                    _ => complete_references(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(complete_references),
        _ => {}
    }
}

fn verb(method: &str, path: &str) -> &'static str {
    match method {
        "get" if path.ends_with("}.json") => "show",
        "get" => "list",
        "post" => "create",
        "delete" => "delete",
        _ => "update",
    }
}

/// Returns the parameters of an operation: of the path, of its own, and those that follow.
fn parameters(path: &str, of_path: &[Value], of_operation: Vec<Value>) -> Vec<Value> {
    let project = path.starts_with("/projects/{id}").then(|| "project".into());
    let mut all: Vec<Value> = project.into_iter().collect();
    all.extend_from_slice(of_path);
    all.extend(of_operation);
    let nometa_header = has(&all, "nometa").then_some("nometa_header");
    for name in nometa_header.into_iter().chain(["switch_user"]) {
        if !has(&all, name) {
            all.push(name.into());
        }
    }
    all
}

/// Whether a parameter in `components` is among these.
fn has(parameters: &[Value], name: &str) -> bool {
    parameters.iter().any(|parameter| parameter == name)
}

fn complete_parameter(mut parameter: Value) -> Value {
    match &mut parameter {
        Value::String(name) => json!({"$ref": format!("#/components/parameters/{name}")}),
        Value::Object(object) if !object.contains_key("in") => {
            object.shift_insert(1, "in".into(), "path".into());
            object.shift_insert(2, "required".into(), true.into());
            object
                .entry("schema")
                .or_insert_with(|| json!({"type": "integer"}));
            parameter
        }
        _ => parameter,
    }
}

/// Completes the body and the responses of an operation with these parameters.
fn complete_content(operation: &mut Object, path: &str, parameters: &[Value]) {
    if let Some(Value::Object(body)) = operation.get_mut("requestBody") {
        complete_type(body.get_mut("schema"));
        move_schema(body);
    }
    let Some(Value::Object(responses)) = operation.get_mut("responses") else {
        return;
    };
    let not_found = path.contains('{').then_some("404");
    for status in SHARED_ERRORS.into_iter().chain(not_found) {
        responses.entry(status).or_insert_with(|| json!({}));
    }
    responses.retain(|_, response| !response.is_null());
    responses.sort_keys();
    for (status, response) in responses.iter_mut().filter_map(as_object_entry) {
        if let Some(name) = find_by_status(&ERRORS, status) {
            response.insert(
                "$ref".into(),
                format!("#/components/responses/{name}").into(),
            );
            continue;
        }
        if let Some(properties) = complete_type(response.get_mut("schema")) {
            complete_properties(properties, parameters);
        }
        if let Some(description) = find_by_status(&DESCRIPTIONS, status)
            && !response.contains_key("description")
        {
            response.shift_insert(0, "description".into(), description.into());
        }
        move_schema(response);
    }
}

/// Makes a schema with properties that of an object, and returns it.
fn complete_type(schema: Option<&mut Value>) -> Option<&mut Object> {
    let schema = schema?.as_object_mut()?;
    if schema.contains_key("type") || !schema.contains_key("properties") {
        return None;
    }
    schema.shift_insert(0, "type".into(), "object".into());
    Some(schema)
}

/// Completes the schema of a response: counts of lists, required and additional properties.
fn complete_properties(schema: &mut Object, parameters: &[Value]) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else {
        return;
    };
    let first: Vec<Value> = properties
        .keys()
        .take(1)
        .map(|name| name.as_str().into())
        .collect();
    let counts: &[&str] = match (has(parameters, "nometa"), has(parameters, "offset")) {
        (true, true) => &["total_count", "offset", "limit"],
        (true, false) => &["total_count"],
        (false, _) => &[],
    };
    for (index, count) in (1..).zip(counts) {
        properties.shift_insert(index, (*count).into(), json!({"type": "integer"}));
    }
    schema
        .entry("required")
        .or_insert_with(|| Value::Array(first));
    schema.retain(|_, value| !value.is_null());
    schema.insert("additionalProperties".into(), false.into());
}

/// Moves the schema of a body or response into its content as JSON.
fn move_schema(body: &mut Object) {
    if let Some(schema) = body.shift_remove("schema") {
        body.insert(
            "content".into(),
            json!({"application/json": {"schema": schema}}),
        );
    }
}

fn find_by_status(table: &[(&str, &'static str)], status: &str) -> Option<&'static str> {
    table
        .iter()
        .find(|(key, _)| *key == status)
        .map(|(_, value)| *value)
}

/// Returns the entries of an object that are objects themselves.
fn objects(value: Option<&mut Value>) -> impl Iterator<Item = (&String, &mut Object)> {
    value
        .and_then(Value::as_object_mut)
        .into_iter()
        .flatten()
        .filter_map(as_object_entry)
}

fn as_object_entry<'o>(
    (key, value): (&'o String, &'o mut Value),
) -> Option<(&'o String, &'o mut Object)> {
    Some((key, value.as_object_mut()?))
}

/// Removes a list from an object and returns it; an empty one if there is none.
fn take_list(object: &mut Object, key: &str) -> Vec<Value> {
    match object.shift_remove(key) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{complete, complete_references};
    use serde_json::{Value, json};

    #[test]
    fn list_of_a_project_gets_what_follows_from_its_path_and_parameters() {
        let mut resource = json!({"paths": {"/projects/{id}/boards.json": {"get": {
            "summary": "List",
            "parameters": ["offset", "nometa"],
            "responses": {
                "200": {"schema": {"properties": {"boards": {"$ref": "Boards"}}}},
                "422": null
            }
        }}}});
        complete("boards", resource.as_object_mut().unwrap());
        complete_references(&mut resource);
        let parameter = |name| json!({"$ref": format!("#/components/parameters/{name}")});
        let error = |name| json!({"$ref": format!("#/components/responses/{name}")});
        let names = [
            "project",
            "offset",
            "nometa",
            "nometa_header",
            "switch_user",
        ];
        let schema = json!({
            "type": "object",
            "properties": {
                "boards": {"$ref": "#/components/schemas/Boards"},
                "total_count": {"type": "integer"},
                "offset": {"type": "integer"},
                "limit": {"type": "integer"}
            },
            "required": ["boards"],
            "additionalProperties": false
        });
        let expected = json!({
            "tags": ["boards"],
            "summary": "List",
            "operationId": "boards_list",
            "parameters": names.map(parameter),
            "responses": {
                "200": {
                    "description": "Success",
                    "content": {"application/json": {"schema": schema}}
                },
                "400": error("BadRequest"),
                "401": error("Unauthenticated"),
                "403": error("Forbidden"),
                "404": error("NotFound"),
                "412": error("InvalidSwitchUser")
            }
        });
        let operation = &resource["paths"]["/projects/{id}/boards.json"]["get"];
        assert_eq!(operation.to_string(), expected.to_string());
    }

    #[test]
    fn update_of_a_record_gets_its_path_parameter_and_body() {
        let mut resource = json!({"paths": {"/boards/{id}.json": {
            "parameters": [{"name": "id", "description": "Id of the board."}],
            "put": {
                "requestBody": {"schema": {"properties": {"board": {}}}},
                "responses": {"204": {}, "409": {}}
            }
        }}});
        complete("boards", resource.as_object_mut().unwrap());
        let item = &resource["paths"]["/boards/{id}.json"];
        let operation = &item["put"];
        assert_eq!(item["parameters"], Value::Null);
        assert_eq!(operation["operationId"], "boards_update");
        assert_eq!(
            operation["parameters"][0].to_string(),
            r#"{"name":"id","in":"path","required":true,"description":"Id of the board.","schema":{"type":"integer"}}"#
        );
        assert_eq!(
            operation["requestBody"].to_string(),
            r#"{"content":{"application/json":{"schema":{"type":"object","properties":{"board":{}}}}}}"#
        );
        assert_eq!(
            operation["responses"]["204"],
            json!({"description": "Success, without a body"})
        );
        assert_eq!(
            operation["responses"]["409"],
            json!({"$ref": "#/components/responses/Conflict"})
        );
    }
}
