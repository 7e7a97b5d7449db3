//! Attachments: files that belong to records.

mod delete;
mod download;
mod show;
mod thumbnail;
mod update;
pub mod view;

pub use delete::delete;
pub use download::download;
pub use show::show;
pub use thumbnail::thumbnail;
pub use update::update;
