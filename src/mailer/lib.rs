//! The mails of the service: those that it sends, and what becomes of those that it receives.
//!
//! `outgoing` writes the mails of the outbox, and `incoming` makes notes, messages and issues of mails.
//! `jobs` and `web` call both; `mail` connects to servers and parses. Invariant: a mail is written with the
//! rights that its recipient has at that moment, and accepted with those of its sender. May import:
//! `domain`, `mail`, `store`, `actions`, `app` and `http::resources`.

pub mod incoming;
pub mod outgoing;
