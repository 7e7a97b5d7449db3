//! Journals: the history of issues.

use crate::issues::limit_note;
use crate::notices;
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::access::visible::AccessAttributes;
use quarry_domain::content::incoming_mail::MailedRecord;
use quarry_domain::ids::JournalId;
use quarry_domain::issues::issue::Issue;
use quarry_domain::issues::journal::{Journal, JournalDetail};
use quarry_domain::values::stable_sort::StableSort;
use quarry_domain::values::text::{is_blank, with_lf};
use quarry_store::content::received_mails;
use quarry_store::issues;
use quarry_store::issues::journals;
use quarry_store::lists::texts::Texts;
use std::collections::{HashMap, HashSet};

/// Returns the journals of a visible issue that the viewer may read, oldest first, with the details
/// that the viewer may see. Omits journals without notes and visible details.
pub fn list(db: &Read<'_>, viewer: &Viewer, issue: &Issue) -> Result<Vec<Journal>, StoreError> {
    filter_visible(db, viewer, issue.project, journals::list(db, issue.id)?)
}

/// Returns the ids of the journals that the viewer may read, oldest first, each with the size of
/// its texts in bytes. [`list_by_ids`] may omit some of them.
pub fn sizes(
    db: &Read<'_>,
    viewer: &Viewer,
    issue: &Issue,
) -> Result<Vec<(JournalId, usize)>, StoreError> {
    let entries = journals::sizes(db, issue.id)?.into_iter();
    Ok(entries
        .filter(|entry| may_read(viewer, issue.project, entry.user, entry.private))
        .map(|entry| (entry.id, entry.bytes))
        .collect())
}

/// Returns the authors of the journals that the viewer may read, the latest first, each once.
pub fn authors(db: &Read<'_>, viewer: &Viewer, issue: &Issue) -> Result<Vec<UserId>, StoreError> {
    let mut authors = Vec::new();
    for entry in journals::sizes(db, issue.id)?.iter().rev() {
        if !authors.contains(&entry.user)
            && may_read(viewer, issue.project, entry.user, entry.private)
        {
            authors.push(entry.user);
        }
    }
    Ok(authors)
}

/// Returns the journals with these ids, in the order of `ids`, as [`list`] does.
pub fn list_by_ids(
    db: &Read<'_>,
    viewer: &Viewer,
    issue: &Issue,
    ids: &[JournalId],
) -> Result<Vec<Journal>, StoreError> {
    let entries = journals::list_by_ids(db, issue.id, ids)?;
    let mut entries = filter_visible(db, viewer, issue.project, entries)?;
    entries.stable_sort_by_key(|entry| ids.iter().position(|id| *id == entry.id));
    Ok(entries)
}

/// Returns what the viewer may see of these journals of visible issues in any projects, by id, with
/// as much of their texts. Omits journals as [`list`] does.
pub fn load_visible(
    db: &Read<'_>,
    viewer: &Viewer,
    projects: &HashMap<JournalId, ProjectId>,
    texts: Texts,
) -> Result<HashMap<JournalId, Journal>, StoreError> {
    let ids: Vec<JournalId> = projects.keys().copied().collect();
    let mut by_project: HashMap<ProjectId, Vec<Journal>> = HashMap::new();
    for journal in journals::load(db, &ids, texts)? {
        if let Some(project) = projects.get(&journal.id) {
            by_project.entry(*project).or_default().push(journal);
        }
    }
    let mut visible = HashMap::new();
    for (project, entries) in by_project {
        let entries = filter_visible(db, viewer, project, entries)?;
        visible.extend(entries.into_iter().map(|journal| (journal.id, journal)));
    }
    Ok(visible)
}

/// Returns what the viewer may see of these journals of visible issues of a project.
fn filter_visible(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
    entries: Vec<Journal>,
) -> Result<Vec<Journal>, StoreError> {
    let mut entries: Vec<Journal> = entries
        .into_iter()
        .filter(|entry| may_read(viewer, project, entry.user, entry.private))
        .collect();
    let issue_ids: Vec<i64> = entries
        .iter()
        .flat_map(|entry| &entry.details)
        .filter(|detail| is_about_issues(detail))
        .flat_map(values)
        .collect();
    let references = VisibleReferences {
        issues: issues::visible_ids(db, viewer, &issue_ids)?
            .into_iter()
            .map(i64::from)
            .collect(),
        catalogue: db.catalogue(),
        project,
        viewer,
    };
    for entry in &mut entries {
        entry.details.retain(|detail| references.allow(detail));
    }
    entries.retain(|entry| {
        !entry.details.is_empty() || entry.notes.as_ref().is_some_and(|notes| !notes.is_empty())
    });
    Ok(entries)
}

/// Whether the viewer may read a journal by `author` of a visible issue of the project.
fn may_read(viewer: &Viewer, project: ProjectId, author: UserId, private: bool) -> bool {
    let attributes = AccessAttributes {
        project,
        private,
        author: Some(author),
        ..AccessAttributes::default()
    };
    visibility::notes(viewer).matches(&attributes)
}

