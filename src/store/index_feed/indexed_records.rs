//! The records as the search index reads them: attributes and texts, without a visibility
//! condition. Not for responses to users.

use crate::administration::custom_fields;
use crate::content::attachments;
use crate::engine::{Row, StatementError, Value};
use crate::issues::journals;
use crate::lists::page_size::page_len;
use crate::{Read, StoreError};
use quarry_domain::ids::ProjectId;
use quarry_domain::index_feed::indexed_record::IndexedRecord;
use quarry_domain::index_feed::kind::Kind;
use std::collections::HashMap;

/// Where the records of a content type come from: tables, and the columns in the order of
/// [`IndexedRecord`].
struct TableSource {
    tables: &'static str,
    id: &'static str,
    project: &'static str,
    attributes: Attributes,
    created_on: &'static str,
    updated_on: &'static str,
    /// The texts: names of fields with their columns, the longest text last.
    texts: &'static [(&'static str, &'static str)],
}

/// The columns of attributes that some types of records have.
struct Attributes {
    private: &'static str,
    status: &'static str,
    author: &'static str,
    assignee: &'static str,
    tracker: &'static str,
    priority: &'static str,
    version: &'static str,
    category: &'static str,
}

impl Attributes {
    /// The attributes of records that have an author at most.
    const fn with_author(author: &'static str) -> Attributes {
        Attributes {
            private: "0",
            status: "NULL",
            author,
            assignee: "NULL",
            tracker: "NULL",
            priority: "NULL",
            version: "NULL",
            category: "NULL",
        }
    }
}

impl TableSource {
    fn for_kind(kind: Kind) -> TableSource {
        match kind {
            Kind::Issue => TableSource {
                tables: "issues i",
                id: "i.id",
                project: "i.project_id",
                attributes: Attributes {
                    private: "i.is_private",
                    status: "i.status_id",
                    author: "i.author_id",
                    assignee: "i.assigned_to_id",
                    tracker: "i.tracker_id",
                    priority: "i.priority_id",
                    version: "i.fixed_version_id",
                    category: "i.category_id",
                },
                created_on: "i.created_on",
                updated_on: "i.updated_on",
                texts: &[("subject", "i.subject"), ("description", "i.description")],
            },
            Kind::News => TableSource {
                tables: "news n",
                id: "n.id",
                project: "n.project_id",
                attributes: Attributes::with_author("n.author_id"),
                created_on: "n.created_on",
                updated_on: "n.created_on",
                texts: &[
                    ("title", "n.title"),
                    ("summary", "n.summary"),
                    ("description", "n.description"),
                ],
            },
            Kind::Document => TableSource {
                tables: "documents d",
                id: "d.id",
                project: "d.project_id",
                attributes: Attributes::with_author("NULL"),
                created_on: "d.created_on",
                updated_on: "d.created_on",
                texts: &[("title", "d.title"), ("description", "d.description")],
            },
            Kind::Changeset => TableSource {
                tables: "changesets s JOIN repositories r ON r.id = s.repository_id",
                id: "s.id",
                project: "r.project_id",
                attributes: Attributes::with_author("s.user_id"),
                created_on: "s.committed_on",
                updated_on: "s.committed_on",
                texts: &[("comments", "s.comments")],
            },
            Kind::WikiPage => TableSource {
                tables: "wiki_pages p JOIN wikis w ON w.id = p.wiki_id JOIN wiki_versions v ON v.page_id = p.id AND v.version = p.version",
                id: "p.id",
                project: "w.project_id",
                attributes: Attributes::with_author("v.author_id"),
                created_on: "p.created_on",
                updated_on: "v.updated_on",
                texts: &[("title", "p.title"), ("text", "v.text")],
            },
            Kind::Message => TableSource {
                tables: "messages m JOIN boards b ON b.id = m.board_id",
                id: "m.id",
                project: "b.project_id",
                attributes: Attributes::with_author("m.author_id"),
                created_on: "m.created_on",
                updated_on: "m.updated_on",
                texts: &[("subject", "m.subject"), ("content", "m.content")],
            },
            Kind::Project => TableSource {
                tables: "projects p",
                id: "p.id",
                project: "p.id",
                attributes: Attributes::with_author("NULL"),
                created_on: "p.created_on",
                updated_on: "p.updated_on",
                texts: &[
                    ("name", "p.name"),
                    ("identifier", "p.identifier"),
                    ("description", "p.description"),
                ],
            },
        }
    }

