//! `PUT /issue_categories/:id` (contract 4.8).

use super::{view, wanted};
use crate::actions::categories;
use crate::domain::ids::CategoryId;
use crate::http::{Ask, Error, Reply};
use std::sync::Arc;

/// Changes a category: 200 with it as it is then.
pub fn update(ask: &Ask) -> Result<Reply, Error> {
    let id: CategoryId = ask.number("id")?;
    let wanted = wanted(ask)?;
    let asker = Arc::clone(&ask.asker);
    let category = ask.app.store.write(move |db| categories::change(db, &asker.viewer, id, &wanted))?;
    let catalogue = ask.app.store.catalogue()?;
    Ok(Reply::object("issue_category", move |w| view::category(w, &category, &catalogue)))
}