/// The records that details refer to and that the viewer may see.
struct VisibleReferences<'v> {
    issues: HashSet<i64>,
    catalogue: &'v Catalogue,
    project: ProjectId,
    viewer: &'v Viewer,
}

impl VisibleReferences<'_> {
    /// Whether the viewer may see all records that the detail refers to. Deleted records count as
    /// hidden.
    fn allow(&self, detail: &JournalDetail) -> bool {
        match (detail.property.as_str(), detail.name.as_str()) {
            ("cf", id) => {
                let field = self
                    .catalogue
                    .custom_fields
                    .iter()
                    .find(|field| field.id.to_string() == id);
                field.is_some_and(|field| field.is_visible_to(self.viewer, self.project))
            }
            ("attr", "project_id") => values(detail).all(|id| self.viewer.sees(ProjectId(id))),
            _ if is_about_issues(detail) => values(detail).all(|id| self.issues.contains(&id)),
            _ => true,
        }
    }
}

fn is_about_issues(detail: &JournalDetail) -> bool {
    detail.property == "relation"
        || (detail.property == "attr" && matches!(detail.name.as_str(), "parent_id" | "child_id"))
}

/// Returns the values as ids. Text that is not a number becomes 0, which no record has.
fn values(detail: &JournalDetail) -> impl Iterator<Item = i64> {
    let values = [&detail.old_value, &detail.new_value].into_iter().flatten();
    values
        .filter(|value| !value.is_empty())
        .map(|value| value.parse().unwrap_or(0))
        .collect::<Vec<_>>()
        .into_iter()
}

/// The attributes of a journal in a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JournalChange {
    pub notes: Patch<String>,
    /// Whether it is private.
    pub private: Patch<bool>,
}

/// Whether the viewer may change the note of an issue that the viewer sees.
pub fn may_update(viewer: &Viewer, issue: &Issue, journal: &Journal) -> bool {
    let own = viewer.user == Some(journal.user)
        && viewer.may(Permission::EditOwnIssueNotes, issue.project);
    viewer.user.is_some() && (own || viewer.may(Permission::EditIssueNotes, issue.project))
}

/// Returns the entry with its issue, as the viewer sees them.
///
/// # Errors
/// `NotFound` where there is no such entry that the viewer may read.
pub fn find(
    db: &Read<'_>,
    viewer: &Viewer,
    id: JournalId,
) -> Result<(Issue, Journal), ActionError> {
    let journal = journals::find(db, id)?.ok_or(ActionError::NotFound)?;
    let issue = issues::find(db, visibility::issues(viewer), journal.issue)?
        .ok_or(ActionError::NotFound)?;
    let journal = filter_visible(db, viewer, issue.project, vec![journal])?
        .into_iter()
        .next()
        .ok_or(ActionError::NotFound)?;
    Ok((issue, journal))
}

/// Updates the note and whether it is private, as far as the viewer may. Returns the journal with
/// its issue; `None` if it was deleted because it has neither a note nor details any more.
///
/// # Errors
/// `NotFound` if there is no such journal that the viewer may read; `Invalid` if the note is too
/// long.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: JournalId,
    change: &JournalChange,
) -> Result<Option<(Issue, Journal)>, ActionError> {
    let before = journals::find(db, id)?.ok_or(ActionError::NotFound)?;
    let issue =
        issues::find(db, visibility::issues(viewer), before.issue)?.ok_or(ActionError::NotFound)?;
    if filter_visible(db, viewer, issue.project, vec![before.clone()])?.is_empty() {
        return Err(ActionError::NotFound);
    }
    let Some(user) = viewer.user.filter(|_| may_update(viewer, &issue, &before)) else {
        return Err(ActionError::Forbidden);
    };
    let mut after = before.clone();
    if change.notes.is_present() {
        // An imported note may be longer if it is unchanged.
        let notes = change.notes.value().filter(|text| !is_blank(text));
        let notes = notes.cloned().unwrap_or_default();
        // Other line endings are no change.
        if with_lf(&notes) != with_lf(before.notes.as_deref().unwrap_or_default()) {
            limit_note(db.catalogue(), change.notes.value())?;
            after.notes = Some(notes);
        }
    }
    if let Some(private) = change
        .private
        .value()
        .filter(|_| viewer.may(Permission::SetNotesPrivate, issue.project))
    {
        after.private = *private;
    }
    let is_empty = after.notes.as_ref().is_none_or(String::is_empty) && after.details.is_empty();
    if is_empty {
        journals::delete(db, &after)?;
        return Ok(None);
    }
    if after.notes.as_ref().is_none_or(String::is_empty) {
        received_mails::delete_original(db, MailedRecord::Note(id))?;
    }
    if after != before {
        (after.updated_on, after.updated_by) = (db.now(), Some(user));
        journals::update(db, &after)?;
        notices::note_edited(db, &issue, &before, &after)?;
    }
    let visible = filter_visible(db, viewer, issue.project, vec![after])?;
    Ok(visible.into_iter().next().map(|journal| (issue, journal)))
}
