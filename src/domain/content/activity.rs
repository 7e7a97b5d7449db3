//! Activity: what happened in projects, as events. The activities of time entries are enumerations,
//! and have nothing to do with it.

use crate::ids::{EnumerationId, ProjectId, TrackerId, UserId};
use crate::index_feed::kind::Kind;
use jiff::Timestamp;
use strum::{FromRepr, IntoStaticStr, VariantArray};

/// A type of event.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, FromRepr, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "snake_case")]
#[repr(i64)]
pub enum EventType {
    /// An issue was changed or commented on.
    IssueChange = 0,
    /// An issue was created.
    Issue = 1,
    Changeset = 2,
    News = 3,
    /// Somebody commented on news.
    NewsComment = 4,
    Document = 5,
    /// A file was added to a project or a version.
    File = 6,
    WikiEdit = 7,
    Message = 8,
    /// Somebody logged time.
    TimeEntry = 9,
}

impl EventType {
    /// Every type, in the order of events of the same time.
    pub const ALL: &[EventType] = Self::VARIANTS;

    /// Returns the name of its group in addresses. Issues and their changes are one group.
    pub fn group(self) -> &'static str {
        match self {
            EventType::Issue | EventType::IssueChange => "issues",
            EventType::Changeset => "changesets",
            EventType::News | EventType::NewsComment => "news",
            EventType::Document => "documents",
            EventType::File => "files",
            EventType::WikiEdit => "wiki_edits",
            EventType::Message => "messages",
            EventType::TimeEntry => "time_entries",
        }
    }

    /// Returns the name in the API.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the code in the store.
    pub fn code(self) -> i64 {
        self as i64
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub key: EventKey,
    pub project: ProjectId,
    /// Who did it; `None` if no user is known.
    pub author: Option<UserId>,
    /// The title of the record; that of the issue for a change, empty for a time entry.
    pub title: String,
    /// The beginning of its text, as markup.
    pub text: String,
    pub details: EventDetails,
}

impl Event {
    /// Returns type and id of the record under which the inbox shows the event; `None` for events
    /// that nobody is told of.
    pub fn record(&self) -> Option<(Kind, i64)> {
        let id = self.key.id;
        Some(match self.details {
            EventDetails::Issue { .. } => (Kind::Issue, id),
            EventDetails::IssueChange { issue, .. } => (Kind::Issue, issue),
            EventDetails::News => (Kind::News, id),
            EventDetails::NewsComment { news } => (Kind::News, news),
            EventDetails::Document => (Kind::Document, id),
            EventDetails::File => (Kind::Project, self.project.0),
            EventDetails::WikiEdit => (Kind::WikiPage, id),
            EventDetails::Message { topic, .. } => (Kind::Message, topic.unwrap_or(id)),
            EventDetails::Changeset { .. } | EventDetails::TimeEntry { .. } => return None,
        })
    }
}

/// The position of an event in the activity, which is sorted by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventKey {
    pub at: Timestamp,
    pub event_type: EventType,
    /// The id of the record: of the journal for a change, of the page for an edit of a wiki page.
    pub id: i64,
    /// The version of a wiki page, otherwise 0.
    pub version: i64,
}

impl EventKey {
    /// Returns the event without its time.
    pub fn reference(&self) -> EventReference {
        EventReference {
            event_type: self.event_type,
            id: self.id,
            version: self.version,
        }
    }

    /// Returns what sorts the events: newest first.
    pub fn sort_key(&self) -> impl Ord + use<> {
        use std::cmp::Reverse;
        (
            Reverse(self.at),
            self.event_type,
            Reverse(self.id),
            Reverse(self.version),
        )
    }
}

/// An event without its time and contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventReference {
    pub event_type: EventType,
    /// The id of the record: of the journal for a change of an issue, of the page for an edit of a
    /// wiki page.
    pub id: i64,
    /// The version of a wiki page, otherwise 0.
    pub version: i64,
}

impl EventReference {
    /// Returns the event about the record with this id.
    pub fn new(event_type: EventType, id: i64) -> EventReference {
        EventReference {
            event_type,
            id,
            version: 0,
        }
    }
}

/// What only events of one type have.
#[derive(Clone, Debug, PartialEq)]
pub enum EventDetails {
    Issue {
        tracker: TrackerId,
    },
    IssueChange {
        issue: i64,
        tracker: TrackerId,
        /// Whether the note is private.
        private: bool,
    },
    Changeset {
        /// The identifier of the repository; empty for the main one.
        repository: String,
        revision: String,
        committer: String,
    },
    News,
    NewsComment {
        news: i64,
    },
    Document,
    File,
    WikiEdit,
    Message {
        board: i64,
        /// The topic of a reply.
        topic: Option<i64>,
    },
    TimeEntry {
        /// The issue, visible or not.
        issue: Option<i64>,
        activity: EnumerationId,
        hours: f64,
    },
}
