//! Who may do and see what: permissions, roles, viewers, and the visibility of records.

pub mod membership;
pub mod permission;
pub mod role;
pub mod viewer;
pub mod visibility;
pub mod visible;
