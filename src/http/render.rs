//! Replies and errors as bytes: the one place that writes them.

use super::error::Error;
use super::format::Wanted;
use super::reply::Reply;
use super::streamed;
use crate::markup::escape;
use crate::wire::{self, Format};
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use twox_hash::XxHash3_64;

/// What successful answers say about keeping them (contract 1.1).
const REVALIDATE: HeaderValue = HeaderValue::from_static("max-age=0, private, must-revalidate");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-cache");

/// A finished answer. `known` is the tag of the answer that the asker has already.
pub fn reply(reply: Reply, wanted: Wanted, known: Option<&HeaderValue>) -> Response<Body> {
    let Wanted::Data(format) = wanted else { return unformatted(reply, wanted) };
    let text = reply.body.map(|body| body(format));
    let mut response = reply.pieces.map_or_else(|| Response::new(Body::empty()), |begin| streamed::respond(begin(format), format));
    *response.status_mut() = reply.status;
    let headers = response.headers_mut();
    say(headers, header::LOCATION, reply.location);
    say(headers, header::WARNING, reply.warning);
    if let Some(text) = text {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.content_type()));
        if reply.status == StatusCode::OK {
            let tag = tag(&text);
            let known = known.is_some_and(|value| value.as_bytes() == tag.as_bytes());
            headers.insert(header::CACHE_CONTROL, REVALIDATE);
            say(headers, header::ETAG, Some(tag));
            if known {
                *response.status_mut() = StatusCode::NOT_MODIFIED;
                return response;
            }
        }
        *response.body_mut() = Body::from(text);
    }
    response
}

/// A page, or an answer without a body; data has a format.
fn unformatted(reply: Reply, wanted: Wanted) -> Response<Body> {
    if reply.body.is_some() || reply.pieces.is_some() {
        return error(&Error::Unspoken, wanted);
    }
    let mut response = Response::new(Body::empty());
    *response.status_mut() = reply.status;
    say(response.headers_mut(), header::LOCATION, reply.location);
    if let Some(html) = reply.page { as_page(response, html) } else { response }
}

/// Pages load nothing but our stylesheet and run nothing.
fn as_page(mut response: Response<Body>, html: String) -> Response<Body> {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, NO_STORE);
    let policy = "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    *response.body_mut() = Body::from(html);
    response
}

/// A finished error. The body has the sentences, and for what Redmine itself answers with a body also its two fields
/// (contract 1.4).
pub fn error(error: &Error, wanted: Wanted) -> Response<Body> {
    let (status, sentences, format) = (error.status(), error.sentences(), wanted.or_json());
    let mut response = Response::new(Body::empty());
    if wanted == Wanted::Page {
        let said: String = sentences.iter().map(|sentence| format!("<p>{}</p>", escape(sentence))).collect();
        let hint = "<p>Data is at the same address with the suffix .json or .xml.</p>";
        let html =
            format!("<!doctype html><title>{status}</title><link rel=\"stylesheet\" href=\"/style.css\"><h1>{status}</h1>{said}{hint}");
        response = as_page(response, html);
    } else {
        *response.body_mut() = Body::from(error_data(error, &sentences, format));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(format.content_type()));
        response.headers_mut().insert(header::CACHE_CONTROL, NO_STORE);
    }
    *response.status_mut() = status;
    let headers = response.headers_mut();
    let retry_after = match error {
        Error::NotReady => Some(2),
        Error::Overloaded => Some(1),
        Error::TooManyAttempts(seconds) => Some(*seconds),
        _ => None,
    };
    if let Some(seconds) = retry_after {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    // On a page the challenge would make the browser ask for a password that it then adds to every request.
    if matches!(error, Error::Unauthenticated(_)) && wanted != Wanted::Page {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"Quarry API\", charset=\"UTF-8\""));
    }
    if matches!(error, Error::SlowBody) {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

fn error_data(error: &Error, sentences: &[String], format: Format) -> String {
    let framework = matches!(error, Error::Unreadable(_) | Error::Unspoken | Error::Broken(_) | Error::TooLarge(_) | Error::NotFound);
    if !framework {
        return wire::texts(format, "errors", "error", sentences);
    }
    let status = error.status();
    wire::failure(format, status.as_u16(), status.canonical_reason().unwrap_or_default(), sentences)
}

fn tag(text: &str) -> String {
    format!("W/\"{:016x}\"", XxHash3_64::oneshot(text.as_bytes()))
}

fn say(headers: &mut HeaderMap, name: header::HeaderName, value: Option<String>) {
    if let Some(value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
        headers.insert(name, value);
    }
}
