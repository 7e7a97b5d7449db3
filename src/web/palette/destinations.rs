//! Where the palette leads from any page: projects, saved queries and the pages of the service.

use super::command::{Command, Words};
use crate::frame::administration_links;
use crate::prelude::*;
use crate::queries;
use quarry_actions::projects::may_create;
use quarry_domain::query::saved::QueryKind;
use quarry_store::lists::queries as stored;
use std::collections::HashSet;

/// Returns the projects that the viewer sees and whose name or identifier has the words: the
/// bookmarked ones, those of which the viewer is a member, then the others.
pub fn projects(request: &RequestContext, db: &Read<'_>, words: &Words) -> Vec<Command> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let visible = catalogue.tree.iter().filter(|id| viewer.sees(**id));
    let visible = visible.filter_map(|id| catalogue.projects.get(id));
    let mut matching: Vec<&Project> = visible
        .filter(|project| words.are_in(&[&project.name, &project.identifier]))
        .collect();
    let own: HashSet<i64> = viewer.member_project_ids().iter().copied().collect();
    matching.sort_by_cached_key(|project| {
        let is_bookmarked = catalogue.is_bookmarked(viewer.user, project.id);
        (!is_bookmarked, !own.contains(&project.id.0))
    });
    let commands = matching.into_iter().map(|project| {
        let icon = match catalogue.is_bookmarked(viewer.user, project.id) {
            true => "star",
            false => "project",
        };
        Command::link(icon, &project.name, paths::project(project))
            .with_details(project.identifier.as_str())
    });
    commands.collect()
}

/// Returns the saved queries and searches that the viewer may use, own ones first.
pub fn queries(request: &RequestContext, db: &Read<'_>) -> Result<Vec<Command>, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let mut own = Vec::new();
    let mut shared = Vec::new();
    for kind in queries::KINDS {
        if !viewer.may_somewhere(kind.view_permission()) {
            continue;
        }
        for query in stored::list(db, kind, viewer.user)? {
            if !query.is_listed_for(viewer) {
                continue;
            }
            let path = format!(
                "{}?query_id={}",
                queries::page_path(catalogue, &query),
                query.id
            );
            let icon = match kind {
                QueryKind::Searches => "search",
                _ => "issue",
            };
            let project = query.project.and_then(|id| catalogue.projects.get(&id));
            let is_own = query.owner.is_some() && query.owner == viewer.user;
            let command = Command::link(icon, query.name, path)
                .with_details(project.map_or("", |project| &project.name));
            match is_own {
                true => own.push(command),
                false => shared.push(command),
            }
        }
    }
    own.extend(shared);
    Ok(own)
}

/// Returns the pages of the service that the viewer may use; with `is_short` without those of the
/// administration.
pub fn pages(request: &RequestContext, is_short: bool) -> Vec<Command> {
    let viewer = request.viewer();
    let is_user = viewer.user.is_some();
    let pages = [
        (is_user, "user", "My page", "/my/page"),
        (is_user, "inbox", "Inbox", "/my/inbox"),
        (
            is_user && viewer.may_somewhere(Permission::AddIssues),
            "edit",
            "New issue",
            "/issues/new",
        ),
        (true, "issue", "Issues", "/issues"),
        (true, "project", "Projects", "/projects"),
        (may_create(viewer), "edit", "New project", "/projects/new"),
        (true, "time", "Activity", "/activity"),
        (
            viewer.may_somewhere(Permission::ViewTimeEntries),
            "time",
            "Spent time",
            "/time_entries",
        ),
        (is_user, "settings", "My account", "/my/account"),
        (is_user, "settings", "Notifications", "/my/notifications"),
        (viewer.admin, "settings", "Administration", "/admin"),
    ];
    let permitted = pages.into_iter().filter(|page| page.0);
    let mut commands: Vec<Command> = permitted
        .map(|(_, icon, label, path)| Command::link(icon, label, path))
        .collect();
    if viewer.admin && !is_short {
        let links = administration_links().filter(|(_, path)| *path != "/admin");
        let links = links.map(|(label, path)| {
            Command::link("settings", label, path).with_details("Administration")
        });
        commands.extend(links);
    }
    commands
}
