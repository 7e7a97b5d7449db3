//! The history of issues: notes and what was changed.

use super::engine::{Row, StatementError, Value};
use super::page_size::page_len;
use super::{Read, StoreError, Write, changes};
use crate::domain::ids::{IssueId, JournalId, ProjectId, UserId};
use crate::domain::kind::Kind;
use crate::domain::viewer::Viewer;
use crate::domain::visibility::{self, Facts};
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::HashMap;

/// What one entry says of one attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// The kind of thing that changed, `attr` for an attribute (contract 4.2).
    pub property: &'static str,
    /// Its name; of a file its number.
    pub name: Cow<'static, str>,
    /// What it was.
    pub old_value: Option<String>,
    /// What it is.
    pub new_value: Option<String>,
}

/// An entry to be added.
pub struct NewJournal<'a> {
    /// Of which issue.
    pub issue: IssueId,
    /// Who made it.
    pub user: UserId,
    /// What was said; `None` for a mere change.
    pub notes: Option<&'a str>,
    /// Whether only some may read it.
    pub private: bool,
    /// When.
    pub created_on: Timestamp,
    /// What was changed.
    pub details: &'a [Detail],
}

/// Adds an entry.
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

/// A note, with what decides who may read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Of which issue.
    pub issue: i64,
    /// Who wrote it.
    pub author: UserId,
    /// Whether only some may read it.
    pub private: bool,
    /// What it says.
    pub text: String,
}

/// The notes of these issues in their order, for whomever; what is shown comes from [`readable`].
pub fn notes(db: &Read<'_>, issues: &[i64]) -> Result<Vec<Note>, StoreError> {
    let sql = "SELECT issue_id, user_id, private_notes, notes FROM journals WHERE issue_id IN ids(?1) AND notes <> '' ORDER BY id";
    db.rows(sql, &[Value::Ids(issues.to_vec())], |row| {
        Ok(Note { issue: row.read(0)?, author: row.read(1)?, private: row.read(2)?, text: row.read(3)? })
    })
}

/// Notes that a viewer may read.
pub struct ReadableNotes {
    /// The notes.
    pub notes: Vec<Note>,
    /// Whether these are all of them.
    pub is_complete: bool,
}

/// The notes of these issues that the viewer may read, in their order, of issues that the viewer may see; each issue comes with
/// its project. As many of the first ones as fit into a page.
pub fn readable(db: &Read<'_>, viewer: &Viewer, issues: &HashMap<i64, ProjectId>) -> Result<ReadableNotes, StoreError> {
    let ids: Vec<i64> = issues.keys().copied().collect();
    let sql = "SELECT issue_id, user_id, private_notes, octet_length(notes), id FROM journals \
               WHERE issue_id IN ids(?1) AND octet_length(notes) > 0 ORDER BY id";
    let mut found: Vec<(i64, Note, usize)> = db.rows(sql, &[Value::Ids(ids)], |row| {
        let note = Note { issue: row.read(0)?, author: row.read(1)?, private: row.read(2)?, text: String::new() };
        Ok((row.read(4)?, note, usize::try_from(row.read::<i64>(3)?).unwrap_or(0)))
    })?;
    let rule = visibility::notes(viewer);
    found.retain(|(_, note, _)| {
        let project = issues.get(&note.issue).copied();
        let facts = |project| Facts { project, private: note.private, author: Some(note.author), assignee: None, tracker: None };
        project.is_some_and(|project| rule.admits(&facts(project)))
    });
    if found.is_empty() {
        return Ok(ReadableNotes { notes: Vec::new(), is_complete: true });
    }
    let count = found.len();
    found.truncate(page_len(found.iter().map(|(_, _, bytes)| *bytes)));
    let ids = Value::Ids(found.iter().map(|(id, _, _)| *id).collect());
    let texts = db.rows("SELECT id, notes FROM journals WHERE id IN ids(?1)", &[ids], |row| Ok((row.read(0)?, row.read(1)?)))?;
    let mut texts: HashMap<i64, String> = texts.into_iter().collect();
    let is_complete = found.len() == count;
    let notes = found.into_iter().map(|(id, note, _)| Note { text: texts.remove(&id).unwrap_or_default(), ..note }).collect();
    Ok(ReadableNotes { notes, is_complete })
}

/// An entry as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    /// Its number.
    pub id: JournalId,
    /// Of which issue.
    pub issue: IssueId,
    /// Who made it.
    pub user: UserId,
    /// What was said.
    pub notes: Option<String>,
    /// Whether only some may read it.
    pub private: bool,
    /// When.
    pub created_on: Timestamp,
    /// What was changed.
    pub details: Vec<Change>,
}

/// What a kept entry says of one attribute (contract 4.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// `attr`, `cf`, `attachment` or `relation`.
    pub property: String,
    /// The attribute, the number of the custom field or file, or the type of the relation.
    pub name: String,
    /// What it was.
    pub old_value: Option<String>,
    /// What it is.
    pub new_value: Option<String>,
}

