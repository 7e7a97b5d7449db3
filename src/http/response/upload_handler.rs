//! The handler of an upload: permissions and size are checked before the first byte of the body is
//! read.

use super::render::{self, error_response};
use super::reply::Reply;
use super::streamed::StreamLimits;
use crate::error::Error;
use crate::request::authentication::Authentication;
use crate::request::body::{BodyReader, content_length};
use crate::request::context::RequestContext;
use crate::request::format::ResponseFormat;
use crate::request::head;
use crate::request::upload::{UploadLimit, store_body};
use crate::server::blocking::run_blocking;
use crate::server::connections::Connection;
use crate::server::limits::client_id::ClientId;
use crate::server::state::HttpState;
use axum::body::Body;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::Response;
use axum::http::request::Parts;
use quarry_store::Read;
use quarry_store::files::blobs::StagedBlob;
use quarry_wire::Input;
use std::pin::Pin;
use std::sync::Arc;

/// Decides who may send a body of which size, before it is read.
type CheckUpload = fn(&RequestContext, &Read<'_>) -> Result<UploadLimit, Error>;
/// Processes a body that is on disk.
type ProcessUpload = fn(&RequestContext, StagedBlob) -> Result<Reply, Error>;

/// The axum handler of an upload.
#[derive(Clone, Copy)]
pub struct UploadHandler {
    check: CheckUpload,
    process: ProcessUpload,
}

/// Returns a handler whose body is a file. `check` runs before the first byte is read, `process`
/// after the last.
pub fn upload_handler(check: CheckUpload, process: ProcessUpload) -> UploadHandler {
    UploadHandler { check, process }
}

impl Handler<(), Arc<HttpState>> for UploadHandler {
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
    handler: UploadHandler,
    format: ResponseFormat,
) -> Result<Response<Body>, Error> {
    let (parts, body) = request.into_parts();
    let body = BodyReader::new(body, &parts.headers, state.transfer);
    let length = content_length(&parts.headers);
    let connection = parts.extensions.get::<Arc<Connection>>().cloned();
    let active_request = connection.as_ref().map(Connection::start_request);
    let (request, limit, client) = match check(state, parts, handler.check, format).await {
        Ok(checked) => checked,
        Err(error) => {
            body.drain().await;
            return Err(error);
        }
    };
    if length.is_some_and(|length| length > limit.max_bytes) {
        body.drain().await;
        return Err(limit.error);
    }
    let _upload = state.uploads_of_client.acquire(client).await?;
    // While the server waits for the client, the connection may be closed in favor of another one.
    drop(active_request);
    let writer = store_body(&state.app, body, limit).await?;
    let _active_request = connection.as_ref().map(Connection::start_request);
    let _permit = state.write_permit(client).await?;
    run_blocking(|| {
        let reply = (handler.process)(&request, writer.finish()?)
            .map_err(|error| error.for_viewer(request.viewer()))?;
        Ok(render::reply(
            reply,
            format,
            None,
            &StreamLimits::new(state, client),
        ))
    })
}

/// Authenticates the user, and determines the maximum size of the body.
async fn check(
    state: &Arc<HttpState>,
    parts: Parts,
    check_upload: CheckUpload,
    format: ResponseFormat,
) -> Result<(RequestContext, UploadLimit, ClientId), Error> {
    let (head, user) = head::check(state, parts, format, Authentication::Required).await?;
    let client = ClientId::new(user, head.address);
    let checked = state.reads.run(client, |deadline| {
        state.app.read_until(deadline, |db| {
            let request = RequestContext::new(&state.app, db, &head, user, Input::Null, format)?;
            request.require_csrf()?;
            let limit =
                check_upload(&request, db).map_err(|error| error.for_viewer(request.viewer()))?;
            Ok((request, limit, client))
        })
    });
    checked.await
}
