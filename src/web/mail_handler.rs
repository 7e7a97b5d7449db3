//! `POST /mail_handler`: a mail from the mail server, as Redmine's script sends it.
//!
//! Fields: `key`, the key of the setting `mail_handler_api_key`, and `email`, the raw mail. Answers are
//! plain text: 201 for an accepted mail, 403 for a wrong key, 422 for a refused mail. Invariant: an
//! answer says nothing about records, users or tokens.

use axum::http::{StatusCode, header};
use axum::routing::post;
use percent_encoding::percent_decode;
use quarry_actions::attachments::{NewFile, max_file_size};
use quarry_actions::incoming_mail;
use quarry_actions::incoming_mail::{ReceiveError, Received};
use quarry_domain::administration::setting::Setting;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::content::incoming_mail::{IncomingFile, IncomingMail, Refusal};
use quarry_http::{
    Error, GuardedSecret, Reply, RequestContext, Routes, SecretCheck, write_handler,
};
use quarry_mail::incoming::{self, MAX_MAIL_SIZE};
use quarry_store::files::blobs;
use quarry_store::files::blobs::{BlobWriter, StagedBlob};

/// Maximum size of a form in bytes: each byte of the mail may take three.
const MAX_FORM_SIZE: usize = 3 * MAX_MAIL_SIZE + 64 * 1024;
/// Maximum number of characters of what a sender wrote in a line of the log.
const MAX_LOGGED: usize = 100;

/// Returns the route.
pub fn routes() -> Routes {
    let handler = write_handler(receive)
        .without_user()
        .guarding(GuardedSecret::MailKey)
        .with_body_limit(body_limit);
    Routes::new().route("/mail_handler", post(handler))
}

/// Returns the maximum size of a form; that of other forms when no mail is accepted.
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
}

fn receive(request: &RequestContext) -> Result<Reply, Error> {
    let catalogue = request.app.store.catalogue()?;
    if !catalogue.is_on(Setting::MailHandlerApiEnabled) {
        return Ok(refuse("Mails are not accepted here."));
    }
    let form = parse_form(request.raw_body());
    let secrets = request.app.store.secrets();
    let key = catalogue.setting(Setting::MailHandlerApiKey);
    // Digests with a secret key tell nothing about how much of a guess is right.
    let fingerprint = |key: &str| secrets.fingerprint(&["mail handler", key]);
    let is_right = !key.is_empty()
        && std::str::from_utf8(&form.key).is_ok_and(|sent| fingerprint(sent) == fingerprint(key));
    match request.check_secret(|_| Ok(is_right.then_some(())))? {
        SecretCheck::Right(()) => {}
        SecretCheck::Delayed(seconds) => return Err(Error::TooManyAttempts(seconds)),
        SecretCheck::Wrong | SecretCheck::Missing => {
            tracing::warn!(target: "audit", { client.address = %request.address(), login.outcome = "failure" }, "refused the key of a mail server");
            return Ok(refuse("The key is wrong."));
        }
    }
    if form.email.is_empty() {
        return Ok(reply(
            StatusCode::UNPROCESSABLE_ENTITY,
            "The field email is missing.",
        ));
    }
    let delimiters = catalogue.setting(Setting::MailHandlerBodyDelimiters);
    let mail = match incoming::parse(&form.email, delimiters) {
        Ok(mail) => mail,
        Err(error) => {
            tracing::warn!(target: "audit", { client.address = %request.address(), mail.outcome = "refused", mail.reason = %error }, "refused a mail");
            return Ok(reply(StatusCode::UNPROCESSABLE_ENTITY, &error.to_string()));
        }
    };
    drop(form);
    let outcome = accept(request, mail)?;
    Ok(match outcome {
        Ok(Received::Duplicate) => reply(StatusCode::CREATED, "The mail was accepted before."),
        Ok(_) => reply(StatusCode::CREATED, "The mail was accepted."),
        Err(refusal) => reply(StatusCode::UNPROCESSABLE_ENTITY, &refusal.message()),
    })
}

