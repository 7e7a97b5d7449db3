//! Users: making them, and what they prove themselves with.

use super::Refused;
use crate::domain::catalogue::Catalogue;
use crate::domain::clock::{Clock, Entropy, fresh_key};
use crate::domain::custom_field::{Asked, CustomField, Customized};
use crate::domain::given::Given;
use crate::domain::ids::UserId;
use crate::domain::password;
use crate::domain::user::UserStatus;
use crate::domain::validation::Complaints;
use crate::store::users::{self, NewUser};
use crate::store::{StoreError, Write, custom_fields};
use std::sync::Arc;

/// What a new account is made of.
pub struct NewAccount<'a> {
    /// The number, when it is to be this one.
    pub id: Option<UserId>,
    /// The name to log in with.
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

/// Makes an account with a fresh API key; the number and the key. Refuses in the words of contract 9.
pub fn add(db: &mut Write<'_>, account: &NewAccount<'_>, clock: &dyn Clock, entropy: &dyn Entropy) -> Result<(UserId, String), Refused> {
    let mut complaints = Complaints::new();
    complaints.require_text("Login", account.login, 60);
    if db.catalogue().user_by_login(account.login).is_some() {
        complaints.add("Login", "has already been taken");
    } else if account.login.chars().any(|c| c.is_control() || c.is_whitespace()) {
        complaints.add("Login", "is invalid");
    }
    complaints.require_text("First name", account.firstname, 30);
    complaints.require_text("Last name", account.lastname, 30);
    judge_password(&mut complaints, account.password);
    complaints.into_result().map_err(Refused::Invalid)?;
    let hash = hashed(account.password, entropy)?;
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

/// Replaces a password.
pub fn set_password(db: &mut Write<'_>, user: UserId, password: &str, clock: &dyn Clock, entropy: &dyn Entropy) -> Result<(), Refused> {
    let mut complaints = Complaints::new();
    judge_password(&mut complaints, password);
    complaints.into_result().map_err(Refused::Invalid)?;
    let hash = hashed(password, entropy)?;
    Ok(users::set_password(db, user, &hash, clock.now())?)
}

/// Replaces the API key by a fresh one, which is answered.
pub fn reset_key(db: &mut Write<'_>, user: UserId, entropy: &dyn Entropy) -> Result<String, Refused> {
    let key = fresh_key(entropy);
    set_key(db, user, &key, entropy)?;
    Ok(key)
}

/// Replaces the API key by a given one: kept as a digest to look it up by and sealed to show it again.
pub fn set_key(db: &mut Write<'_>, user: UserId, key: &str, entropy: &dyn Entropy) -> Result<(), Refused> {
    let (digest, sealed) = (db.secrets().digest(key), db.secrets().seal(key, entropy)?);
    Ok(users::set_api_key(db, user, &digest, &sealed)?)
}

fn judge_password(complaints: &mut Complaints, password: &str) {
    if password.chars().count() < password::SHORTEST {
        complaints.add("Password", &format!("is too short (minimum is {} characters)", password::SHORTEST));
    }
}

pub(super) fn hashed(password: &str, entropy: &dyn Entropy) -> Result<String, Refused> {
    password::hash(password, entropy).map_err(|error| StoreError::Secret(error.to_string()).into())
}

/// What somebody wants of the own account.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnChange {
    /// First name.
    pub firstname: Given<String>,
    /// Last name.
    pub lastname: Given<String>,
    /// Mail address.
    pub mail: Given<String>,
    /// Values of custom fields.
    pub custom: Asked,
}

/// Changes one's own account.
///
/// # Errors
/// `NotFound` when the account is gone, `Invalid` with the sentences of contract 9.
pub fn change_own(db: &mut Write<'_>, id: UserId, asked: &OwnChange, clock: &dyn Clock) -> Result<(), Refused> {
    let catalogue = Arc::clone(db.catalogue());
    let before = catalogue.users.get(&id).ok_or(Refused::NotFound)?;
    let said = |asked: &Given<String>, before: &String| match asked {
        Given::Absent => before.clone(),
        Given::Empty => String::new(),
        Given::Value(text) => text.trim().to_owned(),
    };
    let (firstname, lastname) = (said(&asked.firstname, &before.firstname), said(&asked.lastname, &before.lastname));
    let mail = said(&asked.mail, &before.mail);
    let mut complaints = Complaints::new();
    if mail != before.mail {
        judge_mail(&mut complaints, &catalogue, id, &mail);
    }
    complaints.require_text("First name", &firstname, 30);
    complaints.require_text("Last name", &lastname, 30);
    let fields: Vec<&CustomField> =
        catalogue.custom_fields_of(Customized::User).filter(|field| before.admin || (field.visible && field.editable)).collect();
    let old = custom_fields::values_of(db, Customized::User, id.0)?;
    let mut values = old.clone();
    values.take(&fields, &asked.custom);
    for field in &fields {
        let (given, before) = (values.of(field.id).unwrap_or_default(), old.of(field.id).unwrap_or_default());
        let max = catalogue.max_text_length();
        if before != given
            && let Some(complaint) = field.complaint_within(given, before, max, |user| catalogue.users.contains_key(&UserId(user)))
        {
            complaints.add(&field.name, &complaint);
        }
    }
    complaints.into_result().map_err(Refused::Invalid)?;
    custom_fields::change(db, Customized::User, id.0, &values)?;
    if (&firstname, &lastname, &mail) != (&before.firstname, &before.lastname, &before.mail) {
        users::change_names(db, id, &firstname, &lastname, &mail, clock.now())?;
    }
    Ok(())
}

fn judge_mail(complaints: &mut Complaints, catalogue: &Catalogue, id: UserId, mail: &str) {
    let shaped = mail.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && !host.contains('@'));
    let taken = catalogue.users.values().any(|user| user.id != id && user.mail.eq_ignore_ascii_case(mail));
    if mail.is_empty() {
        complaints.add("Email", "cannot be blank");
    } else if mail.chars().count() > 254 || !shaped || mail.chars().any(|c| c.is_whitespace() || c.is_control()) {
        complaints.add("Email", "is invalid");
    } else if taken {
        complaints.add("Email", "has already been taken");
    }
}
