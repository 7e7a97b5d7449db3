//! The files of the data folder beside the database: its lock, secrets, modes and the reserve of disk
//! space.

pub mod disk;
pub mod file_mode;
pub mod folder_lock;
pub(in crate::store) mod reserve;
pub mod secrets;
