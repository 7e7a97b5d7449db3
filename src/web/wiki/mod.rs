//! Pages of wikis: a page, its versions and their differences, the index, and the form for a new
//! page.

mod address;
mod create;
mod history;
mod settings;
mod show;

pub use create::{create, edit};
pub use history::{diff, history, index};
pub use settings::{edit as edit_settings, update as update_settings};
pub use show::show;
