//! How a user looks outside (contract 9).

use crate::api::custom_fields::view::custom_fields;
use crate::app::Asker;
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{Customized, Values};
use crate::domain::user::{Group, User};
use crate::store::roles::Membership;
use crate::wire::Fields;
use jiff::Timestamp;
use std::sync::Arc;

/// What stands around a user.
pub struct Around {
    /// Names and rights.
    pub catalogue: Arc<Catalogue>,
    /// Who asks.
    pub asker: Arc<Asker>,
    /// The key, for the user's own eyes.
    pub api_key: Option<String>,
    /// When the user last logged in with a password.
    pub last_login_on: Option<Timestamp>,
    /// The values in custom fields.
    pub values: Values,
    /// Where the user is a member, if that was asked for.
    pub memberships: Option<Vec<Membership>>,
    /// Whether the groups are shown.
    pub groups: bool,
    /// Whether the user is one of a list.
    pub in_list: bool,
}

impl Around {
    fn is_oneself(&self, user: &User) -> bool {
        self.asker.viewer.user == Some(user.id)
    }
}

/// The fields of a user, in the order of the contract.
pub fn user(w: &mut Fields, user: &User, around: &Around) {
    let viewer = &around.asker.viewer;
    w.field("id", user.id.0);
    // Half of what it takes to log in is nothing for the public.
    if viewer.user.is_some() {
        w.field("login", &user.login);
    }
    if viewer.admin || around.is_oneself(user) {
        w.field("admin", user.admin);
    }
    w.field("firstname", &user.firstname);
    w.field("lastname", &user.lastname);
    if viewer.admin || !user.hides_mail {
        w.field("mail", &user.mail);
    }
    w.field("created_on", user.created_on);
    w.field("updated_on", user.updated_on);
    w.field("last_login_on", around.last_login_on);
    w.field("passwd_changed_on", user.passwd_changed_on);
    if viewer.admin || around.is_oneself(user) {
        w.field("twofa_scheme", user.twofa_scheme.as_deref());
    }
    w.maybe("api_key", around.api_key.as_deref());
    if viewer.admin && !around.in_list {
        w.field("status", user.status.code());
    }
    let fields = around.catalogue.custom_fields_of(Customized::User).filter(|field| field.visible || viewer.admin);
    custom_fields(w, fields, Some(&around.values));
    if around.groups {
        let mut groups: Vec<&Group> = around.catalogue.groups.values().filter(|group| group.users.contains(&user.id)).collect();
        groups.sort_by_key(|group| group.name.to_lowercase());
        w.items("groups", "group", groups, |w, group| {
            w.attribute("id", group.id.0);
            w.attribute("name", &group.name);
        });
    }
    if let Some(found) = &around.memberships {
        memberships(w, found.iter().filter(|membership| viewer.rights(membership.project).is_some()), &around.catalogue);
    }
}

/// Where somebody is a member, and as what.
pub fn memberships<'m>(w: &mut Fields, found: impl Iterator<Item = &'m Membership>, catalogue: &Catalogue) {
    w.items("memberships", "membership", found, |w, found| membership(w, found, catalogue));
}

fn membership(w: &mut Fields, membership: &Membership, catalogue: &Catalogue) {
    let project = catalogue.projects.get(&membership.project).map_or("", |project| project.name.as_str());
    w.field("id", membership.id);
    w.reference("project", membership.project.0, project);
    w.items("roles", "role", &membership.roles, |w, (role, inherited)| {
        w.attribute("id", role.0);
        w.attribute("name", catalogue.role(*role).map_or("", |role| role.name.as_str()));
        if *inherited {
            w.attribute("inherited", true);
        }
    });
}
