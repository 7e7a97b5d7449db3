//! The resource `/workflows`, for administrators (compatibility 14).

mod fields;
mod show;
mod update;
mod view;

pub use show::show;
pub use update::update;
