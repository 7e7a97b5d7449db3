//! Users.

mod list;
mod show;
pub mod view;

pub use list::list;
pub use show::{current, show};
