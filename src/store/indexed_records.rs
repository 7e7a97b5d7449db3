//! The records as the search index reads them: attributes and texts, without a visibility
//! condition. Not for responses to users.

use super::engine::{Row, StatementError, Value};
use super::page_size::page_len;
use super::{Read, StoreError, attachments, custom_fields, journals};
use crate::domain::ids::{
    CategoryId, CustomFieldId, EnumerationId, PrincipalId, ProjectId, StatusId, TrackerId, UserId,
    VersionId,
};
use crate::domain::kind::Kind;
use crate::domain::visible::AccessAttributes;
use jiff::Timestamp;
use std::collections::HashMap;

/// A record with its attributes and texts.
#[derive(Clone, Debug)]
pub struct IndexedRecord {
    /// Its content type.
    pub kind: Kind,
    /// Its id.
    pub id: i64,
    /// The sequence number of its last change.
    pub change: i64,
    /// Its project; a project is its own.
    pub project: ProjectId,
    /// Whether it is marked private.
    pub private: bool,
    /// Its status, for an issue.
    pub status: Option<StatusId>,
    /// Its author.
    pub author: Option<UserId>,
    /// Its assignee.
    pub assignee: Option<PrincipalId>,
    /// Its tracker, for an issue.
    pub tracker: Option<TrackerId>,
    /// Its priority, for an issue.
    pub priority: Option<EnumerationId>,
    /// Its target version, for an issue.
    pub version: Option<VersionId>,
    /// Its category, for an issue.
    pub category: Option<CategoryId>,
    /// When it was created.
    pub created_on: Timestamp,
    /// When it was last updated.
    pub updated_on: Timestamp,
    /// Its texts by field name of `index-schema/`. A name may occur several times.
    pub fields: Vec<(&'static str, String)>,
    /// Private notes with their authors: not everyone who may see the record may read them.
    pub restricted: Vec<(UserId, String)>,
    /// Values of custom fields: not everyone who may see the record may see each field.
    pub custom: Vec<(CustomFieldId, String)>,
}

impl IndexedRecord {
    /// Returns the size of all texts in bytes.
    pub fn text_bytes(&self) -> usize {
        let texts = self.fields.iter().map(|(_, text)| text);
        let texts = texts
            .chain(self.restricted.iter().map(|(_, text)| text))
            .chain(self.custom.iter().map(|(_, text)| text));
        texts.map(String::len).sum()
    }

    /// Returns the attributes that decide who may see it.
    pub fn access_attributes(&self) -> AccessAttributes {
        AccessAttributes {
            project: self.project,
            private: self.private,
            author: self.author,
            assignee: self.assignee,
            tracker: self.tracker,
        }
    }
}

/// Where the records of a content type come from. The columns of a row: id, change, project,
/// private, status, author, assignee, created, updated, tracker, priority, version, category,
/// texts.
struct TableSource {
    columns: &'static str,
    tables: &'static str,
    id: &'static str,
    fields: &'static [&'static str],
}

