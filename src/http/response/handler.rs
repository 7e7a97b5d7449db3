//! The handler of a route: head, credentials, body, work, response.
//!
//! Credentials are checked before the body is read. Work runs in place on a thread of the runtime,
//! see [`run_blocking`]. Reads and writes have separate permits, so that neither starves the other.

use super::buffered_request::{
    BufferedHandler, BufferedRequest, ReadHandler, ThumbnailHandler, WriteHandler,
};
use super::form::FormRequest;
use super::form_body::FilesOfForm;
use super::index_wait::{IndexWait, wait_for_index};
use super::login_attempt::{self, GuardedSecret};
use super::render::{PageViewer, UNCHARGED_REPLY, error_response};
use super::reply::Reply;
use super::upload::{CheckUpload, ProcessUpload, UploadRequest};
use super::{form_body, picture, render, upload};
use crate::error::Error;
use crate::request::authentication::Authentication;
use crate::request::body;
use crate::request::body::BodyReader;
use crate::request::format::ResponseFormat;
use crate::request::head;
use crate::request::multipart;
use crate::request::multipart::FormFiles;
use crate::server::blocking::run_blocking;
use crate::server::connections::Connection;
use crate::server::limits::client_id::ClientId;
use crate::server::limits::logins::AttemptPermission;
use crate::server::state::HttpState;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::{HeaderValue, Response, header};
use http_body_util::BodyExt;
use metrics::histogram;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The `Warning` of a search response that lacks the last changes.
const STALE: HeaderValue =
    HeaderValue::from_static("199 quarry \"the last changes are still being indexed\"");

/// How the paths of searches end.
const SEARCH_PATH: &str = "/search";

/// The path of the set-up.
const SETUP_PATH: &str = "/setup";

/// The handler of a route.
#[derive(Clone, Copy)]
enum Work {
    /// Gets the whole body.
    Buffered(BufferedHandler),
    /// Checks the request before the first byte of the body is read, and processes it after the last.
    Upload(CheckUpload, ProcessUpload),
}

/// An axum handler that runs the steps that all routes share, and a handler of ours.
#[derive(Clone, Copy)]
pub struct RouteHandler {
    work: Work,
    index_wait: IndexWait,
    authentication: Authentication,
    guarded_secret: Option<GuardedSecret>,
    deletes: bool,
    refuses_sessions: bool,
    is_for_administrators: bool,
    serves_setup: bool,
    body_limit: Option<form_body::BodyLimit>,
    files: FilesOfForm,
}

impl RouteHandler {
    fn new(work: Work) -> RouteHandler {
        RouteHandler {
            work,
            index_wait: IndexWait::Never,
            authentication: Authentication::Required,
            guarded_secret: None,
            deletes: false,
            refuses_sessions: false,
            is_for_administrators: false,
            serves_setup: false,
            body_limit: None,
            files: FilesOfForm::Uploads,
        }
    }

    /// Lets anonymous in even when a login is required, and leaves the check of the token of the
    /// form to the handler.
    #[must_use]
    pub fn open(self) -> RouteHandler {
        RouteHandler {
            authentication: Authentication::Optional,
            ..self
        }
    }

    /// Leaves the credentials and the body to the handler, as for an OAuth client, whose
    /// credentials are not those of a user.
    #[must_use]
    pub fn without_user(self) -> RouteHandler {
        RouteHandler {
            authentication: Authentication::Skipped,
            ..self
        }
    }

    /// Serves the page even before the installation is set up. All other pages then lead to the
    /// set-up.
    #[must_use]
    pub fn during_setup(self) -> RouteHandler {
        RouteHandler {
            serves_setup: true,
            ..self
        }
    }

    /// Refuses everybody but administrators, before the handler runs.
    #[must_use]
    pub fn for_administrators(self) -> RouteHandler {
        RouteHandler {
            is_for_administrators: true,
            ..self
        }
    }

    /// Lets the handler use the reserve of disk space, because it deletes something. `DELETE`
    /// always may.
    #[must_use]
    pub fn deleting(self) -> RouteHandler {
        RouteHandler {
            deletes: true,
            ..self
        }
    }

    /// Lets bodies be larger than those of other routes, depending on the settings. The files of a form
    /// become fields, in memory, instead of being stored for a user.
    #[must_use]
    pub fn with_body_limit(self, limit: form_body::BodyLimit) -> RouteHandler {
        RouteHandler {
            body_limit: Some(limit),
            files: FilesOfForm::Fields,
            ..self
        }
    }

