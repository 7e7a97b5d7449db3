//! Forums: the boards of a project with their topics, the forms of messages, and the settings that
//! manage the boards.

mod edit;
mod list;
mod settings;
mod show;

pub use list::{list, topics};
pub use show::show;

use quarry_http::Routes;

/// Returns the routes of the forms and of the settings.
pub fn routes() -> Routes {
    settings::routes().merge(edit::routes())
}
