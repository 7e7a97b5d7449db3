//! How a user looks outside (contract 9).

use crate::domain::user::User;
use crate::wire::Fields;

/// What stands around a user.
pub struct Around {
    /// The key, for the user's own eyes.
    pub api_key: Option<String>,
    /// Whether an administrator looks.
    pub for_admin: bool,
}

/// The fields of a user, in the order of the contract.
pub fn user(w: &mut Fields, user: &User, around: &Around) {
    w.field("id", user.id.0);
    w.field("login", &user.login);
    w.field("admin", user.admin);
    w.field("firstname", &user.firstname);
    w.field("lastname", &user.lastname);
    if around.for_admin || !user.hides_mail {
        w.field("mail", &user.mail);
    }
    w.field("created_on", user.created_on);
    w.field("updated_on", user.updated_on);
    w.field("last_login_on", user.last_login_on);
    w.field("passwd_changed_on", user.passwd_changed_on);
    w.field("twofa_scheme", user.twofa_scheme.as_deref());
    w.maybe("api_key", around.api_key.as_deref());
    if around.for_admin {
        w.field("status", user.status.code());
    }
}
