//! The resource `/custom_fields`, for administrators (compatibility 11.3 and 14).

mod create;
mod definition;
mod delete;
mod fields;
mod list;
mod show;
mod update;
pub mod view;

pub use create::create;
pub use delete::delete;
pub use list::list;
pub use show::show;
pub use update::update;
