//! Pages of wikis: a page, its versions and their differences, the index, and the form for a new
//! page.

mod address;
mod create;
mod history;
mod show;

pub use create::{create, edit};
pub use history::{diff, history, index};
pub use show::show;
