//! Records that people write and attach: wiki pages, news, documents, forums, comments, files, and
//! who watches or reacts to them.

pub mod activity;
pub mod attachment;
pub mod board;
pub mod comment;
pub mod document;
pub mod incoming_mail;
pub mod mail_secrets;
pub mod message;
pub mod news;
pub mod reaction;
pub mod reply_token;
pub mod thumbnail;
pub mod watcher;
pub mod wiki;
