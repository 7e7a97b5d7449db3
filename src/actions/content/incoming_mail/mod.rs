//! Answers by mail: authenticates a received mail and makes a record of it.
//!
//! Invariants: a mail is accepted only with a valid token and from an address of the active user of the
//! token, and with the permissions that the user has at that moment; an answer to a private note is
//! private or refused; a refused mail changes nothing; reply tokens and unsubscribe links of the sender
//! are never published.

pub mod new_issue_addresses;
pub mod originals;
mod secrets;
mod texts;

pub use secrets::without_secrets;

use crate::content::attachments::{NewFile, NewUpload, upload};
use crate::content::{messages, news};
use crate::issues;
use crate::prelude::*;
use jiff::SignedDuration;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::setting::Setting;
use quarry_domain::content::incoming_mail::{
    IncomingFile, IncomingMail, MailedRecord, OriginalMail, Refusal,
};
use quarry_domain::content::reply_token::{ReplyTarget, ReplyToken, expired_before};
use quarry_domain::ids::{CommentId, JournalId};
use quarry_domain::issues::issue::{IssueChange, MAX_SUBJECT_LENGTH};
use quarry_domain::values::text::is_blank;
use quarry_store::Secrets;
use quarry_store::accounts::email_addresses;
use quarry_store::content::{new_issue_addresses as stored_addresses, received_mails};
use quarry_store::files::blobs::StagedBlob;
use quarry_store::issues::journals;
use std::sync::Arc;

/// The subject of an issue from a mail without one.
const NO_SUBJECT: &str = "(no subject)";

/// What an accepted mail became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// A note of an issue.
    Note(IssueId, JournalId),
    /// A reply in a forum.
    Message(i64),
    /// A comment on a news item.
    Comment(CommentId),
    /// A new issue.
    Issue(IssueId),
    /// Nothing, because the same mail was accepted before.
    Duplicate,
}

/// Why a mail was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum ReceiveError {
    /// It is refused.
    #[error("{}", .0.reason())]
    Refused(Refusal),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Refusal> for ReceiveError {
    fn from(refusal: Refusal) -> ReceiveError {
        ReceiveError::Refused(refusal)
    }
}

impl From<ActionError> for ReceiveError {
    fn from(error: ActionError) -> ReceiveError {
        match error {
            ActionError::NotFound | ActionError::Forbidden => Refusal::NotAllowed.into(),
            ActionError::Store(error) => ReceiveError::Store(error),
            error
            @ (ActionError::Invalid(_) | ActionError::Outdated | ActionError::Conflict(_)) => {
                Refusal::Invalid(error.to_string()).into()
            }
        }
    }
}

/// Checks the sender of a mail and returns its token: the token is valid, and `From` is one address of
/// its active user. Permissions on the record are not checked.
pub fn authenticate(db: &Read<'_>, mail: &IncomingMail) -> Result<ReplyToken, ReceiveError> {
    let decode = |text: &String| {
        ReplyToken::decode(text, |bytes, signature| {
            db.secrets().verify_reply(bytes, signature)
        })
    };
    if db.catalogue().setting(Setting::MailReplyAddress).is_empty() {
        return Err(Refusal::AnswersOff.into());
    }
    if let Some(header) = mail.automatic {
        return Err(Refusal::Automatic(header).into());
    }
    if mail
        .own_id_candidates
        .iter()
        .any(|word| decode(word).is_some())
    {
        return Err(Refusal::Automatic("Message-ID").into());
    }
    let token = mail
        .token_candidates
        .iter()
        .find_map(decode)
        .ok_or(Refusal::NoToken)?;
    let [sender] = mail.from.as_slice() else {
        return Err(Refusal::WrongSender.into());
    };
    let user = db.catalogue().users.get(&token.user);
    let user = user.ok_or(Refusal::InactiveUser)?;
    let further = email_addresses::list(db, token.user)?;
    let mut addresses = further
        .iter()
        .map(|address| address.address.as_str())
        .chain([user.mail.as_str()]);
    if sender.is_empty() || !addresses.any(|address| address.eq_ignore_ascii_case(sender)) {
        return Err(Refusal::WrongSender.into());
    }
    if user.status != UserStatus::Active {
        return Err(Refusal::InactiveUser.into());
    }
    if token.is_expired(db.now()) {
        return Err(Refusal::ExpiredToken.into());
    }
    Ok(token)
}

