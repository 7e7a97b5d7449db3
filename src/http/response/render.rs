//! Renders replies and errors as responses.

use super::reply::Reply;
use super::streamed::{self, StreamLimits};
use crate::error::Error;
use crate::request::format::ResponseFormat;
use crate::server::limits::memory::Charge;
use crate::server::request_scope::request_id;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
use quarry_app::App;
use quarry_domain::accounts::oauth::Scopes;
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::UserId;
use quarry_wire as wire;
use quarry_wire::Format;
use std::sync::Arc;

use twox_hash::XxHash3_64;

/// `Cache-Control` of successful responses (compatibility 3.1).
const REVALIDATE: HeaderValue = HeaderValue::from_static("max-age=0, private, must-revalidate");
/// `Cache-Control` of pages and errors.
const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");

/// `Cache-Control` of pages of users who are logged in: the browser keeps them for *Back*, and asks
/// whether they have changed before it shows them otherwise.
pub(super) const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-cache");
/// `Cache-Control` of responses with secrets, and of what users who are logged in send.
pub(super) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Responses up to this size in bytes do not count against the memory for responses.
pub const UNCHARGED_REPLY: usize = 64 * 1024;

/// An extension of the error of a page: its share of the memory for responses.
#[derive(Clone)]
pub struct PageCharge(pub Arc<Charge>);

/// An extension of the error of a page: who sees it.
#[derive(Clone, Debug, Default)]
pub struct PageViewer {
    /// The user; `None` for anonymous.
    pub user: Option<UserId>,
    /// The scopes of the access token of the request, if it has one.
    pub scopes: Option<Scopes>,
    /// The token that forms must send.
    pub csrf_token: Option<String>,
}

/// An extension of the response to a browser: the error for the page.
#[derive(Clone, Debug)]
pub struct PageError {
    pub status: StatusCode,
    /// What is wrong and what to do.
    pub messages: Vec<String>,
}

/// An extension of an error that Redmine sends without a body.
#[derive(Clone, Copy, Debug)]
struct EmptyInRedmine;

/// Removes the body of an error that Redmine sends without one, while responses must equal
/// Redmine's (compatibility 1.2).
pub fn as_in_redmine(mut response: Response<Body>, app: &App) -> Response<Body> {
    let is_empty = response
        .extensions_mut()
        .remove::<EmptyInRedmine>()
        .is_some();
    if is_empty
        && app
            .store
            .catalogue()
            .is_ok_and(|catalogue| catalogue.is_on(Setting::RedmineCompatibility))
    {
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_TYPE);
    }
    response
}

/// Renders a reply. `if_none_match` is the entity tag of the response that the client has cached;
/// `streams` limits a streamed response.
pub fn reply(
    reply: Reply,
    format: ResponseFormat,
    if_none_match: Option<&HeaderValue>,
    streams: &StreamLimits<'_>,
) -> Response<Body> {
    let ResponseFormat::Data(format) = format else {
        return unformatted(reply, format, if_none_match);
    };
    if reply.json.is_some() || reply.document.is_some() {
        return unformatted(reply, ResponseFormat::Data(format), if_none_match);
    }
    let text = reply.body.map(|body| body(format));
    let mut response = match reply.stream {
        Some(start) => match streamed::respond(start(format), format, streams) {
            Ok(response) => response,
            Err(overloaded) => return error(&overloaded, ResponseFormat::Data(format)),
        },
        None => Response::new(Body::empty()),
    };
    *response.status_mut() = reply.status;
    let headers = response.headers_mut();
    set_header(headers, header::LOCATION, reply.location);
    set_header(headers, header::WARNING, reply.warning);
    if let Some(text) = text {
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static(format.content_type()),
        );
        if !reply.is_cacheable {
            headers.insert(header::CACHE_CONTROL, NO_STORE);
        } else if reply.status == StatusCode::OK {
            let tag = tag(&text);
            let is_cached = if_none_match.is_some_and(|value| value.as_bytes() == tag.as_bytes());
            headers.insert(header::CACHE_CONTROL, REVALIDATE);
            set_header(headers, header::ETAG, Some(tag));
            if is_cached {
                *response.status_mut() = StatusCode::NOT_MODIFIED;
                return response;
            }
        }
        *response.body_mut() = Body::from(text);
    }
    response
}

