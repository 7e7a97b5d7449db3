//! Memberships as they are stored.

use crate::ids::{PrincipalId, ProjectId, RoleId};

/// A membership as stored. Inheritance and groups are resolved when the rights of a viewer are
/// computed.
#[derive(Clone, Debug)]
pub struct Member {
    pub project: ProjectId,
    /// The member: a user or a group.
    pub principal: PrincipalId,
    /// The roles of the member, in the order in which they were given.
    pub roles: Vec<MemberRole>,
}

impl Member {
    /// Returns the ids of the roles.
    pub fn role_ids(&self) -> impl Iterator<Item = RoleId> {
        self.roles.iter().map(|member_role| member_role.role)
    }
}

/// A role of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberRole {
    pub role: RoleId,
    /// Its position among the roles of all members, in the order in which they were given.
    pub position: i64,
}
