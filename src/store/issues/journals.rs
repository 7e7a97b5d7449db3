//! Journals of issues: notes and details of changes.

use crate::engine::{Row, StatementError, Value};
use crate::lists::page_size::page_len;
use crate::lists::polymorphic;
use crate::lists::texts::Texts;
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::access::visible::AccessAttributes;
use quarry_domain::ids::{AttachmentId, IssueId, JournalId, ProjectId, UserId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::journal::{Journal, JournalDetail};
use std::collections::HashMap;

const COLUMNS: &str = "id, issue_id, user_id, notes, private_notes, created_on, COALESCE(updated_on, created_on), updated_by_id";

fn from_row(row: &Row<'_>) -> Result<Journal, StatementError> {
    Ok(Journal {
        id: row.next()?,
        issue: row.next()?,
        user: row.next()?,
        notes: row.next()?,
        private: row.next()?,
        created_on: row.next()?,
        updated_on: row.next()?,
        updated_by: row.next()?,
        details: Vec::new(),
    })
}

const DETAIL_COLUMNS: &str = "property, name, old_value, new_value";

fn detail_from_row(row: &Row<'_>) -> Result<JournalDetail, StatementError> {
    Ok(JournalDetail {
        property: row.next()?,
        name: row.next()?,
        old_value: row.next()?,
        new_value: row.next()?,
    })
}

/// The columns of the note.
fn columns(journal: &Journal) -> ColumnValues {
    ColumnValues::new()
        .set("notes", journal.notes.as_ref())
        .set("private_notes", journal.private)
}

fn detail_columns(detail: &JournalDetail) -> ColumnValues {
    ColumnValues::new()
        .set("property", &detail.property)
        .set("name", &detail.name)
        .set("old_value", detail.old_value.as_ref())
        .set("new_value", detail.new_value.as_ref())
}

/// Inserts a journal with its details; the id 0 means the next free one. The notes count as never
/// changed.
pub fn insert(db: &mut Write<'_>, journal: &Journal) -> Result<JournalId, StoreError> {
    let columns = columns(journal)
        .set_id(journal.id)
        .set("issue_id", journal.issue)
        .set("user_id", journal.user)
        .set("created_on", journal.created_on);
    let id: JournalId = db.insert_record("journals", columns)?;
    for detail in &journal.details {
        let columns = detail_columns(detail).set("journal_id", id);
        db.insert_row("journal_details", columns)?;
    }
    changes::record(db, Kind::Issue, journal.issue)?;
    Ok(id)
}

/// A note, with the attributes that decide who may read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub id: JournalId,
    pub issue: i64,
    pub author: UserId,
    /// Whether the notes are private.
    pub private: bool,
    /// The text, as markup.
    pub text: String,
}

impl Note {
    /// Returns the attributes that decide who may read the note of a visible issue.
    fn access_attributes(&self, project: ProjectId) -> AccessAttributes {
        AccessAttributes {
            project,
            private: self.private,
            author: Some(self.author),
            ..AccessAttributes::default()
        }
    }
}

/// Returns the notes of these issues in their order, visible or not, for the index. Answers to
/// users use [`readable_notes`].
pub fn notes(db: &Read<'_>, issues: &[i64]) -> Result<Vec<Note>, StoreError> {
    let sql = "SELECT id, issue_id, user_id, private_notes, notes FROM journals WHERE issue_id IN ids(?1) AND notes <> '' ORDER BY id";
    db.rows(sql, &[Value::Ids(issues.to_vec())], |row| {
        Ok(Note {
            id: row.next()?,
            issue: row.next()?,
            author: row.next()?,
            private: row.next()?,
            text: row.next()?,
        })
    })
}

/// The notes of issues that a viewer may read.
pub struct ReadableNotes {
    pub notes: Vec<Note>,
    /// Whether these are all of them.
    pub is_complete: bool,
}