/// A mail without reply tokens and unsubscribe links.
#[derive(Clone, Debug)]
pub struct CleanMail(IncomingMail);

impl CleanMail {
    /// Removes reply tokens and unsubscribe links from the texts and files of a mail. Takes some time for
    /// a large one, so it must not run in a transaction.
    pub fn new(secrets: &Secrets, mut mail: IncomingMail) -> CleanMail {
        secrets::remove(secrets, &mut mail);
        CleanMail(mail)
    }

    /// Removes the files from the mail and returns them.
    pub fn take_files(&mut self) -> Vec<IncomingFile> {
        std::mem::take(&mut self.0.files)
    }
}

/// Creates a note, a reply, a comment or an issue from a mail, with its files. A mail that was accepted
/// before changes nothing.
pub fn receive(
    db: &mut Write<'_>,
    CleanMail(mail): &CleanMail,
    files: Vec<(NewFile, StagedBlob)>,
) -> Result<Received, ReceiveError> {
    let token = authenticate(db, mail)?;
    let sent = count_last_hour(db, token.user)?;
    if !received_mails::insert(db, token.user, &digest(db, &token, mail, &files))? {
        return Ok(Received::Duplicate);
    }
    if sent >= db.catalogue().integer_setting(Setting::MailMaxPerHour) {
        return Err(Refusal::TooMany.into());
    }
    received_mails::delete_before(db, expired_before(db.now()))?;
    let needs_text = match token.target {
        // The answer may be a picture.
        ReplyTarget::Issue { .. } => files.is_empty(),
        ReplyTarget::Message(_) | ReplyTarget::News(_) => true,
        ReplyTarget::Project { .. } => false,
    };
    if needs_text && is_blank(&mail.answer) {
        return Err(Refusal::Empty.into());
    }
    let catalogue = Arc::clone(db.catalogue());
    let viewer = Viewer::new(&catalogue, Some(token.user));
    let max = catalogue.max_text_length();
    match token.target {
        ReplyTarget::Issue {
            issue,
            note,
            last,
            private,
        } => {
            let private = private || is_private(db, issue, note, last)?;
            add_note(db, &viewer, issue, private, mail, files)
        }
        ReplyTarget::Message(id) => {
            // Checked before files are stored.
            let board = messages::find(db, &viewer, id)?.board;
            require(&viewer, Permission::AddMessages, board.project)?;
            let change = messages::MessageChange {
                content: Patch::Set(texts::content(&mail.answer, max)),
                ..messages::MessageChange::default()
            };
            let uploads = upload_all(db, &viewer, files)?;
            let id = messages::create_reply(db, &viewer, id, &change, &uploads)?;
            keep_original(db, MailedRecord::Message(id), mail)?;
            Ok(Received::Message(id))
        }
        ReplyTarget::News(id) => Ok(Received::Comment(news::create_comment(
            db,
            &viewer,
            id,
            &texts::content(&mail.answer, max),
        )?)),
        ReplyTarget::Project { project, number } => {
            if number != stored_addresses::number(db, token.user, project)? {
                return Err(Refusal::RevokedAddress.into());
            }
            create_issue(db, &viewer, project, mail, files)
        }
    }
}

/// Returns the number of mails that were accepted from the user in the last hour.
fn count_last_hour(db: &Read<'_>, user: UserId) -> Result<i64, StoreError> {
    let since = db.now().saturating_sub(SignedDuration::from_hours(1));
    received_mails::count_since(db, user, since.unwrap_or_default())
}

/// Returns the digest that identifies a mail: of its id, target, date, subject, text and files. The id
/// alone is not enough, because some programs give all their mails the same one.
fn digest(
    db: &Read<'_>,
    token: &ReplyToken,
    mail: &IncomingMail,
    files: &[(NewFile, StagedBlob)],
) -> String {
    let files: Vec<&str> = files.iter().map(|(_, file)| file.sha256()).collect();
    db.secrets().digest(&format!(
        "mail\n{}\n{:?}\n{}\n{}\n{}\n{}",
        mail.message_id,
        token.target,
        mail.date,
        mail.subject,
        files.join(" "),
        mail.text
    ))
}

