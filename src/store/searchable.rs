//! The records as the search index reads them: facts and texts, for whomever. Who shows them asks first.

use super::engine::{Row, StatementError, Value};
use super::page_size::page_len;
use super::{Read, StoreError, attachments, custom_fields, journals};
use crate::domain::ids::{CategoryId, CustomFieldId, EnumerationId, PrincipalId, ProjectId, StatusId, TrackerId, UserId, VersionId};
use crate::domain::kind::Kind;
use crate::domain::visibility::Facts;
use jiff::Timestamp;
use std::collections::HashMap;

/// A record with its texts.
#[derive(Clone, Debug)]
pub struct Source {
    /// What it is.
    pub kind: Kind,
    /// Its number.
    pub id: i64,
    /// The number of its last change.
    pub change: i64,
    /// The project to which it belongs; a project belongs to itself.
    pub project: ProjectId,
    /// Whether it is marked private.
    pub private: bool,
    /// Its status, for an issue.
    pub status: Option<StatusId>,
    /// Who wrote it.
    pub author: Option<UserId>,
    /// To whom it is assigned.
    pub assignee: Option<PrincipalId>,
    /// Its tracker, for an issue.
    pub tracker: Option<TrackerId>,
    /// Its priority, for an issue.
    pub priority: Option<EnumerationId>,
    /// The version for which it is planned, for an issue.
    pub version: Option<VersionId>,
    /// Its category, for an issue.
    pub category: Option<CategoryId>,
    /// When it was made.
    pub created_on: Timestamp,
    /// When it was last changed.
    pub updated_on: Timestamp,
    /// Its texts by name: the names that `index-schema/` knows. A name may stand there more than once.
    pub fields: Vec<(&'static str, String)>,
    /// Texts that not everyone may read who may see the record: private notes, with their authors.
    pub restricted: Vec<(UserId, String)>,
    /// Values of custom fields, of which not everyone may read each.
    pub custom: Vec<(CustomFieldId, String)>,
}

impl Source {
    /// Bytes of all texts.
    pub fn text_bytes(&self) -> usize {
        let texts = self.fields.iter().map(|(_, text)| text);
        let texts = texts.chain(self.restricted.iter().map(|(_, text)| text)).chain(self.custom.iter().map(|(_, text)| text));
        texts.map(String::len).sum()
    }

    /// What decides who may see it.
    pub fn facts(&self) -> Facts {
        Facts { project: self.project, private: self.private, author: self.author, assignee: self.assignee, tracker: self.tracker }
    }
}

/// How a content type is read. Columns: id, change, project, private, status, author, assignee, created, updated, tracker, priority,
/// version, category, texts.
struct Reading {
    columns: &'static str,
    tables: &'static str,
    id: &'static str,
    fields: &'static [&'static str],
}

fn reading(kind: Kind) -> Reading {
    match kind {
        Kind::Issue => Reading {
            columns: "i.project_id, i.is_private, i.status_id, i.author_id, i.assigned_to_id, i.created_on, i.updated_on, \
                      i.tracker_id, i.priority_id, i.fixed_version_id, i.category_id, i.subject, i.description",
            tables: "issues i",
            id: "i.id",
            fields: &["subject", "description"],
        },
        Kind::News => Reading {
            columns: "n.project_id, 0, NULL, n.author_id, NULL, n.created_on, n.created_on, NULL, NULL, NULL, NULL, n.title, n.summary, n.description",
            tables: "news n",
            id: "n.id",
            fields: &["title", "summary", "description"],
        },
        Kind::Document => Reading {
            columns: "d.project_id, 0, NULL, NULL, NULL, d.created_on, d.created_on, NULL, NULL, NULL, NULL, d.title, d.description",
            tables: "documents d",
            id: "d.id",
            fields: &["title", "description"],
        },
        Kind::Changeset => Reading {
            columns: "r.project_id, 0, NULL, s.user_id, NULL, s.committed_on, s.committed_on, NULL, NULL, NULL, NULL, s.comments",
            tables: "changesets s JOIN repositories r ON r.id = s.repository_id",
            id: "s.id",
            fields: &["comments"],
        },
        Kind::WikiPage => Reading {
            columns: "w.project_id, 0, NULL, v.author_id, NULL, p.created_on, v.updated_on, NULL, NULL, NULL, NULL, p.title, v.text",
            tables: "wiki_pages p JOIN wikis w ON w.id = p.wiki_id JOIN wiki_versions v ON v.page_id = p.id AND v.version = p.version",
            id: "p.id",
            fields: &["title", "text"],
        },
        Kind::Message => Reading {
            columns: "b.project_id, 0, NULL, m.author_id, NULL, m.created_on, m.updated_on, NULL, NULL, NULL, NULL, m.subject, m.content",
            tables: "messages m JOIN boards b ON b.id = m.board_id",
            id: "m.id",
            fields: &["subject", "content"],
        },
        Kind::Project => Reading {
            columns: "p.id, 0, NULL, NULL, NULL, p.created_on, p.updated_on, NULL, NULL, NULL, NULL, p.name, p.identifier, p.description",
            tables: "projects p",
            id: "p.id",
            fields: &["name", "identifier", "description"],
        },
    }
}

/// The records with these numbers; those that are gone are not in it.
pub fn load(db: &Read<'_>, kind: Kind, ids: &[i64]) -> Result<Vec<Source>, StoreError> {
    let id = reading(kind).id;
    listed(db, kind, &format!("WHERE {id} IN ids(?2) ORDER BY {id}"), &[Value::Ids(ids.to_vec())])
}

