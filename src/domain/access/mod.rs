//! Who may do and see what: permissions, roles, members, the viewer of a request, and the
//! conditions of visibility.

pub(crate) mod project_roles;

pub mod explanation;
pub mod inheritance;
pub mod member;
pub mod membership;
pub mod permission;
pub mod role;
pub mod viewer;
pub mod visibility;
pub mod visible;
