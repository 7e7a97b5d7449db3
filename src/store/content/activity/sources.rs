//! Where events come from: tables, columns, details, and who may see them. The unary plus keeps
//! SQLite from starting with the projects: then it would read every record in them.

use crate::engine::{Row, StatementError};
use crate::lists::visibility::{
    Columns, ISSUE_INDEXED, ISSUE_UNINDEXED, JOURNAL, TIME_ENTRY_UNINDEXED, in_project,
    push_visible,
};
use crate::transaction::sql::Sql;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::access::visible::Visible;
use quarry_domain::content::activity::{EventDetails, EventType};
use quarry_domain::index_feed::kind::Kind;

// The code in the statement about files of projects.
const _: () = assert!(Kind::Project as u8 == 6);

/// The rows of one type of event.
pub struct Source {
    pub tables: &'static str,
    pub at: &'static str,
    pub id: &'static str,
    /// The version of a wiki page.
    pub version: Option<&'static str>,
    /// `None` where no author is known.
    pub author: Option<&'static str>,
    pub title: &'static str,
    pub text: &'static str,
    /// The columns of the details.
    pub details: &'static [&'static str],
    /// The columns that visibility depends on.
    pub columns: Columns,
    visible: Visible,
    /// Who may read the note of a change, with the columns of that.
    notes: Option<(Visible, Columns)>,
}

impl Source {
    /// Adds the condition that the viewer may see the event.
    pub fn push_visible(&self, sql: &mut Sql) {
        push_visible(sql, &self.visible, self.columns);
        if let Some((visible, columns)) = &self.notes {
            sql.push(" AND ");
            push_visible(sql, visible, *columns);
        }
    }
}