    /// Makes a picture of the file of the form, which the handler takes.
    #[must_use]
    pub fn with_picture(self) -> RouteHandler {
        RouteHandler {
            files: FilesOfForm::Picture,
            ..self
        }
    }

    /// Limits guesses of this secret, and lets the handler compare it.
    #[must_use]
    pub fn guarding(self, secret: GuardedSecret) -> RouteHandler {
        RouteHandler {
            guarded_secret: Some(secret),
            ..self
        }
    }
}

/// Returns a handler that reads.
pub fn read_handler(handler: ReadHandler) -> RouteHandler {
    RouteHandler::new(Work::Buffered(BufferedHandler::Read(handler)))
}

/// Returns a handler that sends a thumbnail.
pub fn thumbnail_handler(handler: ThumbnailHandler) -> RouteHandler {
    RouteHandler::new(Work::Buffered(BufferedHandler::Thumbnail(handler)))
}

/// Returns a handler that writes.
pub fn write_handler(handler: WriteHandler) -> RouteHandler {
    RouteHandler::new(Work::Buffered(BufferedHandler::Write(handler)))
}

/// Returns a handler for changes of the API for which pages ask for the password: of accounts, of
/// what protects them, and of settings. It refuses sessions (compatibility 4).
pub fn protected_handler(handler: WriteHandler) -> RouteHandler {
    RouteHandler {
        refuses_sessions: true,
        ..write_handler(handler)
    }
}

/// Returns a handler whose body is a file. `check` runs before the first byte is read, `process`
/// after the last. `check` decides who may upload and how much, so `for_administrators`, `guarding`,
/// `deleting` and `with_body_limit` have no effect.
pub fn upload_handler(check: CheckUpload, process: ProcessUpload) -> RouteHandler {
    RouteHandler::new(Work::Upload(check, process))
}

/// Returns a handler that searches. It first waits until the index has the viewer's own changes,
/// and briefly for those of others.
pub fn search_handler(handler: ReadHandler) -> RouteHandler {
    RouteHandler {
        index_wait: IndexWait::Always,
        ..read_handler(handler)
    }
}

/// Returns a handler that lists issues. With a text for the search it waits as [`search_handler`]
/// does.
pub fn issue_list_handler(handler: ReadHandler) -> RouteHandler {
    RouteHandler {
        index_wait: IndexWait::WithText,
        ..read_handler(handler)
    }
}

impl Handler<(), Arc<HttpState>> for RouteHandler {
    type Future = Pin<Box<dyn Future<Output = Response<Body>> + Send>>;

    fn call(self, request: Request, state: Arc<HttpState>) -> Self::Future {
        Box::pin(async move {
            let format = request
                .extensions()
                .get::<ResponseFormat>()
                .copied()
                .unwrap_or(ResponseFormat::Page);
            let outcome = respond(&state, request, self, format).await;
            let response = outcome.unwrap_or_else(|error| error_response(&error, format));
            render::as_in_redmine(response, &state.app)
        })
    }
}

