//! Groups: their list for administrators, one for everybody who can see it; changes for
//! administrators (compatibility 11.2).

mod create;
mod delete;
mod fields;
mod list;
mod show;
mod update;
mod users;
mod view;

pub use create::create;
pub use delete::delete;
pub use list::list;
pub use show::show;
pub use update::update;
pub use users::{create_users, delete_user, delete_users};
