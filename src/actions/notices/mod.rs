//! Notices: tells people of events.
//!
//! Invariant: a notice is written in the transaction of its event, and refers to it without copying any
//! of its content. What a person may see is decided when the notice is read (`inbox`) or sent.

mod events;
pub mod inbox;
pub mod mentions;
pub mod notice_mails;
pub mod outbox;
mod recipients;
pub mod reminders;
pub mod unsubscribe;

pub use events::{
    comment_added, document_added, file_added, issue_added, message_posted, news_added,
    note_edited, record_journal, wiki_page_saved,
};
