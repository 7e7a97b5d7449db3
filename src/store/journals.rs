//! Journals of issues: notes and details of changes.

use super::engine::{Row, StatementError, Value};
use super::page_size::page_len;
use super::{Read, StoreError, Write, changes, polymorphic};
use crate::domain::ids::{AttachmentId, IssueId, JournalId, ProjectId, UserId};
use crate::domain::kind::Kind;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::domain::visible::AccessAttributes;
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::HashMap;

/// A detail to insert: the change of one attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// `attr`, `cf`, `attachment` or `relation` (compatibility 6.2).
    pub property: &'static str,
    /// The name of the attribute; the id of an attachment.
    pub name: Cow<'static, str>,
    /// The old value.
    pub old_value: Option<String>,
    /// The new value.
    pub new_value: Option<String>,
}

/// A journal to insert.
pub struct NewJournal<'a> {
    /// The issue.
    pub issue: IssueId,
    /// The author.
    pub user: UserId,
    /// The notes. `None` and the empty text both mean no notes; responses show null and the empty
    /// text.
    pub notes: Option<&'a str>,
    /// Whether the notes are private.
    pub private: bool,
    /// When it was created.
    pub created_on: Timestamp,
    /// The details.
    pub details: &'a [Detail],
}

/// Inserts a journal with its details.
pub fn insert(db: &mut Write<'_>, journal: &NewJournal<'_>) -> Result<JournalId, StoreError> {
    let id: JournalId = db.insert(
        "INSERT INTO journals (issue_id, user_id, notes, private_notes, created_on) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
        &[journal.issue.into(), journal.user.into(), journal.notes.into(), journal.private.into(), journal.created_on.into()],
    )?;
    for detail in journal.details {
        db.execute(
            "INSERT INTO journal_details (journal_id, property, name, old_value, new_value) VALUES (?1, ?2, ?3, ?4, ?5)",
            &[
                id.into(),
                detail.property.into(),
                detail.name.as_ref().into(),
                detail.old_value.as_ref().into(),
                detail.new_value.as_ref().into(),
            ],
        )?;
    }
    changes::record(db, Kind::Issue, journal.issue)?;
    Ok(id)
}

/// A note, with the attributes that decide who may read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The issue.
    pub issue: i64,
    /// The author.
    pub author: UserId,
    /// Whether the notes are private.
    pub private: bool,
    /// The text, as markup.
    pub text: String,
}

/// Returns the notes of these issues in their order, visible or not, for the index. Answers to
/// users use [`readable_notes`].
pub fn notes(db: &Read<'_>, issues: &[i64]) -> Result<Vec<Note>, StoreError> {
    let sql = "SELECT issue_id, user_id, private_notes, notes FROM journals WHERE issue_id IN ids(?1) AND notes <> '' ORDER BY id";
    db.rows(sql, &[Value::Ids(issues.to_vec())], |row| {
        Ok(Note {
            issue: row.next()?,
            author: row.next()?,
            private: row.next()?,
            text: row.next()?,
        })
    })
}

