//! Self-registration: people create accounts for themselves, where the setting `self_registration`
//! allows it.
//!
//! Invariants: such an account has only the permissions of every user. Unless an administrator approves it, a
//! new one has no address until that is confirmed by mail; the link works once, for three days; and the form does
//! not reveal whether the address has an account, which is looked up when the mail is sent. May import:
//! `domain`, `store`.

use crate::accounts::users::{Actor, UserChange};
use crate::accounts::{account_approvals, account_links, address_changes, user_rules, users};
use crate::notices::outbox;
use crate::prelude::*;
use jiff::SignedDuration;
use quarry_domain::accounts::user::{User, UserStatus};
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::custom_field::{Customized, RequestedValues};
use quarry_domain::administration::mail::{MailKind, NewMail};
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::CustomFieldId;
use quarry_store::accounts::registrations;
use quarry_store::accounts::users as stored;
use quarry_store::administration::audit_events;
use std::sync::Arc;

/// Time after which an account that was not confirmed is deleted.
pub const LIFETIME: SignedDuration = SignedDuration::from_hours(3 * 24);
/// Maximum number of accounts that wait for their confirmation.
const MAX_WAITING: i64 = 1_000;
/// Maximum number of mails to an address in an hour.
const MAX_MAILS: i64 = 3;
/// Number of expired accounts that are deleted in one transaction.
const DELETED_AT_ONCE: i64 = 100;

/// A new account.
#[derive(Debug)]
pub struct Registration {
    pub id: UserId,
    pub state: RegistrationState,
}

/// Whether a new account can be used, and what it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistrationState {
    /// It can be used.
    Active,
    /// It waits until an administrator approves it.
    WaitsForApproval,
    /// It waits until the link in a mail is opened.
    WaitsForMail,
}

/// Returns the state of accounts that people create; `None` if they may not create any. While mail is
/// off, an account that would be confirmed by mail waits for an administrator.
pub fn state_of_new_users(db: &Read<'_>) -> Result<Option<RegistrationState>, StoreError> {
    Ok(match db.catalogue().setting(Setting::SelfRegistration) {
        "1" if outbox::is_on(db)? => Some(RegistrationState::WaitsForMail),
        "1" | "2" => Some(RegistrationState::WaitsForApproval),
        "3" => Some(RegistrationState::Active),
        _ => None,
    })
}

/// Returns the values of the custom fields that people may set in their own accounts.
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
/// `Forbidden` unless the setting allows it; `Invalid` with the messages of a new user, and when too
/// many accounts wait for their confirmation.
pub fn register(db: &mut Write<'_>, requested: &UserChange) -> Result<Registration, ActionError> {
    let state = state_of_new_users(db)?.ok_or(ActionError::Forbidden)?;
    let is_unconfirmed = state != RegistrationState::WaitsForApproval;
    let waits_for_mail = state == RegistrationState::WaitsForMail;
    let change = UserChange {
        login: requested.login.clone(),
        firstname: requested.firstname.clone(),
        lastname: requested.lastname.clone(),
        mail: requested.mail.clone(),
        password: requested.password.clone(),
        custom: settable_values(db.catalogue(), &requested.custom),
        status: Some(match state {
            RegistrationState::Active => UserStatus::Active,
            _ => UserStatus::Registered,
        }),
        ..UserChange::default()
    };
    let login = change.login.apply_trimmed("");
    let actor = if is_unconfirmed {
        Actor::UnconfirmedRegistration
    } else {
        Actor::SelfRegistration
    };
    if waits_for_mail && registrations::count(db)? >= MAX_WAITING {
        let message = "Too many new accounts wait for their confirmation. Try again later.";
        return Err(ActionError::invalid(message));
    }
    let created = users::create(db, actor, &change)?;
    let address = change.mail.apply_trimmed("");
    if state == RegistrationState::Active {
        address_changes::request(db, created.id, "", &address)?;
    }
    if waits_for_mail {
        let now = db.now();
        let expires_on = now.saturating_add(LIFETIME).unwrap_or(now);
        registrations::insert(db, created.id, &address, expires_on)?;
        let mail = NewMail::to_user(MailKind::Registration, created.id).with_address(address);
        outbox::insert(db, &[mail])?;
    }
    if state == RegistrationState::WaitsForApproval {
        account_approvals::insert_waiting(db, created.id)?;
    }
    db.audit(AuditEvent::new(RecordType::User, created.id, "registered").with_name(&login));
    Ok(Registration {
        id: created.id,
        state,
    })
}

