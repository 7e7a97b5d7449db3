//! `POST /mail_handler`: a mail from the mail server, as Redmine's script sends it.
//!
//! Fields: `key`, the value of the setting `mail_handler_api_key`; `email`, the raw mail; and any number of
//! `file`, files that are attached with those of the mail. Responses are plain text: 201 for an accepted
//! mail, 403 for a wrong key, 422 for a refused mail. Invariant: a response reveals nothing about records,
//! users or tokens.

use crate::prelude::*;
use axum::http::{StatusCode, header};
use axum::routing::post;
use percent_encoding::percent_decode;
use quarry_actions::content::incoming_mail::Received;
use quarry_domain::administration::audit::Origin as AuditOrigin;
use quarry_domain::administration::setting::Setting;
use quarry_domain::content::incoming_mail::IncomingFile;
use quarry_http::{GuardedSecret, SecretCheck, record_refusal};
use quarry_mail::incoming::MAX_MAIL_SIZE;
use quarry_mailer::incoming::{self, Origin, Outcome};

/// Maximum size of a form in bytes: percent-encoding may take three for each byte of the mail.
const MAX_FORM_SIZE: usize = 3 * MAX_MAIL_SIZE + 64 * 1024;

/// Returns the route.
pub fn routes() -> Routes {
    let handler = write_handler(receive)
        .without_user()
        .guarding(GuardedSecret::MailKey)
        .with_body_limit(body_limit);
    Routes::new().route("/mail_handler", post(handler))
}

/// Returns the maximum size of a form; the limit of other forms applies if `/mail_handler` is off.
fn body_limit(catalogue: &Catalogue) -> Option<usize> {
    catalogue
        .is_on(Setting::MailHandlerApiEnabled)
        .then_some(MAX_FORM_SIZE)
}

/// A form with a mail.
#[derive(Default)]
struct Form {
    key: Vec<u8>,
    email: Vec<u8>,
    files: Vec<IncomingFile>,
}

fn receive(request: &RequestContext) -> Result<Reply, Error> {
    let catalogue = request.app.store.catalogue()?;
    if !catalogue.is_on(Setting::MailHandlerApiEnabled) {
        return Ok(refuse("Mails are not accepted here."));
    }
    let mut form = parse_form(request.raw_body());
    let secrets = request.app.store.secrets();
    let key = catalogue.setting(Setting::MailHandlerApiKey);
    // Keyed digests are compared, so that the time reveals nothing about the key.
    let fingerprint = |key: &str| secrets.fingerprint(&["mail handler", key]);
    let is_right = !key.is_empty()
        && std::str::from_utf8(&form.key).is_ok_and(|sent| fingerprint(sent) == fingerprint(key));
    match request.check_secret(|_| Ok(is_right.then_some(())))? {
        SecretCheck::Right(()) => {}
        SecretCheck::Delayed(seconds) => {
            let message = "Too many wrong keys came from this address. Please try again later.";
            return Ok(reply(StatusCode::TOO_MANY_REQUESTS, message)
                .with_header(header::RETRY_AFTER, seconds.to_string()));
        }
        SecretCheck::Wrong | SecretCheck::Missing => {
            tracing::warn!(target: "audit", { client.address = %request.address(), login.outcome = "failure" }, "refused the key of a mail server");
            record_refusal(&request.app, AuditOrigin::ApiKey, None, request.address());
            return Ok(refuse("The key is wrong."));
        }
    }
    if form.email.is_empty() {
        return Ok(reply(
            StatusCode::UNPROCESSABLE_ENTITY,
            "The field email is missing.",
        ));
    }
    let mail = std::mem::take(&mut form.email);
    let address = request.address().to_string();
    let outcome = incoming::receive(&request.app, &mail, form.files, Origin::Request(&address))?;
    Ok(match outcome {
        Outcome::Accepted(Received::Duplicate) => {
            reply(StatusCode::CREATED, "The mail was accepted before.")
        }
        Outcome::Accepted(_) => reply(StatusCode::CREATED, "The mail was accepted."),
        Outcome::Refused(message) => reply(StatusCode::UNPROCESSABLE_ENTITY, &message),
    })
}

fn refuse(message: &str) -> Reply {
    reply(StatusCode::FORBIDDEN, message)
}

fn reply(status: StatusCode, message: &str) -> Reply {
    let text = format!("{message}\n").into_bytes();
    Reply::document("text/plain; charset=utf-8", text)
        .with_status(status)
        .with_header(header::CACHE_CONTROL, "no-store")
}

/// Parses a form whose values are bytes. Unknown fields, and repeated ones except for `file`, are
/// ignored.
fn parse_form(body: &[u8]) -> Form {
    let mut form = Form::default();
    for field in body.split(|byte| *byte == b'&') {
        let Some(equals) = field.iter().position(|byte| *byte == b'=') else {
            continue;
        };
        let value = &field[equals + 1..];
        match &field[..equals] {
            b"key" if form.key.is_empty() => form.key = decode(value),
            b"email" if form.email.is_empty() => form.email = decode(value),
            b"file" => form.files.push(IncomingFile {
                content: decode(value),
                ..IncomingFile::default()
            }),
            b"file.name" => {
                if let Some(file) = form.files.last_mut() {
                    file.filename = String::from_utf8_lossy(&decode(value)).into_owned();
                }
            }
            _ => {}
        }
    }
    form
}

fn decode(value: &[u8]) -> Vec<u8> {
    let spaced: Vec<u8> = value
        .iter()
        .map(|byte| if *byte == b'+' { b' ' } else { *byte })
        .collect();
    percent_decode(&spaced).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_mail_survive_the_form() {
        let form = parse_form(b"unknown_user=accept&email=a%00+%FF%2B=&key=k%26&email=again&x");
        assert_eq!(form.email, b"a\0 \xff+=");
        assert_eq!(form.key, b"k&");
        let form = parse_form(b"file=a%26&file.name=x%2Btxt&file=b&file.name=&email=c");
        let files: Vec<(&str, &[u8])> = form
            .files
            .iter()
            .map(|file| (file.filename.as_str(), file.content.as_slice()))
            .collect();
        assert_eq!(files, [("x+txt", b"a&".as_slice()), ("", b"b".as_slice())]);
    }
}
