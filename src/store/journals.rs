//! The history of issues: notes and what was changed.

use super::{Read, StoreError, Write, changes};
use crate::domain::ids::{IssueId, JournalId, ProjectId, UserId};
use crate::domain::kind::Kind;
use crate::domain::viewer::Viewer;
use crate::domain::visibility::{self, Facts};
use jiff::Timestamp;
use std::collections::HashMap;

/// What one entry says of one attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// The kind of thing that changed, `attr` for an attribute (contract 4.2).
    pub property: &'static str,
    /// Its name.
    pub name: &'static str,
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
            &[id.into(), detail.property.into(), detail.name.into(), detail.old_value.as_ref().into(), detail.new_value.as_ref().into()],
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
    db.rows(sql, &[super::engine::Value::Ids(issues.to_vec())], |row| {
        Ok(Note { issue: row.read(0)?, author: row.read(1)?, private: row.read(2)?, text: row.read(3)? })
    })
}

/// The notes of these issues that the viewer may read, in their order, of issues that the viewer may see; each issue comes with
/// its project.
pub fn readable(db: &Read<'_>, viewer: &Viewer, issues: &HashMap<i64, ProjectId>) -> Result<Vec<Note>, StoreError> {
    let ids: Vec<i64> = issues.keys().copied().collect();
    let rule = visibility::notes(viewer);
    let admitted = |note: &Note| {
        let project = issues.get(&note.issue).copied();
        let facts = |project| Facts { project, private: note.private, author: Some(note.author), assignee: None };
        project.is_some_and(|project| rule.admits(&facts(project)))
    };
    Ok(notes(db, &ids)?.into_iter().filter(admitted).collect())
}

/// Removes the history of an issue.
pub fn remove_of_issue(db: &mut Write<'_>, issue: IssueId) -> Result<(), StoreError> {
    db.execute("DELETE FROM journal_details WHERE journal_id IN (SELECT id FROM journals WHERE issue_id = ?1)", &[issue.into()])?;
    db.execute("DELETE FROM journals WHERE issue_id = ?1", &[issue.into()])?;
    Ok(())
}
