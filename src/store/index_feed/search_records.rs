//! Records of search results, loaded with the visibility condition of the viewer.
//!
//! Invariant: search results show only what is loaded here, so a stale index cannot reveal a record
//! to a viewer who may not see it.

use crate::administration::custom_fields;
use crate::content::attachments;
use crate::engine::{Row, StatementError, Value};
use crate::issues;
use crate::issues::journals;
use crate::lists::page_size::page_len;
use crate::lists::visibility::{in_project, push_visible};
use crate::transaction::sql::Sql;
use crate::{Read, StoreError};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility::{of_kind, project_files, searchable_fields};
use quarry_domain::access::visible::AccessAttributes;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::index_feed::search_record::{Details, SearchRecord};
use std::collections::{HashMap, HashSet};

/// Where the records of a content type come from: tables, and the columns in the order of
/// [`SearchRecord`].
struct TableSource {
    tables: &'static str,
    id: &'static str,
    project: &'static str,
    created_on: &'static str,
    title: &'static str,
    text: &'static str,
    author: &'static str,
    /// The columns of [`Details`].
    details: &'static [&'static str],
    /// Whether it is private, where records can be.
    private: Option<&'static str>,
}

impl TableSource {
    fn for_kind(kind: Kind) -> TableSource {
        match kind {
            Kind::Issue => TableSource {
                tables: "issues i",
                id: "i.id",
                project: "i.project_id",
                created_on: "i.created_on",
                title: "i.subject",
                text: "i.description",
                author: "i.author_id",
                details: &[
                    "i.tracker_id",
                    "i.status_id",
                    "i.assigned_to_id",
                    "i.updated_on",
                ],
                private: Some("i.is_private"),
            },
            Kind::News => TableSource {
                tables: "news n",
                id: "n.id",
                project: "n.project_id",
                created_on: "n.created_on",
                title: "n.title",
                text: "n.description",
                author: "n.author_id",
                details: &["n.summary"],
                private: None,
            },
            Kind::Document => TableSource {
                tables: "documents d",
                id: "d.id",
                project: "d.project_id",
                created_on: "d.created_on",
                title: "d.title",
                text: "d.description",
                author: "NULL",
                details: &[],
                private: None,
            },
            Kind::Changeset => TableSource {
                tables: "changesets s JOIN repositories r ON r.id = s.repository_id",
                id: "s.id",
                project: "r.project_id",
                created_on: "s.committed_on",
                title: "s.comments",
                text: "NULL",
                author: "s.user_id",
                details: &["r.identifier", "r.id", "s.revision", "s.committer"],
                private: None,
            },
            Kind::WikiPage => TableSource {
                tables: "wiki_pages p JOIN wikis w ON w.id = p.wiki_id JOIN wiki_versions v ON v.page_id = p.id AND v.version = p.version",
                id: "p.id",
                project: "w.project_id",
                created_on: "p.created_on",
                title: "p.title",
                text: "v.text",
                author: "v.author_id",
                details: &[],
                private: None,
            },
            Kind::Message => TableSource {
                tables: "messages m JOIN boards b ON b.id = m.board_id",
                id: "m.id",
                project: "b.project_id",
                created_on: "m.created_on",
                title: "m.subject",
                text: "m.content",
                author: "m.author_id",
                details: &["b.id", "b.name", "m.parent_id"],
                private: None,
            },
            Kind::Project => TableSource {
                tables: "projects p",
                id: "p.id",
                project: "p.id",
                created_on: "p.created_on",
                title: "p.name",
                text: "p.description",
                author: "NULL",
                details: &[],
                private: None,
            },
        }
    }

    fn columns(&self) -> String {
        let columns = [
            self.id,
            self.project,
            self.created_on,
            self.title,
            self.text,
            self.author,
        ];
        [&columns, self.details, self.private.as_slice()]
            .concat()
            .join(", ")
    }
}

