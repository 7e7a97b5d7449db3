//! `GET /activity`, `GET /projects/:id/activity`.

use super::events::{Day, context, days};
use super::params::{GROUPS, Params, key_text};
use crate::components::pager::with_params;
use crate::frame::render::render;
use crate::frame::{Frame, ProjectTab, Width};
use crate::prelude::*;
use quarry_actions::content::activity;
use quarry_domain::ids::PrincipalId;

/// Number of events on a page.
const LIMIT: usize = 50;

#[derive(Template)]
#[template(path = "content/activity/show.html")]
struct ActivityPage {
    frame: Frame,
    /// The address of the page without parameters.
    path: String,
    /// The name of the person whose activity it is.
    person: Option<String>,
    /// The value of `user_id`.
    user: String,
    /// The address without the person.
    everybody: String,
    /// The last day, as a field has it.
    until: String,
    groups: Vec<GroupChoice>,
    /// For a project with subprojects: whether they are included.
    with_subprojects: Option<bool>,
    days: Vec<Day>,
    /// The address of older events.
    older: Option<String>,
    /// The address of the newest events, on pages of older ones.
    newest: Option<String>,
    feed: String,
}

/// A group of event types that can be chosen.
struct GroupChoice {
    name: &'static str,
    label: &'static str,
    is_chosen: bool,
}

/// Shows what happened, newest first, by day.
///
/// Lists the events of all projects, or of a project and its subprojects, that the viewer may see.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let params = Params::parse(request, db)?;
    let person = params.user.and_then(|user| name_of(catalogue, user.into()));
    let title = match &person {
        Some(name) => format!("Activity of {name}"),
        None => "Activity".to_owned(),
    };
    let mut frame = Frame::new(request, db, title).with_width(Width::Medium);
    if let Some(project) = params.project {
        let tab = Some(ProjectTab::Activity);
        frame = frame.in_project(db, request.viewer(), project, tab);
    }
    let types = params.types();
    let query = params.query(request, db, &types, &frame.zone, LIMIT);
    let found = activity::list(db, &query)?;
    let sentences = context(request, db, &found.events)?;
    let subprojects = params.project.map(|project| {
        let subtree = catalogue.subtree(project.id);
        subtree
            .iter()
            .filter(|id| request.viewer().sees(**id))
            .count()
    });
    let has_subprojects = subprojects.is_some_and(|count| count > 1);
    let is_mixed = params.project.is_none() || has_subprojects && !params.without_subprojects;
    let now = (&frame.zone.clone(), db.now());
    let path = format!(
        "{}/activity",
        params.project.map(paths::project).unwrap_or_default()
    );
    let page = ActivityPage {
        person,
        user: request
            .query_param("user_id")
            .unwrap_or_default()
            .into_owned(),
        everybody: with_params(request, &[("user_id", None), ("after", None)]),
        until: params.until.map(|day| day.to_string()).unwrap_or_default(),
        groups: groups(request, catalogue, &params),
        with_subprojects: has_subprojects.then_some(!params.without_subprojects),
        days: days(request, &sentences, found.events, now, is_mixed),
        older: found
            .last
            .map(|key| with_params(request, &[("after", Some(&key_text(&key)))])),
        newest: request
            .query_param("after")
            .map(|_| with_params(request, &[("after", None)])),
        feed: format!("{path}.atom{}", params.query_string()),
        path,
        frame,
    };
    render(&page.frame, &page)
}

/// Returns the groups of which the viewer may see events.
fn groups(
    request: &RequestContext,
    catalogue: &Catalogue,
    params: &Params<'_>,
) -> Vec<GroupChoice> {
    let viewer = request.viewer();
    GROUPS
        .iter()
        .filter(|(_, _, permission)| match params.projects(catalogue) {
            Some(projects) => projects.iter().any(|id| viewer.may(*permission, *id)),
            None => viewer.may_somewhere(*permission),
        })
        .map(|(name, label, _)| GroupChoice {
            name,
            label,
            is_chosen: params.groups.contains(name),
        })
        .collect()
}

fn name_of(catalogue: &Catalogue, id: PrincipalId) -> Option<String> {
    catalogue.principal_name(id).map(str::to_owned)
}
