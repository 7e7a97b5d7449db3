//! The data folder beside the database: its lock, its permissions, its secret, and the reserve of
//! disk space. May import: `store::disk`, `store::error`.

pub(crate) mod reserve;

pub mod file_mode;
pub mod folder_lock;
pub mod location;
pub mod secrets;
