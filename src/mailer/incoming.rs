//! Receives mails from `/mail_handler` and from the mailbox: parses, accepts or refuses, and logs them.
//!
//! Invariant: nothing is written to disk for a mail that does not have a valid token and the sender of
//! that token.

use quarry_actions::content::attachments::{NewFile, max_file_size};
use quarry_actions::content::incoming_mail;
use quarry_actions::content::incoming_mail::{CleanMail, ReceiveError, Received};
use quarry_app::App;
use quarry_domain::administration::setting::Setting;
use quarry_domain::content::incoming_mail::{IncomingFile, IncomingMail, Refusal};
use quarry_mail::incoming;
use quarry_store::StoreError;
use quarry_store::files::blobs;
use quarry_store::files::blobs::{BlobWriter, StagedBlob};

/// Maximum number of characters of a text of the sender in the log.
const MAX_LOGGED: usize = 100;

/// How a mail was received, for the log.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    /// By a request from this IP address.
    Request(&'a str),
    /// From this mailbox.
    Mailbox(&'a str),
}

impl<'a> Origin<'a> {
    fn address(self) -> Option<&'a str> {
        match self {
            Origin::Request(address) => Some(address),
            Origin::Mailbox(_) => None,
        }
    }

    fn mailbox(self) -> Option<&'a str> {
        match self {
            Origin::Mailbox(mailbox) => Some(mailbox),
            Origin::Request(_) => None,
        }
    }
}

/// Whether a mail was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was accepted, and became this.
    Accepted(Received),
    /// It was refused, with the message to the sender.
    Refused(String),
}

/// Accepts or refuses a mail, and logs the outcome. `further` are files from the request, which are
/// attached with those of the mail.
///
/// # Errors
/// Only if the store fails; the mail may then be accepted later.
pub fn receive(
    app: &App,
    raw: &[u8],
    further: Vec<IncomingFile>,
    origin: Origin<'_>,
) -> Result<Outcome, StoreError> {
    let head = match incoming::parse_head(raw) {
        Ok(head) => head,
        Err(error) => return Ok(refuse(&error.to_string(), origin)),
    };
    let sender: String = head.from.join(", ").chars().take(MAX_LOGGED).collect();
    let id = incoming_mail::without_secrets(app.store.secrets(), &head.message_id);
    let id: String = id.chars().take(MAX_LOGGED).collect();
    let address = origin.address();
    let mailbox = origin.mailbox();
    match accept(app, &head, raw, further) {
        Ok(received) => {
            tracing::info!(target: "audit", { client.address = address, mail.mailbox = mailbox, mail.outcome = "accepted", mail.sender = sender, mail.id = id, mail.result = ?received }, "accepted a mail");
            Ok(Outcome::Accepted(received))
        }
        Err(ReceiveError::Refused(refusal)) => {
            tracing::warn!(target: "audit", { client.address = address, mail.mailbox = mailbox, mail.outcome = "refused", mail.reason = refusal.reason(), mail.sender = sender, mail.id = id }, "refused a mail");
            Ok(Outcome::Refused(refusal.message()))
        }
        Err(ReceiveError::Store(error)) => Err(error),
    }
}

/// Logs that a mail is refused before it was parsed, and returns the outcome.
pub fn refuse(reason: &str, origin: Origin<'_>) -> Outcome {
    let address = origin.address();
    let mailbox = origin.mailbox();
    tracing::warn!(target: "audit", { client.address = address, mail.mailbox = mailbox, mail.outcome = "refused", mail.reason = reason }, "refused a mail");
    Outcome::Refused(reason.to_owned())
}

fn accept(
    app: &App,
    head: &IncomingMail,
    raw: &[u8],
    further: Vec<IncomingFile>,
) -> Result<Received, ReceiveError> {
    // Texts and files are parsed only after the sender is authenticated.
    app.read(|db| incoming_mail::authenticate(db, head).map(drop))?;
    let catalogue = app.store.catalogue()?;
    let delimiters = catalogue.setting(Setting::MailHandlerBodyDelimiters);
    let mut mail =
        incoming::parse(raw, delimiters).map_err(|error| Refusal::Invalid(error.to_string()))?;
    mail.files.extend(further);
    let mut mail = CleanMail::new(app.store.secrets(), mail);
    let max_size = max_file_size(&catalogue);
    let mut staged = Vec::new();
    for file in mail.take_files() {
        if file.content.is_empty() {
            continue;
        }
        if file.content.len() as u64 > max_size {
            let name: String = file.filename.chars().take(MAX_LOGGED).collect();
            let message = format!("{name} is too large (maximum is {} KiB)", max_size / 1024);
            return Err(Refusal::Invalid(message).into());
        }
        staged.push(stage(app, file)?);
    }
    let digests: Vec<String> = staged
        .iter()
        .map(|(_, blob)| blob.sha256().to_owned())
        .collect();
    app.wait_before_write();
    let received = app
        .store
        .write(move |db| incoming_mail::receive(db, &mail, staged));
    match received {
        Ok(Received::Duplicate) => {}
        Ok(_) => {
            for digest in digests {
                blobs::sync(&app.store, &digest)?;
            }
        }
        // The transaction was rolled back, but the contents of files are already on disk.
        Err(ReceiveError::Refused(_)) => {
            blobs::delete_unused(&app.store, digests)?;
        }
        Err(ReceiveError::Store(_)) => {}
    }
    received
}

/// Writes the content of a file to a temporary file.
fn stage(app: &App, file: IncomingFile) -> Result<(NewFile, StagedBlob), ReceiveError> {
    let mut writer = BlobWriter::create(&app.store)?;
    writer.write(&file.content)?;
    let new = NewFile {
        filename: Some(file.filename).filter(|name| !name.is_empty()),
        content_type: Some(file.content_type).filter(|name| !name.is_empty()),
    };
    Ok((new, writer.finish()?))
}