const COLUMNS: &str = "id, issue_id, user_id, notes, private_notes, created_on";

fn journal(row: &Row<'_>) -> Result<Journal, StatementError> {
    let (notes, private, created_on) = (row.read(3)?, row.read(4)?, row.read(5)?);
    Ok(Journal { id: row.read(0)?, issue: row.read(1)?, user: row.read(2)?, notes, private, created_on, details: Vec::new() })
}

/// The history of an issue in its order, for whomever.
pub fn list(db: &Read<'_>, issue: IssueId) -> Result<Vec<Journal>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM journals WHERE issue_id = ?1 ORDER BY created_on, id");
    with_details(db, db.rows(&sql, &[issue.into()], journal)?)
}

/// What decides who may read an entry, and how large its texts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalSize {
    /// Its id.
    pub id: JournalId,
    /// Who made it.
    pub user: UserId,
    /// Whether only some may read it.
    pub private: bool,
    /// The size of its note and of the values in its details, in bytes.
    pub bytes: usize,
}

/// The sizes of the entries of an issue, in the order of [`list`].
pub fn sizes(db: &Read<'_>, issue: IssueId) -> Result<Vec<JournalSize>, StoreError> {
    let sql = "SELECT j.id, j.user_id, j.private_notes, COALESCE(octet_length(j.notes), 0) + COALESCE((SELECT \
               SUM(COALESCE(octet_length(d.old_value), 0) + COALESCE(octet_length(d.new_value), 0)) FROM journal_details d \
               WHERE d.journal_id = j.id), 0) FROM journals j WHERE j.issue_id = ?1 ORDER BY j.created_on, j.id";
    db.rows(sql, &[issue.into()], |row| {
        let bytes = usize::try_from(row.read::<i64>(3)?).unwrap_or(usize::MAX);
        Ok(JournalSize { id: row.read(0)?, user: row.read(1)?, private: row.read(2)?, bytes })
    })
}

/// Those of these entries that the issue has, in no particular order, for whomever.
pub fn some(db: &Read<'_>, issue: IssueId, ids: &[JournalId]) -> Result<Vec<Journal>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM journals WHERE id IN ids(?1) AND issue_id = ?2");
    let ids = Value::Ids(ids.iter().map(|id| id.0).collect());
    with_details(db, db.rows(&sql, &[ids, issue.into()], journal)?)
}

/// The entry with this number, for whomever.
pub fn find(db: &Read<'_>, id: JournalId) -> Result<Option<Journal>, StoreError> {
    let found = db.rows(&format!("SELECT {COLUMNS} FROM journals WHERE id = ?1"), &[id.into()], journal)?;
    Ok(with_details(db, found)?.into_iter().next())
}

fn with_details(db: &Read<'_>, mut journals: Vec<Journal>) -> Result<Vec<Journal>, StoreError> {
    let ids: Vec<i64> = journals.iter().map(|journal| journal.id.0).collect();
    let sql = "SELECT journal_id, property, name, old_value, new_value FROM journal_details WHERE journal_id IN ids(?1) ORDER BY id";
    let rows = db.rows(sql, &[Value::Ids(ids)], |row| {
        let change = Change { property: row.read(1)?, name: row.read(2)?, old_value: row.read(3)?, new_value: row.read(4)? };
        Ok((row.read::<JournalId>(0)?, change))
    })?;
    let mut details: HashMap<JournalId, Vec<Change>> = HashMap::new();
    for (journal, change) in rows {
        details.entry(journal).or_default().push(change);
    }
    for journal in &mut journals {
        journal.details = details.remove(&journal.id).unwrap_or_default();
    }
    Ok(journals)
}

/// Replaces what was said, and whether only some may read it.
pub fn change(db: &mut Write<'_>, journal: &Journal, by: UserId, now: Timestamp) -> Result<(), StoreError> {
    db.execute(
        "UPDATE journals SET notes = ?2, private_notes = ?3, updated_on = ?4, updated_by_id = ?5 WHERE id = ?1",
        &[journal.id.into(), journal.notes.as_ref().into(), journal.private.into(), now.into(), by.into()],
    )?;
    changes::record(db, Kind::Issue, journal.issue)?;
    Ok(())
}

/// Removes an entry.
pub fn remove(db: &mut Write<'_>, journal: &Journal) -> Result<(), StoreError> {
    db.execute("DELETE FROM journal_details WHERE journal_id = ?1", &[journal.id.into()])?;
    db.execute("DELETE FROM journals WHERE id = ?1", &[journal.id.into()])?;
    changes::record(db, Kind::Issue, journal.issue)?;
    Ok(())
}

/// Removes the history of an issue.
pub fn remove_of_issue(db: &mut Write<'_>, issue: IssueId) -> Result<(), StoreError> {
    db.execute("DELETE FROM journal_details WHERE journal_id IN (SELECT id FROM journals WHERE issue_id = ?1)", &[issue.into()])?;
    db.execute("DELETE FROM journals WHERE issue_id = ?1", &[issue.into()])?;
    Ok(())
}
