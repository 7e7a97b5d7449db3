//! User accounts: creation, passwords and API keys.

use super::ActionError;
use crate::domain::catalogue::Catalogue;
use crate::domain::clock::{Clock, Entropy, fresh_key};
use crate::domain::custom_field::{CustomField, Customized, RequestedValues};
use crate::domain::ids::UserId;
use crate::domain::password;
use crate::domain::patch::Patch;
use crate::domain::user::UserStatus;
use crate::domain::validation::ValidationErrors;
use crate::store::users::{self, NewUser};
use crate::store::{StoreError, Write, custom_fields};
use std::sync::Arc;

/// A new account.
pub struct NewAccount<'a> {
    /// The id; `None` for the next free one.
    pub id: Option<UserId>,
    /// The login.
    pub login: &'a str,
    /// First name.
    pub firstname: &'a str,
    /// Last name.
    pub lastname: &'a str,
    /// Mail address.
    pub mail: &'a str,
    /// The password.
    pub password: &'a str,
    /// Whether the user is an administrator.
    pub admin: bool,
    /// The state.
    pub status: UserStatus,
}

/// Creates an account with a new API key. Returns the id and the key.
///
/// # Errors
/// `Invalid` with the messages of compatibility 11.1.
pub fn add(
    db: &mut Write<'_>,
    account: &NewAccount<'_>,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
) -> Result<(UserId, String), ActionError> {
    let mut errors = ValidationErrors::new();
    errors.require_text("Login", account.login, 60);
    if db.catalogue().user_by_login(account.login).is_some() {
        errors.add("Login", "has already been taken");
    } else if account.login.chars().any(|c| c.is_control() || c.is_whitespace()) {
        errors.add("Login", "is invalid");
    }
    errors.require_text("First name", account.firstname, 30);
    errors.require_text("Last name", account.lastname, 30);
    validate_password(&mut errors, db.catalogue(), account.password);
    errors.into_result().map_err(ActionError::Invalid)?;
    let hash = hash_password(account.password, entropy)?;
    let user = NewUser {
        id: account.id,
        login: account.login,
        firstname: account.firstname,
        lastname: account.lastname,
        mail: account.mail,
        admin: account.admin,
        status: account.status,
        password_hash: &hash,
        created_on: clock.now(),
    };
    let id = users::insert(db, &user)?;
    let key = fresh_key(entropy);
    set_key(db, id, &key, entropy)?;
    Ok((id, key))
}

/// Sets the password of a user.
pub fn set_password(db: &mut Write<'_>, user: UserId, password: &str, clock: &dyn Clock, entropy: &dyn Entropy) -> Result<(), ActionError> {
    let mut errors = ValidationErrors::new();
    validate_password(&mut errors, db.catalogue(), password);
    errors.into_result().map_err(ActionError::Invalid)?;
    let hash = hash_password(password, entropy)?;
    Ok(users::set_password(db, user, &hash, clock.now())?)
}

/// Replaces the API key by a new one, and returns it.
pub fn reset_key(db: &mut Write<'_>, user: UserId, entropy: &dyn Entropy) -> Result<String, ActionError> {
    let key = fresh_key(entropy);
    set_key(db, user, &key, entropy)?;
    Ok(key)
}

/// Sets the API key. It is stored as a digest for lookups, and encrypted to be shown again.
pub fn set_key(db: &mut Write<'_>, user: UserId, key: &str, entropy: &dyn Entropy) -> Result<(), ActionError> {
    let (digest, sealed) = (db.secrets().digest(key), db.secrets().seal(key, entropy)?);
    Ok(users::set_api_key(db, user, &digest, &sealed)?)
}

fn validate_password(errors: &mut ValidationErrors, catalogue: &Catalogue, password: &str) {
    let min = catalogue.min_password_length();
    if password.chars().count() < min {
        errors.add("Password", &format!("is too short (minimum is {min} characters)"));
    }
}

pub(super) fn hash_password(password: &str, entropy: &dyn Entropy) -> Result<String, ActionError> {
    password::hash(password, entropy).map_err(|error| StoreError::Secret(error.to_string()).into())
}

/// A change that users make to their own account.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AccountChange {
    /// First name.
    pub firstname: Patch<String>,
    /// Last name.
    pub lastname: Patch<String>,
    /// Mail address.
    pub mail: Patch<String>,
    /// Values of custom fields.
    pub custom: RequestedValues,
}

/// Updates the account of the user who makes the request.
///
/// # Errors
/// `NotFound` if the account no longer exists; `Invalid` with the messages of compatibility 11.1.
pub fn update_own(db: &mut Write<'_>, id: UserId, change: &AccountChange, clock: &dyn Clock) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let before = catalogue.users.get(&id).ok_or(ActionError::NotFound)?;
    let patched = |change: &Patch<String>, before: &String| match change {
        Patch::Unset => before.clone(),
        Patch::Clear => String::new(),
        Patch::Set(text) => text.trim().to_owned(),
    };
    let (firstname, lastname) = (patched(&change.firstname, &before.firstname), patched(&change.lastname, &before.lastname));
    let mail = patched(&change.mail, &before.mail);
    let mut errors = ValidationErrors::new();
    if mail != before.mail {
        validate_mail(&mut errors, &catalogue, id, &mail);
    }
    errors.require_text("First name", &firstname, 30);
    errors.require_text("Last name", &lastname, 30);
    let fields: Vec<&CustomField> =
        catalogue.custom_fields_of(Customized::User).filter(|field| before.admin || (field.visible && field.editable)).collect();
    let old = custom_fields::find_values(db, Customized::User, id.0)?;
    let mut values = old.clone();
    values.apply(&fields, &change.custom);
    for field in &fields {
        let (after, before) = (values.get(field.id).unwrap_or_default(), old.get(field.id).unwrap_or_default());
        let max = catalogue.max_text_length();
        if before != after
            && let Some(error) = field.validate_update(after, before, max, |user| catalogue.users.contains_key(&UserId(user)))
        {
            errors.add(&field.name, &error);
        }
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    custom_fields::update(db, Customized::User, id.0, &values)?;
    if (&firstname, &lastname, &mail) != (&before.firstname, &before.lastname, &before.mail) {
        users::update_names(db, id, &firstname, &lastname, &mail, clock.now())?;
    }
    Ok(())
}

pub(super) fn validate_mail(errors: &mut ValidationErrors, catalogue: &Catalogue, id: UserId, mail: &str) {
    let is_address = mail.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && !host.contains('@'));
    let taken = catalogue.users.values().any(|user| user.id != id && user.mail.eq_ignore_ascii_case(mail));
    if mail.is_empty() {
        errors.add("Email", "cannot be blank");
    } else if mail.chars().count() > 254 || !is_address || mail.chars().any(|c| c.is_whitespace() || c.is_control()) {
        errors.add("Email", "is invalid");
    } else if taken {
        errors.add("Email", "has already been taken");
    }
}
