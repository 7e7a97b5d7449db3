//! An answer before it has a format: handlers say what, `render` says how.

use super::download::Download;
use super::streamed::Pieces;
use crate::wire::{self, Fields, Format, Meta};
use axum::http::StatusCode;

/// An answer without a format.
pub struct Reply {
    pub(super) status: StatusCode,
    pub(super) location: Option<String>,
    pub(super) warning: Option<String>,
    pub(super) body: Option<Body>,
    pub(super) pieces: Option<Streamed>,
    pub(super) page: Option<String>,
    pub(super) file: Option<Download>,
}

/// Writes the body in the format that was asked for.
pub(super) type Body = Box<dyn FnOnce(Format) -> String>;
/// Begins to write a body in pieces.
pub(super) type Streamed = Box<dyn FnOnce(Format) -> Pieces>;

impl Reply {
    fn with(status: StatusCode, body: Option<Body>) -> Reply {
        Reply { status, location: None, warning: None, body, pieces: None, page: None, file: None }
    }

    /// 200 with one record under the name of its resource.
    pub fn object(root: &'static str, describe: impl FnOnce(&mut Fields) + 'static) -> Reply {
        Reply::with(StatusCode::OK, Some(Box::new(move |format| wire::object(format, root, describe))))
    }

    /// 200 with one record that is written in pieces while it is sent.
    pub fn pieces(begin: impl FnOnce(Format) -> Pieces + 'static) -> Reply {
        Reply { pieces: Some(Box::new(begin)), ..Reply::with(StatusCode::OK, None) }
    }

    /// 200 with a list under the name of its resource, and what is said about the list.
    pub fn list<T: 'static>(
        root: &'static str,
        item: &'static str,
        items: Vec<T>,
        describe: impl FnMut(&mut Fields, T) + 'static,
        meta: Vec<Meta>,
    ) -> Reply {
        Reply::with(StatusCode::OK, Some(Box::new(move |format| wire::list(format, root, item, items, describe, &meta))))
    }

    /// The same with something more beside the items.
    pub fn list_with<T: 'static>(
        root: &'static str,
        item: &'static str,
        items: Vec<T>,
        describe: impl FnMut(&mut Fields, T) + 'static,
        meta: Vec<Meta>,
        more: impl FnOnce(&mut Fields) + 'static,
    ) -> Reply {
        Reply::with(StatusCode::OK, Some(Box::new(move |format| wire::list_with(format, root, item, items, describe, &meta, more))))
    }

    /// 200 with a page for a person.
    pub fn page(html: String) -> Reply {
        Reply { page: Some(html), ..Reply::with(StatusCode::OK, None) }
    }

    /// 200 with a file, or a part of it, or 304 or 416, as the headers of the request ask.
    pub fn file(file: Download) -> Reply {
        Reply { file: Some(file), ..Reply::with(StatusCode::OK, None) }
    }

    /// 200 without a body.
    pub fn done() -> Reply {
        Reply::with(StatusCode::OK, None)
    }

    /// 204 without a body: what the spec does not show answers so (contract part A).
    pub fn nothing() -> Reply {
        Reply::with(StatusCode::NO_CONTENT, None)
    }

    /// 302 to another address.
    pub fn redirect(location: String) -> Reply {
        Reply { location: Some(location), ..Reply::with(StatusCode::FOUND, None) }
    }

    /// The same as 201 with the address of what was made.
    #[must_use]
    pub fn created(self, location: String) -> Reply {
        Reply { status: StatusCode::CREATED, location: Some(location), ..self }
    }

    /// What Redmine says instead of 200 after a change: 204 and nothing more.
    pub(super) fn quiet(self) -> Reply {
        match self.status {
            StatusCode::OK => Reply { status: StatusCode::NO_CONTENT, body: None, pieces: None, ..self },
            _ => self,
        }
    }

    /// The same with a warning for whoever reads headers.
    #[must_use]
    pub fn warned(self, warning: Option<String>) -> Reply {
        Reply { warning, ..self }
    }
}
