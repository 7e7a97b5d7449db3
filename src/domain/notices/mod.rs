//! Notices: who is told of which event, and why.
//!
//! The rules are those of Redmine's mails (docs/notices.md). A notice names an event and says
//! nothing of it: what a person may see is decided when the notice is shown or sent.

pub mod digest;
pub mod filter;
pub mod mentions;
pub mod notice;
pub mod notified_event;
pub mod preferences;
pub mod reasons;
pub mod recipients;
pub mod reminder;
