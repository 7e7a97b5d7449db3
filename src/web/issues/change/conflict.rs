//! Two people who change the same issue: their changes are merged field by field, and only a field
//! that both have changed is a conflict.
//!
//! The form carries the lock version of the issue and the values that it was opened with.

use crate::components::avatar::Person;
use crate::components::form_field::typed;
use crate::components::time::Moment;
use crate::content::received_files::ReceivedFiles;
use crate::form::form_merge;
use crate::issues::form::{self as issue_form, FormContext};
use crate::prelude::*;
use quarry_actions::issues::{self, journals};
use quarry_domain::issues::issue::IssueChange;
use quarry_domain::values::patch::Patch;
use quarry_http::resources::fields;

/// The message for changes that could not be merged.
pub const CHANGED_MEANWHILE: &str =
    "Others have saved changes at the same time, so yours are not saved yet. Save again.";

/// A form that is merged with what others have saved since it was opened.
pub struct Merged {
    /// The form without the fields that only others have changed.
    pub form: Input,
    /// The lock version of the issue as it is saved.
    pub lock_version: i64,
    /// The fields that the viewer and somebody else have changed differently, each with the saved
    /// value for people.
    pub conflicts: Vec<(String, String)>,
}

/// Merges the form with the issue as it is saved. Drops the fields that are still as the form was
/// opened, even if nobody has saved meanwhile, because browsers change line endings.
pub fn merge(request: &RequestContext, db: &Read<'_>, id: IssueId) -> Result<Merged, Error> {
    let form = &request.body;
    let lock_version = quarry_store::issues::lock_version(db, id)?;
    let opened = typed(form, "issue[lock_version]").and_then(|text| text.trim().parse().ok());
    let is_current = opened.is_none_or(|opened: i64| opened == lock_version);
    let editable = issues::for_update(db, request.viewer(), id, &IssueChange::default())?;
    let context = FormContext {
        catalogue: db.catalogue(),
        viewer: request.viewer(),
        editable: &editable,
        form: &Input::Null,
    };
    let fields = issue_form::fields(&context);
    if is_current {
        return Ok(Merged {
            form: form_merge::merge(form, &fields).form,
            lock_version,
            conflicts: Vec::new(),
        });
    }
    let merged = form_merge::merge_strictly(form, &fields);
    Ok(Merged {
        form: merged.form,
        lock_version,
        conflicts: merged.conflicts,
    })
}

/// Number of entries of the history among which the last change is looked for.
const LAST_ENTRIES: usize = 20;

/// The change of somebody else that a form is in conflict with.
pub struct OtherChange {
    /// Who made it; `None` if the history does not say it to the viewer.
    pub person: Option<Person>,
    /// Whether the viewer made it, in another window.
    pub is_own: bool,
    pub made: Moment,
}

/// Returns the last change of an issue that the viewer may see.
pub fn last_change(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
) -> Result<OtherChange, Error> {
    let viewer = request.viewer();
    let entries = journals::sizes(db, viewer, issue)?;
    let ids: Vec<_> = entries.iter().map(|(id, _)| *id).collect();
    let last = &ids[ids.len().saturating_sub(LAST_ENTRIES)..];
    let journals = journals::list_by_ids(db, viewer, issue, last)?;
    let change = journals
        .iter()
        .rev()
        .find(|entry| !entry.details.is_empty());
    Ok(OtherChange {
        person: change.map(|entry| Person::new(db.catalogue(), entry.user.into())),
        is_own: change.is_some_and(|entry| viewer.user == Some(entry.user)),
        made: Moment::new(change.map_or(issue.updated_on, |entry| entry.created_on)),
    })
}

/// Saves the merged form with its files.
pub fn save(
    request: &RequestContext,
    id: IssueId,
    merged: &Merged,
    files: &ReceivedFiles,
) -> Result<(), Error> {
    let mut change = fields::issue::parse(request, &merged.form)?;
    change.lock_version = Patch::Set(merged.lock_version);
    let uploads = files.uploads();
    request.write(move |db, viewer| issues::update(db, viewer, id, &change, &uploads).map(drop))
}
