//! What projects hold besides issues: wiki pages, forums, news, documents, files, and what belongs to all records.

pub mod activity;
pub mod attachments;
pub mod boards;
pub mod documents;
pub mod files;
pub mod incoming_mail;
pub mod messages;
pub mod news;
pub mod reactions;
pub mod reply_addresses;
pub mod watchers;
pub mod wiki;
