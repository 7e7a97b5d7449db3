//! Pages of wikis: a page, its versions and their differences, the index, and the form for a new
//! page.

mod address;
mod create;
mod history;
mod show;

pub use crate::web::wiki::history::{diff, history, index};
pub use create::{create, edit};
pub use show::show;
