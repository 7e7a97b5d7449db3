//! Saved queries on the pages of issue lists: choosing, saving and deleting them (compatibility
//! 13.7).

pub mod columns;
mod create;
mod delete;
pub mod menu;

pub use create::create;
pub use delete::delete;
