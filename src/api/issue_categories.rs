//! The resource `/issue_categories`, and those of a project (compatibility 6.8).

use crate::prelude::*;
use quarry_actions::projects::categories;
use quarry_actions::projects::categories::CategoryChange;
use quarry_domain::ids::{CategoryId, ProjectId};
use quarry_domain::projects::category::Category;
use quarry_domain::values::stable_sort::StableSort;
use quarry_http::resources::paths;
use quarry_wire::Meta;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/issue_categories/{id}",
            get(read_handler(show))
                .put(write_handler(update))
                .patch(write_handler(update))
                .delete(write_handler(delete)),
        )
        .route(
            "/projects/{id}/issue_categories",
            get(read_handler(list)).post(write_handler(create)),
        )
}

/// `GET /projects/:id/issue_categories` (compatibility 6.8).
///
/// Returns all categories of a project by name, to users who may manage them.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let project = project(request, &catalogue)?;
    if !request.viewer().may(Permission::ManageCategories, project) {
        return Err(Error::Forbidden);
    }
    let mut categories: Vec<Category> = catalogue
        .categories
        .values()
        .filter(|category| category.project == project)
        .cloned()
        .collect();
    categories.stable_sort_by(|a, b| (&a.name, a.id).cmp(&(&b.name, b.id)));
    let total = i64::try_from(categories.len()).unwrap_or(i64::MAX);
    let meta = if Pagination::from_query(&request.query).without_totals {
        Vec::new()
    } else {
        vec![Meta::Integer("total_count", total)]
    };
    Ok(Reply::list(
        "issue_categories",
        "issue_category",
        categories,
        move |w: &mut _, category: Category| write_category(w, &category, &catalogue),
        meta,
    ))
}

/// `GET /issue_categories/:id` (compatibility 6.8).
///
/// Returns the category, to users who may manage the categories of its project.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: CategoryId = request.id_param("id")?;
    categories::find(db.catalogue(), request.viewer(), id)?;
    category_reply(db, id)
}

fn category_reply(db: &Read<'_>, id: CategoryId) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let category = catalogue
        .categories
        .get(&id)
        .ok_or(Error::NotFound)?
        .clone();
    Ok(Reply::object("issue_category", move |w| {
        write_category(w, &category, &catalogue)
    }))
}

/// `POST /projects/:id/issue_categories` (compatibility 6.8).
///
/// Creates a category: 201 with it and its URL.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    let project = project(request, request.app.store.catalogue()?.as_ref())?;
    let change = CategoryChange::from_body(&request.body)?;
    let id = request.write_in_project(project, move |db, viewer| {
        Category::create(db, viewer, project, &change)
    })?;
    let reply = request.app.read(|db| category_reply(db, id))?;
    Ok(reply.created(paths::issue_category(id)))
}

/// `PUT /issue_categories/:id` (compatibility 6.8).
///
/// Updates a category: 200 with its new state.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: CategoryId = request.id_param("id")?;
    let change = CategoryChange::from_body(&request.body)?;
    request.write(move |db, viewer| Category::update(db, viewer, id, &change))?;
    request.app.read(|db| category_reply(db, id))
}

/// `DELETE /issue_categories/:id` (compatibility 6.8).
///
/// Deletes a category: 204. `reassign_to_id` is the category that its issues get.
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: CategoryId = request.id_param("id")?;
    let reassign_to = request
        .query_param("reassign_to_id")
        .and_then(|text| text.trim().parse().ok())
        .map(CategoryId);
    request.write(move |db, viewer| Category::delete(db, viewer, id, reassign_to))?;
    Ok(Reply::no_content())
}

/// Returns the project in the path; 404 when it does not exist.
pub fn project(request: &RequestContext, catalogue: &Catalogue) -> Result<ProjectId, Error> {
    catalogue
        .project_by(request.path_param("id"))
        .map(|project| project.id)
        .ok_or(Error::NotFound)
}

/// Writes the fields of a category, in the order of compatibility 6.8.
pub fn write_category(w: &mut Fields, category: &Category, catalogue: &Catalogue) {
    w.field("id", category.id.0);
    w.reference(
        "project",
        category.project.0,
        catalogue.project_name(category.project),
    );
    w.field("name", &category.name);
    w.maybe_reference(
        "assigned_to",
        category
            .assignee
            .map(|id| (id.0, catalogue.principal_name(id).unwrap_or_default())),
    );
}
