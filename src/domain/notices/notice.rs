//! Notices as they are stored.

use super::reasons::Reasons;
use crate::content::activity::{Event, EventReference};
use crate::ids::UserId;
use crate::index_feed::kind::Kind;
use jiff::Timestamp;

/// A record with everything that happens to it: the notices about it are one entry of an inbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thread {
    /// The type of the record. Files of projects and versions are a thread of their project.
    pub kind: Kind,
    /// The id of the record: of the topic for messages, of the page for edits of a wiki.
    pub id: i64,
}

impl Thread {
    /// Returns the thread of this record.
    pub fn new(kind: Kind, id: i64) -> Thread {
        Thread { kind, id }
    }

    /// Returns the name of its type in addresses and in the API.
    pub fn type_name(self) -> &'static str {
        match self.kind {
            Kind::Issue => "issue",
            Kind::News => "news",
            Kind::Document => "document",
            Kind::Changeset => "changeset",
            Kind::WikiPage => "wiki_page",
            Kind::Message => "message",
            Kind::Project => "project",
        }
    }

    /// Returns the thread with this id of the type with this name.
    pub fn from_type_name(name: &str, id: i64) -> Option<Thread> {
        let mut threads = Kind::ALL.into_iter().map(|kind| Thread::new(kind, id));
        threads.find(|thread| thread.type_name() == name)
    }

    /// Returns the thread of an event; `None` for events that nobody is told of.
    pub fn of_event(event: &Event) -> Option<Thread> {
        event.record().map(|(kind, id)| Thread::new(kind, id))
    }
}

/// The record that a person is told of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    pub id: i64,
    pub user: UserId,
    pub thread: Thread,
    pub event: EventReference,
    pub reasons: Reasons,
    pub created_on: Timestamp,
    /// Whether the person has read it.
    pub is_read: bool,
    /// Whether the person has removed it from the inbox.
    pub is_done: bool,
    /// When its mail is due; `None` for a notice without mail, and once its mail is in the outbox.
    pub mail_on: Option<Timestamp>,
}

impl Notice {
    /// Whether its mail is due at once, because it mentions the person or makes them the assignee. `false`
    /// once its mail is in the outbox.
    pub fn is_urgent(&self) -> bool {
        self.mail_on == Some(self.created_on)
    }
}
