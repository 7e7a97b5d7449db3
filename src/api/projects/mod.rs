//! The resource `/projects` (compatibility 8).

mod change;
mod list;
mod view;

pub use crate::api::projects::change::{
    add_bookmark, archive, close, create, delete, remove_bookmark, reopen, unarchive, update,
};
pub use crate::api::projects::list::show;
pub use list::list;
