//! What is answered when something was not done: one table from reason to status and sentence.

use crate::actions::Refused;
use crate::search::SearchError;
use crate::store::StoreError;
use crate::wire::BadInput;
use axum::http::StatusCode;

/// Why a request was not fulfilled. The sentences say what is wrong and what to do, and nothing of what is hidden.
#[derive(Debug)]
pub enum Error {
    /// 400: query or body cannot be read.
    Unreadable(String),
    /// 401: nobody, or nobody that is known. The text says why.
    Unauthenticated(&'static str),
    /// 403: known, but not allowed.
    Forbidden,
    /// 403: a page of another site has made a browser send this.
    CrossSite,
    /// 404: no such record or address.
    NotFound,
    /// 406: a format that is not spoken.
    Unspoken,
    /// 406: a body of another kind than the one that is taken. The text says which that is.
    WrongBody(&'static str),
    /// 408: the body came too slowly.
    SlowBody,
    /// 409: the record is not as the asker believes. The sentence says what to do.
    Conflict(String),
    /// 412: the user to switch to cannot be.
    Unswitchable,
    /// 413: a body over the limit, in bytes.
    TooLarge(usize),
    /// 422: one sentence a reason.
    Invalid(Vec<String>),
    /// 429: too many failed logins; for how many seconds to wait.
    TooManyAttempts(u64),
    /// 503: too many requests are waiting.
    Overloaded,
    /// 503: reading took too long and was stopped.
    TimedOut,
    /// 503: the index is not ready.
    NotReady,
    /// 507: the disk is full or cannot be written. The text is for the log alone.
    Full(String),
    /// 500: our fault. The text is for the log alone.
    Broken(String),
}

impl Error {
    /// A 422 with one sentence.
    pub fn invalid(sentence: impl Into<String>) -> Error {
        Error::Invalid(vec![sentence.into()])
    }

    /// What broke down; the text of the panic is for the log alone.
    #[allow(clippy::needless_pass_by_value, reason = "that is how panics are handed out")]
    pub(super) fn of_panic(panic: Box<dyn std::any::Any + Send>) -> Error {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        Error::Broken(text.unwrap_or("a panic without a text").to_owned())
    }

    /// The status code.
    pub fn status(&self) -> StatusCode {
        match self {
            Error::Unreadable(_) => StatusCode::BAD_REQUEST,
            Error::Unauthenticated(_) => StatusCode::UNAUTHORIZED,
            Error::Forbidden | Error::CrossSite => StatusCode::FORBIDDEN,
            Error::NotFound => StatusCode::NOT_FOUND,
            Error::Unspoken | Error::WrongBody(_) => StatusCode::NOT_ACCEPTABLE,
            Error::SlowBody => StatusCode::REQUEST_TIMEOUT,
            Error::Conflict(_) => StatusCode::CONFLICT,
            Error::Unswitchable => StatusCode::PRECONDITION_FAILED,
            Error::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Error::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Error::TooManyAttempts(_) => StatusCode::TOO_MANY_REQUESTS,
            Error::NotReady | Error::Overloaded | Error::TimedOut => StatusCode::SERVICE_UNAVAILABLE,
            Error::Full(_) => StatusCode::INSUFFICIENT_STORAGE,
            Error::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The sentences for the asker.
    pub fn sentences(&self) -> Vec<String> {
        let one = |sentence: &str| vec![sentence.to_owned()];
        match self {
            Error::Unreadable(problem) | Error::Conflict(problem) => one(problem),
            Error::Unauthenticated(why) => one(why),
            Error::Forbidden => {
                one("You are not allowed to do this or to see this; ask a manager of the project or an administrator for the permission")
            }
            Error::CrossSite => one(
                "This request comes from a page of another site; programs send an API key in the header X-Service-API-Key, and a proxy in \
                 front must pass on the header Host",
            ),
            Error::SlowBody => one("The body came too slowly; send it again"),
            Error::TooManyAttempts(seconds) => {
                let unit = if *seconds == 1 { "second" } else { "seconds" };
                vec![format!("There were too many failed logins; try again in {seconds} {unit}, or use an API key")]
            }
            Error::Overloaded => one("The service is busy; try again in a few seconds"),
            Error::TimedOut => one("This took too long and was stopped; ask for less, for example with fewer filters or a smaller limit"),
            Error::NotFound => one("There is nothing at this address; check the path and the number or identifier in it"),
            Error::Unspoken => {
                one("This format is not spoken here; ask with the suffix .json or .xml, and send bodies as JSON, XML or a form")
            }
            Error::WrongBody(what) => one(what),
            Error::Unswitchable => one("The user to switch to does not exist or is not active; check the login in the switch-user header"),
            Error::TooLarge(limit) => vec![format!("The body is too large; at most {limit} bytes are taken")],
            Error::Invalid(sentences) => sentences.clone(),
            Error::NotReady => one("The search index is being built; try again in a few seconds"),
            Error::Full(_) => one("The disk of the service is full or cannot be written, so nothing was changed; make room and try again"),
            Error::Broken(_) => one("Something went wrong on our side; the log of the service says more"),
        }
    }
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::NotFound => Error::NotFound,
            Refused::Forbidden => Error::Forbidden,
            Refused::Invalid(sentences) => Error::Invalid(sentences),
            Refused::Conflict(sentence) => Error::Conflict(sentence),
            Refused::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        if error.is_timeout() {
            Error::TimedOut
        } else if error.is_of_disk() {
            Error::Full(error.to_string())
        } else {
            Error::Broken(error.to_string())
        }
    }
}

impl From<SearchError> for Error {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::NotReady => Error::NotReady,
            SearchError::TimedOut => Error::TimedOut,
            SearchError::TooSlow(_) => Error::invalid(error.to_string()),
            other => Error::Broken(other.to_string()),
        }
    }
}

impl From<BadInput> for Error {
    fn from(error: BadInput) -> Self {
        Error::Unreadable(error.to_string())
    }
}
