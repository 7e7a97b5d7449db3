//! What a viewer may set on an issue, and what there is to choose from: for forms. The same rules
//! apply when the form is sent.

use super::draft::{Draft, InvalidFields};
use super::parents::Derived;
use super::rights::{Rights, roles};
use super::{allowed_statuses, assignable, create, find, move_project, update};
use crate::prelude::*;
use quarry_domain::administration::custom_field::{CustomField, Customized, Format, Values};
use quarry_domain::administration::enumeration::{Enumeration, EnumerationKind};
use quarry_domain::administration::workflow::Involvement;
use quarry_domain::ids::{CategoryId, PrincipalId, StatusId, TrackerId, VersionId};
use quarry_domain::issues::issue::{Issue, IssueChange};
use quarry_domain::projects::project::Project;
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::administration::custom_fields;
use quarry_store::issues as stored_issues;
use std::collections::HashMap;

/// An issue with a change applied but not saved, and what the viewer may set on it.
pub struct Editable<'c> {
    /// The issue as it would be.
    pub issue: Issue,
    /// Its values in custom fields.
    pub values: Values,
    /// The issue and its values as they are stored; `None` for a new one.
    pub stored: Option<(Issue, Values)>,
    /// The statuses to choose from; only its own where the workflow permits no step.
    pub statuses: Vec<StatusId>,
    /// The trackers to choose from.
    pub trackers: Vec<TrackerId>,
    /// Whether the viewer may change more than to add notes.
    pub may_edit: bool,
    catalogue: &'c Catalogue,
    rights: Rights<'c>,
    derived: Derived,
    fields: Vec<&'c CustomField>,
    is_admin: bool,
}

impl<'c> Editable<'c> {
    /// Whether the viewer may set the field with this column, or the custom field with this id.
    pub fn may_set(&self, field: &str) -> bool {
        let status = self.catalogue.status(self.issue.status);
        let by_status = self.rights.done_ratio_by_status
            && status.is_some_and(|status| status.default_done_ratio.is_some());
        let is_derived = match field {
            "priority_id" => self.derived.priority,
            "start_date" | "due_date" => self.derived.dates,
            "done_ratio" => self.derived.done_ratio || by_status,
            _ => false,
        };
        let is_permitted = match field {
            "is_private" => self.rights.set_private,
            "parent_issue_id" => self.rights.subtasks,
            _ => true,
        };
        self.may_edit && !is_derived && is_permitted && self.rights.may_set(field)
    }

    /// Whether the field must have a value.
    pub fn requires(&self, field: &str) -> bool {
        self.rights.requires(field)
    }

    /// Returns the custom fields that the viewer may set, by position.
    pub fn custom_fields(&self) -> impl Iterator<Item = &'c CustomField> {
        let fields = self.fields.iter().copied();
        fields.filter(|field| {
            (field.editable || self.is_admin)
                && self.may_set(&field.id.to_string())
                && field.format != Format::Other
        })
    }

    /// Returns the active priorities.
    pub fn priorities(&self) -> impl Iterator<Item = &'c Enumeration> {
        self.catalogue
            .enumerations_of(EnumerationKind::IssuePriority)
            .filter(|value| value.active)
    }

    /// Returns the users and groups to whom the issue can be assigned.
    pub fn assignees(&self) -> Vec<PrincipalId> {
        assignable::list(self.catalogue, self.issue.project)
    }

    /// Returns the active members of the project.
    pub fn members(&self) -> Vec<PrincipalId> {
        assignable::list_members(self.catalogue, self.issue.project)
    }

    /// Returns the categories of the project, by name.
    pub fn categories(&self) -> Vec<(CategoryId, &'c str)> {
        let own = self
            .catalogue
            .categories
            .values()
            .filter(|category| category.project == self.issue.project);
        let mut categories: Vec<_> = own
            .map(|category| (category.id, category.name.as_str()))
            .collect();
        categories.stable_sort_by_key(|(_, name)| name.to_lowercase());
        categories
    }

    /// Returns the versions that are shared with the project, by name; `is_open` leaves out those
    /// that are locked or closed.
    pub fn versions(&self, is_open: bool) -> Vec<(VersionId, &'c str)> {
        let shared = self
            .catalogue
            .versions
            .values()
            .filter(|version| self.catalogue.is_shared_with(version, self.issue.project));
        let mut versions: Vec<_> = shared
            .filter(|version| !is_open || version.is_open())
            .map(|version| (version.id, version.name.as_str()))
            .collect();
        versions.stable_sort_by_key(|(_, name)| name.to_lowercase());
        versions
    }
}

