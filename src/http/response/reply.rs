//! What a handler returns: a response without a format. `render` turns it into bytes.

use super::download::Download;
use super::inline_image::InlineImage;
use super::streamed::ChunkStream;
use axum::http::{HeaderName, StatusCode};
use quarry_wire as wire;
use quarry_wire::{Fields, Format, Meta};

/// The result of a handler, before it is rendered.
pub struct Reply {
    pub(super) status: StatusCode,
    pub(super) is_cacheable: bool,
    pub(super) location: Option<String>,
    pub(super) warning: Option<String>,
    pub(super) body: Option<Body>,
    pub(super) stream: Option<StartStream>,
    pub(super) page: Option<String>,
    pub(super) json: Option<String>,
    pub(super) document: Option<(&'static str, Vec<u8>)>,
    pub(super) headers: Vec<(HeaderName, String)>,
    pub(super) cookies: Vec<String>,
    pub(super) file: Option<Download>,
    pub(super) image: Option<InlineImage>,
}

/// Writes the body in the requested format.
pub(super) type Body = Box<dyn FnOnce(Format) -> String>;
/// Starts a streamed body in the requested format.
pub(super) type StartStream = Box<dyn FnOnce(Format) -> ChunkStream>;

impl Reply {
    fn new(status: StatusCode, body: Option<Body>) -> Reply {
        Reply {
            status,
            is_cacheable: true,
            location: None,
            warning: None,
            body,
            stream: None,
            page: None,
            json: None,
            document: None,
            headers: Vec::new(),
            cookies: Vec::new(),
            file: None,
            image: None,
        }
    }

    /// 200 with one record under the name of its resource.
    pub fn object(root: &'static str, describe: impl FnOnce(&mut Fields) + 'static) -> Reply {
        Reply::new(
            StatusCode::OK,
            Some(Box::new(move |format| wire::object(format, root, describe))),
        )
    }

    /// 200 with one record that is written while it is sent.
    pub fn stream(start: impl FnOnce(Format) -> ChunkStream + 'static) -> Reply {
        Reply {
            stream: Some(Box::new(start)),
            ..Reply::new(StatusCode::OK, None)
        }
    }

    /// 200 with a list under the name of its resource, and the metadata of the list.
    pub fn list<T: 'static>(
        root: &'static str,
        item: &'static str,
        items: Vec<T>,
        describe: impl FnMut(&mut Fields, T) + 'static,
        meta: Vec<Meta>,
    ) -> Reply {
        Reply::new(
            StatusCode::OK,
            Some(Box::new(move |format| {
                wire::list(format, root, item, items, describe, &meta)
            })),
        )
    }

    /// Like [`Reply::list`], with further fields next to the items.
    pub fn list_with<T: 'static>(
        root: &'static str,
        item: &'static str,
        items: Vec<T>,
        describe: impl FnMut(&mut Fields, T) + 'static,
        meta: Vec<Meta>,
        more: impl FnOnce(&mut Fields) + 'static,
    ) -> Reply {
        Reply::new(
            StatusCode::OK,
            Some(Box::new(move |format| {
                wire::list_with(format, root, item, items, describe, &meta, more)
            })),
        )
    }

    /// 200 with an HTML page.
    pub fn page(html: String) -> Reply {
        Reply {
            page: Some(html),
            ..Reply::new(StatusCode::OK, None)
        }
    }

    /// 200 with a JSON document, whatever the format of the request, for protocols that know only
    /// JSON. It is not cached.
    pub fn json(text: String) -> Reply {
        Reply {
            json: Some(text),
            ..Reply::new(StatusCode::OK, None)
        }
    }

    /// 200 with a document of this content type, whatever the format of the request, such as an
    /// export. It is not cached.
    pub fn document(content_type: &'static str, bytes: Vec<u8>) -> Reply {
        Reply {
            document: Some((content_type, bytes)),
            ..Reply::new(StatusCode::OK, None)
        }
    }

    /// 200 with a file; or 206, 304 or 416, depending on the headers of the request.
    pub fn file(file: Download) -> Reply {
        Reply {
            file: Some(file),
            ..Reply::new(StatusCode::OK, None)
        }
    }

    /// 200 with an image; or 304, depending on the headers of the request.
    pub fn image(image: InlineImage) -> Reply {
        Reply {
            image: Some(image),
            ..Reply::new(StatusCode::OK, None)
        }
    }

    /// 200 without a body.
    pub fn ok() -> Reply {
        Reply::new(StatusCode::OK, None)
    }

    /// 204 without a body (compatibility 3.5).
    pub fn no_content() -> Reply {
        Reply::new(StatusCode::NO_CONTENT, None)
    }

    /// 302 to another URL.
    pub fn redirect(location: String) -> Reply {
        Reply {
            location: Some(location),
            ..Reply::new(StatusCode::FOUND, None)
        }
    }

    /// 303 to the page that shows the result of a form.
    pub fn see_other(location: String) -> Reply {
        Reply {
            location: Some(location),
            ..Reply::new(StatusCode::SEE_OTHER, None)
        }
    }

    /// Changes the status, such as to 422 for a form that is shown again.
    #[must_use]
    pub fn with_status(self, status: StatusCode) -> Reply {
        Reply { status, ..self }
    }

    /// Adds a `Set-Cookie` header to a page or a redirect.
    #[must_use]
    pub fn with_cookie(mut self, cookie: String) -> Reply {
        self.cookies.push(cookie);
        self
    }

    /// Sets a header of a page, a redirect or a JSON document.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: impl Into<String>) -> Reply {
        self.headers.push((name, value.into()));
        self
    }

    /// Changes the status to 201, with the URL of the created record.
    #[must_use]
    pub fn created(self, location: String) -> Reply {
        Reply {
            status: StatusCode::CREATED,
            location: Some(location),
            ..self
        }
    }

    /// Replaces 200 by 204 without a body, as Redmine responds to changes.
    pub(super) fn without_body(self) -> Reply {
        match self.status {
            StatusCode::OK => Reply {
                status: StatusCode::NO_CONTENT,
                body: None,
                stream: None,
                ..self
            },
            _ => self,
        }
    }

    /// Forbids every cache to store the response, because it has a secret.
    #[must_use]
    pub fn without_caching(self) -> Reply {
        Reply {
            is_cacheable: false,
            ..self
        }
    }

    /// Adds a `Warning` header.
    #[must_use]
    pub fn with_warning(self, warning: Option<String>) -> Reply {
        Reply { warning, ..self }
    }
}