    /// Returns a `SELECT` of records with their last changes, whose first parameter is the code of
    /// the content type.
    fn select(&self, columns: &[&str]) -> String {
        let TableSource { tables, id, .. } = self;
        let columns = columns.join(", ");
        format!(
            "SELECT {id}, COALESCE(c.seq, 0), {columns} FROM {tables} LEFT JOIN changes c ON c.kind = ?1 AND c.id = {id}"
        )
    }

    /// Returns the columns after id and change.
    fn columns(&self) -> Vec<&'static str> {
        let attributes = &self.attributes;
        let mut columns = vec![
            self.project,
            attributes.private,
            attributes.status,
            attributes.author,
            attributes.assignee,
            attributes.tracker,
            attributes.priority,
            attributes.version,
            attributes.category,
            self.created_on,
            self.updated_on,
        ];
        columns.extend(self.texts.iter().map(|(_, column)| *column));
        columns
    }
}

fn from_row(
    row: &Row<'_>,
    kind: Kind,
    texts: &'static [(&'static str, &'static str)],
) -> Result<IndexedRecord, StatementError> {
    Ok(IndexedRecord {
        kind,
        id: row.next()?,
        change: row.next()?,
        project: row.next()?,
        private: row.next()?,
        status: row.next()?,
        author: row.next()?,
        assignee: row.next()?,
        tracker: row.next()?,
        priority: row.next()?,
        version: row.next()?,
        category: row.next()?,
        created_on: row.next()?,
        updated_on: row.next()?,
        fields: fields_from_row(row, kind, texts)?,
        ..IndexedRecord::default()
    })
}

fn fields_from_row(
    row: &Row<'_>,
    kind: Kind,
    texts: &'static [(&'static str, &'static str)],
) -> Result<Vec<(&'static str, String)>, StatementError> {
    let mut fields = Vec::with_capacity(texts.len() + 2);
    for (name, _) in texts {
        let text = row.next::<Option<String>>()?.unwrap_or_default();
        if kind == Kind::Changeset {
            // A message's first line is its title (compatibility 10).
            let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
            fields.extend([
                ("first_line", first.trim_end().to_owned()),
                ("rest", rest.to_owned()),
            ]);
        } else if !text.is_empty() {
            fields.push((*name, text));
        }
    }
    Ok(fields)
}

/// Returns those of these records that exist.
pub fn load(db: &Read<'_>, kind: Kind, ids: &[i64]) -> Result<Vec<IndexedRecord>, StoreError> {
    let id = TableSource::for_kind(kind).id;
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
    let TableSource { tables, id, .. } = TableSource::for_kind(kind);
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
        tables, id, texts, ..
    } = TableSource::for_kind(kind);
    let text = texts.last().map_or("NULL", |(_, column)| *column);
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
    let source = TableSource::for_kind(kind);
    let sql = source.select(&[source.project]) + " ORDER BY " + source.id;
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
    let source = TableSource::for_kind(kind);
    let sql = source.select(&source.columns()) + " " + clause;
    let mut values = vec![i64::from(kind.code()).into()];
    values.extend_from_slice(clause_values);
    let mut records = db.rows(&sql, &values, |row| from_row(row, kind, source.texts))?;
    let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
    let mut files = attachments::texts(db, kind, &ids)?;
    // Not everyone who may see a project may see its files; see
    // `domain::access::visibility::project_files`.
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
            if note.private {
                record.restricted.push((note.author, note.text))
            } else {
                record.fields.push(("notes", note.text))
            }
        }
    }
    Ok(records)
}
