//! The resource `/settings`, for administrators (compatibility 14).

mod fields;
mod list;
mod show;
mod update;
mod view;

pub use list::list;
pub use show::show;
pub use update::{update, update_all};
