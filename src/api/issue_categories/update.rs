//! `PUT /issue_categories/:id` (contract 4.8).

use super::{view, wanted};
use crate::actions::categories;
use crate::domain::ids::CategoryId;
use crate::http::{Ask, Error, Reply};

/// Changes a category: 200 with it as it is then.
pub fn update(ask: &Ask) -> Result<Reply, Error> {
    let id: CategoryId = ask.number("id")?;
    let wanted = wanted(ask)?;
    let category = ask.change(move |db, viewer| categories::change(db, viewer, id, &wanted))?;
    let catalogue = ask.app.store.catalogue()?;
    Ok(Reply::object("issue_category", move |w| view::category(w, &category, &catalogue)))
}