fn source_of(kind: Kind) -> TableSource {
    match kind {
        Kind::Issue => TableSource {
            columns: "i.project_id, i.is_private, i.status_id, i.author_id, i.assigned_to_id, i.created_on, i.updated_on, \
                      i.tracker_id, i.priority_id, i.fixed_version_id, i.category_id, i.subject, i.description",
            tables: "issues i",
            id: "i.id",
            fields: &["subject", "description"],
        },
        Kind::News => TableSource {
            columns: "n.project_id, 0, NULL, n.author_id, NULL, n.created_on, n.created_on, NULL, NULL, NULL, NULL, n.title, n.summary, n.description",
            tables: "news n",
            id: "n.id",
            fields: &["title", "summary", "description"],
        },
        Kind::Document => TableSource {
            columns: "d.project_id, 0, NULL, NULL, NULL, d.created_on, d.created_on, NULL, NULL, NULL, NULL, d.title, d.description",
            tables: "documents d",
            id: "d.id",
            fields: &["title", "description"],
        },
        Kind::Changeset => TableSource {
            columns: "r.project_id, 0, NULL, s.user_id, NULL, s.committed_on, s.committed_on, NULL, NULL, NULL, NULL, s.comments",
            tables: "changesets s JOIN repositories r ON r.id = s.repository_id",
            id: "s.id",
            fields: &["comments"],
        },
        Kind::WikiPage => TableSource {
            columns: "w.project_id, 0, NULL, v.author_id, NULL, p.created_on, v.updated_on, NULL, NULL, NULL, NULL, p.title, v.text",
            tables: "wiki_pages p JOIN wikis w ON w.id = p.wiki_id JOIN wiki_versions v ON v.page_id = p.id AND v.version = p.version",
            id: "p.id",
            fields: &["title", "text"],
        },
        Kind::Message => TableSource {
            columns: "b.project_id, 0, NULL, m.author_id, NULL, m.created_on, m.updated_on, NULL, NULL, NULL, NULL, m.subject, m.content",
            tables: "messages m JOIN boards b ON b.id = m.board_id",
            id: "m.id",
            fields: &["subject", "content"],
        },
        Kind::Project => TableSource {
            columns: "p.id, 0, NULL, NULL, NULL, p.created_on, p.updated_on, NULL, NULL, NULL, NULL, p.name, p.identifier, p.description",
            tables: "projects p",
            id: "p.id",
            fields: &["name", "identifier", "description"],
        },
    }
}

/// Returns those of these records that exist.
pub fn load(db: &Read<'_>, kind: Kind, ids: &[i64]) -> Result<Vec<IndexedRecord>, StoreError> {
    let id = source_of(kind).id;
    query(
        db,
        kind,
        &format!("WHERE {id} IN ids(?2) ORDER BY {id}"),
        &[Value::Ids(ids.to_vec())],
    )
}

/// Returns records with ids greater than `after` by id, at most `limit` and about as many as fit
/// into the maximum size of a page. An empty list means that there are no more.
pub fn load_page(
    db: &Read<'_>,
    kind: Kind,
    after: i64,
    limit: usize,
) -> Result<Vec<IndexedRecord>, StoreError> {
    let TableSource { tables, id, .. } = source_of(kind);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let ids = db.column(
        &format!("SELECT {id} FROM {tables} WHERE {id} > ?1 ORDER BY {id} LIMIT ?2"),
        &[after.into(), limit.into()],
    )?;
    match split_by_size(db, kind, ids)?.into_iter().next() {
        Some(ids) => load(db, kind, &ids),
        None => Ok(Vec::new()),
    }
}

/// Splits the ids into batches whose texts fit into the maximum size of a page, in their order.
pub fn split_by_size(
    db: &Read<'_>,
    kind: Kind,
    mut ids: Vec<i64>,
) -> Result<Vec<Vec<i64>>, StoreError> {
    let mut sizes: HashMap<i64, usize> = HashMap::new();
    let TableSource {
        columns,
        tables,
        id,
        ..
    } = source_of(kind);
    let text = columns.rsplit(", ").next().unwrap_or_default();
    let texts = format!(
        "SELECT {id}, COALESCE(octet_length({text}), 0) FROM {tables} WHERE {id} IN ids(?1)"
    );
    let notes = "SELECT issue_id, SUM(octet_length(notes)) FROM journals WHERE issue_id IN ids(?1) AND notes IS NOT NULL GROUP BY issue_id";
    for sql in std::iter::once(texts.as_str()).chain((kind == Kind::Issue).then_some(notes)) {
        for (id, bytes) in db.rows(sql, &[Value::Ids(ids.clone())], |row| {
            Ok((row.next::<i64>()?, row.next::<i64>()?))
        })? {
            *sizes.entry(id).or_default() += usize::try_from(bytes).unwrap_or(0);
        }
    }
    let mut batches = Vec::new();
    while !ids.is_empty() {
        let rest = ids.split_off(page_len(
            ids.iter()
                .map(|id| sizes.get(id).copied().unwrap_or_default()),
        ));
        batches.push(std::mem::replace(&mut ids, rest));
    }
    Ok(batches)
}