async fn respond(
    state: &Arc<HttpState>,
    request: Request,
    handler: RouteHandler,
    format: ResponseFormat,
) -> Result<Response<Body>, Error> {
    let start = Instant::now();
    let (parts, body) = request.into_parts();
    let body = BodyReader::new(body, &parts.headers, state.transfer);
    let connection = parts.extensions.get::<Arc<Connection>>().cloned();
    let active_request = connection.as_ref().map(Connection::start_request);
    if format != ResponseFormat::Page
        && state.app.setup.may_be_pending()
        && run_blocking(|| Ok(state.app.is_importing()?))?
    {
        body.drain().await;
        return Err(Error::Importing);
    }
    if format == ResponseFormat::Page
        && !handler.serves_setup
        && run_blocking(|| Ok(state.app.needs_setup()?))?
    {
        body.drain().await;
        let reply = Reply::see_other(SETUP_PATH.to_owned());
        return Ok(render::unformatted(reply, format, None));
    }
    let form = FormRequest::new(state, &parts, format);
    let (head, user) = match head::check(state, parts, format, handler.authentication).await {
        Ok(checked) => checked,
        Err(error) => return Ok(form.refuse(state, error, body).await),
    };
    let is_page_write = format == ResponseFormat::Page
        && !head.parts.method.is_safe()
        && handler.authentication != Authentication::Skipped;
    if is_page_write && !body::is_form_or_empty(&head.parts.headers) {
        body.drain().await;
        return Err(Error::NotAForm);
    }
    if handler.refuses_sessions && user.is_some() && head.session.is_some() {
        return Ok(form.refuse(state, Error::SessionRefused, body).await);
    }
    // The wait for the index holds no permit.
    let waits_for_index = handler.index_wait.applies_to(head.parts.uri.query());
    let stale = waits_for_index && !wait_for_index(&state.app, user).await;
    let client = ClientId::new(user, head.address);
    let mut charge = state.body_memory.reservation(client);
    let work = match handler.work {
        Work::Buffered(work) => work,
        Work::Upload(check, process) => {
            let upload = UploadRequest {
                head,
                user,
                format,
                connection,
                active_request,
            };
            return upload::respond(state, upload, body, check, process).await;
        }
    };
    // While the server waits for the client, the connection may be closed in favor of another one.
    drop(active_request);
    let max_bytes = form_body::max_bytes(state, handler.body_limit)?;
    let boundary = multipart::boundary_of(&head.parts);
    let is_multipart = boundary.is_some();
    let (bytes, mut files) = match boundary {
        // The API takes no files with a record: they are uploaded first.
        Some(boundary) if format != ResponseFormat::Page => (
            form_body::read_fields(state, boundary, max_bytes, body, &mut charge).await?,
            FormFiles::default(),
        ),
        Some(boundary) => {
            let form = (boundary, max_bytes, handler.files);
            form_body::read(state, &head, user, form, body, &mut charge).await?
        }
        None => (
            body.read_all(&head.parts.headers, max_bytes, &mut charge)
                .await?,
            FormFiles::default(),
        ),
    };
    let bytes = Bytes::from(bytes);
    let _active_request = connection.as_ref().map(Connection::start_request);
    if handler.files == FilesOfForm::Picture {
        picture::scale(state, client, &mut files).await?;
    }
    let attempt = match handler.guarded_secret {
        Some(secret) => login_attempt::acquire(state, secret, &head, user, &bytes).await?,
        None => AttemptPermission::Nothing,
    };
    let request = BufferedRequest {
        state: Arc::clone(state),
        head,
        user,
        bytes,
        is_multipart,
        files: Mutex::new(files),
        attempt: Mutex::new(attempt),
        format,
        authentication: handler.authentication,
        deletes: handler.deletes,
        is_for_administrators: handler.is_for_administrators,
    };
    let outcome = request.respond(work, client).await;
    // Suggestions and similar issues also wait for the index, but do not count as searches.
    if waits_for_index && outcome.is_ok() && request.head.parts.uri.path().ends_with(SEARCH_PATH) {
        state.app.search_latency.record(start.elapsed());
        histogram!("quarry_search_duration_seconds").record(start.elapsed());
    }
    let mut response = match outcome {
        Ok(response) => response,
        Err(error) => {
            let csrf_token = request
                .head
                .session
                .as_ref()
                .map(|session| session.csrf_token.clone());
            let mut response = form.error(state, &error, &request.bytes, csrf_token.clone());
            response.extensions_mut().insert(PageViewer {
                user,
                scopes: request.head.scopes,
                csrf_token,
            });
            response
        }
    };
    drop(charge);
    if stale {
        response.headers_mut().append(header::WARNING, STALE);
    }
    charge_reply(state, client, response).await
}

/// Charges the response to the memory for responses until its last byte is sent.
async fn charge_reply(
    state: &HttpState,
    client: ClientId,
    response: Response<Body>,
) -> Result<Response<Body>, Error> {
    let Some(size) = response
        .size_hint()
        .exact()
        .and_then(|size| usize::try_from(size).ok())
        .filter(|size| *size > UNCHARGED_REPLY)
    else {
        return Ok(response);
    };
    let mut charge = state.reply_memory.reservation(client);
    // No wait: the response would occupy memory meanwhile.
    charge.try_reserve(size)?;
    let (parts, body) = response.into_parts();
    let bytes = body
        .collect()
        .await
        .map_err(|error| Error::Internal(error.to_string()))?
        .to_bytes();
    Ok(Response::from_parts(
        parts,
        render::charged_body(bytes, Arc::new(charge)),
    ))
}
