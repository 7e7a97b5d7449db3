//! Updates time entries (compatibility 9).

use super::draft::{Draft, InvalidFields};
use super::validate::validate;
use crate::actions::ActionError;
use crate::domain::catalogue::{Catalogue, Enumeration};
use crate::domain::clock::Clock;
use crate::domain::custom_field::Customized;
use crate::domain::ids::TimeEntryId;
use crate::domain::patch::Patch;
use crate::domain::permission::Permission;
use crate::domain::time_entry::{TimeEntry, TimeEntryChange};
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Read, StoreError, Write, custom_fields, issues, time_entries};
use std::sync::Arc;

/// Updates a time entry, and returns it. Requires the permission to edit time entries, or to edit
/// own ones for the viewer's own (compatibility 9). Writes nothing if nothing changes
/// (compatibility 2.2).
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer may not change it; `Invalid` with the
/// messages of compatibility 9.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: TimeEntryId,
    change: &TimeEntryChange,
    clock: &dyn Clock,
) -> Result<TimeEntry, ActionError> {
    let before = time_entries::find(db, id)?.ok_or(ActionError::NotFound)?;
    if !may_edit(viewer, &before) {
        return Err(ActionError::Forbidden);
    }
    let catalogue = Arc::clone(db.catalogue());
    let values = custom_fields::find_values(db, Customized::TimeEntry, id.0)?;
    let mut draft = Draft {
        entry: before.clone(),
        values: values.clone(),
        invalid: InvalidFields::default(),
    };
    apply_target(db, viewer, &mut draft, change)?;
    adapt_activity(&catalogue, &before, &mut draft.entry);
    draft.apply(&catalogue, viewer, change);
    validate(db, viewer, Some((&before, &values)), &draft, clock)?;
    if draft.entry == before && draft.values == values {
        return Ok(before);
    }
    let after = TimeEntry {
        updated_on: clock.now(),
        ..draft.entry
    };
    time_entries::update(db, &after)?;
    custom_fields::update(db, Customized::TimeEntry, id.0, &draft.values)?;
    Ok(after)
}

fn may_edit(viewer: &Viewer, entry: &TimeEntry) -> bool {
    let may = |permission| viewer.may(permission, entry.project);
    let may_edit_own = viewer.user == Some(entry.user) && may(Permission::EditOwnTimeEntries);
    may_edit_own
        || (may(Permission::EditTimeEntries)
            && visibility::time_entries(viewer).matches(&entry.access_attributes()))
}

/// Moves the draft to the requested project and issue. Without a requested project, it moves to the
/// project of the issue. A hidden issue counts as none.
fn apply_target(
    db: &Read<'_>,
    viewer: &Viewer,
    draft: &mut Draft,
    change: &TimeEntryChange,
) -> Result<(), StoreError> {
    let before = draft.entry.clone();
    let may_log = |project| project == before.project || viewer.may(Permission::LogTime, project);
    if let Some(reference) = change.project.value() {
        match db
            .catalogue()
            .project_by(reference)
            .map(|project| project.id)
            .filter(|project| may_log(*project))
        {
            Some(project) => draft.entry.project = project,
            None => draft.invalid.project = true,
        }
    }
    let issue_id = match &change.issue {
        Patch::Unset if draft.entry.project == before.project => return Ok(()),
        Patch::Unset => before.issue,
        Patch::Clear => None,
        Patch::Set(id) => Some(*id),
    };
    let issue = match issue_id {
        Some(id) => issues::find(db, visibility::issues(viewer), id)?,
        None => None,
    };
    let has_project = change.project.is_present();
    draft.entry.issue = None;
    match issue {
        Some(issue) if issue.project == draft.entry.project => draft.entry.issue = Some(issue.id),
        Some(issue) if !has_project && may_log(issue.project) => {
            (draft.entry.issue, draft.entry.project) = (Some(issue.id), issue.project)
        }
        Some(_) => draft.invalid.issue = true,
        None => draft.invalid.issue = change.issue.value().is_some(),
    }
    Ok(())
}

/// Replaces the activity after a move to another project by the one with the same shared activity
/// or the same name.
fn adapt_activity(catalogue: &Catalogue, before: &TimeEntry, entry: &mut TimeEntry) {
    let Some(old) = catalogue
        .enumeration(entry.activity)
        .filter(|_| before.project != entry.project)
    else {
        return;
    };
    let root = |value: &Enumeration| value.parent.unwrap_or(value.id);
    let available = || catalogue.activities_of(entry.project);
    let equivalent = available()
        .find(|new| new.id == old.id)
        .or_else(|| available().find(|new| root(new) == root(old)));
    if let Some(new) = equivalent
        .or_else(|| available().find(|new| new.name == old.name))
        .map(|new| new.id)
    {
        entry.activity = new;
    }
}
