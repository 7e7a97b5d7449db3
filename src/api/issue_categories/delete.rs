//! `DELETE /issue_categories/:id` (compatibility 6.8).

use crate::actions::categories;
use crate::domain::ids::CategoryId;
use crate::http::{Error, Reply, RequestContext};

/// Deletes a category: 204. `reassign_to_id` is the category that its issues get.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: CategoryId = request.id_param("id")?;
    let reassign_to = request
        .query_param("reassign_to_id")
        .and_then(|text| text.trim().parse().ok())
        .map(CategoryId);
    request.write(move |db, viewer| categories::delete(db, viewer, id, reassign_to))?;
    Ok(Reply::no_content())
}
