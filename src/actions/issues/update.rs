//! Updates issues, and closes their duplicates (compatibility 6.5).

use super::draft::{Draft, InvalidFields};
use super::history::details;
use super::parents::{self, Derived};
use super::rights::{Rights, find};
use super::{move_project, schedule, validate, watching};
use crate::content::attachments::{NewUpload, added_detail, attach, removed_detail};
use crate::notices;
use crate::prelude::*;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::administration::setting::Setting;
use quarry_domain::content::attachment::Container;
use quarry_domain::ids::AttachmentId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::issue::{Issue, IssueChange};
use quarry_domain::issues::journal::{Journal, JournalDetail};
use quarry_domain::issues::relation::RelationType;
use quarry_domain::values::text::is_blank;
use quarry_store::administration::custom_fields;
use quarry_store::content::attachments;
use quarry_store::issues;
use quarry_store::issues::relations;
use std::sync::Arc;

/// Sets the attributes that the viewer may set, adds the note and the files, deletes files, and
/// returns the issue. Ignores other attributes. Writes nothing if nothing changes (compatibility
/// 2.2).
///
/// # Errors
/// `Forbidden` if the viewer may not see it, or neither edit it nor add notes; `Invalid` with the
/// messages of compatibility 6.4, also if the issue has changed since `lock_version`.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: IssueId,
    change: &IssueChange,
    uploads: &[NewUpload],
) -> Result<Issue, ActionError> {
    let before = find(db, viewer, id)?;
    let may_edit = may_edit(viewer, &before);
    let may_add_notes = viewer.may_on(Permission::AddIssueNotes, before.project, before.tracker);
    let Some(user) = viewer
        .author_id(db.catalogue())
        .filter(|_| may_edit || may_add_notes)
    else {
        return Err(ActionError::Forbidden);
    };
    let notes = change.notes.value().filter(|_| may_add_notes);
    limit_note(db.catalogue(), notes)?;
    if change.lock_version.value().is_some_and(|_| may_edit)
        && change.lock_version.value() != Some(&issues::lock_version(db, id)?)
    {
        return Err(ActionError::Outdated);
    }
    let values = custom_fields::find_values(db, Customized::Issue, id.0)?;
    let mut draft = Draft {
        issue: before.clone(),
        values: values.clone(),
        invalid: InvalidFields::default(),
    };
    if may_edit {
        edit(db, viewer, &before, &mut draft, change)?;
    }
    set_closed_on(db, &before, &mut draft.issue);
    let after = draft.issue;
    let mut details = details(db.catalogue(), (&before, &values), (&after, &draft.values));
    if let Some(files) = change.deleted_files.value().filter(|_| may_edit) {
        details.extend(delete_files(db, id, files)?);
    }
    details.extend(
        attach(db, viewer, Kind::Issue, id.0, uploads)?
            .iter()
            .map(added_detail),
    );
    let notes = notes.map(String::as_str).filter(|text| !is_blank(text));
    if details.is_empty() && notes.is_none() {
        return Ok(before);
    }
    let after = Issue {
        updated_on: db.now(),
        ..after
    };
    issues::update(db, &after)?;
    custom_fields::update(db, Customized::Issue, id.0, &draft.values)?;
    let private = notes.is_some()
        && change.private_notes.value() == Some(&true)
        && viewer.may(Permission::SetNotesPrivate, before.project);
    // The journals of rescheduled issues come before that of the issue, as in Redmine.
    if before.start_date != after.start_date || before.due_date != after.due_date {
        schedule::reschedule_successors(db, viewer, id)?;
    }
    watching::add_contributor(db, viewer, &after)?;
    record(db, &after, user, notes, private, details)?;
    update_dependents(db, viewer, user, &before, &after)?;
    // Derived attributes may have changed.
    Ok(issues::find_any(db, id)?.unwrap_or(after))
}

/// Deletes those of the files that belong to the issue. Returns a detail for each.
fn delete_files(
    db: &mut Write<'_>,
    issue: IssueId,
    files: &[AttachmentId],
) -> Result<Vec<JournalDetail>, ActionError> {
    let container = Container {
        container_type: Kind::Issue.into(),
        id: issue.0,
    };
    let mut details = Vec::new();
    for id in files {
        if let Some(file) =
            attachments::find(db, *id)?.filter(|file| file.container == Some(container))
        {
            attachments::delete(db, &file)?;
            details.push(removed_detail(&file));
        }
    }
    Ok(details)
}

