//! Updates and deletes users, and switches their second factor off (compatibility 11.1).

use super::change::existing_groups;
use super::list::require_another_admin;
use super::{Actor, NewPassword, RightsChange, UserChange, anonymous};
use crate::accounts::account_warnings::{self, AccountEvent};
use crate::accounts::{account, account_approvals, account_links, two_factor, user_rules as rules};
use crate::administration::custom_values;
use crate::notices::notice_mails;
use crate::prelude::*;
use quarry_domain::accounts::user::{User, UserStatus};
use quarry_domain::administration::custom_field::{CustomField, Customized, Values};
use quarry_domain::ids::PrincipalId;
use quarry_store::accounts::{address_changes, groups, users};
use quarry_store::administration::{audit_events, custom_fields};
use std::sync::Arc;

/// The outcome of an update.
#[derive(Debug, Default)]
pub struct UpdatedUser {
    /// The password, if it was generated.
    pub password: Option<String>,
    /// The changes for the audit log.
    pub changes: Vec<RightsChange>,
}

/// Updates a user. A new password and a status that is not active end the sessions of the user.
///
/// # Errors
/// `Forbidden` for a viewer who is no administrator; `Invalid` with the sentences
/// of compatibility 11.1, when the user would be the last administrator, or is the actor and would
/// be locked.
pub fn update(
    db: &mut Write<'_>,
    actor: Actor<'_>,
    id: UserId,
    change: &UserChange,
) -> Result<UpdatedUser, ActionError> {
    actor.refuse_ordinary_viewers()?;
    let catalogue = Arc::clone(db.catalogue());
    let before = catalogue.users.get(&id).ok_or(ActionError::NotFound)?;
    let status = change.status.unwrap_or(before.status);
    check_access(actor, db, before, change, status)?;
    let after = apply(before, change);
    let values = validate(db, before, &after, change)?;

    let mut updated = UpdatedUser::default();
    if after != *before {
        let user = User {
            updated_on: db.now(),
            ..after.clone()
        };
        users::update(db, &user)?;
    }
    if after.mail != before.mail {
        address_changes::delete(db, id)?;
        account_links::end(db, id)?;
        account_warnings::insert_for_address(db, id, &before.mail, &after.mail)?;
    }
    custom_fields::update(db, Customized::User, id.0, &values)?;
    notice_mails::update_preferences(db, id, &change.preferences)?;
    if let Some(new) = &change.password {
        let (password, generated) = new.resolve(db);
        let hash = account::hash_password(db, &password)?;
        let changed_on = db.now();
        users::set_password(db, id, &hash, changed_on)?;
        account_links::end(db, id)?;
        account_warnings::insert(db, id, AccountEvent::Password)?;
        updated = UpdatedUser {
            password: generated,
            changes: vec![RightsChange::Password],
        };
    }
    let must_change = change
        .must_change_password
        .filter(|must_change| *must_change != before.must_change_password);
    if let Some(must_change) = must_change {
        users::set_must_change_password(db, id, must_change)?;
    }
    if status != before.status {
        users::set_status(db, id, status)?;
        account_links::end(db, id)?;
        if (before.status, status) == (UserStatus::Registered, UserStatus::Active) {
            account_approvals::insert_activated(db, id)?;
        }
    }
    let mut groups: Vec<PrincipalId> = catalogue
        .groups
        .values()
        .filter(|group| group.users.contains(&id))
        .map(|group| group.id)
        .collect();
    groups.sort_unstable();
    let new_groups = change
        .groups
        .as_ref()
        .map(|groups| existing_groups(&catalogue, groups))
        .filter(|new| *new != groups);
    if let Some(new_groups) = &new_groups {
        groups::set_groups_of(db, id, new_groups)?;
    }

    let mut record =
        |is_changed: bool, change| updated.changes.extend(is_changed.then_some(change));
    record(must_change.is_some(), RightsChange::MustChangePassword);
    record(after.login != before.login, RightsChange::Login);
    record(after.mail != before.mail, RightsChange::Mail);
    record(after.admin && !before.admin, RightsChange::AdminGranted);
    record(!after.admin && before.admin, RightsChange::AdminRevoked);
    record(new_groups.is_some(), RightsChange::Groups);
    record(
        status != before.status,
        match status {
            UserStatus::Active => RightsChange::Activated,
            UserStatus::Locked | UserStatus::Anonymous => RightsChange::Locked,
            UserStatus::Registered => RightsChange::Deactivated,
        },
    );
    Ok(updated)
}