/// The notes of issues that a viewer may read.
pub struct ReadableNotes {
    /// The notes.
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
    let sql = "SELECT issue_id, user_id, private_notes, octet_length(notes), id FROM journals \
               WHERE issue_id IN ids(?1) AND octet_length(notes) > 0 ORDER BY id";
    let mut notes: Vec<(i64, Note, usize)> = db.rows(sql, &[Value::Ids(ids)], |row| {
        let note = Note {
            issue: row.get(0)?,
            author: row.get(1)?,
            private: row.get(2)?,
            text: String::new(),
        };
        Ok((
            row.get(4)?,
            note,
            usize::try_from(row.get::<i64>(3)?).unwrap_or(0),
        ))
    })?;
    let rule = visibility::notes(viewer);
    notes.retain(|(_, note, _)| {
        let project = issues.get(&note.issue).copied();
        let attributes = |project| AccessAttributes {
            project,
            private: note.private,
            author: Some(note.author),
            assignee: None,
            tracker: None,
        };
        project.is_some_and(|project| rule.matches(&attributes(project)))
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

/// A stored journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    /// Its id.
    pub id: JournalId,
    /// The issue.
    pub issue: IssueId,
    /// The author.
    pub user: UserId,
    /// The notes, if any.
    pub notes: Option<String>,
    /// Whether the notes are private.
    pub private: bool,
    /// When it was created.
    pub created_on: Timestamp,
    /// When the notes were last changed; the creation if they never were.
    pub updated_on: Timestamp,
    /// Who changed them last.
    pub updated_by: Option<UserId>,
    /// The details.
    pub details: Vec<StoredDetail>,
}

impl Journal {
    /// Returns the ids of the files that came with the entry.
    pub fn added_files(&self) -> Vec<AttachmentId> {
        let added = self
            .details
            .iter()
            .filter(|detail| detail.property == "attachment" && detail.new_value.is_some());
        added
            .filter_map(|detail| detail.name.parse().ok().map(AttachmentId))
            .collect()
    }
}

/// A stored detail (compatibility 6.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDetail {
    /// `attr`, `cf`, `attachment` or `relation`.
    pub property: String,
    /// The attribute, the id of the custom field or attachment, or the type of the relation.
    pub name: String,
    /// The old value.
    pub old_value: Option<String>,
    /// The new value.
    pub new_value: Option<String>,
}

const COLUMNS: &str = "id, issue_id, user_id, notes, private_notes, created_on, COALESCE(updated_on, created_on), updated_by_id";

fn journal(row: &Row<'_>) -> Result<Journal, StatementError> {
    Ok(Journal {
        id: row.get(0)?,
        issue: row.get(1)?,
        user: row.get(2)?,
        notes: row.get(3)?,
        private: row.get(4)?,
        created_on: row.get(5)?,
        updated_on: row.get(6)?,
        updated_by: row.get(7)?,
        details: Vec::new(),
    })
}

/// Returns the journals of an issue in their order, visible or not.
pub fn list(db: &Read<'_>, issue: IssueId) -> Result<Vec<Journal>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM journals WHERE issue_id = ?1 ORDER BY created_on, id");
    with_details(db, db.rows(&sql, &[issue.into()], journal)?)
}

/// The attributes of a journal that decide who may read it, and the size of its texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalSize {
    /// Its id.
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
        let bytes = usize::try_from(row.get::<i64>(3)?).unwrap_or(usize::MAX);
        Ok(JournalSize {
            id: row.get(0)?,
            user: row.get(1)?,
            private: row.get(2)?,
            bytes,
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
    with_details(db, db.rows(&sql, &[ids, issue.into()], journal)?)
}

/// Returns the journal with this id, visible or not.
pub fn find(db: &Read<'_>, id: JournalId) -> Result<Option<Journal>, StoreError> {
    let rows = db.rows(
        &format!("SELECT {COLUMNS} FROM journals WHERE id = ?1"),
        &[id.into()],
        journal,
    )?;
    Ok(with_details(db, rows)?.into_iter().next())
}

fn with_details(db: &Read<'_>, mut journals: Vec<Journal>) -> Result<Vec<Journal>, StoreError> {
    let ids: Vec<i64> = journals.iter().map(|journal| journal.id.0).collect();
    let sql = "SELECT journal_id, property, name, old_value, new_value FROM journal_details WHERE journal_id IN ids(?1) ORDER BY id";
    let rows = db.rows(sql, &[Value::Ids(ids)], |row| {
        let detail = StoredDetail {
            property: row.get(1)?,
            name: row.get(2)?,
            old_value: row.get(3)?,
            new_value: row.get(4)?,
        };
        Ok((row.next::<JournalId>()?, detail))
    })?;
    let mut details: HashMap<JournalId, Vec<StoredDetail>> = HashMap::new();
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
    db.execute(
        "UPDATE journals SET notes = ?2, private_notes = ?3, updated_on = ?4, updated_by_id = ?5 WHERE id = ?1",
        &[journal.id.into(), journal.notes.as_ref().into(), journal.private.into(), journal.updated_on.into(), journal.updated_by.into()],
    )?;
    changes::record(db, Kind::Issue, journal.issue)?;
    Ok(())
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