/// Fails if the note exceeds the maximum length of texts.
pub fn limit_note(catalogue: &Catalogue, notes: Option<&String>) -> Result<(), ActionError> {
    let mut errors = ValidationErrors::new();
    errors.limit_text(
        "notes",
        "Notes",
        notes.map_or("", String::as_str),
        catalogue.max_text_length(),
    );
    errors.into_result().map_err(ActionError::Invalid)
}

/// Whether the viewer may change more of an issue that they see than to add notes.
pub fn may_edit(viewer: &Viewer, issue: &Issue) -> bool {
    let is_author = viewer.user == Some(issue.author);
    viewer.may_on(Permission::EditIssues, issue.project, issue.tracker)
        || (is_author && viewer.may_on(Permission::EditOwnIssues, issue.project, issue.tracker))
}

/// Applies the requested values, and validates the result.
pub(super) fn edit(
    db: &Read<'_>,
    viewer: &Viewer,
    before: &Issue,
    draft: &mut Draft,
    change: &IssueChange,
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let old = draft.values.clone();
    let rights = apply(db, &catalogue, viewer, before, draft, change)?;
    let restored = change
        .restores
        .then(|| restored_baseline(&catalogue, before, &draft.issue));
    let baseline = match &restored {
        Some(restored) => (restored, &draft.values),
        None => (before, &old),
    };
    validate::validate(db, viewer, Some(baseline), draft, &rights)?;
    move_project::check_trackers_of_subtasks(db, before, draft.issue.project)
}

/// Returns what a restored issue is compared with: the issue before the change, but with those restored
/// values that are valid whatever has changed meanwhile, because what they refer to still exists.
fn restored_baseline(catalogue: &Catalogue, before: &Issue, restored: &Issue) -> Issue {
    let mut baseline = Issue {
        project: restored.project,
        tracker: restored.tracker,
        priority: restored.priority,
        start_date: restored.start_date,
        due_date: restored.due_date,
        ..before.clone()
    };
    if restored
        .assignee
        .is_some_and(|id| catalogue.principal_name(id).is_some())
    {
        baseline.assignee = restored.assignee;
    }
    if restored
        .category
        .is_some_and(|id| catalogue.categories.contains_key(&id))
    {
        baseline.category = restored.category;
    }
    if restored
        .version
        .is_some_and(|id| catalogue.versions.contains_key(&id))
    {
        baseline.version = restored.version;
    }
    baseline
}

/// Applies the requested values in the order of their dependencies. Returns what the viewer may set
/// on the issue as it is then.
pub(super) fn apply<'c>(
    db: &Read<'_>,
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    before: &Issue,
    draft: &mut Draft,
    change: &IssueChange,
) -> Result<Rights<'c>, ActionError> {
    let rights_on = |issue: &Issue| {
        let rights = Rights::new(catalogue, viewer, issue);
        if change.restores {
            rights.without_read_only()
        } else {
            rights
        }
    };
    let rights = rights_on(before);
    if rights.may_set("project_id") {
        move_project::apply(catalogue, viewer, draft, change);
        if draft.issue.project != before.project {
            move_project::check_subtasks(db, viewer, before)?;
        }
    }
    if change
        .tracker
        .value()
        .is_none_or(|tracker| move_project::offers_tracker(viewer, draft.issue.project, *tracker))
    {
        draft.apply_tracker(catalogue, change, &rights);
    }
    move_project::reconcile(catalogue, before, draft);
    draft.apply_status(db, viewer, change)?;
    // The field rules are those of the new status.
    let rights = rights_on(&draft.issue);
    draft.apply(
        db,
        viewer,
        change,
        &rights,
        Derived::for_issue(db, before.id)?,
    )?;
    if draft.issue.parent == before.parent {
        move_project::leave_parent(db, draft)?;
        if before.tracker != draft.issue.tracker {
            draft.clear_disabled_parent(db, viewer)?;
        }
    }
    Ok(rights)
}

