//! What the page offers on which the palette was opened. Its address says which page that is; the
//! rights are those of the viewer now.

use super::command::Command;
use crate::content::wiki::page_commands;
use crate::frame::{ProjectBar, local_path};
use crate::issues;
use crate::issues::View;
use crate::prelude::*;
use crate::queries::{ListAddress, list_path};
use quarry_domain::ids::VersionId;
use quarry_domain::projects::project::ProjectStatus;

/// What a page offers.
#[derive(Default)]
pub struct PageCommands<'c> {
    pub commands: Vec<Command>,
    /// The project of the page.
    pub project: Option<&'c Project>,
}

/// Returns what the page at an address offers; nothing for one that is missing, hidden or has no
/// commands.
pub fn load<'c>(
    request: &RequestContext,
    db: &'c Read<'_>,
    address: &str,
) -> Result<PageCommands<'c>, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let segments = local_path::segments(path);
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let visible = |project: &&Project| viewer.sees(project.id);
    let named = |name: &str| catalogue.project_by(name).filter(visible);
    let of_project = |project: Option<&'c Project>| PageCommands {
        commands: Vec::new(),
        project,
    };
    Ok(match segments[..] {
        ["issues"] => of_list(request, catalogue, None, query),
        ["issues", view] if is_view(view) => of_list(request, catalogue, None, query),
        ["issues", id, ..] => of_issue(request, db, id)?,
        ["projects", id, "issues"] => of_list(request, catalogue, named(id), query),
        ["projects", id, "issues", view] if is_view(view) => {
            of_list(request, catalogue, named(id), query)
        }
        ["projects", id, "wiki", title] => match named(id) {
            Some(project) => PageCommands {
                commands: page_commands::load(request, db, project, title)?,
                project: Some(project),
            },
            None => PageCommands::default(),
        },
        ["projects", id, ..] => of_project(named(id)),
        ["versions", id, ..] => {
            let id = id.parse().map(VersionId).ok();
            let version = id.and_then(|id| catalogue.versions.get(&id));
            let project = version.and_then(|version| catalogue.projects.get(&version.project));
            of_project(project.filter(visible))
        }
        _ => PageCommands::default(),
    })
}

/// The parameters of one view, which mean nothing to the others.
const OF_ONE_VIEW: [&str; 6] = ["columns", "lanes", "pages", "year", "month", "months"];

fn is_view(segment: &str) -> bool {
    let mut views = View::ALL.into_iter().filter(|view| *view != View::List);
    views.any(|view| view.path_end().trim_start_matches('/') == segment)
}

/// Returns the views of a list of issues, with the same filters.
fn of_list<'c>(
    request: &RequestContext,
    catalogue: &Catalogue,
    project: Option<&'c Project>,
    query: &str,
) -> PageCommands<'c> {
    let viewer = request.viewer();
    let may_view = match project {
        Some(project) => viewer.may(Permission::ViewIssues, project.id),
        None => viewer.may_somewhere(Permission::ViewIssues),
    };
    if !may_view {
        return PageCommands {
            commands: Vec::new(),
            project,
        };
    }
    let query = quarry_wire::from_query(query).unwrap_or(Input::Null);
    let address = ListAddress::from_input(&query);
    let address = OF_ONE_VIEW
        .iter()
        .fold(address, |address, name| address.set(name, None));
    let query = address.for_view();
    let path = list_path(catalogue, project.map(|project| project.id));
    let link = |view: View| {
        let address = format!("{path}{}{query}", view.path_end());
        Command::link("issue", view.label(), address)
    };
    let commands = View::ALL.into_iter().map(link).collect();
    PageCommands { commands, project }
}

/// Returns what can be done with an issue.
fn of_issue<'c>(
    request: &RequestContext,
    db: &'c Read<'_>,
    id: &str,
) -> Result<PageCommands<'c>, Error> {
    let Ok(id) = id.parse().map(IssueId) else {
        return Ok(PageCommands::default());
    };
    let issue = issues::page_commands::load(request, db, id)?;
    let Some((commands, project)) = issue else {
        return Ok(PageCommands::default());
    };
    Ok(PageCommands {
        commands,
        project: db.catalogue().projects.get(&project),
    })
}

/// Returns the parts of a project, and what can be done with it.
pub fn project_commands(
    request: &RequestContext,
    db: &Read<'_>,
    project: &Project,
) -> Vec<Command> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let path = paths::project(project);
    let mut commands = Vec::new();
    if viewer.user.is_some() && viewer.may(Permission::AddIssues, project.id) {
        commands.push(Command::link(
            "edit",
            "New issue",
            format!("{path}/issues/new"),
        ));
    }
    let bar = ProjectBar::new(db, viewer, project, None);
    let parts = bar.tabs.into_iter();
    commands.extend(parts.map(|tab| Command::link("project", tab.label, tab.path)));
    if viewer.user.is_some() && project.status != ProjectStatus::Archived {
        let is_bookmarked = catalogue.is_bookmarked(viewer.user, project.id);
        let (label, value) = match is_bookmarked {
            true => ("Remove the bookmark", "0"),
            false => ("Bookmark the project", "1"),
        };
        let field = ("bookmark", value);
        commands.push(Command::form(
            "star",
            label,
            format!("{path}/bookmark"),
            field,
        ));
    }
    commands
}
