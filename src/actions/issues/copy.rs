//! Copies issues, with what belongs to them.

use super::rights::{find, may_set_private};
use super::{create, parents, watching};
use crate::content::attachments::NewUpload;
use crate::issues::relations;
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::{Customized, RequestedValues, Values};
use quarry_domain::content::attachment::{Attachment, Container};
use quarry_domain::ids::{AttachmentId, PrincipalId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::issue::{Issue, IssueChange};
use quarry_store::administration::custom_fields;
use quarry_store::content::{attachments, watchers};
use quarry_store::issues;
use quarry_store::issues::subtasks;
use std::collections::HashMap;

/// Maximum number of subtasks that are copied with an issue.
const MAX_SUBTASKS: usize = 200;

/// What a copy takes over besides the attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopiedParts {
    pub files: bool,
    /// The subtasks that the viewer sees, with their files and watchers if those are copied.
    pub subtasks: bool,
    pub watchers: bool,
    /// Whether both issues say which one was copied from the other.
    pub relation: bool,
}

/// Whether the viewer may copy an issue that they see, into a project where they may add issues.
pub fn may_copy(viewer: &Viewer, issue: &Issue) -> bool {
    viewer.may(Permission::CopyIssues, issue.project) && viewer.may_somewhere(Permission::AddIssues)
}

/// Creates an issue with these attributes, which a form has taken from another one, and with parts
/// of the other one: all or nothing. Subtasks are copied only where the viewer may manage subtasks,
/// watchers only where the viewer sees them there and may add them here.
///
/// # Errors
/// `NotFound` and `Forbidden` if the viewer may not see the original or not copy it; `Invalid` as
/// for a new issue, also of a subtask.
pub fn copy(
    db: &mut Write<'_>,
    viewer: &Viewer,
    original: IssueId,
    change: &IssueChange,
    uploads: &[NewUpload],
    parts: CopiedParts,
) -> Result<Issue, ActionError> {
    let original = find(db, viewer, original)?;
    let Some(user) = viewer
        .author_id(db.catalogue())
        .filter(|_| may_copy(viewer, &original))
    else {
        return Err(ActionError::Forbidden);
    };
    // Listed first: the copy itself may be a subtask of the original.
    let below = match parts.subtasks {
        true => subtasks::list(db, viewer, original.id)?,
        false => Vec::new(),
    };
    let copied = create(db, viewer, change, uploads)?;
    let copied = keep_private(db, viewer, &original, copied)?;
    copy_parts(db, viewer, user, (&original, &copied), parts)?;
    if parts.relation {
        relations::link_copy(db, user, &original, &copied)?;
    }
    if below.is_empty() || !viewer.may(Permission::ManageSubtasks, copied.project) {
        return Ok(copied);
    }
    if below.len() > MAX_SUBTASKS {
        return Err(ActionError::invalid(format!(
            "The issue has too many subtasks to copy (maximum is {MAX_SUBTASKS})"
        )));
    }
    let mut children: HashMap<IssueId, Vec<IssueId>> = HashMap::new();
    for task in below {
        children.entry(task.parent).or_default().push(task.id);
    }
    let mut parents = vec![(original.id, copied.id)];
    while let Some((old_parent, new_parent)) = parents.pop() {
        for id in children.remove(&old_parent).unwrap_or_default() {
            let task = find(db, viewer, id)?;
            let project = match task.project == original.project {
                true => copied.project,
                false => task.project,
            };
            let change = subtask_change(db, viewer, &task, project, new_parent)?;
            let new = create(db, viewer, &change, &[]).map_err(|error| subtask_error(id, error))?;
            let new = keep_private(db, viewer, &task, new)?;
            copy_parts(db, viewer, user, (&task, &new), parts)?;
            parents.push((id, new.id));
        }
    }
    Ok(issues::find_any(db, copied.id)?.unwrap_or(copied))
}

/// Makes the copy of a private issue private, unless the viewer may decide that.
fn keep_private(
    db: &mut Write<'_>,
    viewer: &Viewer,
    original: &Issue,
    copy: Issue,
) -> Result<Issue, ActionError> {
    if !original.private || copy.private || may_set_private(viewer, copy.project, true) {
        return Ok(copy);
    }
    let copy = Issue {
        private: true,
        ..copy
    };
    issues::update(db, &copy)?;
    Ok(copy)
}

