//! `POST /projects/:id/issue_categories` (contract 4.8).

use super::{view, wanted};
use crate::actions::categories;
use crate::http::{Ask, Error, Reply};

/// Adds a category: 201 with it and its address.
pub fn create(ask: &Ask) -> Result<Reply, Error> {
    let catalogue = ask.app.store.catalogue()?;
    let (project, wanted) = (super::project(ask, &catalogue)?, wanted(ask)?);
    let category = ask.change_in(project, move |db, viewer| categories::create(db, viewer, project, &wanted))?;
    let location = format!("/issue_categories/{}", category.id);
    Ok(Reply::object("issue_category", move |w| view::category(w, &category, &catalogue)).created(location))
}
