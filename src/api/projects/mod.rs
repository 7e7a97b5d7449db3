//! The resource `/projects` (compatibility 8).

mod change;
mod list;
mod view;

pub use change::{
    add_bookmark, archive, close, create, delete, remove_bookmark, reopen, unarchive, update,
};
pub use list::list;
pub use list::show;