/// Fails when nobody could manage users any more, or the actor would be locked out.
fn check_access(
    actor: Actor<'_>,
    db: &Write<'_>,
    user: &User,
    change: &UserChange,
    status: UserStatus,
) -> Result<(), ActionError> {
    if status == UserStatus::Active && change.admin != Some(false) {
        return Ok(());
    }
    if status != user.status && actor.is(user.id) {
        return Err(ActionError::invalid("You cannot lock your own account"));
    }
    require_another_admin(db.catalogue(), user)
}

fn apply(user: &User, change: &UserChange) -> User {
    User {
        login: change.login.apply_trimmed(&user.login),
        firstname: change.firstname.apply_trimmed(&user.firstname),
        lastname: change.lastname.apply_trimmed(&user.lastname),
        mail: change.mail.apply_trimmed(&user.mail),
        hides_mail: change.hides_mail.unwrap_or(user.hides_mail),
        admin: change.admin.unwrap_or(user.admin),
        language: change.language.apply_trimmed(&user.language),
        time_zone: change.time_zone.apply_trimmed(&user.time_zone),
        mail_notification: change
            .mail_notification
            .apply_trimmed(&user.mail_notification),
        ..user.clone()
    }
}

/// Checks what changes; imported values that break a rule stay as long as they are left alone.
/// Returns the custom values.
fn validate(
    db: &Write<'_>,
    before: &User,
    after: &User,
    change: &UserChange,
) -> Result<Values, ActionError> {
    let id = before.id;
    let catalogue = db.catalogue();
    let mut errors = ValidationErrors::new();
    if after.mail != before.mail {
        rules::check_mail(db, &mut errors, Some(id), &after.mail)?;
    }
    if after.login != before.login {
        rules::check_login(catalogue, &mut errors, Some(id), &after.login);
    }
    if (&after.firstname, &after.lastname) != (&before.firstname, &before.lastname) {
        rules::check_names(&mut errors, &after.firstname, &after.lastname);
    }
    if let Some(NewPassword::Given(password)) = &change.password {
        rules::check_password(catalogue, &mut errors, password);
    }
    if after.language != before.language {
        rules::check_language(&mut errors, &after.language);
    }
    if after.time_zone != before.time_zone {
        rules::check_time_zone(&mut errors, &after.time_zone);
    }
    if after.mail_notification != before.mail_notification {
        rules::check_mail_notification(&mut errors, &after.mail_notification);
    }
    let fields: Vec<&CustomField> = catalogue.custom_fields_of(Customized::User).collect();
    let old = custom_fields::find_values(db, Customized::User, id.0)?;
    let values = custom_values::apply_without_project(
        catalogue,
        &mut errors,
        &fields,
        &old,
        &change.custom,
        false,
    );
    errors.into_result().map_err(ActionError::Invalid)?;
    Ok(values)
}

/// Switches the second factor of a user off, for somebody who has lost phone and recovery codes.
/// The sessions of the user end.
///
/// # Errors
/// `Forbidden` for a viewer who is no administrator.
pub fn switch_off_second_factor(
    db: &mut Write<'_>,
    actor: Actor<'_>,
    id: UserId,
) -> Result<RightsChange, ActionError> {
    actor.refuse_ordinary_viewers()?;
    if !db.catalogue().users.contains_key(&id) {
        return Err(ActionError::NotFound);
    }
    two_factor::switch_off(db, id)?;
    Ok(RightsChange::SecondFactorOff)
}

/// Deletes a user. Records stay and belong to the anonymous user; memberships, watched records,
/// keys, sessions, preferences and private queries go. Nobody is assigned to the issues of the user
/// any more.
///
/// # Errors
/// `Forbidden` for a viewer who is no administrator; `Invalid` for the last
/// administrator and for the own account.
pub fn delete(
    db: &mut Write<'_>,
    actor: Actor<'_>,
    id: UserId,
) -> Result<RightsChange, ActionError> {
    actor.refuse_ordinary_viewers()?;
    let catalogue = Arc::clone(db.catalogue());
    let user = catalogue.users.get(&id).ok_or(ActionError::NotFound)?;
    require_another_admin(&catalogue, user)?;
    if actor.is(id) {
        return Err(ActionError::invalid("You cannot delete your own account"));
    }
    let new_author = anonymous(db)?;
    audit_events::anonymize(db, id)?;
    users::delete(db, id, new_author)?;
    Ok(RightsChange::Deleted)
}
