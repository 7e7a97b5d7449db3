//! Creates users (compatibility 11.1).

use super::{Actor, NewPassword, RightsChange, UserChange};
use crate::accounts::{account, user_rules as rules};
use crate::administration::custom_values;
use crate::notices::notice_mails;
use crate::prelude::*;
use quarry_domain::accounts::user::User;
use quarry_domain::administration::custom_field::{CustomField, Customized, Values};
use quarry_store::accounts::{groups, users};
use quarry_store::administration::custom_fields;
use std::sync::Arc;

/// A new user.
#[derive(Debug)]
pub struct CreatedUser {
    pub id: UserId,
    /// The API key.
    pub key: String,
    /// The password, if it was generated.
    pub password: Option<String>,
    /// The changes for the audit log.
    pub changes: Vec<RightsChange>,
}

/// Creates a user with a new API key.
///
/// # Errors
/// `Forbidden` for a viewer who is no administrator; `Invalid` with the sentences of compatibility
/// 11.1.
pub fn create(
    db: &mut Write<'_>,
    actor: Actor<'_>,
    change: &UserChange,
) -> Result<CreatedUser, ActionError> {
    actor.refuse_ordinary_viewers()?;
    let catalogue = Arc::clone(db.catalogue());
    let now = db.now();
    // An unconfirmed account gets its address with the confirmation.
    let is_unconfirmed = matches!(actor, Actor::UnconfirmedRegistration);
    let user = User {
        login: change.login.apply_trimmed(""),
        firstname: change.firstname.apply_trimmed(""),
        lastname: change.lastname.apply_trimmed(""),
        mail: if is_unconfirmed {
            String::new()
        } else {
            change.mail.apply_trimmed("")
        },
        hides_mail: change.hides_mail.unwrap_or(true),
        admin: change.admin.unwrap_or(false),
        language: change.language.apply_trimmed(""),
        time_zone: change.time_zone.apply_trimmed(""),
        mail_notification: change.mail_notification.apply_trimmed(""),
        status: change.status.unwrap_or_default(),
        must_change_password: change.must_change_password.unwrap_or_default(),
        created_on: now,
        updated_on: now,
        passwd_changed_on: change.password.as_ref().map(|_| now),
        ..User::default()
    };
    let mut errors = ValidationErrors::new();
    if is_unconfirmed {
        rules::check_mail_format(&mut errors, &change.mail.apply_trimmed(""));
    } else {
        rules::check_mail(db, &mut errors, None, &user.mail)?;
    }
    rules::check_login(&catalogue, &mut errors, None, &user.login);
    rules::check_names(&mut errors, &user.firstname, &user.lastname);
    if let Some(NewPassword::Given(password)) = &change.password {
        rules::check_password(&catalogue, &mut errors, password);
    }
    rules::check_language(&mut errors, &user.language);
    rules::check_time_zone(&mut errors, &user.time_zone);
    rules::check_mail_notification(&mut errors, &user.mail_notification);
    // People do not see the other fields of their accounts.
    let is_shown = |field: &&CustomField| {
        !matches!(
            actor,
            Actor::SelfRegistration | Actor::UnconfirmedRegistration
        ) || field.visible && field.editable
    };
    let fields: Vec<&CustomField> = catalogue
        .custom_fields_of(Customized::User)
        .filter(is_shown)
        .collect();
    let defaults = Values::defaults(fields.iter().copied());
    let values = custom_values::apply_without_project(
        &catalogue,
        &mut errors,
        &fields,
        &defaults,
        &change.custom,
        true,
    );
    errors.into_result().map_err(ActionError::Invalid)?;

    let (password_hash, generated) = match &change.password {
        Some(new) => {
            let (password, generated) = new.resolve(db);
            (account::hash_password(db, &password)?, generated)
        }
        None => (String::new(), None),
    };
    let id = users::insert(db, &user, &password_hash)?;
    let mut changes = vec![RightsChange::Created];
    changes.extend(user.admin.then_some(RightsChange::AdminGranted));
    if let Some(groups) = &change.groups {
        groups::set_groups_of(db, id, &super::change::existing_groups(&catalogue, groups))?;
        changes.push(RightsChange::Groups);
    }
    custom_fields::update(db, Customized::User, id.0, &values)?;
    notice_mails::update_preferences(db, id, &change.preferences)?;
    let key = account::create_key(db, id)?;
    Ok(CreatedUser {
        id,
        key,
        password: generated,
        changes,
    })
}