/// The records with numbers above `after`, in their order, at most `limit` and not many more texts than fit into a page. None is left
/// when none is answered.
pub fn page(db: &Read<'_>, kind: Kind, after: i64, limit: usize) -> Result<Vec<Source>, StoreError> {
    let Reading { tables, id, .. } = reading(kind);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let ids = db.column(&format!("SELECT {id} FROM {tables} WHERE {id} > ?1 ORDER BY {id} LIMIT ?2"), &[after.into(), limit.into()])?;
    match parts(db, kind, ids)?.into_iter().next() {
        Some(ids) => load(db, kind, &ids),
        None => Ok(Vec::new()),
    }
}

/// The ids of records divided into parts whose texts are not larger than a page, in their order.
pub fn parts(db: &Read<'_>, kind: Kind, mut ids: Vec<i64>) -> Result<Vec<Vec<i64>>, StoreError> {
    let mut sizes: HashMap<i64, usize> = HashMap::new();
    let Reading { columns, tables, id, .. } = reading(kind);
    let text = columns.rsplit(", ").next().unwrap_or_default();
    let texts = format!("SELECT {id}, COALESCE(octet_length({text}), 0) FROM {tables} WHERE {id} IN ids(?1)");
    let notes = "SELECT issue_id, SUM(octet_length(notes)) FROM journals WHERE issue_id IN ids(?1) AND notes IS NOT NULL GROUP BY issue_id";
    for sql in std::iter::once(texts.as_str()).chain((kind == Kind::Issue).then_some(notes)) {
        for (id, bytes) in db.rows(sql, &[Value::Ids(ids.clone())], |row| Ok((row.read::<i64>(0)?, row.read::<i64>(1)?)))? {
            *sizes.entry(id).or_default() += usize::try_from(bytes).unwrap_or(0);
        }
    }
    let mut parts = Vec::new();
    while !ids.is_empty() {
        let rest = ids.split_off(page_len(ids.iter().map(|id| sizes.get(id).copied().unwrap_or_default())));
        parts.push(std::mem::replace(&mut ids, rest));
    }
    Ok(parts)
}

/// Number, last change and project of every record of a type: what an index is compared with.
pub fn stamps(db: &Read<'_>, kind: Kind) -> Result<Vec<(i64, i64, ProjectId)>, StoreError> {
    let Reading { columns, tables, id, .. } = reading(kind);
    let project = columns.split(',').next().unwrap_or_default();
    let sql = format!(
        "SELECT {id}, COALESCE(c.seq, 0), {project} FROM {tables} LEFT JOIN changes c ON c.kind = ?1 AND c.id = {id} ORDER BY {id}"
    );
    db.rows(&sql, &[i64::from(kind.code()).into()], |row| Ok((row.read(0)?, row.read(1)?, row.read(2)?)))
}

fn listed(db: &Read<'_>, kind: Kind, clause: &str, more: &[Value]) -> Result<Vec<Source>, StoreError> {
    let Reading { columns, tables, id, fields } = reading(kind);
    let sql =
        format!("SELECT {id}, COALESCE(c.seq, 0), {columns} FROM {tables} LEFT JOIN changes c ON c.kind = ?1 AND c.id = {id} {clause}");
    let mut values = vec![i64::from(kind.code()).into()];
    values.extend_from_slice(more);
    let mut sources = db.rows(&sql, &values, |row| source(row, kind, fields))?;
    let ids: Vec<i64> = sources.iter().map(|source| source.id).collect();
    let mut files = attachments::texts(db, kind, &ids)?;
    // Not everybody who sees a project may see its files; see `domain::visibility::project_files`.
    let files_field = if kind == Kind::Project { "project_files" } else { "attachments" };
    let places: HashMap<i64, usize> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    for source in &mut sources {
        source.fields.extend(files.remove(&source.id).into_iter().flatten().map(|text| (files_field, text)));
    }
    for (id, text) in custom_fields::texts(db, kind, &ids)? {
        if let Some(source) = places.get(&id).and_then(|place| sources.get_mut(*place)) {
            source.custom.push(text);
        }
    }
    if kind == Kind::Issue {
        for note in journals::notes(db, &ids)? {
            let Some(source) = places.get(&note.issue).and_then(|place| sources.get_mut(*place)) else { continue };
            match note.private {
                true => source.restricted.push((note.author, note.text)),
                false => source.fields.push(("notes", note.text)),
            }
        }
    }
    Ok(sources)
}

fn source(row: &Row<'_>, kind: Kind, names: &'static [&'static str]) -> Result<Source, StatementError> {
    let mut fields = Vec::with_capacity(names.len() + 2);
    for (place, name) in names.iter().enumerate() {
        let text: Option<String> = row.read(13 + place)?;
        let text = text.unwrap_or_default();
        if kind == Kind::Changeset {
            // A message's first line is its title (contract 8).
            let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
            fields.extend([("first_line", first.trim_end().to_owned()), ("rest", rest.to_owned())]);
        } else if !text.is_empty() {
            fields.push((name, text));
        }
    }
    Ok(Source {
        kind,
        id: row.read(0)?,
        change: row.read(1)?,
        project: row.read(2)?,
        private: row.read(3)?,
        status: row.read(4)?,
        author: row.read(5)?,
        assignee: row.read(6)?,
        created_on: row.read(7)?,
        updated_on: row.read(8)?,
        tracker: row.read(9)?,
        priority: row.read(10)?,
        version: row.read(11)?,
        category: row.read(12)?,
        fields,
        restricted: Vec::new(),
        custom: Vec::new(),
    })
}