/// Returns the notes that the viewer may read, in their order, of issues that the viewer may see,
/// given with their projects. At most as many as fit into the maximum size of a page.
pub fn readable_notes(
    db: &Read<'_>,
    viewer: &Viewer,
    issues: &HashMap<i64, ProjectId>,
) -> Result<ReadableNotes, StoreError> {
    let ids: Vec<i64> = issues.keys().copied().collect();
    let sql = "SELECT id, issue_id, user_id, private_notes, octet_length(notes) FROM journals \
               WHERE issue_id IN ids(?1) AND octet_length(notes) > 0 ORDER BY id";
    let mut notes: Vec<(i64, Note, usize)> = db.rows(sql, &[Value::Ids(ids)], |row| {
        let id: i64 = row.next()?;
        let note = Note {
            id: JournalId(id),
            issue: row.next()?,
            author: row.next()?,
            private: row.next()?,
            text: String::new(),
        };
        let bytes = usize::try_from(row.next::<i64>()?).unwrap_or(0);
        Ok((id, note, bytes))
    })?;
    let rule = visibility::notes(viewer);
    notes.retain(|(_, note, _)| {
        let project = issues.get(&note.issue);
        project.is_some_and(|project| rule.matches(&note.access_attributes(*project)))
    });
    if notes.is_empty() {
        return Ok(ReadableNotes {
            notes: Vec::new(),
            is_complete: true,
        });
    }
    let count = notes.len();
    notes.truncate(page_len(notes.iter().map(|(_, _, bytes)| *bytes)));
    let ids = Value::Ids(notes.iter().map(|(id, _, _)| *id).collect());
    let texts = db.rows(
        "SELECT id, notes FROM journals WHERE id IN ids(?1)",
        &[ids],
        |row| Ok((row.next()?, row.next()?)),
    )?;
    let mut texts: HashMap<i64, String> = texts.into_iter().collect();
    let is_complete = notes.len() == count;
    let notes = notes
        .into_iter()
        .map(|(id, note, _)| Note {
            text: texts.remove(&id).unwrap_or_default(),
            ..note
        })
        .collect();
    Ok(ReadableNotes { notes, is_complete })
}

/// A journal of an issue that a viewer may read, without its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalHead {
    pub id: JournalId,
    pub author: UserId,
    pub created_on: Timestamp,
    /// Whether it has a note.
    pub has_note: bool,
}

/// Returns the journals that the viewer may read, in the order of [`list`], by issue, of issues that
/// the viewer may see, given with their projects.
pub fn readable_heads(
    db: &Read<'_>,
    viewer: &Viewer,
    issues: &HashMap<i64, ProjectId>,
) -> Result<HashMap<i64, Vec<JournalHead>>, StoreError> {
    let ids: Vec<i64> = issues.keys().copied().collect();
    let sql = "SELECT id, issue_id, user_id, private_notes, created_on, COALESCE(octet_length(notes), 0) > 0 FROM journals \
               WHERE issue_id IN ids(?1) ORDER BY created_on, id";
    let rows = db.rows(sql, &[Value::Ids(ids)], |row| {
        let id = row.next()?;
        let note = Note {
            id,
            issue: row.next()?,
            author: row.next()?,
            private: row.next()?,
            text: String::new(),
        };
        let head = JournalHead {
            id,
            author: note.author,
            created_on: row.next()?,
            has_note: row.next()?,
        };
        Ok((note, head))
    })?;
    let rule = visibility::notes(viewer);
    let mut heads: HashMap<i64, Vec<JournalHead>> = HashMap::new();
    for (note, head) in rows {
        let project = issues.get(&note.issue);
        if project.is_some_and(|project| rule.matches(&note.access_attributes(*project))) {
            heads.entry(note.issue).or_default().push(head);
        }
    }
    Ok(heads)
}

/// Returns the journals of an issue in their order, visible or not.
pub fn list(db: &Read<'_>, issue: IssueId) -> Result<Vec<Journal>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM journals WHERE issue_id = ?1 ORDER BY created_on, id");
    with_details(db, db.rows(&sql, &[issue.into()], from_row)?)
}

/// The attributes of a journal that decide who may read it, and the size of its texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalSize {
    pub id: JournalId,
    /// The author.
    pub user: UserId,
    /// Whether the notes are private.
    pub private: bool,
    /// The size of its note and of the values in its details, in bytes.
    pub bytes: usize,
}

/// Returns the sizes of the journals of an issue, in the order of [`list`].
pub fn sizes(db: &Read<'_>, issue: IssueId) -> Result<Vec<JournalSize>, StoreError> {
    let sql = "SELECT j.id, j.user_id, j.private_notes, COALESCE(octet_length(j.notes), 0) + COALESCE((SELECT \
               SUM(COALESCE(octet_length(d.old_value), 0) + COALESCE(octet_length(d.new_value), 0)) FROM journal_details d \
               WHERE d.journal_id = j.id), 0) FROM journals j WHERE j.issue_id = ?1 ORDER BY j.created_on, j.id";
    db.rows(sql, &[issue.into()], |row| {
        Ok(JournalSize {
            id: row.next()?,
            user: row.next()?,
            private: row.next()?,
            bytes: usize::try_from(row.next::<i64>()?).unwrap_or(usize::MAX),
        })
    })
}

/// Returns those of these journals that belong to the issue, in any order, visible or not.
pub fn list_by_ids(
    db: &Read<'_>,
    issue: IssueId,
    ids: &[JournalId],
) -> Result<Vec<Journal>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM journals WHERE id IN ids(?1) AND issue_id = ?2");
    let ids = Value::Ids(ids.iter().map(|id| id.0).collect());
    with_details(db, db.rows(&sql, &[ids, issue.into()], from_row)?)
}

