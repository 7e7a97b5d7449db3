//! A received mail, whatever it came by: parsed, accepted or refused, and logged.
//!
//! Invariant: nothing is written to the disk for a mail without a valid token and its sender.

use quarry_actions::attachments::{NewFile, max_file_size};
use quarry_actions::incoming_mail;
use quarry_actions::incoming_mail::{CleanMail, ReceiveError, Received};
use quarry_app::App;
use quarry_domain::administration::setting::Setting;
use quarry_domain::content::incoming_mail::{IncomingFile, IncomingMail, Refusal};
use quarry_mail::incoming;
use quarry_store::StoreError;
use quarry_store::files::blobs;
use quarry_store::files::blobs::{BlobWriter, StagedBlob};

/// Maximum number of characters of what a sender wrote in a line of the log.
const MAX_LOGGED: usize = 100;

/// What a mail came by, for the log.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    /// A request from this address.
    Request(&'a str),
    /// This mailbox.
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

/// What became of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was accepted.
    Accepted(Received),
    /// It was refused, with what the sender may learn.
    Refused(String),
}

/// Accepts or refuses a mail, with further files, and logs which.
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
    let id: String = head.message_id.chars().take(MAX_LOGGED).collect();
    let address = origin.address();
    let mailbox = origin.mailbox();
    match accept(app, &head, raw, further) {
        Ok(received) => {
            tracing::info!(target: "audit", { client.address = address, mail.mailbox = mailbox, mail.outcome = "accepted", mail.sender = ?sender, mail.id = ?id, mail.result = ?received }, "accepted a mail");
            Ok(Outcome::Accepted(received))
        }
        Err(ReceiveError::Refused(refusal)) => {
            tracing::warn!(target: "audit", { client.address = address, mail.mailbox = mailbox, mail.outcome = "refused", mail.reason = refusal.reason(), mail.sender = ?sender, mail.id = ?id }, "refused a mail");
            Ok(Outcome::Refused(refusal.message()))
        }
        Err(ReceiveError::Store(error)) => Err(error),
    }
}

/// Refuses a mail that cannot be parsed, and logs why.
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
    // The texts and files of a stranger are not even parsed.
    app.read(|db| incoming_mail::authenticate(db, head).map(drop))?;
    let catalogue = app.store.catalogue()?;
    let delimiters = catalogue.setting(Setting::MailHandlerBodyDelimiters);
    let mut mail =
        incoming::parse(raw, delimiters).map_err(|error| Refusal::Invalid(error.to_string()))?;
    mail.files.extend(further);
    let mut mail = app.read(|db| CleanMail::new(db, mail))?;
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
        // The transaction that wrote them was rolled back, but files stay.
        Err(ReceiveError::Refused(_)) => {
            blobs::delete_unused(&app.store, digests)?;
        }
        Err(ReceiveError::Store(_)) => {}
    }
    received
}

/// Writes a file to a temporary one.
fn stage(app: &App, file: IncomingFile) -> Result<(NewFile, StagedBlob), ReceiveError> {
    let mut writer = BlobWriter::create(&app.store)?;
    writer.write(&file.content)?;
    let new = NewFile {
        filename: Some(file.filename).filter(|name| !name.is_empty()),
        content_type: Some(file.content_type).filter(|name| !name.is_empty()),
    };
    Ok((new, writer.finish()?))
}
