//! Records of search results, loaded with the visibility condition of the viewer.
//!
//! Invariant: search results show only what is loaded here, so a stale index cannot reveal a record
//! to a viewer who may not see it.

use super::engine::{Row, StatementError, Value};
use super::page_size::page_len;
use super::sql::Sql;
use super::visibility::{self, Columns, in_project, push_visible};
use super::{Read, StoreError, attachments, custom_fields, journals};
use crate::domain::ids::{ProjectId, StatusId, TrackerId, UserId};
use crate::domain::kind::Kind;
use crate::domain::viewer::Viewer;
use crate::domain::visibility::{of_kind, project_files, searchable_fields};
use crate::domain::visible::AccessAttributes;
use jiff::Timestamp;
use std::collections::HashMap;

/// A record of a search result.
#[derive(Clone, Debug)]
pub struct SearchRecord {
    /// Its content type.
    pub kind: Kind,
    /// Its id.
    pub id: i64,
    /// Its project.
    pub project: ProjectId,
    /// When it was created.
    pub created_on: Timestamp,
    /// Subject, title or name; the whole message of a changeset.
    pub title: String,
    /// Description, content or text, as markup.
    pub text: String,
    /// Whether there is a text, even if it is empty.
    pub has_text: bool,
    /// Its author, or of a wiki page that of the current version; `None` for documents, projects
    /// and unknown committers.
    pub author: Option<UserId>,
    /// Attributes of some content types only.
    pub details: Details,
    /// Notes that the viewer may read, in their order.
    pub notes: Vec<String>,
    /// Values of searchable custom fields that the viewer may see.
    pub custom: Vec<String>,
    /// Names and descriptions of its attachments, if the viewer may see them.
    pub attachments: Vec<String>,
}

impl SearchRecord {
    /// Whether it has notes, custom field values or attachments.
    pub fn has_related_texts(&self) -> bool {
        !(self.notes.is_empty() && self.custom.is_empty() && self.attachments.is_empty())
    }
}

/// Attributes of some content types only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Details {
    /// No further attributes.
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
        /// Its summary; empty if there is none.
        summary: String,
    },
    /// A changeset.
    Changeset {
        /// The identifier of its repository; empty for the main repository.
        repository: String,
        /// The id of its repository.
        repository_id: i64,
        /// The revision in the repository.
        revision: String,
        /// The committer, as in the repository.
        committer: String,
    },
    /// A forum message.
    Message {
        /// The id of its board.
        board: i64,
        /// The name of its board.
        board_name: String,
        /// The topic to which it is a reply; `None` for a topic.
        topic: Option<i64>,
    },
}

/// Returns columns, tables and visibility columns of a content type. Columns: id, project, created,
/// title, text, author, then those of [`Details`].
fn source_of(kind: Kind) -> (&'static str, &'static str, Columns) {
    match kind {
        Kind::Issue => (
            "i.id, i.project_id, i.created_on, i.subject, i.description, i.author_id, i.tracker_id, i.status_id",
            "issues i",
            visibility::ISSUE_UNINDEXED,
        ),
        Kind::News => (
            "n.id, n.project_id, n.created_on, n.title, n.description, n.author_id, n.summary",
            "news n",
            in_project("n.project_id"),
        ),
        Kind::Document => (
            "d.id, d.project_id, d.created_on, d.title, d.description, NULL",
            "documents d",
            in_project("d.project_id"),
        ),
        Kind::Changeset => (
            "s.id, r.project_id, s.committed_on, s.comments, NULL, s.user_id, r.identifier, r.id, s.revision, s.committer",
            "changesets s JOIN repositories r ON r.id = s.repository_id",
            in_project("r.project_id"),
        ),
        Kind::WikiPage => (
            "p.id, w.project_id, p.created_on, p.title, v.text, v.author_id",
            "wiki_pages p JOIN wikis w ON w.id = p.wiki_id JOIN wiki_versions v ON v.page_id = p.id AND v.version = p.version",
            in_project("w.project_id"),
        ),
        Kind::Message => (
            "m.id, b.project_id, m.created_on, m.subject, m.content, m.author_id, b.id, b.name, m.parent_id",
            "messages m JOIN boards b ON b.id = m.board_id",
            in_project("b.project_id"),
        ),
        Kind::Project => (
            "p.id, p.id, p.created_on, p.name, p.description, NULL",
            "projects p",
            in_project("p.id"),
        ),
    }
}

/// Returns those of these records that the viewer may see, by id, with notes, custom fields and
/// attachments.
pub fn load_with_related(
    db: &Read<'_>,
    viewer: &Viewer,
    kind: Kind,
    ids: &[i64],
) -> Result<HashMap<i64, SearchRecord>, StoreError> {
    let mut records = load(db, viewer, kind, ids)?;
    load_related(db, viewer, kind, &mut records)?;
    Ok(records)
}

