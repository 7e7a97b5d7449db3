//! The resource `/attachments`: description, content and changes of the files that belong to
//! records (compatibility 11.4).

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
