//! The records of `fixtures/demo/world.jsonl.zst`, one per line. `importer` maps their ids to those
//! in the store.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Deserializer, de};
use std::fmt::Display;
use std::str::FromStr;

/// A record of the file, whose README describes the kinds and their fields.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Record {
    Role {
        name: String,
        issues_visibility: String,
        permissions: Vec<String>,
    },
    User(User),
    Group {
        id: i64,
        name: String,
        users: Vec<i64>,
    },
    Project(Project),
    Member {
        project: i64,
        principal: i64,
        roles: Vec<String>,
    },
    Bookmark {
        user: i64,
        project: i64,
    },
    Version(Version),
    Category {
        id: i64,
        project: i64,
        name: String,
    },
    Issue(Box<Issue>),
    Note(Note),
    News(News),
    Document(Document),
    Repository {
        id: i64,
        project: i64,
        identifier: String,
        scm: String,
        is_default: bool,
    },
    Changeset(Changeset),
    WikiPage(WikiPage),
    Board {
        id: i64,
        project: i64,
        name: String,
        description: String,
    },
    Message(Message),
    Attachment(Attachment),
}

macro_rules! records {
    ($($(#[$doc:meta])* $name:ident { $($(#[$how:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Deserialize)]
        pub struct $name { $($(#[$how])* pub $field: $type),* }
    )*};
}

records! {
    /// A user; the password is made from the login.
    User {
        id: i64,
        login: String,
        firstname: String,
        lastname: String,
        mail: String,
        admin: bool,
        status: i64,
        #[serde(deserialize_with = "parse")]
        created_on: Timestamp,
    }
    /// A project.
    Project {
        id: i64,
        name: String,
        identifier: String,
        description: Option<String>,
        homepage: String,
        parent: Option<i64>,
        is_public: bool,
        inherit_members: bool,
        status: i64,
        modules: Vec<String>,
        trackers: Vec<String>,
        #[serde(deserialize_with = "parse")]
        created_on: Timestamp,
        #[serde(deserialize_with = "parse")]
        updated_on: Timestamp,
    }
    /// A version of a project.
    Version {
        id: i64,
        project: i64,
        name: String,
        status: String,
        #[serde(deserialize_with = "parse_optional")]
        due_date: Option<Date>,
        #[serde(deserialize_with = "parse")]
        created_on: Timestamp,
    }
    /// An issue.
    Issue {
        id: i64,
        project: i64,
        tracker: String,
        status: String,
        priority: String,
        author: i64,
        assignee: Option<i64>,
        category: Option<i64>,
        version: Option<i64>,
        parent: Option<i64>,
        subject: String,
        description: Option<String>,
        private: bool,
        #[serde(deserialize_with = "parse_optional")]
        start_date: Option<Date>,
        #[serde(deserialize_with = "parse_optional")]
        due_date: Option<Date>,
        done_ratio: i64,
        estimated_hours: Option<f64>,
        #[serde(deserialize_with = "parse")]
        created_on: Timestamp,
        #[serde(deserialize_with = "parse")]
        updated_on: Timestamp,
        #[serde(deserialize_with = "parse_optional")]
        closed_on: Option<Timestamp>,
    }
    /// A note on an issue.
    Note {
        issue: i64,
        author: i64,
        text: String,
        private: bool,
        #[serde(deserialize_with = "parse")]
        created_on: Timestamp,
    }
    /// A news item.
    News {
        id: i64,
        project: i64,
        author: i64,
        title: String,
        summary: String,
        description: String,
        #[serde(deserialize_with = "parse")]
        created_on: Timestamp,
    }
    /// A document.
    Document {
        id: i64,
        project: i64,
        category: String,
        title: String,
        description: String,
        #[serde(deserialize_with = "parse")]
        created_on: Timestamp,
    }
    /// A changeset.
    Changeset {
        repository: i64,
        revision: String,
        committer: String,
        author: Option<i64>,
        #[serde(deserialize_with = "parse")]
        committed_on: Timestamp,
        comments: String,
    }
    /// A wiki page with its versions, oldest first.
    WikiPage {
        id: i64,
        project: i64,
        title: String,
        parent: Option<i64>,
        protected: bool,
        #[serde(deserialize_with = "parse")]
        created_on: Timestamp,
        versions: Vec<PageVersion>,
    }
    /// A version of a wiki page.
    PageVersion {
        version: i64,
        text: String,
        author: Option<i64>,
        comments: Option<String>,
        #[serde(deserialize_with = "parse")]
        updated_on: Timestamp,
    }
    /// A forum message.
    Message {
        id: i64,
        board: i64,
        parent: Option<i64>,
        author: Option<i64>,
        subject: String,
        content: String,
        #[serde(deserialize_with = "parse")]
        created_on: Timestamp,
    }
    /// The name of a file on a record.
    Attachment {
        container: String,
        container_id: i64,
        filename: String,
        description: String,
        content_type: String,
        filesize: i64,
        author: i64,
        #[serde(deserialize_with = "parse")]
        created_on: Timestamp,
    }
}

fn parse<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    String::deserialize(deserializer)?
        .parse()
        .map_err(de::Error::custom)
}

fn parse_optional<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let text: Option<String> = Option::deserialize(deserializer)?;
    text.map(|text| text.parse().map_err(de::Error::custom))
        .transpose()
}