/// Returns the sources of a type of event. With few issues, issues and their changes are found
/// through the index by project, otherwise through those by time.
pub fn sources(viewer: &Viewer, event_type: EventType, has_few_issues: bool) -> Vec<Source> {
    let issue_columns = if has_few_issues {
        ISSUE_INDEXED
    } else {
        ISSUE_UNINDEXED
    };
    let of_kind = |kind| visibility::of_kind(viewer, kind).clone();
    match event_type {
        EventType::Issue => vec![Source {
            tables: "issues i",
            at: "i.created_on",
            id: "i.id",
            version: None,
            author: Some("i.author_id"),
            title: "i.subject",
            text: "i.description",
            details: &["i.tracker_id"],
            columns: issue_columns,
            visible: of_kind(Kind::Issue),
            notes: None,
        }],
        EventType::IssueChange => vec![Source {
            tables: "journals j JOIN issues i ON i.id = j.issue_id",
            at: "j.created_on",
            id: "j.id",
            version: None,
            author: Some("j.user_id"),
            title: "i.subject",
            text: "j.notes",
            details: &["i.id", "i.tracker_id", "j.private_notes"],
            columns: issue_columns,
            visible: of_kind(Kind::Issue),
            notes: Some((visibility::notes(viewer).clone(), JOURNAL)),
        }],
        EventType::Changeset => vec![Source {
            tables: "changesets s JOIN repositories r ON r.id = s.repository_id",
            at: "s.committed_on",
            id: "s.id",
            version: None,
            author: Some("s.user_id"),
            title: "substr(s.comments, 1, 300)",
            text: "NULL",
            details: &["COALESCE(r.identifier, '')", "s.revision", "s.committer"],
            columns: in_project("+r.project_id"),
            visible: of_kind(Kind::Changeset),
            notes: None,
        }],
        EventType::News => vec![Source {
            tables: "news n",
            at: "n.created_on",
            id: "n.id",
            version: None,
            author: Some("n.author_id"),
            title: "n.title",
            text: "COALESCE(NULLIF(n.summary, ''), n.description)",
            details: &[],
            columns: in_project("n.project_id"),
            visible: of_kind(Kind::News),
            notes: None,
        }],
        EventType::NewsComment => vec![Source {
            tables: "comments c JOIN news n ON c.commented_type = 'News' AND n.id = c.commented_id",
            at: "c.created_on",
            id: "c.id",
            version: None,
            author: Some("c.author_id"),
            title: "n.title",
            text: "c.content",
            details: &["n.id"],
            columns: in_project("+n.project_id"),
            visible: of_kind(Kind::News),
            notes: None,
        }],
        EventType::Document => vec![Source {
            tables: "documents d",
            at: "d.created_on",
            id: "d.id",
            version: None,
            author: None,
            title: "d.title",
            text: "d.description",
            details: &[],
            columns: in_project("d.project_id"),
            visible: of_kind(Kind::Document),
            notes: None,
        }],
        EventType::File => vec![
            file_source(
                viewer,
                "attachments a JOIN projects p ON a.container_kind = 6 AND p.id = a.container_id",
                "p.id",
            ),
            file_source(
                viewer,
                "attachments a JOIN versions v ON a.container_kind IS NULL AND a.container_type = 'Version' AND v.id = a.container_id",
                "v.project_id",
            ),
        ],
        EventType::WikiEdit => vec![Source {
            tables: "wiki_versions v JOIN wiki_pages p ON p.id = v.page_id JOIN wikis w ON w.id = p.wiki_id",
            at: "v.updated_on",
            id: "v.page_id",
            version: Some("v.version"),
            author: Some("v.author_id"),
            title: "p.title",
            text: "v.comments",
            details: &[],
            columns: in_project("+w.project_id"),
            visible: visibility::wiki_edits(viewer),
            notes: None,
        }],
        EventType::Message => vec![Source {
            tables: "messages m JOIN boards b ON b.id = m.board_id",
            at: "m.created_on",
            id: "m.id",
            version: None,
            author: Some("m.author_id"),
            title: "m.subject",
            text: "m.content",
            details: &["b.id", "m.parent_id"],
            columns: in_project("+b.project_id"),
            visible: of_kind(Kind::Message),
            notes: None,
        }],
        EventType::TimeEntry => vec![Source {
            tables: "time_entries t",
            at: "t.created_on",
            id: "t.id",
            version: None,
            author: Some("t.user_id"),
            title: "''",
            text: "t.comments",
            details: &["t.issue_id", "t.activity_id", "t.hours"],
            columns: TIME_ENTRY_UNINDEXED,
            visible: visibility::time_entries(viewer).clone(),
            notes: None,
        }],
    }
}

fn file_source(viewer: &Viewer, tables: &'static str, project: &'static str) -> Source {
    Source {
        tables,
        at: "a.created_on",
        id: "a.id",
        version: None,
        author: Some("a.author_id"),
        title: "a.filename",
        text: "a.description",
        details: &[],
        columns: in_project(project),
        visible: visibility::project_files(viewer).clone(),
        notes: None,
    }
}

/// Reads the columns `details` of a source of this type.
pub fn read_details(row: &Row<'_>, event_type: EventType) -> Result<EventDetails, StatementError> {
    Ok(match event_type {
        EventType::Issue => EventDetails::Issue {
            tracker: row.next()?,
        },
        EventType::IssueChange => EventDetails::IssueChange {
            issue: row.next()?,
            tracker: row.next()?,
            private: row.next()?,
        },
        EventType::Changeset => EventDetails::Changeset {
            repository: row.next()?,
            revision: row.next()?,
            committer: row.next()?,
        },
        EventType::News => EventDetails::News,
        EventType::NewsComment => EventDetails::NewsComment { news: row.next()? },
        EventType::Document => EventDetails::Document,
        EventType::File => EventDetails::File,
        EventType::WikiEdit => EventDetails::WikiEdit,
        EventType::Message => EventDetails::Message {
            board: row.next()?,
            topic: row.next()?,
        },
        EventType::TimeEntry => EventDetails::TimeEntry {
            issue: row.next()?,
            activity: row.next()?,
            hours: row.next()?,
        },
    })
}
