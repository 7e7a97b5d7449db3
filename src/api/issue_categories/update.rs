//! `PUT /issue_categories/:id` (compatibility 6.8).

use super::{fields, view};
use crate::actions::categories;
use crate::domain::ids::CategoryId;
use crate::http::{Error, Reply, RequestContext};

/// Updates a category: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: CategoryId = request.id_param("id")?;
    let change = fields::parse(request)?;
    let category = request.write(move |db, viewer| categories::update(db, viewer, id, &change))?;
    let catalogue = request.app.store.catalogue()?;
    Ok(Reply::object("issue_category", move |w| {
        view::category(w, &category, &catalogue)
    }))
}
