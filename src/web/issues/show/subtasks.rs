//! The subtasks of an issue: as a tree on its page, and `/issues/:id/subtasks/:subtask/unlink`.

use super::fields::done_ratio;
use crate::access;
use crate::components::avatar::Person;
use crate::components::badge::Stage;
use crate::issues::issue_pages;
use crate::prelude::*;
use quarry_actions::issues;
use quarry_domain::access::visibility;
use quarry_domain::issues::issue::IssueChange;
use quarry_domain::values::patch::Patch;
use quarry_store::issues as stored_issues;
use quarry_store::issues::subtasks;
use std::collections::HashMap;

/// Maximum number of subtasks on the page.
const MAX_ROWS: usize = 100;
/// Maximum indentation.
const MAX_DEPTH: usize = 5;

/// The subtasks that the viewer sees.
pub struct Subtasks {
    /// The tree, depth first.
    pub rows: Vec<SubtaskRow>,
    /// Number of those that are not on the page.
    pub omitted: usize,
    /// Number of closed ones on the page.
    pub closed: usize,
    /// The mean done ratio of those without subtasks of their own, closed ones counted as done.
    pub percent: i64,
    /// The address of the form for a new one, if the viewer may add one.
    pub new_path: Option<String>,
}

/// A subtask.
pub struct SubtaskRow {
    pub id: IssueId,
    pub tracker: String,
    pub subject: String,
    pub status: String,
    pub stage: Stage,
    pub assignee: Option<Person>,
    /// The done ratio.
    pub percent: i64,
    /// The level below the issue of the page, 0 to 5.
    pub depth: usize,
    /// The address that makes it a subtask no longer, if the viewer may do that.
    pub unlink_path: Option<String>,
}

/// Loads the subtasks.
pub fn load(request: &RequestContext, db: &Read<'_>, issue: &Issue) -> Result<Subtasks, Error> {
    let mut children: HashMap<IssueId, Vec<IssueId>> = HashMap::new();
    let all = subtasks::list(db, request.viewer(), issue.id)?;
    for task in &all {
        children.entry(task.parent).or_default().push(task.id);
    }
    stored_issues::preload(db, all.iter().take(MAX_ROWS).map(|task| task.id))?;
    let mut rows = Vec::new();
    let mut leaves: Vec<i64> = Vec::new();
    let mut stack = Vec::new();
    push(&mut stack, children.remove(&issue.id), 0);
    while let Some((id, depth)) = stack.pop() {
        if rows.len() == MAX_ROWS {
            break;
        }
        let own = children.remove(&id);
        let is_leaf = own.is_none();
        push(&mut stack, own, (depth + 1).min(MAX_DEPTH));
        let Some(task) = stored_issues::find(db, visibility::issues(request.viewer()), id)? else {
            continue;
        };
        let row = row(request, db, issue, &task, depth);
        if is_leaf {
            leaves.push(if row.stage.is_closed() {
                100
            } else {
                row.percent
            });
        }
        rows.push(row);
    }
    let count = i64::try_from(leaves.len()).unwrap_or(i64::MAX);
    Ok(Subtasks {
        omitted: all.len().saturating_sub(rows.len()),
        closed: rows.iter().filter(|row| row.stage.is_closed()).count(),
        percent: leaves.iter().sum::<i64>() / count.max(1),
        rows,
        new_path: new_path(request, db, issue),
    })
}

fn push(stack: &mut Vec<(IssueId, usize)>, children: Option<Vec<IssueId>>, depth: usize) {
    let children = children.unwrap_or_default().into_iter().rev();
    stack.extend(children.map(|id| (id, depth)));
}

fn row(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
    task: &Issue,
    depth: usize,
) -> SubtaskRow {
    let catalogue = db.catalogue();
    let tracker = catalogue.tracker(task.tracker);
    let status = catalogue.status(task.status);
    let is_child = task.parent == Some(issue.id);
    SubtaskRow {
        id: task.id,
        tracker: tracker.map_or_else(String::new, |tracker| tracker.name.clone()),
        subject: task.subject.clone(),
        status: status.map_or_else(String::new, |status| status.name.clone()),
        stage: Stage::of(catalogue, task.status),
        assignee: task
            .assignee
            .map(|id| Person::with_picture(request.viewer(), catalogue, id)),
        percent: done_ratio(task, catalogue),
        depth,
        unlink_path: (is_child && may_unlink(request, task))
            .then(|| format!("{}/subtasks/{}/unlink", paths::issue(issue.id), task.id)),
    }
}

/// Whether the viewer may make the issue a subtask no longer, as far as permissions decide. The
/// workflow can still forbid it.
fn may_unlink(request: &RequestContext, task: &Issue) -> bool {
    let viewer = request.viewer();
    viewer.user.is_some()
        && issues::may_edit(viewer, task)
        && viewer.may(Permission::ManageSubtasks, task.project)
}

/// Returns the address of the form for a subtask, if the viewer may add one.
fn new_path(request: &RequestContext, db: &Read<'_>, issue: &Issue) -> Option<String> {
    let viewer = request.viewer();
    let project = db.catalogue().projects.get(&issue.project)?;
    let is_possible = db
        .catalogue()
        .tracker(issue.tracker)
        .is_none_or(|tracker| tracker.has("parent_issue_id"));
    let is_permitted = viewer.may(Permission::AddIssues, issue.project)
        && viewer.may(Permission::ManageSubtasks, issue.project);
    (is_possible && is_permitted).then(|| {
        format!(
            "{}/issues/new?issue%5Bparent_issue_id%5D={}",
            paths::project(project),
            issue.id
        )
    })
}

/// `POST /issues/:id/subtasks/:subtask/unlink`: the issue is no longer a subtask.
pub fn unlink(request: &RequestContext) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("subtask")?;
    let issue = request.app.read(|db| -> Result<_, Error> {
        let issue = issue_pages::find(request, db)?;
        let task = access::found(request, issues::find(db, request.viewer(), id))?;
        if task.parent != Some(issue.id) {
            return Err(access::missing(request));
        }
        let editable = issues::for_update(db, request.viewer(), id, &IssueChange::default())?;
        if request.viewer().user.is_some() && editable.may_set("parent_issue_id") {
            Ok(issue.id)
        } else {
            Err(Error::Forbidden)
        }
    })?;
    let change = IssueChange {
        parent: Patch::Clear,
        ..IssueChange::default()
    };
    request.write(move |db, viewer| issues::update(db, viewer, id, &change, &[]).map(drop))?;
    issue_pages::back(request, issue, &format!("#{id} is a subtask no longer."))
}
