//! Records that people write and attach: wiki pages, news, documents, forums, comments, files, and
//! who watches or reacts to them.

pub mod activity;
pub mod attachment_parents;
pub mod attachments;
pub mod boards;
pub mod comments;
pub mod documents;
pub mod messages;
pub mod new_issue_addresses;
pub mod news;
pub mod reactions;
pub mod received_mails;
pub mod watchers;
pub mod wiki;
pub mod wiki_redirects;
