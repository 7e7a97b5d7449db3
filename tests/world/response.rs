//! The response of a request, with assertions that print it when they fail.

use axum::http::HeaderMap;
use serde_json::Value;

/// A response, read to its end.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: String,
}

impl Response {
    /// Asserts the status and returns the response.
    #[track_caller]
    pub fn assert_status(self, status: u16) -> Response {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    /// Asserts the value at a JSON pointer such as `/issue/id` and returns the response.
    #[track_caller]
    pub fn assert_json_path(self, pointer: &str, expected: impl Into<Value>) -> Response {
        assert_eq!(
            self.json_path(pointer),
            expected.into(),
            "{pointer} in {self:?}"
        );
        self
    }

    /// Asserts the messages of an error, in order, and returns the response.
    #[track_caller]
    pub fn assert_errors<T: AsRef<str>>(self, expected: &[T]) -> Response {
        let expected: Vec<&str> = expected.iter().map(AsRef::as_ref).collect();
        assert_eq!(self.errors(), expected, "{self:?}");
        self
    }

    /// Asserts the value of a header and returns the response.
    #[track_caller]
    pub fn assert_header(self, name: &str, expected: &str) -> Response {
        assert_eq!(self.header(name), expected, "{name} in {self:?}");
        self
    }

    /// Asserts that the body contains a text and returns the response.
    #[track_caller]
    pub fn assert_contains(self, expected: &str) -> Response {
        assert!(self.body.contains(expected), "{expected:?} in {self:?}");
        self
    }

    /// Returns the body without the tokens of its forms, which no other page has.
    pub fn without_tokens(&self) -> String {
        let mut parts = self.body.split("name=\"authenticity_token\" value=\"");
        let start = parts.next().unwrap_or_default().to_owned();
        parts.fold(start, |body, part| body + part.split_once('"').unwrap().1)
    }

    /// Returns the body as JSON; asserts that the content type says so.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(
            self.content_type(),
            "application/json; charset=utf-8",
            "{self:?}"
        );
        serde_json::from_str(&self.body).unwrap()
    }

    /// Returns the value at a JSON pointer such as `/issue/id`, which must exist.
    #[track_caller]
    pub fn json_path(&self, pointer: &str) -> Value {
        self.json()
            .pointer(pointer)
            .cloned()
            .unwrap_or_else(|| panic!("no {pointer} in {self:?}"))
    }

    /// Returns the integer at a JSON pointer.
    #[track_caller]
    pub fn integer(&self, pointer: &str) -> i64 {
        self.json_path(pointer)
            .as_i64()
            .unwrap_or_else(|| panic!("no integer at {pointer} in {self:?}"))
    }

    /// Returns the array at a JSON pointer.
    #[track_caller]
    pub fn array(&self, pointer: &str) -> Vec<Value> {
        self.json_path(pointer)
            .as_array()
            .cloned()
            .unwrap_or_else(|| panic!("no array at {pointer} in {self:?}"))
    }

    /// Returns an integer of each object in the array at a JSON pointer.
    #[track_caller]
    pub fn integers(&self, pointer: &str, name: &str) -> Vec<i64> {
        let objects = self.array(pointer);
        let integers = objects.iter().map(|object| object[name].as_i64());
        integers
            .collect::<Option<_>>()
            .unwrap_or_else(|| panic!("no integer {name} in {objects:?}"))
    }

    /// Returns a text of each object in the array at a JSON pointer.
    #[track_caller]
    pub fn texts(&self, pointer: &str, name: &str) -> Vec<String> {
        let objects = self.array(pointer);
        let texts = objects
            .iter()
            .map(|object| object[name].as_str().map(str::to_owned));
        texts
            .collect::<Option<_>>()
            .unwrap_or_else(|| panic!("no text {name} in {objects:?}"))
    }

    /// Returns a header, empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// Returns the `Content-Type`, empty if it is missing.
    pub fn content_type(&self) -> &str {
        self.header("content-type")
    }

    /// Returns the `Location`, empty if it is missing.
    pub fn location(&self) -> &str {
        self.header("location")
    }

    /// Returns the messages of an error in JSON or XML.
    #[track_caller]
    pub fn errors(&self) -> Vec<String> {
        if self.content_type().starts_with("application/xml") {
            let document = roxmltree::Document::parse(&self.body).unwrap();
            let root = document.root_element();
            let errors = if root.has_tag_name("hash") {
                root.last_element_child().unwrap()
            } else {
                root
            };
            assert!(errors.has_tag_name("errors"), "{self:?}");
            return errors
                .children()
                .map(|error| error.text().unwrap_or_default().to_owned())
                .collect();
        }
        let errors = self.json()["errors"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        errors
            .iter()
            .map(|error| error.as_str().unwrap().to_owned())
            .collect()
    }
}
