//! The body of a page's form: read into memory, except for its files.

use crate::error::Error;
use crate::request::body::BodyReader;
use crate::request::cookies;
use crate::request::head::{CSRF_HEADER, RequestHead};
use crate::request::multipart;
use crate::request::multipart::{FileLimits, FormFiles, FormLimits};
use crate::server::limits::client_id::ClientId;
use crate::server::limits::memory::Charge;
use crate::server::state::HttpState;
use quarry_actions::ActionError;
use quarry_actions::accounts::pictures::MAX_FILE_SIZE;
use quarry_actions::content::attachments::{max_file_size, quota};
use quarry_app::import_state;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::UserId;
use quarry_store::Read;

/// The limits for pictures, which are no attachments.
const PICTURE_LIMITS: FileLimits = FileLimits {
    max_bytes: MAX_FILE_SIZE,
    remaining: MAX_FILE_SIZE,
};

/// Returns the maximum size of a body in bytes by the settings; `None` for that of other routes.
pub type BodyLimit = fn(&Catalogue) -> Option<usize>;

/// What becomes of the files of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilesOfForm {
    /// They wait to be attached to a record.
    Uploads,
    /// They become fields, in memory.
    Fields,
    /// One of them becomes a picture of a user.
    Picture,
}

/// Returns the maximum size of a body of a route in bytes.
pub fn max_bytes(state: &HttpState, limit: Option<BodyLimit>) -> Result<usize, Error> {
    let limit = match limit {
        Some(limit) => limit(state.app.store.catalogue()?.as_ref()),
        None => None,
    };
    Ok(limit.unwrap_or(state.app.config.body_limit))
}

/// Reads a form with files. Files are stored only for a user, and with the token of the session; or
/// for the browser that shall upload the database of an import; or they become fields.
pub async fn read(
    state: &HttpState,
    head: &RequestHead,
    user: Option<UserId>,
    (boundary, max_fields, purpose): (String, usize, FilesOfForm),
    body: BodyReader,
    charge: &mut Charge,
) -> Result<(Vec<u8>, FormFiles), Error> {
    let _upload = state
        .uploads_of_client
        .acquire(ClientId::new(user, head.address))
        .await?;
    let accepts_token = |token: &str| {
        head.session
            .as_ref()
            .is_some_and(|session| session.accepts(token))
    };
    let header = head
        .parts
        .headers
        .get(CSRF_HEADER)
        .and_then(|token| token.to_str().ok());
    let limits = FormLimits {
        max_fields,
        files: match user {
            Some(_) if purpose == FilesOfForm::Picture => Some(Ok(PICTURE_LIMITS)),
            Some(user) => Some(state.app.read(|db| file_limits(db, user))?),
            None => import_limits(state, head).map(Ok),
        },
        // Requests with an API key have no session that another site could use.
        needs_token: head.session.is_some() && !header.is_some_and(accepts_token),
        accepts_token: &accepts_token,
        has_files_as_fields: purpose == FilesOfForm::Fields,
    };
    multipart::read(&state.app, body, boundary, limits, charge).await
}

/// Returns the limits for the database of an import.
fn import_limits(state: &HttpState, head: &RequestHead) -> Option<FileLimits> {
    let token = cookies::find(&head.parts.headers, import_state::COOKIE);
    let is_awaited = state.app.import.accepts_upload(token);
    is_awaited.then_some(FileLimits {
        max_bytes: import_state::MAX_UPLOAD,
        remaining: import_state::MAX_UPLOAD,
    })
}

/// Reads the fields of a form and discards its files.
pub async fn read_fields(
    state: &HttpState,
    boundary: String,
    max_fields: usize,
    body: BodyReader,
    charge: &mut Charge,
) -> Result<Vec<u8>, Error> {
    let limits = FormLimits {
        max_fields,
        files: None,
        needs_token: true,
        accepts_token: &|_| false,
        has_files_as_fields: false,
    };
    Ok(multipart::read(&state.app, body, boundary, limits, charge)
        .await?
        .0)
}

/// Returns the limits for files of the user, or the message why none is accepted.
fn file_limits(db: &Read<'_>, user: UserId) -> Result<Result<FileLimits, String>, Error> {
    match quota::remaining(db, user) {
        Ok(remaining) => Ok(Ok(FileLimits {
            max_bytes: max_file_size(db.catalogue()),
            remaining,
        })),
        Err(ActionError::Invalid(errors)) => Ok(Err(errors.messages().join(". "))),
        Err(error) => Err(error.into()),
    }
}
