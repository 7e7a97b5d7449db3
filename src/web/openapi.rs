//! `/openapi`: the operations of the REST API, for people who write clients.

use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_domain::values::stable_sort::StableSort;
use quarry_openapi as openapi;
use quarry_wire as wire;

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route("/openapi", get(read_handler(show).open()))
}

#[derive(Template)]
#[template(path = "openapi/show.html")]
struct OpenApiPage {
    frame: Frame,
    base_url: String,
    tags: Vec<Tag>,
}

struct Tag {
    name: String,
    label: String,
    operations: Vec<Operation>,
}

struct Operation {
    id: String,
    method: String,
    path: String,
    summary: String,
    parameters: Vec<Parameter>,
    body: Vec<Property>,
    responses: Vec<Response>,
}

/// A description in parts, each with whether it is code.
type Text = Vec<(String, bool)>;

struct Parameter {
    name: String,
    place: String,
    kind: String,
    description: Text,
}

struct Property {
    name: String,
    kind: String,
    description: Text,
}

struct Response {
    status: String,
    description: String,
    schema: String,
}

/// Lists the operations by resource.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let base_url = request.base_url();
    let document = wire::from_json(openapi::document(&base_url).as_bytes())?;
    let page = OpenApiPage {
        frame: Frame::new(request, db, "REST API").with_width(Width::Medium),
        tags: tags(&document),
        base_url,
    };
    render(&page.frame, &page)
}

fn tags(document: &Input) -> Vec<Tag> {
    let mut tags: Vec<Tag> = Vec::new();
    for (path, item) in entries(document.get("paths")) {
        for (method, operation) in entries(Some(item)) {
            let name = operation
                .get("tags")
                .and_then(Input::as_list)
                .and_then(<[Input]>::first)
                .map(text)
                .unwrap_or_default();
            let index = tags
                .iter()
                .position(|tag| tag.name == name)
                .unwrap_or_else(|| {
                    tags.push(Tag {
                        label: label(&name),
                        name,
                        operations: Vec::new(),
                    });
                    tags.len() - 1
                });
            tags[index]
                .operations
                .push(describe(document, path, method, operation));
        }
    }
    tags.stable_sort_by(|a, b| a.name.cmp(&b.name));
    tags
}

fn describe(document: &Input, path: &str, method: &str, operation: &Input) -> Operation {
    let parameters = operation
        .get("parameters")
        .and_then(Input::as_list)
        .unwrap_or_default();
    let parameters = parameters
        .iter()
        .map(|parameter| resolve(document, parameter))
        .map(|parameter| Parameter {
            name: field(parameter, "name"),
            place: field(parameter, "in"),
            kind: parameter.get("schema").map(kind).unwrap_or_default(),
            description: description(parameter),
        });
    let responses = entries(operation.get("responses")).map(|(status, response)| {
        let response = resolve(document, response);
        let schema = json_schema(response)
            .map(|schema| properties(document, schema))
            .unwrap_or_default();
        let schema: Vec<String> = schema
            .into_iter()
            .map(|property| format!("{} ({})", property.name, property.kind))
            .collect();
        let is_error = status.starts_with('4') || status.starts_with('5');
        let schema = if is_error {
            String::new()
        } else {
            schema.join(", ")
        };
        Response {
            status: status.to_owned(),
            description: field(response, "description"),
            schema,
        }
    });
    Operation {
        id: field(operation, "operationId"),
        method: method.to_uppercase(),
        path: path.to_owned(),
        summary: field(operation, "summary"),
        parameters: parameters.collect(),
        body: operation
            .get("requestBody")
            .and_then(json_schema)
            .map(|schema| properties(document, schema))
            .unwrap_or_default(),
        responses: responses.collect(),
    }
}

/// Returns the properties of a schema; those of an object in it follow the name of the object.
fn properties(document: &Input, schema: &Input) -> Vec<Property> {
    let mut all = Vec::new();
    for (name, schema) in entries(resolve(document, schema).get("properties")) {
        let target = resolve(document, schema);
        let nested: Vec<_> = entries(target.get("properties")).collect();
        if nested.is_empty()
            || schema
                .get("$ref")
                .is_some_and(|target| text(target).ends_with("/Reference"))
        {
            all.push(property(name.to_owned(), schema));
        }
        for (inner, schema) in nested {
            all.push(property(format!("{name}.{inner}"), schema));
        }
    }
    all
}

fn property(name: String, schema: &Input) -> Property {
    Property {
        name,
        kind: kind(schema),
        description: description(schema),
    }
}

/// Returns the description of a parameter or schema; code is in backticks there.
fn description(described: &Input) -> Text {
    let parts = field(described, "description");
    parts
        .split('`')
        .enumerate()
        .map(|(index, part)| (part.to_owned(), index % 2 == 1))
        .filter(|(part, _)| !part.is_empty())
        .collect()
}

/// Returns the type of a value in words; the values themselves where they are a closed set.
fn kind(schema: &Input) -> String {
    if let Some(target) = schema.get("$ref") {
        return text(target)
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .to_owned();
    }
    if let Some(values) = schema.get("enum").and_then(Input::as_list) {
        return values
            .iter()
            .map(text)
            .filter(|value| !value.is_empty())
            .collect::<Vec<_>>()
            .join(" or ");
    }
    let types = match schema.get("type") {
        Some(Input::List(types)) => types.iter().map(text).collect::<Vec<_>>().join(" or "),
        Some(single) => text(single),
        None => String::new(),
    };
    match (types.as_str(), schema.get("format"), schema.get("items")) {
        (_, Some(format), _) => text(format),
        ("array", _, Some(items)) => format!("list of {}", kind(items)),
        _ => types,
    }
}

/// Follows a reference to a component.
fn resolve<'d>(document: &'d Input, input: &'d Input) -> &'d Input {
    let Some(target) = input.get("$ref").map(text) else {
        return input;
    };
    let mut found = Some(document);
    for name in target.trim_start_matches("#/").split('/') {
        found = found.and_then(|found| found.get(name));
    }
    found.unwrap_or(input)
}

fn json_schema(body: &Input) -> Option<&Input> {
    body.get("content")?.get("application/json")?.get("schema")
}

fn entries(input: Option<&Input>) -> impl Iterator<Item = (&str, &Input)> {
    let entries: &[(String, Input)] = match input {
        Some(Input::Map(entries)) => entries,
        _ => &[],
    };
    entries.iter().map(|(name, value)| (name.as_str(), value))
}

fn field(input: &Input, name: &str) -> String {
    input.get(name).map(text).unwrap_or_default()
}

fn text(input: &Input) -> String {
    input.as_text().unwrap_or_default().into_owned()
}

fn label(tag: &str) -> String {
    let words = tag.replace('_', " ");
    let mut characters = words.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}
