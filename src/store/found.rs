//! The records that a search has proposed, read once more with the viewer's own condition: the index proposes, the store
//! disposes, so that a stale index can never show what the viewer may not see.

use super::engine::{Row, StatementError, Value};
use super::page_size::page_len;
use super::sql::Sql;
use super::visibility::{self, Columns, condition, in_project};
use super::{Read, StoreError, attachments, custom_fields, journals};
use crate::domain::ids::{ProjectId, StatusId, TrackerId};
use crate::domain::kind::Kind;
use crate::domain::viewer::Viewer;
use crate::domain::visibility::{Facts, of, project_files, searchable_fields};
use jiff::Timestamp;
use std::collections::HashMap;

/// What a search result is made of.
#[derive(Clone, Debug)]
pub struct Found {
    /// What it is.
    pub kind: Kind,
    /// Its number.
    pub id: i64,
    /// Where it belongs.
    pub project: ProjectId,
    /// When it was made.
    pub created_on: Timestamp,
    /// Subject, title or name; the whole message of a changeset.
    pub title: String,
    /// What it says at length, as written.
    pub text: String,
    /// What only some types have.
    pub particulars: Particulars,
    /// Notes that the viewer may read, in their order.
    pub notes: Vec<String>,
    /// Values of custom fields that the viewer may read and that are searched.
    pub custom: Vec<String>,
    /// Names and descriptions of its files, where the viewer may see them.
    pub attachments: Vec<String>,
}

impl Found {
    /// Whether there are texts beside its own.
    pub fn has_texts_beside(&self) -> bool {
        !(self.notes.is_empty() && self.custom.is_empty() && self.attachments.is_empty())
    }
}

/// What only some types have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Particulars {
    /// Nothing more.
    None,
    /// An issue.
    Issue {
        /// Its tracker.
        tracker: TrackerId,
        /// Its status.
        status: StatusId,
    },
    /// A news item.
    News {
        /// It in short.
        summary: String,
    },
    /// A changeset.
    Changeset {
        /// The identifier of its repository, empty for the only one.
        repository: String,
        /// The number of its repository.
        repository_id: i64,
        /// Its name there.
        revision: String,
    },
    /// A forum message.
    Message {
        /// The number of its board.
        board: i64,
        /// The name of its board.
        board_name: String,
        /// The topic that it answers; `None` for a topic.
        topic: Option<i64>,
    },
}

/// Columns: id, project, created, title, text, then what only this type has.
fn reading(kind: Kind) -> (&'static str, &'static str, Columns) {
    match kind {
        Kind::Issue => {
            ("i.id, i.project_id, i.created_on, i.subject, i.description, i.tracker_id, i.status_id", "issues i", visibility::ISSUE)
        }
        Kind::News => ("n.id, n.project_id, n.created_on, n.title, n.description, n.summary", "news n", in_project("n.project_id")),
        Kind::Document => ("d.id, d.project_id, d.created_on, d.title, d.description", "documents d", in_project("d.project_id")),
        Kind::Changeset => (
            "s.id, r.project_id, s.committed_on, s.comments, NULL, r.identifier, r.id, s.revision",
            "changesets s JOIN repositories r ON r.id = s.repository_id",
            in_project("r.project_id"),
        ),
        Kind::WikiPage => (
            "p.id, w.project_id, p.created_on, p.title, v.text",
            "wiki_pages p JOIN wikis w ON w.id = p.wiki_id JOIN wiki_versions v ON v.page_id = p.id AND v.version = p.version",
            in_project("w.project_id"),
        ),
        Kind::Message => (
            "m.id, b.project_id, m.created_on, m.subject, m.content, b.id, b.name, m.parent_id",
            "messages m JOIN boards b ON b.id = m.board_id",
            in_project("b.project_id"),
        ),
        Kind::Project => ("p.id, p.id, p.created_on, p.name, p.description", "projects p", in_project("p.id")),
    }
}

/// The records with these numbers that the viewer may see, by number, with the notes that the viewer may read.
pub fn load(db: &Read<'_>, viewer: &Viewer, kind: Kind, ids: &[i64]) -> Result<HashMap<i64, Found>, StoreError> {
    let mut found = load_own(db, viewer, kind, ids)?;
    load_beside(db, viewer, kind, &mut found)?;
    Ok(found)
}

