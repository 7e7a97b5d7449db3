//! Issue categories.

mod create;
mod delete;
mod list;
mod show;
mod update;
mod view;

pub use create::create;
pub use delete::delete;
pub use list::list;
pub use show::show;
pub use update::update;

use crate::actions::categories::CategoryChange;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::ProjectId;
use crate::http::{Ask, Error, Said};

/// The project in the path; 404 when there is none.
fn project(ask: &Ask, catalogue: &Catalogue) -> Result<ProjectId, Error> {
    catalogue.project_by(ask.place("id")).map(|project| project.id).ok_or(Error::NotFound)
}

/// What the body says of a category.
fn wanted(ask: &Ask) -> Result<CategoryChange, Error> {
    let mut said = Said::of(ask, "issue_category")?;
    let change = CategoryChange { name: said.text("name", "Name"), assignee: said.id("assigned_to_id", "Assignee") };
    said.finish()?;
    Ok(change)
}
