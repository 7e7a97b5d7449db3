//! Self-registration: people create accounts for themselves, where the setting `self_registration`
//! allows it.
//!
//! Invariant: such an account has no rights but those of every user. May import: `domain`, `store`.

use crate::users::{Actor, UserChange};
use crate::{ActionError, users};
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::audit::AuditEvent;
use quarry_domain::administration::custom_field::{Customized, RequestedValues};
use quarry_domain::administration::setting::Setting;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{CustomFieldId, UserId};
use quarry_store::Write;

/// An account that somebody has created.
#[derive(Debug)]
pub struct Registration {
    pub id: UserId,
    /// Whether the account can be used at once, or waits for an administrator.
    pub status: UserStatus,
}

/// Returns the status of accounts that people create; `None` if they may not create any. An account
/// that would be confirmed by mail waits for an administrator.
pub fn status_of_new_users(catalogue: &Catalogue) -> Option<UserStatus> {
    match catalogue.setting(Setting::SelfRegistration) {
        "1" | "2" => Some(UserStatus::Registered),
        "3" => Some(UserStatus::Active),
        _ => None,
    }
}

/// Returns the values of the custom fields that people set in their own accounts.
fn settable_values(catalogue: &Catalogue, requested: &RequestedValues) -> RequestedValues {
    let is_settable = |id: &CustomFieldId| {
        let mut fields = catalogue.custom_fields_of(Customized::User);
        fields.any(|field| field.id == *id && field.visible && field.editable)
    };
    requested
        .iter()
        .filter(|(id, _)| is_settable(id))
        .cloned()
        .collect()
}

/// Creates an account with the login, the names, the mail address, the password and the custom
/// fields of `requested`.
///
/// # Errors
/// `Forbidden` unless the setting allows it; `Invalid` with the messages of a new user.
pub fn register(db: &mut Write<'_>, requested: &UserChange) -> Result<Registration, ActionError> {
    let status = status_of_new_users(db.catalogue()).ok_or(ActionError::Forbidden)?;
    let change = UserChange {
        login: requested.login.clone(),
        firstname: requested.firstname.clone(),
        lastname: requested.lastname.clone(),
        mail: requested.mail.clone(),
        password: requested.password.clone(),
        custom: settable_values(db.catalogue(), &requested.custom),
        status: Some(status),
        ..UserChange::default()
    };
    let login = change.login.apply_trimmed("");
    let created = users::create(db, Actor::SelfRegistration, &change)?;
    db.audit(AuditEvent::new("user", created.id, "registered").with_name(&login));
    Ok(Registration {
        id: created.id,
        status,
    })
}