/// Renders a page, or a response without a body. Data is not acceptable without a format.
pub(super) fn unformatted(
    reply: Reply,
    format: ResponseFormat,
    if_none_match: Option<&HeaderValue>,
) -> Response<Body> {
    if reply.body.is_some() || reply.stream.is_some() {
        return error(&Error::NotAcceptable, format);
    }
    let mut response = Response::new(Body::empty());
    *response.status_mut() = reply.status;
    set_header(response.headers_mut(), header::LOCATION, reply.location);
    set_header(response.headers_mut(), header::WARNING, reply.warning);
    for cookie in reply
        .cookies
        .into_iter()
        .filter_map(|cookie| HeaderValue::try_from(cookie).ok())
    {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    if let Some(html) = reply.page {
        let tag = (reply.is_cacheable && reply.status == StatusCode::OK).then(|| tag(&html));
        response = as_page(response, html);
        if let Some(tag) = tag {
            if if_none_match.is_some_and(|value| value.as_bytes() == tag.as_bytes()) {
                *response.status_mut() = StatusCode::NOT_MODIFIED;
                *response.body_mut() = Body::empty();
            }
            set_header(response.headers_mut(), header::ETAG, Some(tag));
        }
    } else if let Some(text) = reply.json {
        response.headers_mut().insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json; charset=utf-8"),
        );
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, NO_STORE);
        *response.body_mut() = Body::from(text);
    } else if let Some((content_type, bytes)) = reply.document {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(header::CACHE_CONTROL, NO_STORE);
        headers.insert(header::CONTENT_SECURITY_POLICY, DOCUMENT_POLICY);
        *response.body_mut() = Body::from(bytes);
    }
    for (name, value) in reply.headers {
        set_header(response.headers_mut(), name, Some(value));
    }
    response
}

/// Returns the policy of a page whose form leads on to another origin.
pub fn policy_with_form_action(origin: &str) -> String {
    String::from_utf8_lossy(PAGE_POLICY.as_bytes()).replace(
        "form-action 'self'",
        &format!("form-action 'self' {origin}"),
    )
}

/// `Content-Security-Policy` of pages. They may load the stylesheet, script, icons and images of
/// this service, and images that a form is about to send (`blob:`, which only the script creates).
/// Nothing inline is allowed.
const PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' blob:; connect-src 'self'; manifest-src 'self'; form-action 'self'; \
     frame-ancestors 'none'; base-uri 'none'",
);

/// `Content-Security-Policy` of documents that are not pages.
const DOCUMENT_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox");

/// Makes the response a page, with the headers that keep other sites and injected code away from
/// it.
pub fn as_page(mut response: Response<Body>, html: String) -> Response<Body> {
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    headers.insert(header::CACHE_CONTROL, NO_CACHE);
    headers.insert(header::CONTENT_SECURITY_POLICY, PAGE_POLICY);
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    );
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("same-origin"),
    );
    // The extension stays: the base path makes another page of this one.
    *response.body_mut() = match response.extensions().get::<PageCharge>().cloned() {
        Some(PageCharge(charge)) => charged_body(Bytes::from(html), charge),
        None => Body::from(html),
    };
    response
}

/// Returns a body whose memory counts until its last byte is sent.
pub fn charged_body(bytes: Bytes, charge: Arc<Charge>) -> Body {
    Body::from(Bytes::from_owner(ChargedBytes {
        bytes,
        _charge: charge,
    }))
}

struct ChargedBytes {
    bytes: Bytes,
    _charge: Arc<Charge>,
}

impl AsRef<[u8]> for ChargedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Renders an error, and logs the errors that are the fault of the service.
pub fn error_response(error: &Error, format: ResponseFormat) -> Response<Body> {
    if let Error::Internal(problem) | Error::StorageFull(problem) = error {
        tracing::error!(error = %problem, "a request could not be answered");
    }
    self::error(error, format)
}

