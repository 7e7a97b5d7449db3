//! `GET /issue_categories/:id` (compatibility 6.8).

use super::view;
use crate::actions::categories;
use crate::domain::ids::CategoryId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use std::sync::Arc;

/// Returns the category, to users who may manage the categories of its project.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: CategoryId = request.id_param("id")?;
    let catalogue = Arc::clone(db.catalogue());
    let category = categories::find(&catalogue, request.viewer(), id)?.clone();
    Ok(Reply::object("issue_category", move |w| {
        view::category(w, &category, &catalogue)
    }))
}
