//! What the pages of spent time share: their paths, the project, the parsed list and the frame.

use crate::access;
use crate::frame::{Frame, ProjectTab};
use crate::prelude::*;
use quarry_http::resources::time_entry_list::TimeEntryList;

/// The address of the list below that of a project.
pub const LIST: &str = "/time_entries";
/// The address of the own week.
pub const WEEK: &str = "/time_entries/week";

/// Returns the address of the list of a project, or of all projects.
pub fn list_path(project: Option<&Project>) -> String {
    format!("{}{LIST}", project.map(paths::project).unwrap_or_default())
}

/// Returns the address of the list of an issue.
pub fn issue_list_path(catalogue: &Catalogue, project: ProjectId, issue: IssueId) -> String {
    let list = paths::below_project(catalogue, project, LIST);
    format!("{list}?issue_id={issue}")
}

/// Returns the project in the path, if the viewer may see spent time there; `None` for all projects.
pub fn project<'c>(
    request: &RequestContext,
    catalogue: &'c Catalogue,
) -> Result<Option<&'c Project>, Error> {
    access::optional_project(request, catalogue, Permission::ViewTimeEntries)
}

/// Parses the parameters of a list. `others` are parameters that are no filters. A project that the
/// viewer may not see looks like one that does not exist.
pub fn parse_list(
    request: &RequestContext,
    db: &Read<'_>,
    others: &[&str],
) -> Result<TimeEntryList, Error> {
    let list = TimeEntryList::parse(request, db, others);
    let list = if request.query.get("project_id").is_some() {
        access::found(request, list)?
    } else {
        list?
    };
    list.refuse_invalid_days()?;
    Ok(list)
}

/// Returns the frame of a page.
pub fn frame(
    request: &RequestContext,
    db: &Read<'_>,
    project: Option<&Project>,
    title: &str,
) -> Frame {
    Frame::in_optional_project(request, db, title, project, ProjectTab::Time)
}

/// Returns the address of the form for a new time entry, if the viewer may log time.
pub fn new_path(request: &RequestContext, project: Option<&Project>) -> Option<String> {
    let viewer = request.viewer();
    viewer.user?;
    let may_log = match project {
        Some(project) => viewer.may(Permission::LogTime, project.id),
        None => viewer.projects_with(Permission::LogTime).next().is_some(),
    };
    may_log.then(|| format!("{}/new", list_path(project)))
}