/// Renders an error. The body has its messages; where Redmine itself sends a body, also the two
/// fields of that (compatibility 3.4).
pub fn error(error: &Error, format: ResponseFormat) -> Response<Body> {
    let status = error.status();
    let messages = messages(error);
    let data_format = format.or_json();
    let mut response = Response::new(Body::empty());
    if format == ResponseFormat::Page {
        // `web` replaces the body by a page.
        *response.body_mut() = Body::from(messages.join("\n"));
        response.headers_mut().insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/plain; charset=utf-8"),
        );
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, NO_CACHE);
        response
            .extensions_mut()
            .insert(PageError { status, messages });
    } else {
        *response.body_mut() = Body::from(error_data(error, &messages, data_format));
        response.headers_mut().insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static(data_format.content_type()),
        );
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, NO_CACHE);
        if error.is_empty_in_redmine() {
            response.extensions_mut().insert(EmptyInRedmine);
        }
    }
    *response.status_mut() = status;
    let headers = response.headers_mut();
    if let Some(seconds) = error.retry_after() {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    // On a page the challenge would make the browser prompt for a password, and add it to every
    // later request.
    let challenge = match error {
        Error::Unauthenticated(_) if format != ResponseFormat::Page => {
            Some("Basic realm=\"Quarry API\", charset=\"UTF-8\"")
        }
        Error::InvalidToken => Some(
            "Bearer realm=\"Quarry API\", error=\"invalid_token\", error_description=\"the access token is unknown, has expired or was revoked\"",
        ),
        Error::InsufficientScope => {
            Some("Bearer realm=\"Quarry API\", error=\"insufficient_scope\"")
        }
        _ => None,
    };
    if let Some(challenge) = challenge {
        headers.insert(
            header::WWW_AUTHENTICATE,
            HeaderValue::from_static(challenge),
        );
    }
    if matches!(error, Error::BodyTimeout) {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Returns the messages for the client. That of an internal error has the id of the request, to
/// find the details in the log.
fn messages(error: &Error) -> Vec<String> {
    match (error, request_id()) {
        (Error::Internal(_), Some(id)) => error
            .messages()
            .into_iter()
            .map(|message| format!("{message}, with the request id {id}"))
            .collect(),
        _ => error.messages(),
    }
}

fn error_data(error: &Error, messages: &[String], format: Format) -> String {
    let has_status = matches!(error.status().as_u16(), 400 | 404 | 413 | 500)
        || matches!(error, Error::NotAcceptable);
    if !has_status {
        return wire::texts(format, "errors", "error", messages);
    }
    let status = error.status();
    wire::error_document(
        format,
        status.as_u16(),
        status.canonical_reason().unwrap_or_default(),
        messages,
    )
}

fn tag(text: &str) -> String {
    format!("W/\"{:016x}\"", XxHash3_64::oneshot(text.as_bytes()))
}

fn set_header(headers: &mut HeaderMap, name: header::HeaderName, value: Option<String>) {
    if let Some(value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
        headers.insert(name, value);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;
    use crate::response::streamed::ChunkStream;
    use crate::server::limits::client_id::ClientId;
    use crate::server::limits::reads::ReadLimiter;
    use quarry_config::Limits;
    use quarry_wire::Format;
    use tokio::sync::Semaphore;

    #[test]
    fn stream_without_a_permit_is_refused_with_503() {
        let start = |_: Format| ChunkStream {
            head: "{".to_owned(),
            next: Box::new(|| Ok(None)),
            tail: "}".to_owned(),
        };
        let respond = |permits| {
            let streams = StreamLimits {
                streams: &Arc::new(Semaphore::new(permits)),
                reads: &Arc::new(ReadLimiter::new(2, &Limits::default())),
                client: ClientId::User(UserId(1)),
            };
            reply(
                Reply::stream(start),
                ResponseFormat::Data(Format::Json),
                None,
                &streams,
            )
            .status()
        };
        assert_eq!(respond(1), StatusCode::OK);
        assert_eq!(respond(0), StatusCode::SERVICE_UNAVAILABLE);
    }
}