/// The first of these records, as many as fit into a page with their own texts, each without what stands beside it; and how many were
/// looked at. What the viewer may not see is left out.
pub fn load_page(db: &Read<'_>, viewer: &Viewer, hits: &[(Kind, i64)]) -> Result<(Vec<Found>, usize), StoreError> {
    let mut sizes: HashMap<(Kind, i64), usize> = HashMap::new();
    for kind in Kind::ALL {
        let ids = ids_of(hits, kind);
        if !ids.is_empty() {
            sizes.extend(text_sizes(db, kind, ids)?.into_iter().map(|(id, bytes)| ((kind, id), bytes)));
        }
    }
    let considered = page_len(hits.iter().map(|hit| sizes.get(hit).copied().unwrap_or_default())).min(hits.len());
    let mut found = Vec::with_capacity(considered);
    for kind in Kind::ALL {
        let ids = ids_of(&hits[..considered], kind);
        if !ids.is_empty() {
            found.extend(load_own(db, viewer, kind, &ids)?.into_values());
        }
    }
    Ok((found, considered))
}

fn ids_of(hits: &[(Kind, i64)], kind: Kind) -> Vec<i64> {
    hits.iter().filter(|hit| hit.0 == kind).map(|hit| hit.1).collect()
}

/// The size in bytes of the own text of each of these records, whoever may see them.
fn text_sizes(db: &Read<'_>, kind: Kind, ids: Vec<i64>) -> Result<Vec<(i64, usize)>, StoreError> {
    let (columns, tables, _) = reading(kind);
    let mut columns = columns.split(", ");
    let (id, text) = (columns.next().unwrap_or_default(), columns.nth(if kind == Kind::Changeset { 2 } else { 3 }).unwrap_or_default());
    let sql = format!("SELECT {id}, COALESCE(octet_length({text}), 0) FROM {tables} WHERE {id} IN ids(?1)");
    let rows = db.rows(&sql, &[Value::Ids(ids)], |row| Ok((row.read(0)?, row.read::<i64>(1)?)))?;
    Ok(rows.into_iter().map(|(id, bytes)| (id, usize::try_from(bytes).unwrap_or(0))).collect())
}

/// The same without what stands beside a record: notes, files and custom fields.
pub fn load_own(db: &Read<'_>, viewer: &Viewer, kind: Kind, ids: &[i64]) -> Result<HashMap<i64, Found>, StoreError> {
    let (columns, tables, facts) = reading(kind);
    let id = columns.split(',').next().unwrap_or_default();
    let mut sql = Sql::new(&format!("SELECT {columns} FROM {tables} WHERE {id} IN"));
    sql.bind_ids(ids).push(" AND ");
    condition(&mut sql, of(viewer, kind), facts);
    let rows = db.rows(sql.text(), sql.values(), |row| found(row, kind))?;
    Ok(rows.into_iter().map(|record| (record.id, record)).collect())
}

/// Adds the texts beside records of one type, as far as the viewer may read them, to records that the viewer may see.
pub fn load_beside(db: &Read<'_>, viewer: &Viewer, kind: Kind, found: &mut HashMap<i64, Found>) -> Result<(), StoreError> {
    if found.is_empty() {
        return Ok(());
    }
    let seen: Vec<i64> = found.keys().copied().collect();
    let in_project = |project| Facts { project, private: false, author: None, assignee: None, tracker: None };
    for (id, files) in attachments::texts(db, kind, &seen)? {
        let Some(record) = found.get_mut(&id) else { continue };
        if kind != Kind::Project || project_files(viewer).admits(&in_project(record.project)) {
            record.attachments = files;
        }
    }
    let searchable = searchable_fields(db.catalogue(), viewer);
    for (id, (field, text)) in if searchable.is_empty() { Vec::new() } else { custom_fields::texts(db, kind, &seen)? } {
        let Some(record) = found.get_mut(&id) else { continue };
        if searchable.iter().any(|(known, visible)| *known == field && visible.admits(&in_project(record.project))) {
            record.custom.push(text);
        }
    }
    if kind == Kind::Issue {
        let projects = found.values().map(|record| (record.id, record.project)).collect();
        for note in journals::readable(db, viewer, &projects)?.notes {
            if let Some(record) = found.get_mut(&note.issue) {
                record.notes.push(note.text);
            }
        }
    }
    Ok(())
}

fn found(row: &Row<'_>, kind: Kind) -> Result<Found, StatementError> {
    let particulars = match kind {
        Kind::Issue => Particulars::Issue { tracker: row.read(5)?, status: row.read(6)? },
        Kind::News => Particulars::News { summary: row.read(5)? },
        Kind::Changeset => Particulars::Changeset { repository: row.read(5)?, repository_id: row.read(6)?, revision: row.read(7)? },
        Kind::Message => Particulars::Message { board: row.read(5)?, board_name: row.read(6)?, topic: row.read(7)? },
        Kind::Document | Kind::WikiPage | Kind::Project => Particulars::None,
    };
    Ok(Found {
        kind,
        id: row.read(0)?,
        project: row.read(1)?,
        created_on: row.read(2)?,
        title: row.read(3)?,
        text: row.read::<Option<String>>(4)?.unwrap_or_default(),
        particulars,
        notes: Vec::new(),
        custom: Vec::new(),
        attachments: Vec::new(),
    })
}
