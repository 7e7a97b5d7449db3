//! `GET /issue_categories/:id` (contract 4.8).

use super::view;
use crate::actions::categories;
use crate::domain::ids::CategoryId;
use crate::http::{Ask, Error, Reply};
use crate::store::Read;
use std::sync::Arc;

/// The category, to whoever may manage those of its project.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let id: CategoryId = ask.number("id")?;
    let catalogue = Arc::clone(db.catalogue());
    let category = categories::find(&catalogue, ask.viewer(), id)?.clone();
    Ok(Reply::object("issue_category", move |w| view::category(w, &category, &catalogue)))
}
