//! Changing a time entry (compatibility 9).

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

/// Changes a time entry; as it is then. It takes the permission to edit time entries, or that to edit own ones when it is the
/// viewer's own (compatibility 9). A request that changes nothing leaves no trace (compatibility 2.2).
///
/// # Errors
/// `NotFound` where there is none; `Forbidden` where the viewer may not change it; `Invalid` with the sentences of compatibility 9.
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
    let mut draft = Draft { entry: before.clone(), values: values.clone(), wrong: InvalidFields::default() };
    place(db, viewer, &mut draft, change)?;
    fit_activity(&catalogue, &before, &mut draft.entry);
    draft.take(&catalogue, viewer, change);
    validate(db, viewer, Some((&before, &values)), &draft, clock)?;
    if draft.entry == before && draft.values == values {
        return Ok(before);
    }
    let after = TimeEntry { updated_on: clock.now(), ..draft.entry };
    time_entries::update(db, &after)?;
    custom_fields::update(db, Customized::TimeEntry, id.0, &draft.values)?;
    Ok(after)
}

fn may_edit(viewer: &Viewer, entry: &TimeEntry) -> bool {
    let may = |permission| viewer.may(permission, entry.project);
    let own = viewer.user == Some(entry.user) && may(Permission::EditOwnTimeEntries);
    own || (may(Permission::EditTimeEntries) && visibility::time_entries(viewer).matches(&entry.access_attributes()))
}

/// Moves the draft to the requested project and issue. An issue takes it along to its project, unless another one
/// is given with it. An issue that the viewer may not see is as none: it does not keep the time entry in its project, and
/// nothing is said of it.
fn place(db: &Read<'_>, viewer: &Viewer, draft: &mut Draft, change: &TimeEntryChange) -> Result<(), StoreError> {
    let before = draft.entry.clone();
    let open = |project| project == before.project || viewer.may(Permission::LogTime, project);
    if let Some(reference) = change.project.value() {
        match db.catalogue().project_by(reference).map(|project| project.id).filter(|project| open(*project)) {
            Some(project) => draft.entry.project = project,
            None => draft.wrong.project = true,
        }
    }
    let wanted = match &change.issue {
        Patch::Unset if draft.entry.project == before.project => return Ok(()),
        Patch::Unset => before.issue,
        Patch::Clear => None,
        Patch::Set(id) => Some(*id),
    };
    let found = match wanted {
        Some(id) => issues::find(db, visibility::issues(viewer), id)?,
        None => None,
    };
    let named = change.project.is_present();
    draft.entry.issue = None;
    match found {
        Some(issue) if issue.project == draft.entry.project => draft.entry.issue = Some(issue.id),
        Some(issue) if !named && open(issue.project) => (draft.entry.issue, draft.entry.project) = (Some(issue.id), issue.project),
        Some(_) => draft.wrong.issue = true,
        None => draft.wrong.issue = change.issue.value().is_some(),
    }
    Ok(())
}

/// In another project the activity is the one that is there for the same, by the shared activity for which both stand or by name.
fn fit_activity(catalogue: &Catalogue, before: &TimeEntry, entry: &mut TimeEntry) {
    let Some(old) = catalogue.enumeration(entry.activity).filter(|_| before.project != entry.project) else { return };
    let root = |value: &Enumeration| value.parent.unwrap_or(value.id);
    let offered = || catalogue.activities_of(entry.project);
    let same = offered().find(|new| new.id == old.id).or_else(|| offered().find(|new| root(new) == root(old)));
    if let Some(new) = same.or_else(|| offered().find(|new| new.name == old.name)).map(|new| new.id) {
        entry.activity = new;
    }
}
