//! A request whose head is checked and whose body is read: runs the handler with its context, and
//! renders the reply.

use super::render::{NO_STORE, PRIVATE};
use super::reply::Reply;
use super::streamed::StreamLimits;
use super::{download, inline_image, render, saved_draft, thumbnail};
use crate::error::Error;
use crate::request::authentication::Authentication;
use crate::request::body;
use crate::request::context::RequestContext;
use crate::request::format::ResponseFormat;
use crate::request::head::RequestHead;
use crate::request::multipart::FormFiles;
use crate::request::render_budget::LongTexts;
use crate::request::session;
use crate::server::blocking::run_blocking;
use crate::server::limits::client_id::ClientId;
use crate::server::limits::logins::AttemptPermission;
use crate::server::state::HttpState;
use axum::body::{Body, Bytes};
use axum::http::{Method, Response, header};
use quarry_actions::content::attachments::Thumbnail;
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::UserId;
use quarry_domain::values::text::with_lf;
use quarry_store::Read;
use quarry_wire as wire;
use quarry_wire::Input;
use std::sync::{Arc, Mutex, PoisonError};

/// A handler that reads one snapshot.
pub(super) type ReadHandler = fn(&RequestContext, &Read<'_>) -> Result<Reply, Error>;
/// A handler that finds the thumbnail that the viewer may see.
pub(super) type ThumbnailHandler = fn(&RequestContext, &Read<'_>) -> Result<Thumbnail, Error>;
/// A handler that writes.
pub(super) type WriteHandler = fn(&RequestContext) -> Result<Reply, Error>;

/// The handler of a request whose body has been read completely.
#[derive(Clone, Copy)]
pub(super) enum BufferedHandler {
    Read(ReadHandler),
    Thumbnail(ThumbnailHandler),
    Write(WriteHandler),
}

/// A request whose body has been read completely.
pub(super) struct BufferedRequest {
    pub(super) state: Arc<HttpState>,
    pub(super) head: RequestHead,
    pub(super) user: Option<UserId>,
    /// The body; of a form with files, its fields as a form without files encodes them.
    pub(super) bytes: Bytes,
    pub(super) is_multipart: bool,
    pub(super) files: Mutex<FormFiles>,
    pub(super) attempt: Mutex<AttemptPermission>,
    pub(super) format: ResponseFormat,
    pub(super) authentication: Authentication,
    pub(super) deletes: bool,
    pub(super) is_for_administrators: bool,
}

impl BufferedRequest {
    /// Waits for the permits of the handler, and runs it.
    pub(super) async fn respond(
        &self,
        handler: BufferedHandler,
        client: ClientId,
    ) -> Result<Response<Body>, Error> {
        let state = &self.state;
        match handler {
            BufferedHandler::Read(handler) => {
                let read = |deadline, long_texts| {
                    state
                        .app
                        .read_until(deadline, |db| self.read(handler, db, long_texts))
                };
                let outcome = state
                    .reads
                    .run(client, |deadline| read(deadline, LongTexts::Yield));
                match outcome.await {
                    Err(Error::LongText) => {
                        let render = |deadline| {
                            let read = || read(deadline, LongTexts::Render);
                            state.reads.charge(client, read)
                        };
                        state.rendering.run(client, render).await
                    }
                    outcome => outcome,
                }
            }
            BufferedHandler::Thumbnail(handler) => {
                let find = |db: &Read<'_>| self.find_thumbnail(handler, db);
                thumbnail::respond(state, client, &self.head.parts, find).await
            }
            BufferedHandler::Write(handler) => {
                let _permit = state.write_permit(client).await?;
                run_blocking(|| state.reads.charge(client, || self.write(handler)))
            }
        }
    }

    /// Runs a handler that reads.
    fn read(
        &self,
        handler: ReadHandler,
        db: &Read<'_>,
        long_texts: LongTexts,
    ) -> Result<Response<Body>, Error> {
        let request = self.context(db)?.with_long_texts(long_texts);
        let reply = self
            .authorize(&request)
            .and_then(|()| handler(&request, db))
            .map_err(|error| error.for_viewer(request.viewer()))?;
        self.render(reply, &request)
    }

    /// Runs a handler that finds a thumbnail.
    fn find_thumbnail(&self, handler: ThumbnailHandler, db: &Read<'_>) -> Result<Thumbnail, Error> {
        let request = self.context(db)?;
        self.authorize(&request)
            .and_then(|()| handler(&request, db))
            .map_err(|error| error.for_viewer(request.viewer()))
    }

    /// Runs a handler that writes.
    fn write(&self, handler: WriteHandler) -> Result<Response<Body>, Error> {
        let request = self
            .state
            .app
            .read(|db| self.context(db))?
            .with_long_texts(LongTexts::Plain);
        let outcome = self.authorize(&request).and_then(|()| handler(&request));
        let reply = outcome.map_err(|error| match error {
            Error::TimedOut | Error::StoreUnavailable if request.has_written() => {
                Error::ReplyTimedOut
            }
            error => error.for_viewer(request.viewer()),
        })?;
        let reply = match self.format {
            ResponseFormat::Page => saved_draft::confirm(reply, &request),
            _ => reply,
        };
        self.render(reply, &request)
    }

    /// Fails unless the viewer may use the route.
    fn authorize(&self, request: &RequestContext) -> Result<(), Error> {
        if self.is_for_administrators {
            request.require_admin()
        } else {
            Ok(())
        }
    }

    fn context(&self, db: &Read<'_>) -> Result<RequestContext, Error> {
        let parts = &self.head.parts;
        let body = match self.is_multipart {
            _ if parts.method == Method::GET || self.authentication == Authentication::Skipped => {
                Input::Null
            }
            true => wire::from_form(&self.bytes)?,
            false => body::parse(&self.bytes, &parts.headers)?,
        };
        // Browsers send CRLF for every line break, whatever was in the field.
        let body = match self.format {
            ResponseFormat::Page => body.map_texts(with_lf),
            _ => body,
        };
        let request = RequestContext::new(
            &self.state.app,
            db,
            &self.head,
            self.user,
            body,
            self.format,
        )?
        .with_raw_body(self.bytes.clone());
        let files = std::mem::take(&mut *self.files.lock().unwrap_or_else(PoisonError::into_inner));
        let attempt =
            std::mem::take(&mut *self.attempt.lock().unwrap_or_else(PoisonError::into_inner));
        let request = request
            .with_files(files)
            .with_attempt(attempt)
            .with_deletion(self.deletes);
        if self.format == ResponseFormat::Page
            && !parts.method.is_safe()
            && self.authentication == Authentication::Required
        {
            request.require_csrf()?;
        }
        Ok(request)
    }

    fn render(&self, reply: Reply, request: &RequestContext) -> Result<Response<Body>, Error> {
        let parts = &self.head.parts;
        if let Some(download) = reply.file {
            return download::respond(download, parts);
        }
        if let Some(image) = reply.image {
            return Ok(inline_image::respond(image, &parts.headers));
        }
        let is_write = matches!(parts.method, Method::PUT | Method::PATCH | Method::DELETE);
        let without_body = is_write
            && request
                .app
                .store
                .catalogue()?
                .is_on(Setting::RedmineCompatibility);
        let if_none_match = (parts.method == Method::GET)
            .then(|| parts.headers.get(header::IF_NONE_MATCH))
            .flatten();
        let reply = if without_body {
            reply.without_body()
        } else {
            reply
        };
        let client = ClientId::new(self.user, self.head.address);
        let streams = StreamLimits::new(&self.state, client);
        let mut response = render::reply(reply, self.format, if_none_match, &streams);
        let is_logged_in = self.head.session.is_some() || self.user.is_some();
        if self.format == ResponseFormat::Page && (is_logged_in || starts_session(&response)) {
            let is_kept = parts.method == Method::GET
                && self.head.session.is_some()
                && response.headers().contains_key(header::ETAG)
                && !starts_session(&response);
            let headers = response.headers_mut();
            if is_kept {
                headers.insert(header::CACHE_CONTROL, PRIVATE);
            } else {
                headers.remove(header::ETAG);
                headers.insert(header::CACHE_CONTROL, NO_STORE);
            }
        }
        Ok(response)
    }
}

/// Whether the response starts a session. Its page may have the key of a second factor.
fn starts_session(response: &Response<Body>) -> bool {
    let mut cookies = response.headers().get_all(header::SET_COOKIE).iter();
    cookies.any(|cookie| cookie.to_str().is_ok_and(session::is_session_cookie))
}
