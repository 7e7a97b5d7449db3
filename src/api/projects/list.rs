//! Lists projects and shows one (compatibility 8).

use super::view::{self, Include, ViewContext};
use crate::prelude::*;
use quarry_actions as actions;
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::ids::ProjectId;
use quarry_domain::projects::project::{Project, ProjectStatus};
use quarry_domain::query::filter::Context;
use quarry_domain::query::projects::{Field, filter_fields, parent_matches, sort, sort_fields};
use quarry_domain::query::saved::QueryKind;
use quarry_http::resources::filters;
use quarry_http::resources::filters::Saved;
use quarry_store::administration::custom_fields;
use quarry_store::lists::page_size;
use quarry_store::projects;
use std::sync::Arc;

/// Parameters that are not filters.
const NON_FILTER_PARAMETERS: &[&str] = &[
    "offset", "limit", "page", "sort", "include", "nometa", "query_id",
];

/// `GET /projects`: the projects that the viewer can see, in tree order (compatibility 8).
///
/// Returns a page of the matching projects; only active ones, unless `status` or the long form of
/// filters selects others. Visibility, `status` and the order of the tree come from the catalogue.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let pagination = Pagination::from_query(&request.query);
    let viewer = request.viewer();
    // An empty status means all statuses (compatibility 8).
    let any_status = request
        .query_param("status")
        .is_some_and(|text| text.is_empty());
    let non_filters: Vec<&str> = NON_FILTER_PARAMETERS
        .iter()
        .copied()
        .chain(any_status.then_some("status"))
        .collect();
    let context = Context::new(viewer, &catalogue, db.now());
    let available = filter_fields(&catalogue, viewer);
    let saved = filters::saved(request, db, QueryKind::Projects, None, &available, &context)
        .map_err(Error::by_framework)?;
    let filters = filters::parse(request, &available, &non_filters, &context)?;
    let order = order(request, saved.as_ref());
    let has_default_filter = !any_status
        && !filters.is_long_form
        && saved
            .as_ref()
            .is_none_or(|saved| saved.conditions.is_none());
    let conditions = saved
        .and_then(|saved| saved.conditions)
        .into_iter()
        .flatten()
        .chain(filters.conditions);
    // SQL does not know which parents the viewer sees; a hidden parent counts as none.
    let (parent_conditions, own_conditions): (Vec<_>, Vec<_>) =
        conditions.partition(|condition| condition.field == Field::Parent);
    let only_active = has_default_filter
        && own_conditions
            .iter()
            .all(|condition| condition.field != Field::Status);
    let matching_ids = if own_conditions.is_empty() {
        None
    } else {
        Some(projects::matching(db, viewer, &own_conditions)?)
    };
    let mut matching: Vec<&Project> = catalogue
        .tree
        .iter()
        .filter_map(|id| catalogue.projects.get(id))
        .filter(|project| {
            (!only_active || project.status == ProjectStatus::Active)
                && viewer.sees(project.id)
                && parent_conditions
                    .iter()
                    .all(|condition| parent_matches(project, &condition.predicate, viewer))
                && matching_ids
                    .as_ref()
                    .is_none_or(|ids| ids.contains(&project.id))
        })
        .collect();
    let fields_of_order = sort_fields(&catalogue, viewer, &order);
    let ids: Vec<i64> = if fields_of_order.is_empty() {
        Vec::new()
    } else {
        matching.iter().map(|project| project.id.0).collect()
    };
    let values = custom_fields::list_values(db, Customized::Project, &ids)?;
    sort(&mut matching, &order, viewer, &fields_of_order, &values);
    let (mut page, total) = pagination.slice(matching);
    page.truncate(page_len(db, &page)?);
    let page: Vec<Project> = page.into_iter().cloned().collect();
    let view_context = ViewContext::load(
        db,
        &request.viewer_context,
        Include::from_query(request),
        page.iter().map(|project| project.id.0).collect(),
    )?;
    let meta = pagination.meta(total, page.len());
    let reply = Reply::list(
        "projects",
        "project",
        page,
        move |w, project| view::list_item(w, &project, &view_context),
        meta,
    );
    Ok(reply.with_warning(filters.warning))
}

/// Returns how many of the projects fit into a page with their texts.
fn page_len(db: &Read<'_>, projects: &[&Project]) -> Result<usize, Error> {
    let ids: Vec<i64> = projects.iter().map(|project| project.id.0).collect();
    let values = custom_fields::value_sizes(db, Customized::Project, &ids)?;
    Ok(page_size::page_len(projects.iter().map(|project| {
        project.description.as_deref().map_or(0, str::len)
            + values.get(&project.id.0).copied().unwrap_or_default()
    })))
}

/// Returns the requested order, or that of the saved query.
fn order(request: &RequestContext, saved: Option<&Saved<Field>>) -> String {
    match filters::requested_order(request) {
        Some(text) => text.into_owned(),
        None => filters::saved_order(saved)
            .map(|(name, direction)| format!("{name}:{direction}"))
            .collect::<Vec<_>>()
            .join(","),
    }
}

/// `GET /projects/:id`: one project, by id or identifier (compatibility 8).
///
/// Returns the project; 403 when the viewer cannot see it, 404 when it does not exist.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id =
        actions::projects::find(db.catalogue(), request.viewer(), request.path_param("id"))?.id;
    // A token may have rights in a project without the scope `view_project`.
    if !request.viewer().sees(id) {
        return Err(Error::Forbidden);
    }
    project_reply(request, db, id, Include::from_query(request))
}

/// Returns a project. The rights of the viewer are read again: creating the project may have made
/// the viewer a member.
pub fn project_reply(
    request: &RequestContext,
    db: &Read<'_>,
    id: ProjectId,
    include: Include,
) -> Result<Reply, Error> {
    let project = db
        .catalogue()
        .projects
        .get(&id)
        .ok_or(Error::NotFound)?
        .clone();
    let viewer_context = request.app.viewer_context(
        db.catalogue(),
        request.viewer().user,
        request.viewer().scopes,
    );
    let mut view_context = ViewContext::load(db, &viewer_context, include, vec![id.0])?;
    if !request.redmine_strict(db) {
        view_context = view_context.with_default_query(db, &project)?;
    }
    Ok(Reply::object("project", move |w| {
        view::full_project(w, &project, &view_context)
    }))
}