/// The content of the mail about a registration.
#[derive(Debug, PartialEq, Eq)]
pub enum RegistrationMail {
    /// The token of the link that confirms the account.
    ///
    /// The mail does not have the login: somebody else may have chosen it, and mail programs turn
    /// one such as `www.example.org` into a link.
    Link { token: String },
    /// The address already belongs to the account with this login.
    AddressTaken { login: String },
}

/// Creates the link of a new account when its mail is sent. Returns the address and the content of the
/// mail; `None` if the account does not wait for a link, or the address got `MAX_MAILS` mails. Then the
/// account is deleted, so that its owner can create it again later.
pub fn create_link(
    db: &mut Write<'_>,
    user: UserId,
) -> Result<Option<(String, RegistrationMail)>, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let Some(waiting) = find_waiting(db, &catalogue, user)? else {
        return Ok(None);
    };
    let now = db.now();
    let hour_ago = now
        .saturating_sub(SignedDuration::from_hours(1))
        .unwrap_or(now);
    let Some(address) = registrations::address(db, user)? else {
        return Ok(None);
    };
    if registrations::count_other_mails(db, user, &address, hour_ago)? >= MAX_MAILS {
        delete_account(db, waiting)?;
        return Ok(None);
    }
    let owner = stored::find_by_mail(db, &address, Some(user))?;
    if let Some(owner) = owner.and_then(|owner| catalogue.users.get(&owner)) {
        registrations::set_mailed(db, user, None)?;
        let login = owner.login.clone();
        return Ok(Some((address, RegistrationMail::AddressTaken { login })));
    }
    let token = account_links::fresh_token(db.entropy());
    registrations::set_mailed(db, user, Some(&token))?;
    Ok(Some((address, RegistrationMail::Link { token })))
}

/// Returns the user if the account waits for its confirmation by mail.
fn find_waiting<'c>(
    db: &Read<'_>,
    catalogue: &'c Catalogue,
    user: UserId,
) -> Result<Option<&'c User>, ActionError> {
    let is_offered = state_of_new_users(db)? == Some(RegistrationState::WaitsForMail);
    let found = catalogue.users.get(&user).filter(|_| is_offered);
    Ok(found.filter(|user| user.status == UserStatus::Registered))
}

/// Returns the login of the account of a link; `None` if the link is not valid.
pub fn find(db: &Read<'_>, token: &str) -> Result<Option<String>, ActionError> {
    let Some((user, _)) = registrations::find(db, token)? else {
        return Ok(None);
    };
    let waiting = find_waiting(db, db.catalogue(), user)?;
    Ok(waiting.map(|user| user.login.clone()))
}

/// Activates the account of a link, and sets its mail address.
///
/// # Errors
/// `NotFound` if the link is not valid, or another account has got the address meanwhile.
pub fn confirm(db: &mut Write<'_>, token: &str) -> Result<(), ActionError> {
    let (id, address) = registrations::find(db, token)?.ok_or(ActionError::NotFound)?;
    let catalogue = Arc::clone(db.catalogue());
    let user = find_waiting(db, &catalogue, id)?.ok_or(ActionError::NotFound)?;
    let mut errors = ValidationErrors::new();
    user_rules::check_mail(db, &mut errors, Some(id), &address)?;
    errors.into_result().map_err(|_| ActionError::NotFound)?;
    let confirmed = User {
        mail: address,
        updated_on: db.now(),
        ..user.clone()
    };
    stored::update(db, &confirmed)?;
    stored::set_status(db, id, UserStatus::Active)?;
    registrations::delete(db, id)?;
    db.audit(AuditEvent::new(RecordType::User, id, "confirmed").with_name(&user.login));
    Ok(())
}

/// Deletes accounts that were not confirmed in time, except for those that an administrator has
/// activated. Returns whether more may be left.
pub fn delete_expired(db: &mut Write<'_>) -> Result<bool, ActionError> {
    let expired = registrations::list_expired(db, DELETED_AT_ONCE)?;
    let catalogue = Arc::clone(db.catalogue());
    for id in &expired {
        let user = catalogue.users.get(id);
        if let Some(user) = user.filter(|user| user.status == UserStatus::Registered) {
            delete_account(db, user)?;
        } else {
            registrations::delete(db, *id)?;
        }
    }
    Ok(!expired.is_empty())
}

/// Deletes an account that was never used.
fn delete_account(db: &mut Write<'_>, user: &User) -> Result<(), ActionError> {
    let new_author = users::anonymous(db)?;
    audit_events::anonymize(db, user.id)?;
    stored::delete(db, user.id, new_author)?;
    db.audit(AuditEvent::new(RecordType::User, user.id, "expired"));
    Ok(())
}
