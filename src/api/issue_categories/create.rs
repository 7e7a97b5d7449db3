//! `POST /projects/:id/issue_categories` (compatibility 6.8).

use super::{fields, view};
use crate::actions::categories;
use crate::http::{Error, Reply, RequestContext};

/// Creates a category: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let catalogue = request.app.store.catalogue()?;
    let project = fields::project(request, &catalogue)?;
    let change = fields::parse(request)?;
    let category = request.write_in_project(project, move |db, viewer| {
        categories::create(db, viewer, project, &change)
    })?;
    let location = format!("/issue_categories/{}", category.id);
    Ok(Reply::object("issue_category", move |w| {
        view::category(w, &category, &catalogue)
    })
    .created(location))
}
