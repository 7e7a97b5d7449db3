//! The formats of the REST API.

/// The format of a response (compatibility 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// `.json`
    Json,
    /// `.xml`
    Xml,
}

impl Format {
    /// Returns the `Content-Type` of a response with a body (compatibility 3.1).
    pub const fn content_type(self) -> &'static str {
        match self {
            Format::Json => "application/json; charset=utf-8",
            Format::Xml => "application/xml; charset=utf-8",
        }
    }

    /// Returns the suffix of a path in this format, without the dot.
    pub const fn suffix(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Xml => "xml",
        }
    }
}
