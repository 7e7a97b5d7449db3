//! What a request sends besides the operation: values for the parameters of the path, a query, a
//! body.

use super::description::Operation;
use super::records::list_field;
use super::xml;
use axum::http::Method;
use quarry_world::{Client, Response};
use serde_json::{Value, json};

/// An id that no record has.
pub const MISSING: &str = "987654";

/// The format of a request and its response.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    Json,
    Xml,
}

impl Format {
    fn suffix(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Xml => "xml",
        }
    }
}

/// A request to an operation.
#[derive(Clone, Default)]
pub struct Call {
    path: Vec<(&'static str, String)>,
    query: String,
    body: Option<Body>,
}

#[derive(Clone)]
enum Body {
    Record(Value),
    Bytes(&'static str, Vec<u8>),
}

/// Starts a call without parameters.
pub fn call() -> Call {
    Call::default()
}

/// Starts a call with one parameter of the path.
pub fn on(name: &'static str, value: impl ToString) -> Call {
    call().and(name, value)
}

fn list_of(record: &str) -> usize {
    list_field(record.trim_start_matches('/'))
}

impl Call {
    /// Adds a parameter of the path.
    pub fn and(mut self, name: &'static str, value: impl ToString) -> Call {
        self.path.push((name, value.to_string()));
        self
    }

    /// Sets the query.
    pub fn query(mut self, query: &str) -> Call {
        self.query = format!("?{query}");
        self
    }

    /// Sets a body, which is sent as JSON or as XML.
    pub fn body(mut self, body: Value) -> Call {
        self.body = Some(Body::Record(body));
        self
    }

    /// Sets a body of another type.
    pub fn bytes(mut self, content_type: &'static str, bytes: &[u8]) -> Call {
        self.body = Some(Body::Bytes(content_type, bytes.to_vec()));
        self
    }

    /// Sets an attribute of the record in the body to a value that it cannot have: one of no
    /// attribute's type, or one that is not in the list of the custom field.
    pub fn with_invalid(mut self, attribute: &str) -> Call {
        if let Some(Body::Record(body)) = &mut self.body {
            let (record, name) = attribute.rsplit_once('/').unwrap();
            body.pointer_mut(record).unwrap()[name] = match name {
                "custom_fields" => json!([{"id": list_of(record), "value": "nothing"}]),
                "custom_field_values" => json!({ list_of(record).to_string(): "nothing" }),
                _ => json!({"wrong": {"type": []}}),
            };
        }
        self
    }

    /// Replaces the first parameter of the path by an id that no record has.
    pub fn missing(mut self) -> Call {
        self.path[0].1 = MISSING.to_owned();
        self
    }

    /// Sends the request.
    pub fn send(&self, client: &Client<'_>, operation: &Operation, format: Format) -> Response {
        let mut path = operation.path.replace("{format}", format.suffix());
        for (name, value) in &self.path {
            let parameter = format!("{{{name}}}");
            assert!(
                path.contains(&parameter),
                "{} has no parameter {name}",
                operation.path
            );
            path = path.replace(&parameter, value);
        }
        assert!(!path.contains('{'), "{path} lacks parameters");
        let (content_type, body) = match (&self.body, format) {
            (None, _) => (None, Vec::new()),
            (Some(Body::Bytes(content_type, bytes)), _) => (Some(*content_type), bytes.clone()),
            (Some(Body::Record(body)), Format::Json) => {
                (Some("application/json"), body.to_string().into_bytes())
            }
            (Some(Body::Record(body)), Format::Xml) => {
                (Some("application/xml"), xml::document(body).into_bytes())
            }
        };
        let method = Method::from_bytes(operation.method.as_bytes()).unwrap();
        client.send(method, &format!("{path}{}", self.query), content_type, body)
    }
}