fn require(
    viewer: &Viewer,
    permission: Permission,
    project: ProjectId,
) -> Result<(), ReceiveError> {
    if viewer.may(permission, project) {
        Ok(())
    } else {
        Err(Refusal::NotAllowed.into())
    }
}

/// Whether one of the notes from `first` to `last` is private now, or `first` or `last` was deleted.
/// Notes between them count as well: the token does not say which of them the mail showed.
fn is_private(
    db: &Read<'_>,
    issue: IssueId,
    first: JournalId,
    last: JournalId,
) -> Result<bool, StoreError> {
    if first.0 == 0 {
        return Ok(false);
    }
    let sizes = journals::sizes(db, issue)?;
    let exists = |id: JournalId| sizes.iter().any(|note| note.id == id);
    let mut told = sizes
        .iter()
        .filter(|note| (first..=last).contains(&note.id));
    Ok(!exists(first) || !exists(last) || told.any(|note| note.private))
}

fn add_note(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: IssueId,
    private: bool,
    mail: &IncomingMail,
    files: Vec<(NewFile, StagedBlob)>,
) -> Result<Received, ReceiveError> {
    let issue = issues::find(db, viewer, id)?;
    let may_add = viewer.may_on(Permission::AddIssueNotes, issue.project, issue.tracker);
    if !may_add || private && !viewer.may(Permission::SetNotesPrivate, issue.project) {
        return Err(Refusal::NotAllowed.into());
    }
    let max = db.catalogue().max_text_length();
    let (notes, files) = if private {
        let names = files
            .iter()
            .filter_map(|(file, _)| file.filename.as_deref());
        let names: Vec<&str> = names.collect();
        (texts::private_note(&mail.answer, &names, max), Vec::new())
    } else {
        (texts::content(&mail.answer, max), files)
    };
    let change = IssueChange {
        notes: Patch::Set(notes),
        private_notes: Patch::Set(private),
        ..IssueChange::default()
    };
    let uploads = upload_all(db, viewer, files)?;
    issues::update(db, viewer, id, &change, &uploads)?;
    let journal = journals::last_id(db, id)?.ok_or(Refusal::NotAllowed)?;
    keep_original(db, MailedRecord::Note(journal), mail)?;
    Ok(Received::Note(id, journal))
}

fn create_issue(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    mail: &IncomingMail,
    files: Vec<(NewFile, StagedBlob)>,
) -> Result<Received, ReceiveError> {
    if !db.catalogue().is_on(Setting::MailNewIssues) {
        return Err(Refusal::NewIssuesOff.into());
    }
    require(viewer, Permission::AddIssues, project)?;
    let subject: String = mail
        .subject
        .trim()
        .chars()
        .take(MAX_SUBJECT_LENGTH)
        .collect();
    let subject = if is_blank(&subject) {
        NO_SUBJECT.to_owned()
    } else {
        subject
    };
    let max = db.catalogue().max_text_length();
    let change = IssueChange {
        project: Patch::Set(project.0.to_string()),
        subject: Patch::Set(subject),
        // With quotes, because the issue is often about a forwarded mail.
        description: Patch::Set(texts::content(mail.text_without_signature.trim(), max)),
        ..IssueChange::default()
    };
    let uploads = upload_all(db, viewer, files)?;
    let id = issues::create(db, viewer, &change, &uploads)?.id;
    keep_original(db, MailedRecord::Issue(id), mail)?;
    Ok(Received::Issue(id))
}

/// Stores the complete text of a mail for the record that it became.
fn keep_original(
    db: &mut Write<'_>,
    record: MailedRecord,
    mail: &IncomingMail,
) -> Result<(), StoreError> {
    let original = OriginalMail {
        sender: mail.from.first().cloned().unwrap_or_default(),
        subject: mail.subject.clone(),
        date: mail.date.clone(),
        text: mail.text.clone(),
        received_on: db.now(),
    };
    received_mails::insert_original(db, record, &original)
}

fn upload_all(
    db: &mut Write<'_>,
    viewer: &Viewer,
    files: Vec<(NewFile, StagedBlob)>,
) -> Result<Vec<NewUpload>, ReceiveError> {
    let mut uploads = Vec::with_capacity(files.len());
    for (file, content) in files {
        let attachment = upload(db, viewer, &file, content)?;
        uploads.push(NewUpload {
            token: attachment.token(),
            ..NewUpload::default()
        });
    }
    Ok(uploads)
}