/// Returns the attributes of an issue, as a request for a new one has them: without the status,
/// which a copy gets from the workflow, and without a parent that the viewer does not see.
pub fn as_change(
    db: &Read<'_>,
    viewer: &Viewer,
    issue: &Issue,
) -> Result<IssueChange, ActionError> {
    let values = custom_fields::find_values(db, Customized::Issue, issue.id.0)?;
    let parent = issue.parent.map_or(Ok(None), |parent| {
        let visible = visibility::issues(viewer);
        issues::find(db, visible, parent).map(|parent| parent.map(|parent| parent.id))
    })?;
    Ok(IssueChange {
        project: Patch::Set(issue.project.to_string()),
        tracker: Patch::Set(issue.tracker),
        priority: Patch::Set(issue.priority),
        assignee: optional(issue.assignee),
        category: optional(issue.category),
        version: optional(issue.version),
        parent: optional(parent.map(|parent| parent.to_string())),
        start_date: optional(issue.start_date.map(|day| day.to_string())),
        due_date: optional(issue.due_date.map(|day| day.to_string())),
        done_ratio: Patch::Set(issue.done_ratio.to_string()),
        estimated_hours: optional(issue.estimated_hours.map(|hours| hours.to_string())),
        custom: visible_values(db, viewer, issue, &values),
        subject: Patch::Set(issue.subject.clone()),
        description: optional(issue.description.clone()),
        private: Patch::Set(issue.private),
        ..IssueChange::default()
    })
}

fn optional<T>(value: Option<T>) -> Patch<T> {
    value.map_or(Patch::Clear, Patch::Set)
}

/// Returns the values of the custom fields that the viewer sees.
fn visible_values(
    db: &Read<'_>,
    viewer: &Viewer,
    issue: &Issue,
    values: &Values,
) -> RequestedValues {
    let fields = db.catalogue().custom_fields_of(Customized::Issue);
    let visible = fields.filter(|field| field.is_visible_to(viewer, issue.project));
    visible
        .filter_map(|field| Some((field.id, values.get(field.id)?.to_vec())))
        .collect()
}

/// Returns the attributes of the copy of a subtask in a project, below a new parent.
fn subtask_change(
    db: &Read<'_>,
    viewer: &Viewer,
    task: &Issue,
    project: ProjectId,
    parent: IssueId,
) -> Result<IssueChange, ActionError> {
    let change = as_change_in(db, viewer, task, project)?;
    Ok(IssueChange {
        parent: Patch::Set(parent.to_string()),
        ..change
    })
}

/// As [`as_change`], for a new issue in another project: with the category of the same name, and
/// with the version and the assignee if they are possible there.
pub(super) fn as_change_in(
    db: &Read<'_>,
    viewer: &Viewer,
    issue: &Issue,
    project: ProjectId,
) -> Result<IssueChange, ActionError> {
    let mut change = as_change(db, viewer, issue)?;
    if project == issue.project {
        return Ok(change);
    }
    let catalogue = db.catalogue();
    change.project = Patch::Set(project.to_string());
    let parent = issue
        .parent
        .map_or(Ok(None), |id| issues::find_any(db, id))?;
    if !parent.is_some_and(|parent| parents::may_be_subtask(catalogue, parent.project, project)) {
        change.parent = Patch::Clear;
    }
    let name = issue
        .category
        .and_then(|id| catalogue.categories.get(&id))
        .map(|category| category.name.as_str());
    let mut categories = catalogue.categories.values();
    let same = categories
        .find(|category| category.project == project && Some(category.name.as_str()) == name);
    change.category = optional(same.map(|category| category.id));
    let version = issue.version.and_then(|id| catalogue.versions.get(&id));
    let shared = version.filter(|version| catalogue.is_shared_with(version, project));
    change.version = optional(shared.map(|version| version.id));
    let is_possible = issue
        .assignee
        .is_some_and(|assignee| super::assignable::in_project(catalogue, project, assignee));
    if !is_possible {
        change.assignee = Patch::Unset;
    }
    Ok(change)
}

fn subtask_error(id: IssueId, error: ActionError) -> ActionError {
    match error {
        ActionError::Invalid(errors) => ActionError::invalid(format!(
            "Subtask #{id} could not be copied: {}",
            errors.messages().join(", ")
        )),
        error => error,
    }
}

/// Copies files and watchers, as far as they are asked for.
fn copy_parts(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    (original, copy): (&Issue, &Issue),
    parts: CopiedParts,
) -> Result<(), ActionError> {
    if parts.files {
        let mut files = attachments::list_by_container(db, Kind::Issue, &[original.id.0])?;
        for file in files.remove(&original.id.0).unwrap_or_default() {
            let copied = Attachment {
                id: AttachmentId(0),
                container: Some(Container {
                    container_type: Kind::Issue.into(),
                    id: copy.id.0,
                }),
                author: user,
                created_on: db.now(),
                downloads: 0,
                ..file
            };
            attachments::insert(db, &copied)?;
        }
    }
    let may_copy_watchers = viewer.may(Permission::ViewIssueWatchers, original.project)
        && viewer.may(Permission::AddIssueWatchers, copy.project);
    if parts.watchers && may_copy_watchers {
        let catalogue = db.catalogue();
        let all = watchers::list(db, original.id.into())?;
        let visible: Vec<PrincipalId> = all
            .into_iter()
            .filter(|id| {
                visibility::can_see_principal(viewer, catalogue, *id)
                    && (catalogue.is_active(UserId(id.0)) || catalogue.groups.contains_key(id))
            })
            .collect();
        watching::watch(db, copy.id, &visible)?;
    }
    Ok(())
}