/// Returns these journals of any issues in any order, visible or not, with as much of their notes
/// and of the values in their details.
pub fn load(db: &Read<'_>, ids: &[JournalId], texts: Texts) -> Result<Vec<Journal>, StoreError> {
    let notes = texts.column("notes");
    let columns = COLUMNS.replace("notes, private", &format!("{notes}, private"));
    let sql = format!("SELECT {columns} FROM journals WHERE id IN ids(?1)");
    let ids = Value::Ids(ids.iter().map(|id| id.0).collect());
    let [old, new] = ["old_value", "new_value"].map(|column| texts.column(column));
    let columns = format!("property, name, {old}, {new}");
    add_details(db, db.rows(&sql, &[ids], from_row)?, &columns)
}

/// Returns the id of the newest journal of the issue, visible or not.
pub fn last_id(db: &Read<'_>, issue: IssueId) -> Result<Option<JournalId>, StoreError> {
    db.first(
        "SELECT id FROM journals WHERE issue_id = ?1 ORDER BY id DESC LIMIT 1",
        &[issue.into()],
        |row| row.next(),
    )
}

/// Returns the journal with this id, visible or not.
pub fn find(db: &Read<'_>, id: JournalId) -> Result<Option<Journal>, StoreError> {
    let rows = db.rows(
        &format!("SELECT {COLUMNS} FROM journals WHERE id = ?1"),
        &[id.into()],
        from_row,
    )?;
    Ok(with_details(db, rows)?.into_iter().next())
}

fn with_details(db: &Read<'_>, journals: Vec<Journal>) -> Result<Vec<Journal>, StoreError> {
    add_details(db, journals, DETAIL_COLUMNS)
}

fn add_details(
    db: &Read<'_>,
    mut journals: Vec<Journal>,
    columns: &str,
) -> Result<Vec<Journal>, StoreError> {
    let ids: Vec<i64> = journals.iter().map(|journal| journal.id.0).collect();
    let sql = format!(
        "SELECT journal_id, {columns} FROM journal_details WHERE journal_id IN ids(?1) ORDER BY id"
    );
    let rows = db.rows(&sql, &[Value::Ids(ids)], |row| {
        Ok((row.next()?, detail_from_row(row)?))
    })?;
    let mut details: HashMap<JournalId, Vec<JournalDetail>> = HashMap::new();
    for (journal, detail) in rows {
        details.entry(journal).or_default().push(detail);
    }
    for journal in &mut journals {
        journal.details = details.remove(&journal.id).unwrap_or_default();
    }
    Ok(journals)
}

/// Returns the ids of the files that came with notes of the issue. Those of an entry that also
/// changed the description came with both, and are left out.
pub fn files_of_notes(db: &Read<'_>, issue: IssueId) -> Result<Vec<AttachmentId>, StoreError> {
    let sql = "SELECT d.name FROM journals j JOIN journal_details d ON d.journal_id = j.id \
               WHERE j.issue_id = ?1 AND octet_length(j.notes) > 0 AND d.property = 'attachment' AND d.new_value IS NOT NULL \
               AND NOT EXISTS (SELECT 1 FROM journal_details c WHERE c.journal_id = j.id AND c.property = 'attr' AND c.name = 'description')";
    let names: Vec<String> = db.column(sql, &[issue.into()])?;
    Ok(names
        .iter()
        .filter_map(|name| name.parse().ok().map(AttachmentId))
        .collect())
}

/// Updates the notes, whether they are private, and who changed them when.
pub fn update(db: &mut Write<'_>, journal: &Journal) -> Result<(), StoreError> {
    let columns = columns(journal)
        .set("updated_on", journal.updated_on)
        .set("updated_by_id", journal.updated_by);
    db.update_record("journals", journal.id, columns)?;
    changes::record(db, Kind::Issue, journal.issue).map(drop)
}

/// Deletes a journal with its details and reactions.
pub fn delete(db: &mut Write<'_>, journal: &Journal) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM journal_details WHERE journal_id = ?1",
        &[journal.id.into()],
    )?;
    polymorphic::delete_by_owners(db, "Journal", &[journal.id.0])?;
    db.execute("DELETE FROM journals WHERE id = ?1", &[journal.id.into()])?;
    changes::record(db, Kind::Issue, journal.issue)?;
    Ok(())
}

/// Deletes the journals of an issue with their reactions.
pub fn delete_by_issue(db: &mut Write<'_>, issue: IssueId) -> Result<(), StoreError> {
    let journals: Vec<i64> = db.column(
        "SELECT id FROM journals WHERE issue_id = ?1",
        &[issue.into()],
    )?;
    polymorphic::delete_by_owners(db, "Journal", &journals)?;
    db.execute("DELETE FROM journal_details WHERE journal_id IN (SELECT id FROM journals WHERE issue_id = ?1)", &[issue.into()])?;
    db.execute("DELETE FROM journals WHERE issue_id = ?1", &[issue.into()])?;
    Ok(())
}
