//! The resource `/queries`: saved queries over issues (compatibility 11.6 and 13.7).

use crate::prelude::*;
use quarry_actions::queries;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::ids::QueryId;
use quarry_domain::query::saved::{QueryKind, SavedQuery};
use quarry_http::resources::fields::query;
use quarry_store as store;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/queries",
            get(read_handler(list)).post(write_handler(create)),
        )
        .route(
            "/queries/{id}",
            get(read_handler(show))
                .put(write_handler(update))
                .patch(write_handler(update))
                .delete(write_handler(delete)),
        )
}

/// The kinds of queries that the resource has.
const KINDS: [QueryKind; 1] = [QueryKind::Issues];

/// `GET /queries` (compatibility 11.6).
///
/// Returns a page of the queries that the viewer may use, by name.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let pagination = Pagination::from_query(&request.query);
    let mut queries = store::lists::queries::list(db, QueryKind::Issues, request.viewer().user)?;
    queries.retain(|query| query.is_listed_for(request.viewer()));
    let (page, total) = pagination.slice(queries);
    let meta = pagination.meta(total, page.len());
    Ok(Reply::list(
        "queries",
        "query",
        page,
        |w: &mut Fields, query: SavedQuery| {
            w.field("id", query.id.0);
            w.field("name", &query.name);
            w.field("is_public", query.is_public());
            w.field("project_id", query.project.map(i64::from));
        },
        meta,
    ))
}

/// `GET /queries/:id` (compatibility 13.7).
///
/// Returns the query.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    query_reply(request, db, request.id_param("id")?)
}

/// Returns the query with this id.
fn query_reply(request: &RequestContext, db: &Read<'_>, id: QueryId) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let viewer_context = Arc::clone(&request.viewer_context);
    let query = queries::find(db, request.viewer(), &KINDS, id)?;
    Ok(Reply::object("query", move |w| {
        write_query(w, &query, &viewer_context.viewer, &catalogue)
    }))
}

/// `POST /queries` (compatibility 13.7).
///
/// Creates a query: 201 with it and its URL.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    let change = query::parse(&request.body)?;
    let id =
        request.write(move |db, viewer| queries::create(db, viewer, QueryKind::Issues, &change))?;
    Ok(request
        .app
        .read(|db| query_reply(request, db, id))?
        .created(format!("{}/queries/{id}", request.base_url())))
}

/// `PUT /queries/:id` (compatibility 13.7).
///
/// Updates a query: 200 with its new state.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: QueryId = request.id_param("id")?;
    let change = query::parse(&request.body)?;
    request.write(move |db, viewer| queries::update(db, viewer, &KINDS, id, &change))?;
    request.app.read(|db| query_reply(request, db, id))
}

/// `DELETE /queries/:id` (compatibility 13.7).
///
/// Deletes a query: 200 without a body.
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: QueryId = request.id_param("id")?;
    request.write(move |db, viewer| queries::delete(db, viewer, &KINDS, id))?;
    Ok(Reply::ok())
}

/// Writes the fields of a query, in the order of compatibility 13.7. Filters that would reveal
/// custom fields are left out.
pub fn write_query(w: &mut Fields, query: &SavedQuery, viewer: &Viewer, catalogue: &Catalogue) {
    w.field("id", query.id.0);
    w.field("name", &query.name);
    w.field("description", &query.description);
    w.maybe_reference(
        "project",
        query
            .project
            .map(|project| (project.0, catalogue.project_name(project))),
    );
    w.maybe_reference(
        "user",
        query
            .owner
            .and_then(|owner| Some((owner.0, catalogue.principal_name(owner.into())?))),
    );
    w.field("visibility", query.audience.name());
    let roles = query
        .audience
        .roles()
        .iter()
        .filter_map(|id| catalogue.role(*id));
    w.references(
        "roles",
        "role",
        roles.map(|role| (role.id.0, role.name.as_str())),
    );
    match &query.filters {
        None => w.field("filters", None::<&str>),
        Some(filters) => {
            let visible = filters
                .iter()
                .filter(|filter| !filter.is_hidden_from(viewer, catalogue));
            w.items("filters", "filter", visible, |w, filter| {
                w.field("field", &filter.name);
                w.field("operator", &filter.operator);
                w.texts("values", "value", &filter.values);
            });
        }
    }
    w.texts("column_names", "column_name", &query.columns);
    w.texts(
        "sort_criteria",
        "sort_criterion",
        query
            .order
            .iter()
            .map(|(name, direction)| criterion(name, direction)),
    );
    w.field(
        "group_by",
        Some(&query.group_by).filter(|name| !name.is_empty()),
    );
    w.texts("totalable_names", "totalable_name", &query.totals);
}

/// Returns a sort criterion as the parameter `sort` has it.
fn criterion(name: &str, direction: &str) -> String {
    if direction == "desc" {
        format!("{name}:desc")
    } else {
        name.to_owned()
    }
}