/// Accepts or refuses a mail, and logs which.
fn accept(
    request: &RequestContext,
    mut mail: IncomingMail,
) -> Result<Result<Received, Refusal>, Error> {
    let sender: String = mail.from.join(", ").chars().take(MAX_LOGGED).collect();
    let id: String = mail.message_id.chars().take(MAX_LOGGED).collect();
    let files = std::mem::take(&mut mail.files);
    let outcome = match store(request, mail, files) {
        Ok(received) => Ok(received),
        Err(ReceiveError::Refused(refusal)) => Err(refusal),
        Err(ReceiveError::Store(error)) => return Err(error.into()),
    };
    let address = request.address();
    match &outcome {
        Ok(received) => {
            tracing::info!(target: "audit", { client.address = %address, mail.outcome = "accepted", mail.sender = ?sender, mail.id = ?id, mail.result = ?received }, "accepted a mail");
        }
        Err(refusal) => {
            tracing::warn!(target: "audit", { client.address = %address, mail.outcome = "refused", mail.reason = refusal.reason(), mail.sender = ?sender, mail.id = ?id }, "refused a mail");
        }
    }
    Ok(outcome)
}

fn store(
    request: &RequestContext,
    mail: IncomingMail,
    files: Vec<IncomingFile>,
) -> Result<Received, ReceiveError> {
    let app = &request.app;
    // Nothing is written to the disk for a stranger.
    app.store
        .read(|db| incoming_mail::authenticate(db, &mail).map(drop))?;
    let max_size = max_file_size(app.store.catalogue()?.as_ref());
    let mut staged = Vec::new();
    for file in files.into_iter().filter(|file| !file.content.is_empty()) {
        if file.content.len() as u64 > max_size {
            let name: String = file.filename.chars().take(MAX_LOGGED).collect();
            let message = format!("{name} is too large (maximum is {} KiB)", max_size / 1024);
            return Err(Refusal::Invalid(message).into());
        }
        staged.push(stage(request, file)?);
    }
    let digests: Vec<String> = staged
        .iter()
        .map(|(_, blob)| blob.sha256().to_owned())
        .collect();
    app.wait_before_write();
    let received = app
        .store
        .write(move |db| incoming_mail::receive(db, &mail, staged))?;
    for digest in digests {
        if received != Received::Duplicate {
            blobs::sync(&app.store, &digest)?;
        }
    }
    Ok(received)
}

/// Writes a file to a temporary one.
fn stage(
    request: &RequestContext,
    file: IncomingFile,
) -> Result<(NewFile, StagedBlob), ReceiveError> {
    let mut writer = BlobWriter::create(&request.app.store)?;
    writer.write(&file.content)?;
    let new = NewFile {
        filename: Some(file.filename).filter(|name| !name.is_empty()),
        content_type: Some(file.content_type).filter(|name| !name.is_empty()),
    };
    Ok((new, writer.finish()?))
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

/// Parses a form whose values are bytes. Other fields are ignored, and so are those that are repeated.
fn parse_form(body: &[u8]) -> Form {
    let mut form = Form::default();
    for field in body.split(|byte| *byte == b'&') {
        let Some(equals) = field.iter().position(|byte| *byte == b'=') else {
            continue;
        };
        let value = match &field[..equals] {
            b"key" => &mut form.key,
            b"email" => &mut form.email,
            _ => continue,
        };
        if value.is_empty() {
            let spaced: Vec<u8> = field[equals + 1..]
                .iter()
                .map(|byte| if *byte == b'+' { b' ' } else { *byte })
                .collect();
            *value = percent_decode(&spaced).collect();
        }
    }
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_mail_survive_the_form() {
        let form = parse_form(b"unknown_user=accept&email=a%00+%FF%2B=&key=k%26&email=again&x");
        assert_eq!(form.email, b"a\0 \xff+=");
        assert_eq!(form.key, b"k&");
    }
}
