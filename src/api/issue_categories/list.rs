//! `GET /projects/:id/issue_categories` (contract 4.8).

use super::view;
use crate::domain::permission::Permission;
use crate::domain::version::Category;
use crate::http::{Ask, Error, Listing, Reply};
use crate::store::Read;
use crate::wire::Meta;
use std::sync::Arc;

/// The categories of a project by name, in one piece, to whoever may manage them.
pub fn list(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let project = super::project(ask, &catalogue)?;
    if !ask.viewer().may(Permission::ManageCategories, project) {
        return Err(Error::Forbidden);
    }
    let mut found: Vec<Category> = catalogue.categories.values().filter(|category| category.project == project).cloned().collect();
    found.sort_by(|one, other| (&one.name, one.id).cmp(&(&other.name, other.id)));
    let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
    let meta = if Listing::read(&ask.query).bare { Vec::new() } else { vec![Meta::Number("total_count", total)] };
    let describe = move |w: &mut _, category: Category| view::category(w, &category, &catalogue);
    Ok(Reply::list("issue_categories", "issue_category", found, describe, meta))
}
