//! The scopes of an access token: names of permissions, and `admin` (compatibility 4.1).

use crate::access::permission::{Permission, PermissionSet};
use std::fmt;

/// The scope without which the token of an administrator has no rights of administrators. It
/// includes all permissions.
pub const ADMIN_SCOPE: &str = "admin";

/// A set of scopes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scopes {
    pub permissions: PermissionSet,
    /// Whether `admin` is among them.
    pub admin: bool,
}

impl Scopes {
    /// Returns the set of all scopes.
    pub fn all() -> Scopes {
        Scopes {
            permissions: PermissionSet::all(),
            admin: true,
        }
    }

    /// Parses names that are separated by spaces (RFC 6749, section 3.3). Fails with the first
    /// unknown name.
    pub fn parse(text: &str) -> Result<Scopes, String> {
        let mut scopes = Scopes::default();
        for name in text.split_ascii_whitespace() {
            scopes = scopes.with(name).ok_or_else(|| name.to_owned())?;
        }
        Ok(scopes)
    }

    /// Parses names like [`Scopes::parse`], but ignores unknown ones, for instance stored ones of
    /// another version.
    pub fn parse_known(text: &str) -> Scopes {
        text.split_ascii_whitespace()
            .fold(Scopes::default(), |scopes, name| {
                scopes.with(name).unwrap_or(scopes)
            })
    }

    /// Returns the set with the scope added; `None` if there is no scope of this name.
    #[must_use]
    pub fn with(self, name: &str) -> Option<Scopes> {
        if name == ADMIN_SCOPE {
            return Some(Scopes {
                admin: true,
                ..self
            });
        }
        Permission::parse(name).map(|permission| Scopes {
            permissions: self.permissions.with(permission),
            ..self
        })
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        !self.admin && self.permissions == PermissionSet::NONE
    }

    /// Whether all of them are in `others`.
    pub fn is_subset_of(self, others: Scopes) -> bool {
        self.intersection(others) == self
    }

    /// Returns the scopes that are in both sets.
    #[must_use]
    pub fn intersection(self, others: Scopes) -> Scopes {
        Scopes {
            permissions: self.permissions.intersection(others.permissions),
            admin: self.admin && others.admin,
        }
    }

    /// Returns the permissions that a token with these scopes can have; only an administrator has
    /// `admin`.
    pub fn effective_permissions(self, is_admin: bool) -> PermissionSet {
        if self.admin && is_admin {
            PermissionSet::all()
        } else {
            self.permissions
        }
    }

    /// Returns the names, `admin` last.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.permissions
            .iter()
            .map(Permission::name)
            .chain(self.admin.then_some(ADMIN_SCOPE))
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, name) in self.names().enumerate() {
            write!(f, "{}{name}", if index == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    #[test]
    fn names_of_permissions_and_admin_are_scopes() {
        let scopes = Scopes::parse("admin  view_issues edit_issues view_issues").unwrap();
        assert_eq!(scopes.to_string(), "view_issues edit_issues admin");
        assert_eq!(Scopes::parse(&Scopes::all().to_string()), Ok(Scopes::all()));
        assert_eq!(Scopes::parse("view_issues write"), Err("write".to_owned()));
        assert!(Scopes::parse("").unwrap().is_empty());
    }

    #[test]
    fn subset_needs_every_scope() {
        let one = Scopes::parse("view_issues").unwrap();
        let two = Scopes::parse("view_issues admin").unwrap();
        assert!(one.is_subset_of(two) && !two.is_subset_of(one));
        assert_eq!(two.intersection(one), one);
    }
}
