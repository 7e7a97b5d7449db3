//! `DELETE /issue_categories/:id` (contract 4.8).

use crate::actions::categories;
use crate::domain::ids::CategoryId;
use crate::http::{Ask, Error, Reply};

/// Removes a category: 204. `reassign_to_id` names the one to which its issues go.
pub fn delete(ask: &Ask) -> Result<Reply, Error> {
    let id: CategoryId = ask.number("id")?;
    let heir = ask.parameter("reassign_to_id").and_then(|text| text.trim().parse().ok()).map(CategoryId);
    ask.change(move |db, viewer| categories::remove(db, viewer, id, heir))?;
    Ok(Reply::nothing())
}
