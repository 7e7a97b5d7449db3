//! `/projects/:id/settings/queries`: the public queries of a project, and the confirmation of their
//! deletion.

use super::kinds::{KINDS, list_path, noun, path};
use crate::access;
use crate::components::form_page::FormPage;
use crate::components::list_page::{Cell, Link, ListPage};
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_actions::queries;
use quarry_domain::ids::QueryId;
use quarry_domain::query::saved::{Audience, QueryKind};
use quarry_store as store;

const SECTION: &str = "Saved queries";

/// Lists the queries of the project that others can use.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let permission = Permission::ManagePublicQueries;
    let project = access::managed_project(request, catalogue, permission)?;
    let queries = store::lists::queries::list(db, QueryKind::Issues, None)?.into_iter();
    let queries = queries.chain(store::lists::queries::list(db, QueryKind::Searches, None)?);
    let queries =
        queries.filter(|query| query.project == Some(project.id) && query.is_editable_by(viewer));
    let issues = list_path(catalogue, Some(project.id));
    let rows = queries.map(|query| {
        let is_default = project.default_query == Some(query.id);
        let is_search = query.kind == QueryKind::Searches;
        let notes = is_default.then(|| "Default".to_owned());
        let notes = notes.or_else(|| is_search.then(|| "Search".to_owned()));
        let path = path(catalogue, &query);
        let link = Link::new(query.name, format!("{path}?query_id={}", query.id));
        vec![
            Cell::Record(link, notes.into_iter().collect()),
            Cell::Text(audience(catalogue, &query.audience)),
            Cell::Text(query.description),
            Cell::Links(vec![Link::new("Delete", paths::delete_query(query.id))]),
        ]
    });
    let rows = rows.collect();
    let frame = Frame::for_project_settings(request, db, project, SECTION, SECTION);
    ListPage::new(frame, &["Name", "For", "Description", ""], rows)
        .with_heading(SECTION)
        .with_introduction(
            "Filter a list of issues or search in the project, and save it there for everybody.",
        )
        .with_button("List of issues", issues)
        .with_empty(
            "There are no shared queries yet.",
            "Filter the list of issues and choose Save query, or search and choose Save search.",
        )
        .render()
}

fn audience(catalogue: &Catalogue, audience: &Audience) -> String {
    match audience {
        Audience::Owner => "the owner".to_owned(),
        Audience::Everybody => "everybody".to_owned(),
        Audience::Roles(roles) => {
            let names = roles.iter().filter_map(|id| catalogue.role(*id));
            names
                .map(|role| role.name.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        }
    }
}

/// `GET /queries/:id/delete`: asks for confirmation.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let viewer = request.viewer();
    let id: QueryId = request.id_param("id")?;
    let query = access::found(request, queries::find(db, viewer, &KINDS, id))?;
    if !query.is_editable_by(viewer) {
        return Err(Error::Forbidden);
    }
    let title = format!("Delete the {} {}", noun(query.kind), query.name);
    let consequence = match query.kind {
        QueryKind::Searches => "Links to it and its feed will stop working.",
        _ => {
            "Links to it will stop working. Lists that use it as the default query will show the standard list."
        }
    };
    let frame = Frame::new(request, db, &title).with_width(Width::Slim);
    FormPage::confirmation(frame, paths::delete_query(id), "Delete")
        .with_heading(format!("{title}?"))
        .with_paragraph(consequence)
        .with_cancel(path(db.catalogue(), &query))
        .render()
}