/// Returns id, last change and project of every record of a type, to verify the index.
pub fn stamps(db: &Read<'_>, kind: Kind) -> Result<Vec<(i64, i64, ProjectId)>, StoreError> {
    let TableSource {
        columns,
        tables,
        id,
        ..
    } = source_of(kind);
    let project = columns.split(',').next().unwrap_or_default();
    let sql = format!(
        "SELECT {id}, COALESCE(c.seq, 0), {project} FROM {tables} LEFT JOIN changes c ON c.kind = ?1 AND c.id = {id} ORDER BY {id}"
    );
    db.rows(&sql, &[i64::from(kind.code()).into()], |row| {
        Ok((row.next()?, row.next()?, row.next()?))
    })
}

fn query(
    db: &Read<'_>,
    kind: Kind,
    clause: &str,
    clause_values: &[Value],
) -> Result<Vec<IndexedRecord>, StoreError> {
    let TableSource {
        columns,
        tables,
        id,
        fields,
    } = source_of(kind);
    let sql = format!(
        "SELECT {id}, COALESCE(c.seq, 0), {columns} FROM {tables} LEFT JOIN changes c ON c.kind = ?1 AND c.id = {id} {clause}"
    );
    let mut values = vec![i64::from(kind.code()).into()];
    values.extend_from_slice(clause_values);
    let mut records = db.rows(&sql, &values, |row| from_row(row, kind, fields))?;
    let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
    let mut files = attachments::texts(db, kind, &ids)?;
    // Not everyone who may see a project may see its files; see
    // `domain::visibility::project_files`.
    let files_field = if kind == Kind::Project {
        "project_files"
    } else {
        "attachments"
    };
    let positions: HashMap<i64, usize> = ids
        .iter()
        .enumerate()
        .map(|(position, id)| (*id, position))
        .collect();
    for record in &mut records {
        record.fields.extend(
            files
                .remove(&record.id)
                .into_iter()
                .flatten()
                .map(|text| (files_field, text)),
        );
    }
    for (id, text) in custom_fields::texts(db, kind, &ids)? {
        if let Some(record) = positions
            .get(&id)
            .and_then(|position| records.get_mut(*position))
        {
            record.custom.push(text);
        }
    }
    if kind == Kind::Issue {
        for note in journals::notes(db, &ids)? {
            let Some(record) = positions
                .get(&note.issue)
                .and_then(|position| records.get_mut(*position))
            else {
                continue;
            };
            match note.private {
                true => record.restricted.push((note.author, note.text)),
                false => record.fields.push(("notes", note.text)),
            }
        }
    }
    Ok(records)
}

fn from_row(
    row: &Row<'_>,
    kind: Kind,
    names: &'static [&'static str],
) -> Result<IndexedRecord, StatementError> {
    let mut fields = Vec::with_capacity(names.len() + 2);
    for (index, name) in names.iter().enumerate() {
        let text: Option<String> = row.get(13 + index)?;
        let text = text.unwrap_or_default();
        if kind == Kind::Changeset {
            // A message's first line is its title (compatibility 10).
            let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
            fields.extend([
                ("first_line", first.trim_end().to_owned()),
                ("rest", rest.to_owned()),
            ]);
        } else if !text.is_empty() {
            fields.push((name, text));
        }
    }
    Ok(IndexedRecord {
        kind,
        id: row.next()?,
        change: row.next()?,
        project: row.next()?,
        private: row.next()?,
        status: row.next()?,
        author: row.next()?,
        assignee: row.next()?,
        created_on: row.next()?,
        updated_on: row.next()?,
        tracker: row.next()?,
        priority: row.next()?,
        version: row.next()?,
        category: row.next()?,
        fields,
        restricted: Vec::new(),
        custom: Vec::new(),
    })
}