/// Returns the first of these records, as many as fit into the maximum size of a page, without
/// related texts, and how many hits that covers. Records that the viewer may not see are omitted.
pub fn load_page(
    db: &Read<'_>,
    viewer: &Viewer,
    hits: &[(Kind, i64)],
) -> Result<(Vec<SearchRecord>, usize), StoreError> {
    let mut sizes: HashMap<(Kind, i64), usize> = HashMap::new();
    for kind in Kind::ALL {
        let ids = ids_of(hits, kind);
        if !ids.is_empty() {
            sizes.extend(
                text_sizes(db, kind, ids)?
                    .into_iter()
                    .map(|(id, bytes)| ((kind, id), bytes)),
            );
        }
    }
    let considered = page_len(
        hits.iter()
            .map(|hit| sizes.get(hit).copied().unwrap_or_default()),
    )
    .min(hits.len());
    let mut records = Vec::with_capacity(considered);
    for kind in Kind::ALL {
        let ids = ids_of(&hits[..considered], kind);
        if !ids.is_empty() {
            records.extend(load(db, viewer, kind, &ids)?.into_values());
        }
    }
    Ok((records, considered))
}

fn ids_of(hits: &[(Kind, i64)], kind: Kind) -> Vec<i64> {
    hits.iter()
        .filter(|hit| hit.0 == kind)
        .map(|hit| hit.1)
        .collect()
}

/// Returns the size in bytes of the text of each of these records, visible or not.
fn text_sizes(db: &Read<'_>, kind: Kind, ids: Vec<i64>) -> Result<Vec<(i64, usize)>, StoreError> {
    let (columns, tables, _) = source_of(kind);
    let mut columns = columns.split(", ");
    let id = columns.next().unwrap_or_default();
    let text = columns
        .nth(if kind == Kind::Changeset { 2 } else { 3 })
        .unwrap_or_default();
    let sql = format!(
        "SELECT {id}, COALESCE(octet_length({text}), 0) FROM {tables} WHERE {id} IN ids(?1)"
    );
    let rows = db.rows(&sql, &[Value::Ids(ids)], |row| {
        Ok((row.get(0)?, row.get::<i64>(1)?))
    })?;
    Ok(rows
        .into_iter()
        .map(|(id, bytes)| (id, usize::try_from(bytes).unwrap_or(0)))
        .collect())
}

/// Returns those of these records that the viewer may see, by id, without related texts: notes,
/// custom fields and attachments.
pub fn load(
    db: &Read<'_>,
    viewer: &Viewer,
    kind: Kind,
    ids: &[i64],
) -> Result<HashMap<i64, SearchRecord>, StoreError> {
    let (columns, tables, visibility_columns) = source_of(kind);
    let id = columns.split(',').next().unwrap_or_default();
    let mut sql = Sql::new(&format!("SELECT {columns} FROM {tables} WHERE {id} IN"));
    sql.bind_ids(ids).push(" AND ");
    push_visible(&mut sql, of_kind(viewer, kind), visibility_columns);
    let rows = db.rows(sql.text(), sql.values(), |row| from_row(row, kind))?;
    Ok(rows.into_iter().map(|record| (record.id, record)).collect())
}

/// Adds the related texts that the viewer may see to visible records of one type.
pub fn load_related(
    db: &Read<'_>,
    viewer: &Viewer,
    kind: Kind,
    records: &mut HashMap<i64, SearchRecord>,
) -> Result<(), StoreError> {
    if records.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = records.keys().copied().collect();
    let in_project = |project| AccessAttributes {
        project,
        private: false,
        author: None,
        assignee: None,
        tracker: None,
    };
    for (id, files) in attachments::texts(db, kind, &ids)? {
        let Some(record) = records.get_mut(&id) else {
            continue;
        };
        if kind != Kind::Project || project_files(viewer).matches(&in_project(record.project)) {
            record.attachments = files;
        }
    }
    let searchable = searchable_fields(db.catalogue(), viewer);
    for (id, (field, text)) in if searchable.is_empty() {
        Vec::new()
    } else {
        custom_fields::texts(db, kind, &ids)?
    } {
        let Some(record) = records.get_mut(&id) else {
            continue;
        };
        if searchable
            .iter()
            .any(|(id, visible)| *id == field && visible.matches(&in_project(record.project)))
        {
            record.custom.push(text);
        }
    }
    if kind == Kind::Issue {
        let projects = records
            .values()
            .map(|record| (record.id, record.project))
            .collect();
        for note in journals::readable_notes(db, viewer, &projects)?.notes {
            if let Some(record) = records.get_mut(&note.issue) {
                record.notes.push(note.text);
            }
        }
    }
    Ok(())
}

fn from_row(row: &Row<'_>, kind: Kind) -> Result<SearchRecord, StatementError> {
    let details = match kind {
        Kind::Issue => Details::Issue {
            tracker: row.get(6)?,
            status: row.get(7)?,
        },
        Kind::News => Details::News {
            summary: row.get::<Option<String>>(6)?.unwrap_or_default(),
        },
        Kind::Changeset => Details::Changeset {
            repository: row.get(6)?,
            repository_id: row.get(7)?,
            revision: row.get(8)?,
            committer: row.get(9)?,
        },
        Kind::Message => Details::Message {
            board: row.get(6)?,
            board_name: row.get(7)?,
            topic: row.get(8)?,
        },
        Kind::Document | Kind::WikiPage | Kind::Project => Details::None,
    };
    let text: Option<String> = row.get(4)?;
    Ok(SearchRecord {
        kind,
        id: row.get(0)?,
        project: row.get(1)?,
        created_on: row.get(2)?,
        title: row.get(3)?,
        has_text: text.is_some(),
        text: text.unwrap_or_default(),
        author: row.get(5)?,
        details,
        notes: Vec::new(),
        custom: Vec::new(),
        attachments: Vec::new(),
    })
}