/// Sets the closing time when the status changes to a closed one, and clears it when the issue is
/// open (compatibility 6.6).
pub(super) fn set_closed_on(db: &Write<'_>, before: &Issue, after: &mut Issue) {
    after.closed_on = match (
        db.catalogue().is_closed(before.status),
        db.catalogue().is_closed(after.status),
    ) {
        (_, false) => None,
        (true, true) => before.closed_on,
        (false, true) => Some(db.now()),
    };
}

/// Adds the entry to the history of the issue.
pub(super) fn record(
    db: &mut Write<'_>,
    after: &Issue,
    user: UserId,
    notes: Option<&str>,
    private: bool,
    details: Vec<JournalDetail>,
) -> Result<(), ActionError> {
    let mut journal = Journal {
        issue: after.id,
        user,
        created_on: after.updated_on,
        details,
        ..Journal::default()
    };
    if private && !journal.details.is_empty() {
        // A private note does not hide the changes (compatibility 6.2).
        notices::record_journal(db, &journal)?;
        journal.details.clear();
        journal.notes = notes.map(str::to_owned);
    } else {
        // A journal without a note has an empty one, as in Redmine.
        journal.notes = Some(notes.unwrap_or_default().to_owned());
    }
    journal.private = private;
    notices::record_journal(db, &journal)?;
    Ok(())
}

/// Updates other issues that depend on the change.
pub(super) fn update_dependents(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    before: &Issue,
    after: &Issue,
) -> Result<(), ActionError> {
    if before.project != after.project {
        move_project::move_subtasks(db, before, after)?;
    }
    parents::record_move(db, viewer, user, after.id, (before.parent, after.parent))?;
    if !db.catalogue().is_closed(before.status) && db.catalogue().is_closed(after.status) {
        close_duplicates(db, viewer, user, after)?;
    }
    if before.parent != after.parent {
        parents::delete_invalid_relations(db, after.id)?;
        parents::derive_upward(db, before.parent, parents::Extent::All)?;
    }
    let extent = if derivation_inputs(before) == derivation_inputs(after) {
        parents::Extent::UntilUnchanged
    } else {
        parents::Extent::All
    };
    parents::derive_upward(db, after.parent, extent)
}

/// Returns what the attributes of the parent are derived from.
fn derivation_inputs(issue: &Issue) -> impl PartialEq {
    (
        issue.project,
        issue.parent,
        issue.estimated_hours,
        issue.start_date,
        issue.due_date,
    )
}

/// Maximum number of direct and indirect duplicates that are closed.
const MAX_DUPLICATES: usize = 1000;

/// Sets the status of the closed issue on its open duplicates and on their duplicates, and records
/// that in their histories.
pub fn close_duplicates(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    closed: &Issue,
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    if !catalogue.is_on(Setting::CloseDuplicateIssues) {
        return Ok(());
    }
    let mut visited: Vec<IssueId> = vec![closed.id];
    let mut index = 0;
    while index < visited.len() && visited.len() <= MAX_DUPLICATES {
        let id = visited[index];
        index += 1;
        for relation in relations::list(db, &[id.0])? {
            let is_duplicate = relation.kind == RelationType::Duplicates && relation.to == id;
            if !is_duplicate || visited.contains(&relation.from) {
                continue;
            }
            visited.push(relation.from);
            let Some(before) = issues::find_any(db, relation.from)? else {
                continue;
            };
            if catalogue
                .status(before.status)
                .is_some_and(|status| status.is_closed)
            {
                continue;
            }
            let now = db.now();
            let after = Issue {
                status: closed.status,
                closed_on: Some(now),
                updated_on: now,
                ..before.clone()
            };
            issues::update(db, &after)?;
            let no_values = Values::default();
            let details =
                super::history::details(&catalogue, (&before, &no_values), (&after, &no_values));
            let journal = Journal {
                issue: after.id,
                user,
                notes: Some(String::new()),
                created_on: now,
                details,
                ..Journal::default()
            };
            watching::add_contributor(db, viewer, &after)?;
            notices::record_journal(db, &journal)?;
            parents::derive_upward(db, after.parent, parents::Extent::UntilUnchanged)?;
        }
    }
    Ok(())
}