/// Returns the issue with a change, for the form on its page.
pub fn for_update<'c>(
    db: &'c Read<'_>,
    viewer: &Viewer,
    id: IssueId,
    change: &IssueChange,
) -> Result<Editable<'c>, ActionError> {
    let catalogue: &'c Catalogue = db.catalogue();
    let before = find(db, viewer, id)?;
    let may_edit = update::may_edit(viewer, &before);
    let values = custom_fields::find_values(db, Customized::Issue, id.0)?;
    let mut draft = Draft {
        issue: before.clone(),
        values: values.clone(),
        invalid: InvalidFields::default(),
    };
    let (rights, mut statuses) = if may_edit {
        // The statuses to choose from are those that follow the status before the change, with the
        // tracker after it.
        let mut unchanged = Draft {
            issue: before.clone(),
            values: values.clone(),
            invalid: InvalidFields::default(),
        };
        let first = IssueChange {
            tracker: change.tracker.clone(),
            project: change.project.clone(),
            ..IssueChange::default()
        };
        update::apply(db, catalogue, viewer, &before, &mut unchanged, &first)?;
        let statuses = allowed_statuses(db, viewer, &unchanged.issue)?;
        (
            update::apply(db, catalogue, viewer, &before, &mut draft, change)?,
            statuses,
        )
    } else {
        (Rights::new(catalogue, viewer, &before), Vec::new())
    };
    if statuses.is_empty() {
        statuses.push(draft.issue.status);
    }
    // A hidden parent stays, and its id is not shown.
    if let Some(parent) = draft.issue.parent
        && stored_issues::visible_ids(db, viewer, &[parent.0])?.is_empty()
    {
        draft.issue.parent = None;
    }
    let project = catalogue.projects.get(&draft.issue.project);
    let trackers = project
        .map(|project| &project.trackers[..])
        .unwrap_or_default()
        .iter()
        .copied();
    Ok(Editable {
        statuses,
        trackers: trackers
            .filter(|tracker| {
                *tracker == draft.issue.tracker
                    || move_project::offers_tracker(viewer, draft.issue.project, *tracker)
            })
            .collect(),
        may_edit,
        catalogue,
        rights,
        derived: Derived::for_issue(db, id)?,
        fields: draft.fields(catalogue, viewer),
        is_admin: viewer.admin,
        stored: Some((before, values)),
        issue: draft.issue,
        values: draft.values,
    })
}

/// Returns a new issue with these values; `None` when its project is unknown or the viewer may add
/// no issues there.
///
/// # Errors
/// `Forbidden` when the viewer may add issues nowhere.
pub fn new<'c>(
    db: &'c Read<'_>,
    viewer: &Viewer,
    change: &IssueChange,
) -> Result<Option<Editable<'c>>, ActionError> {
    let catalogue: &'c Catalogue = db.catalogue();
    let Some(author) = viewer
        .author_id(catalogue)
        .filter(|_| viewer.may_somewhere(Permission::AddIssues))
    else {
        return Err(ActionError::Forbidden);
    };
    let Some((project, tracker)) = create::target(catalogue, viewer, change) else {
        return Ok(None);
    };
    let (draft, rights) =
        create::prepare(db, catalogue, viewer, (project, tracker), change, author)?;
    let involvement = Involvement {
        author: true,
        assignee: false,
    };
    let mut reachable = catalogue.workflow.next_statuses(
        tracker,
        &roles(catalogue, viewer, project.id),
        None,
        involvement,
    );
    reachable.extend(
        catalogue
            .tracker(tracker)
            .map(|tracker| tracker.default_status),
    );
    let statuses = catalogue
        .statuses
        .iter()
        .map(|status| status.id)
        .filter(|id| reachable.contains(id) || *id == draft.issue.status);
    Ok(Some(Editable {
        statuses: statuses.collect(),
        trackers: move_project::addable_trackers(viewer, project).collect(),
        may_edit: true,
        catalogue,
        rights,
        derived: Derived::default(),
        fields: draft.fields(catalogue, viewer),
        is_admin: viewer.admin,
        stored: None,
        issue: draft.issue,
        values: draft.values,
    }))
}

/// Returns the projects to which the viewer may add issues, in the order of the tree, with their
/// depth in it.
pub fn projects<'c>(catalogue: &'c Catalogue, viewer: &Viewer) -> Vec<(&'c Project, usize)> {
    let mut depths: HashMap<ProjectId, usize> = HashMap::new();
    let mut found = Vec::new();
    for project in catalogue
        .tree
        .iter()
        .filter_map(|id| catalogue.projects.get(id))
    {
        let depth = project
            .parent
            .and_then(|parent| depths.get(&parent))
            .map_or(0, |depth| depth + 1);
        if viewer.may(Permission::AddIssues, project.id)
            && move_project::first_tracker(viewer, project).is_some()
        {
            depths.insert(project.id, depth);
            found.push((project, depth));
        }
    }
    found
}
