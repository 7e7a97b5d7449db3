//! Uploads: permissions and size are checked before the first byte of the body is read, and the body is
//! a file when the handler runs.

use super::render;
use super::reply::Reply;
use super::streamed::StreamLimits;
use crate::error::Error;
use crate::request::body::{BodyReader, content_length};
use crate::request::context::RequestContext;
use crate::request::format::ResponseFormat;
use crate::request::head::RequestHead;
use crate::request::upload::{UploadLimit, store_body};
use crate::server::blocking::run_blocking;
use crate::server::connections::{Connection, RequestGuard};
use crate::server::limits::client_id::ClientId;
use crate::server::state::HttpState;
use axum::body::Body;
use axum::http::Response;
use quarry_domain::ids::UserId;
use quarry_store::Read;
use quarry_store::files::blobs::StagedBlob;
use quarry_wire::Input;
use std::sync::Arc;

/// Decides who may send a body of which size, before it is read.
pub(super) type CheckUpload = fn(&RequestContext, &Read<'_>) -> Result<UploadLimit, Error>;
/// Processes a body that is on disk.
pub(super) type ProcessUpload = fn(&RequestContext, StagedBlob) -> Result<Reply, Error>;

/// An upload whose head is checked.
pub(super) struct UploadRequest {
    pub(super) head: RequestHead,
    pub(super) user: Option<UserId>,
    pub(super) format: ResponseFormat,
    pub(super) connection: Option<Arc<Connection>>,
    /// Keeps the connection open until the service waits for the body.
    pub(super) active_request: Option<RequestGuard>,
}

/// Receives the body and returns the response.
pub(super) async fn respond(
    state: &Arc<HttpState>,
    mut upload: UploadRequest,
    body: BodyReader,
    check: CheckUpload,
    process: ProcessUpload,
) -> Result<Response<Body>, Error> {
    let client = ClientId::new(upload.user, upload.head.address);
    let length = content_length(&upload.head.parts.headers);
    let checked = state.reads.run(client, |deadline| {
        let check = |db: &Read<'_>| upload.check(state, db, check);
        state.app.read_until(deadline, check)
    });
    let (request, limit) = match checked.await {
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
    drop(upload.active_request.take());
    let writer = store_body(&state.app, body, limit).await?;
    let _active_request = upload.connection.as_ref().map(Connection::start_request);
    let _permit = state.write_permit(client).await?;
    run_blocking(|| {
        let reply = process(&request, writer.finish()?)
            .map_err(|error| error.for_viewer(request.viewer()))?;
        let streams = StreamLimits::new(state, client);
        Ok(render::reply(reply, upload.format, None, &streams))
    })
}

impl UploadRequest {
    /// Returns the context of the request, and the maximum size of the body.
    fn check(
        &self,
        state: &HttpState,
        db: &Read<'_>,
        check: CheckUpload,
    ) -> Result<(RequestContext, UploadLimit), Error> {
        let request = RequestContext::new(
            &state.app,
            db,
            &self.head,
            self.user,
            Input::Null,
            self.format,
        )?;
        request.require_csrf()?;
        let limit = check(&request, db).map_err(|error| error.for_viewer(request.viewer()))?;
        Ok((request, limit))
    }
}
