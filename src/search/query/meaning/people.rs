//! The people that the value of a qualifier means.

use super::QualifierContext;
use quarry_domain::access::visibility::can_see_principal;
use quarry_domain::accounts::user::User;
use quarry_domain::accounts::user_format::UserFormat;
use quarry_domain::ids::PrincipalId;

/// An id that no user has: a filter by it matches nothing.
const NOBODY: i64 = -1;

impl QualifierContext<'_> {
    /// Returns the people that a value means, and the groups of the viewer for `me`.
    pub(super) fn principals(&self, value: &str) -> Vec<i64> {
        if value == "me" {
            let principals = self.viewer.principals.iter();
            return principals.map(|principal| principal.0).collect();
        }
        self.people(value)
    }

    /// Returns the viewer for `me`, the user with this login, or else everybody with this name as
    /// pages show it, or first and last name, ignoring case.
    ///
    /// Not everybody may know who has an account: an unknown name finds nothing, like that of
    /// somebody who has written nothing.
    pub(super) fn people(&self, value: &str) -> Vec<i64> {
        let catalogue = self.catalogue;
        if value == "me" {
            return vec![self.viewer.user.map_or(NOBODY, |user| user.0)];
        }
        if let Some(user) = catalogue.user_by_login(value) {
            return vec![user.id.0];
        }
        let name = value.to_lowercase();
        let users = catalogue
            .users
            .values()
            .filter(|user| has_name(user, &name))
            .map(|user| user.id.0);
        let groups = catalogue
            .groups
            .iter()
            .filter(|(_, group)| group.name.to_lowercase() == name)
            .map(|(id, _)| id.0);
        let builtin = catalogue
            .builtin
            .iter()
            .filter(|(_, builtin)| builtin.name().to_lowercase() == name)
            .map(|(id, _)| id.0);
        let ids: Vec<i64> = users.chain(groups).chain(builtin).collect();
        if ids.is_empty() { vec![NOBODY] } else { ids }
    }

    /// Returns those of the people that a value means whom the viewer may see. A text with the name
    /// of somebody else would tell whether there is such an account.
    pub(super) fn visible_people(&self, value: &str) -> Vec<i64> {
        let mut people = self.people(value);
        people.retain(|id| can_see_principal(self.viewer, self.catalogue, PrincipalId(*id)));
        people
    }
}

/// Whether pages show the user with this lowercase name, or it is their first and last name.
fn has_name(user: &User, lowercase: &str) -> bool {
    let full_name = UserFormat::FirstLast.name(&user.firstname, &user.lastname, &user.login);
    user.name.to_lowercase() == lowercase || full_name.to_lowercase() == lowercase
}
