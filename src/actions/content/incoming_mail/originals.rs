//! The complete texts of the mails that became notes, messages and issues.

use crate::content::messages;
use crate::issues::{self, journals};
use crate::prelude::*;
use quarry_domain::administration::setting::Setting;
use quarry_domain::content::incoming_mail::{MailedRecord, OriginalMail, above_quote};
use quarry_store::content::received_mails;

/// A mail that became a record.
pub struct FoundMail {
    pub project: ProjectId,
    /// The author of the record.
    pub author: Option<UserId>,
    pub record: FoundRecord,
    pub mail: OriginalMail,
    /// Whether the text ends before a quote that the viewer may not read.
    pub is_shortened: bool,
}

/// The record that a mail became.
pub enum FoundRecord {
    /// A note, with its number among those that the viewer may read, from 1.
    Note(IssueId, usize),
    /// A message of a board.
    Message {
        id: i64,
        /// The topic, if the message is a reply.
        topic: Option<i64>,
        board: i64,
        board_name: String,
    },
    Issue(IssueId),
}

/// Returns the mail that became this record, if the viewer may read the record. The quote in an answer
/// was written by the service for the sender only, so only the sender and administrators, who may see
/// every record, get that part. The mail of an issue is returned in full, because its description has
/// the same text.
///
/// # Errors
/// `NotFound` if there is no such record that the viewer may read, or it was not created by mail.
pub fn find(
    db: &Read<'_>,
    viewer: &Viewer,
    record: MailedRecord,
) -> Result<FoundMail, ActionError> {
    let (project, author, found) = match record {
        MailedRecord::Note(id) => {
            let (issue, journal) = journals::find(db, viewer, id)?;
            let sizes = journals::sizes(db, viewer, &issue)?;
            let position = sizes.iter().position(|(id, _)| *id == journal.id);
            let note = FoundRecord::Note(issue.id, position.unwrap_or(0) + 1);
            (issue.project, Some(journal.user), note)
        }
        MailedRecord::Message(id) => {
            let found = messages::find(db, viewer, id)?;
            let message = FoundRecord::Message {
                id,
                topic: found.message.topic,
                board: found.board.id,
                board_name: found.board.name,
            };
            (found.board.project, found.message.author, message)
        }
        MailedRecord::Issue(id) => {
            let issue = issues::find(db, viewer, id)?;
            (issue.project, Some(issue.author), FoundRecord::Issue(id))
        }
    };
    let mut mail = received_mails::find_original(db, record)?.ok_or(ActionError::NotFound)?;
    let is_issue = matches!(found, FoundRecord::Issue(_));
    let is_sender = author.is_some() && viewer.user == author;
    let is_shortened = !is_issue && !is_sender && !viewer.admin && {
        let delimiters = db.catalogue().setting(Setting::MailHandlerBodyDelimiters);
        let above = above_quote(&mail.text, delimiters).to_owned();
        let is_shorter = above.len() < mail.text.len();
        mail.text = above;
        is_shorter
    };
    Ok(FoundMail {
        project,
        author,
        record: found,
        mail,
        is_shortened,
    })
}
