//! The error of a request: one table of reasons, status codes and messages.

use axum::http::StatusCode;
use quarry_actions::{ActionError, OUTDATED};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::validation::{ValidationError, ValidationErrors};
use quarry_search::{ParseError, QueryError, SearchError};
use quarry_store::StoreError;
use quarry_wire::BadInput;

/// The parameter with the query of a search.
pub const QUERY_PARAM: &str = "q";

/// Why a request failed. The messages tell what is wrong and what to do, and reveal nothing that is
/// hidden from the viewer.
#[derive(Debug)]
pub enum Error {
    /// 400: malformed path, query string or body.
    BadRequest(String),
    /// 401: missing or wrong credentials, with the message.
    Unauthenticated(&'static str),
    /// 401: an access token that is unknown, has expired or was revoked.
    InvalidToken,
    /// 403: authenticated, but not permitted.
    Forbidden,
    /// 403: not permitted with a session, because pages ask for the password here.
    SessionRefused,
    /// 403: not permitted with this access token.
    InsufficientScope,
    /// 403: an unsafe request from a page of another site.
    CrossSite,
    /// 403: a form without the token of its session.
    InvalidCsrfToken,
    /// 404: no such record or path, or none that the viewer can see.
    NotFound,
    /// 404: as [`Error::NotFound`], where Redmine's framework answers, which sends a body.
    NotFoundByFramework,
    /// 406: an unsupported format.
    NotAcceptable,
    /// 406: an unsupported content type of the body, with the message.
    UnsupportedBody(&'static str),
    /// 408: the body arrived too slowly.
    BodyTimeout,
    /// 409: the record was changed meanwhile, with the message.
    Conflict(String),
    /// 412: the user to switch to does not exist or is not active.
    InvalidSwitchUser,
    /// 413: a body over this limit in bytes.
    BodyTooLarge(usize),
    /// 415: a body for a page that is not a form.
    NotAForm,
    /// 422: validation errors.
    Invalid(ValidationErrors),
    /// 422: a query that cannot be searched for.
    InvalidQuery(QueryError),
    /// 422: an issue that was changed meanwhile (compatibility 6.4).
    Outdated,
    /// 422: a record that cannot be deleted, with the reasons.
    Undeletable(ValidationErrors),
    /// 429: too many failed logins; seconds until the next attempt.
    TooManyAttempts(u64),
    /// 503: too many requests are waiting.
    Overloaded,
    /// 503: rendering a long text needs a slot. The server waits for one and runs the request
    /// again.
    LongText,
    /// 503: a read exceeded its timeout.
    TimedOut,
    /// 503: the change is saved, but reading the response to it exceeded the timeout.
    ReplyTimedOut,
    /// 503: the index is not ready.
    NotReady,
    /// 503: an import into a new installation is not complete.
    Importing,
    /// 503: the database server cannot be reached, or has no free connection.
    StoreUnavailable,
    /// 503: the database server was lost during the commit of the request, and could not be asked
    /// whether it has made it.
    UnknownCommit,
    /// 507: the disk is full or cannot be written. The text is for the log only.
    StorageFull(String),
    /// 500: an internal error. The text is for the log only.
    Internal(String),
}

impl Error {
    /// Creates a 422 with one message, which concerns no single attribute.
    pub fn invalid(message: impl Into<String>) -> Error {
        Error::Invalid(ValidationError::for_record(message).into())
    }

    /// Creates a 422 with one message about an attribute.
    pub fn invalid_attribute(attribute: &str, label: &str, message: &str) -> Error {
        Error::Invalid(ValidationError::new(attribute, label, message).into())
    }

    /// Creates a 500 from a panic, whose message is for the log only.
    #[allow(
        clippy::needless_pass_by_value,
        reason = "`catch_unwind` returns panics by value"
    )]
    pub(super) fn from_panic(panic: Box<dyn std::any::Any + Send>) -> Error {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied());
        Error::Internal(text.unwrap_or("a panic without a message").to_owned())
    }

    /// Returns 401 in place of 403 for anonymous: what is forbidden may be allowed after logging in
    /// (compatibility 4). With an access token, what is forbidden may be allowed with more scopes.
    pub(super) fn for_viewer(self, viewer: &Viewer) -> Error {
        match self {
            Error::Forbidden if viewer.is_delegated() => Error::InsufficientScope,
            Error::Forbidden if viewer.user.is_none() => Error::Unauthenticated(
                "Authentication is required for this; send an API key in the header X-Service-API-Key",
            ),
            error => error,
        }
    }

    /// Returns [`Error::Undeletable`] in place of validation errors.
    pub fn for_deletion(self) -> Error {
        if let Error::Invalid(errors) = self {
            Error::Undeletable(errors)
        } else {
            self
        }
    }

    /// Whether Redmine sends this error without a body (compatibility 1.2).
    pub(super) fn is_empty_in_redmine(&self) -> bool {
        match self {
            Error::UnsupportedBody(_) | Error::Undeletable(_) => true,
            Error::NotAcceptable | Error::NotFoundByFramework => false,
            error => matches!(error.status().as_u16(), 401 | 403 | 404 | 409 | 412),
        }
    }

    /// Returns [`Error::NotFoundByFramework`] in place of [`Error::NotFound`], for records that are
    /// missing where Redmine does not check that itself, such as those that a body names.
    #[must_use]
    pub fn by_framework(self) -> Error {
        if matches!(self, Error::NotFound) {
            Error::NotFoundByFramework
        } else {
            self
        }
    }

    /// Returns the status code.
    pub fn status(&self) -> StatusCode {
        match self {
            Error::BadRequest(_) => StatusCode::BAD_REQUEST,
            Error::Unauthenticated(_) | Error::InvalidToken => StatusCode::UNAUTHORIZED,
            Error::Forbidden
            | Error::SessionRefused
            | Error::InsufficientScope
            | Error::CrossSite
            | Error::InvalidCsrfToken => StatusCode::FORBIDDEN,
            Error::NotFound | Error::NotFoundByFramework => StatusCode::NOT_FOUND,
            Error::NotAcceptable | Error::UnsupportedBody(_) => StatusCode::NOT_ACCEPTABLE,
            Error::BodyTimeout => StatusCode::REQUEST_TIMEOUT,
            Error::Conflict(_) => StatusCode::CONFLICT,
            Error::InvalidSwitchUser => StatusCode::PRECONDITION_FAILED,
            Error::BodyTooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Error::NotAForm => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Error::Invalid(_)
            | Error::InvalidQuery(_)
            | Error::Outdated
            | Error::Undeletable(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Error::TooManyAttempts(_) => StatusCode::TOO_MANY_REQUESTS,
            Error::NotReady
            | Error::Importing
            | Error::Overloaded
            | Error::LongText
            | Error::TimedOut
            | Error::ReplyTimedOut
            | Error::StoreUnavailable
            | Error::UnknownCommit => StatusCode::SERVICE_UNAVAILABLE,
            Error::StorageFull(_) => StatusCode::INSUFFICIENT_STORAGE,
            Error::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Returns the seconds after which the client may send the request again; `None` when that would
    /// not help, or nobody knows.
    pub fn retry_after(&self) -> Option<u64> {
        match self {
            Error::NotReady => Some(2),
            Error::Overloaded | Error::LongText => Some(1),
            Error::TimedOut | Error::StoreUnavailable | Error::UnknownCommit => Some(5),
            Error::TooManyAttempts(seconds) => Some(*seconds),
            _ => None,
        }
    }

    /// Returns the messages for the client.
    pub fn messages(&self) -> Vec<String> {
        match self {
            Error::BadRequest(message) | Error::Conflict(message) => one_message(message),
            Error::Unauthenticated(message) => one_message(message),
            Error::InvalidToken => one_message(
                "The access token is unknown, has expired or was revoked; refresh it or ask the user again",
            ),
            Error::InsufficientScope => one_message(
                "The access token is not enough for this: its scopes, or the rights of its user, do not include it",
            ),
            Error::Forbidden => one_message(
                "You are not allowed to do this or to see this; ask a manager of the project or an administrator for the permission",
            ),
            Error::SessionRefused => one_message(
                "The session of a browser is not enough for this, because pages ask for the password here; use the page, or send an API key \
                 in the header X-Service-API-Key",
            ),
            Error::CrossSite => one_message(
                "This request comes from a page of another site; programs send an API key in the header X-Service-API-Key, and a proxy in \
                 front must pass on the header Host",
            ),
            Error::InvalidCsrfToken => one_message(
                "This form belongs to another session and was not sent; reload the page and try again. Scripts of pages send the token in \
                 the header X-CSRF-Token",
            ),
            Error::BodyTimeout => one_message("The body arrived too slowly; send it again"),
            Error::TooManyAttempts(seconds) => {
                let unit = if *seconds == 1 { "second" } else { "seconds" };
                vec![format!(
                    "There were too many failed logins; try again in {seconds} {unit}, or use an API key"
                )]
            }
            Error::Overloaded | Error::LongText => {
                one_message("The service is busy; try again in a few seconds")
            }
            Error::TimedOut => one_message(
                "This took too long and was stopped; ask for less, for example with fewer filters or a smaller limit",
            ),
            Error::ReplyTimedOut => one_message(
                "The change is saved; only the reply to it took too long and was stopped. Do not send it again",
            ),
            Error::StoreUnavailable => one_message(
                "The database of the service is not available, so nothing was changed; try again in a few seconds",
            ),
            Error::UnknownCommit => one_message(
                "The database of the service was lost while the change was saved; check whether it is there before you send it again",
            ),
            Error::NotFound | Error::NotFoundByFramework => one_message(
                "There is nothing at this address; check the path and the number or identifier in it",
            ),
            Error::NotAcceptable => one_message(
                "This format is not supported; use the suffix .json or .xml, and send bodies as JSON, XML or a form",
            ),
            Error::UnsupportedBody(message) => one_message(message),
            Error::InvalidSwitchUser => one_message(
                "The user to switch to does not exist or is not active; check the login in the switch-user header",
            ),
            Error::BodyTooLarge(limit) => vec![format!(
                "The body is too large; the maximum is {limit} bytes"
            )],
            Error::NotAForm => one_message(
                "Pages accept only forms, as application/x-www-form-urlencoded or multipart/form-data; send JSON and XML to the REST API, \
                 with the suffix .json or .xml",
            ),
            Error::Invalid(errors) | Error::Undeletable(errors) => errors.messages(),
            Error::InvalidQuery(error) => vec![format!("{QUERY_PARAM} {error}")],
            Error::Outdated => one_message(OUTDATED),
            Error::NotReady => {
                one_message("The search index is being built; try again in a few seconds")
            }
            Error::Importing => one_message(
                "An import from Redmine has begun and is not complete; until then the API is closed",
            ),
            Error::StorageFull(_) => one_message(
                "The disk of the service is full or cannot be written, so nothing was changed; free some space, or let the service write to its folders, and try again",
            ),
            Error::Internal(_) => {
                one_message("Internal error; the log of the service has the details")
            }
        }
    }
}

/// The message about a write that would leave a reference without its record: one was deleted or added
/// meanwhile, or the records are damaged.
const MISSING_REFERENCE: &str = "The record and others that it belongs with have changed meanwhile, so nothing was changed; reload it, or ask an administrator to run `quarry doctor`";

fn one_message(message: &str) -> Vec<String> {
    vec![message.to_owned()]
}

impl From<ActionError> for Error {
    fn from(error: ActionError) -> Self {
        match error {
            ActionError::NotFound => Error::NotFound,
            ActionError::Forbidden => Error::Forbidden,
            ActionError::Invalid(errors) => Error::Invalid(errors),
            ActionError::Outdated => Error::Outdated,
            ActionError::Conflict(message) => Error::Conflict(message),
            ActionError::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        if error.is_timeout() {
            Error::TimedOut
        } else if error.is_unavailable() {
            Error::StoreUnavailable
        } else if error.is_unknown_commit() {
            Error::UnknownCommit
        } else if error.is_disk_error() {
            Error::StorageFull(error.to_string())
        } else if error.is_missing_reference() {
            tracing::error!(error = %error, "a record that refers to a missing one was not written; `quarry doctor` names it");
            Error::invalid(MISSING_REFERENCE)
        } else {
            Error::Internal(error.to_string())
        }
    }
}

impl From<SearchError> for Error {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::NotReady => Error::NotReady,
            SearchError::TimedOut => Error::TimedOut,
            SearchError::Store(error) => Error::from(error),
            SearchError::TooSlow(milliseconds) => {
                let message = format!(
                    "takes too long to search (more than {milliseconds} milliseconds); use fewer or rarer words, or narrow the search, \
                     for instance with project:"
                );
                Error::Invalid(ValidationError::new(QUERY_PARAM, QUERY_PARAM, &message).into())
            }
            error => Error::Internal(error.to_string()),
        }
    }
}

impl From<ParseError> for Error {
    fn from(error: ParseError) -> Self {
        Error::InvalidQuery(error.into())
    }
}

impl From<QueryError> for Error {
    fn from(error: QueryError) -> Self {
        Error::InvalidQuery(error)
    }
}

impl From<BadInput> for Error {
    fn from(error: BadInput) -> Self {
        Error::BadRequest(error.to_string())
    }
}