/// Returns a record, and the attributes that decide who may see it.
fn from_row(
    row: &Row<'_>,
    kind: Kind,
    source: &TableSource,
) -> Result<(SearchRecord, AccessAttributes), StatementError> {
    let record = SearchRecord {
        kind,
        id: row.next()?,
        project: row.next()?,
        created_on: row.next()?,
        title: row.next()?,
        text: row.next()?,
        author: row.next()?,
        details: details_from_row(row, kind)?,
        ..SearchRecord::default()
    };
    let (tracker, assignee) = match record.details {
        Details::Issue {
            tracker, assignee, ..
        } => (Some(tracker), assignee),
        _ => (None, None),
    };
    let attributes = AccessAttributes {
        project: record.project,
        private: source.private.is_some() && row.next()?,
        author: record.author,
        assignee,
        tracker,
    };
    Ok((record, attributes))
}

fn details_from_row(row: &Row<'_>, kind: Kind) -> Result<Details, StatementError> {
    Ok(match kind {
        Kind::Issue => Details::Issue {
            tracker: row.next()?,
            status: row.next()?,
            assignee: row.next()?,
            updated_on: row.next()?,
        },
        Kind::News => Details::News {
            summary: row.next::<Option<String>>()?.unwrap_or_default(),
        },
        Kind::Changeset => Details::Changeset {
            repository: row.next()?,
            repository_id: row.next()?,
            revision: row.next()?,
            committer: row.next()?,
        },
        Kind::Message => Details::Message {
            board: row.next()?,
            board_name: row.next()?,
            topic: row.next()?,
        },
        Kind::Document | Kind::WikiPage | Kind::Project => Details::None,
    })
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
        // The first one is always on the page.
        if !ids.is_empty() && hits.len() > 1 {
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
    let TableSource {
        tables,
        id,
        title,
        text,
        ..
    } = TableSource::for_kind(kind);
    // The title of a changeset is its whole message.
    let text = if kind == Kind::Changeset { title } else { text };
    let sql = format!(
        "SELECT {id}, COALESCE(octet_length({text}), 0) FROM {tables} WHERE {id} IN ids(?1)"
    );
    let rows = db.rows(&sql, &[Value::Ids(ids)], |row| {
        Ok((row.next()?, row.next::<i64>()?))
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
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let source = TableSource::for_kind(kind);
    let columns = source.columns();
    let TableSource { tables, id, .. } = source;
    let sql = format!("SELECT {columns} FROM {tables} WHERE {id} IN ids(?1)");
    let rows = db.rows(&sql, &[Value::Ids(ids.to_vec())], |row| {
        from_row(row, kind, &source)
    })?;
    let visible = of_kind(viewer, kind);
    Ok(rows
        .into_iter()
        .filter(|(_, attributes)| visible.matches(attributes))
        .map(|(record, _)| (record.id, record))
        .collect())
}

/// Returns those of these records that the viewer may not see, or that are deleted.
pub fn hidden_ids(
    db: &Read<'_>,
    viewer: &Viewer,
    kind: Kind,
    mut ids: Vec<i64>,
) -> Result<Vec<i64>, StoreError> {
    if ids.is_empty() {
        return Ok(ids);
    }
    let visible: HashSet<i64> = if kind == Kind::Issue {
        let visible = issues::visible_ids(db, viewer, &ids)?;
        visible.into_iter().map(i64::from).collect()
    } else {
        let TableSource {
            tables,
            id,
            project,
            ..
        } = TableSource::for_kind(kind);
        let mut sql = Sql::new(&format!("SELECT {id} FROM {tables} WHERE {id} IN"));
        sql.bind_ids(&ids).push(" AND ");
        push_visible(&mut sql, of_kind(viewer, kind), in_project(project));
        let visible: Vec<i64> = db.column(sql.text(), sql.values())?;
        visible.into_iter().collect()
    };
    ids.retain(|id| !visible.contains(id));
    Ok(ids)
}

/// Returns the attributes that decide who may see files and custom fields of a visible record.
fn access_attributes(record: &SearchRecord) -> AccessAttributes {
    AccessAttributes {
        project: record.project,
        ..AccessAttributes::default()
    }
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
    for (id, files) in attachments::texts(db, kind, &ids)? {
        let Some(record) = records.get_mut(&id) else {
            continue;
        };
        if kind != Kind::Project || project_files(viewer).matches(&access_attributes(record)) {
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
            .any(|(id, visible)| *id == field && visible.matches(&access_attributes(record)))
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
                record.journals.push(note.id);
            }
        }
    }
    Ok(())
}
