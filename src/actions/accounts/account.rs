//! User accounts: creation, passwords and API keys.

use super::account_warnings::{self, AccountEvent};
use super::{account_links, address_changes, user_rules as rules};
use crate::ActionError;
use crate::administration::custom_values;
use crate::notices::notice_mails;
use crate::prelude::*;
use quarry_domain::accounts::password;
use quarry_domain::accounts::preferences::PreferencesChange;
use quarry_domain::accounts::user::User;
use quarry_domain::administration::custom_field::{CustomField, Customized, RequestedValues};
use quarry_domain::clock::fresh_key;
use quarry_domain::ids::PrincipalId;
use quarry_domain::projects::project::Project;
use quarry_domain::validation::ValidationError;
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::accounts::{notice_preferences, users};
use quarry_store::administration::custom_fields;
use std::sync::Arc;

/// Creates an account as of its `created_on`, with this password and a new API key. Returns the id
/// and the key.
///
/// # Errors
/// `Invalid` with the messages of compatibility 11.1.
pub fn add(
    db: &mut Write<'_>,
    account: &User,
    password: &str,
) -> Result<(UserId, String), ActionError> {
    let mut errors = ValidationErrors::new();
    rules::check_login(db.catalogue(), &mut errors, None, &account.login);
    rules::check_names(&mut errors, &account.firstname, &account.lastname);
    rules::check_password(db.catalogue(), &mut errors, password);
    errors.into_result().map_err(ActionError::Invalid)?;
    let hash = hash_password(db, password)?;
    let user = User {
        updated_on: account.created_on,
        passwd_changed_on: Some(account.created_on),
        ..account.clone()
    };
    let id = users::insert(db, &user, &hash)?;
    let key = fresh_key(db.entropy());
    set_key(db, id, &key)?;
    Ok((id, key))
}

/// Sets the password of a user.
pub fn set_password(db: &mut Write<'_>, user: UserId, password: &str) -> Result<(), ActionError> {
    let mut errors = ValidationErrors::new();
    rules::check_password(db.catalogue(), &mut errors, password);
    errors.into_result().map_err(ActionError::Invalid)?;
    let hash = hash_password(db, password)?;
    let changed_on = db.now();
    users::set_password(db, user, &hash, changed_on)?;
    account_links::end(db, user)
}

/// Returns the API key, a new one if the user has none. `None` for a key that cannot be shown.
pub fn find_or_create_key(db: &mut Write<'_>, user: UserId) -> Result<Option<String>, ActionError> {
    if users::has_api_key(db, user)? {
        Ok(users::api_key(db, user)?)
    } else {
        create_key(db, user).map(Some)
    }
}

/// Replaces the API key by a new one, and returns it. The user is told by mail.
pub fn reset_key(db: &mut Write<'_>, user: UserId) -> Result<String, ActionError> {
    account_warnings::insert(db, user, AccountEvent::ApiKey)?;
    create_key(db, user)
}

/// Creates a new API key, and returns it.
pub(crate) fn create_key(db: &mut Write<'_>, user: UserId) -> Result<String, ActionError> {
    let key = fresh_key(db.entropy());
    set_key(db, user, &key)?;
    Ok(key)
}

/// Sets the API key. It is stored as a digest for lookups, and encrypted to be shown again.
pub fn set_key(db: &mut Write<'_>, user: UserId, key: &str) -> Result<(), ActionError> {
    let digest = db.secrets().digest(key);
    let sealed = db.secrets().seal(key, db.entropy())?;
    Ok(users::set_api_key(db, user, &digest, &sealed)?)
}

pub(crate) fn hash_password(db: &Read<'_>, password: &str) -> Result<String, ActionError> {
    password::hash(password, db.entropy())
        .map_err(|error| StoreError::Secret(error.to_string()).into())
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
    /// The language of the pages.
    pub language: Patch<String>,
    pub time_zone: Patch<String>,
    /// Whether the mail address is shown to administrators only; `None` leaves it.
    pub hides_mail: Option<bool>,
    /// Which events the user wants mail about.
    pub mail_notification: Patch<String>,
    /// Preferences that rules depend on.
    pub preferences: PreferencesChange,
    /// Values of custom fields.
    pub custom: RequestedValues,
}

/// Updates the account of the user who makes the request. Another mail address waits until it is confirmed, see
/// [`address_changes`].
///
/// # Errors
/// `NotFound` if the account no longer exists; `Invalid` with the messages of compatibility 11.1.
pub fn update_own(
    db: &mut Write<'_>,
    id: UserId,
    change: &AccountChange,
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let before = catalogue.users.get(&id).ok_or(ActionError::NotFound)?;
    let after = User {
        firstname: change.firstname.apply_trimmed(&before.firstname),
        lastname: change.lastname.apply_trimmed(&before.lastname),
        language: change.language.apply_trimmed(&before.language),
        time_zone: change.time_zone.apply_trimmed(&before.time_zone),
        mail_notification: change
            .mail_notification
            .apply_trimmed(&before.mail_notification),
        hides_mail: change.hides_mail.unwrap_or(before.hides_mail),
        ..before.clone()
    };
    let wanted = address_changes::wanted(db, before)?;
    let mail = change.mail.apply_trimmed(&wanted);
    let mut errors = ValidationErrors::new();
    if mail != before.mail && mail != wanted {
        rules::check_mail(db, &mut errors, Some(id), &mail)?;
    }
    rules::check_names(&mut errors, &after.firstname, &after.lastname);
    if after.language != before.language {
        rules::check_language(&mut errors, &after.language);
    }
    if after.time_zone != before.time_zone {
        rules::check_time_zone(&mut errors, &after.time_zone);
    }
    if after.mail_notification != before.mail_notification {
        rules::check_mail_notification(&mut errors, &after.mail_notification);
    }
    let fields: Vec<&CustomField> = catalogue
        .custom_fields_of(Customized::User)
        .filter(|field| before.admin || (field.visible && field.editable))
        .collect();
    let old = custom_fields::find_values(db, Customized::User, id.0)?;
    let values = custom_values::apply_without_project(
        &catalogue,
        &mut errors,
        &fields,
        &old,
        &change.custom,
        false,
    );
    errors.into_result().map_err(ActionError::Invalid)?;
    custom_fields::update(db, Customized::User, id.0, &values)?;
    notice_mails::update_preferences(db, id, &change.preferences)?;
    if after != *before {
        let user = User {
            updated_on: db.now(),
            ..after
        };
        users::update(db, &user)?;
    }
    address_changes::request(db, id, &before.mail, &mail)
}

/// Returns the projects of which a user can want every event: those of which they are a member
/// themselves and that they see, by name.
pub fn own_projects<'c>(catalogue: &'c Catalogue, viewer: &Viewer) -> Vec<&'c Project> {
    let own = catalogue.members.iter().filter(|member| {
        viewer.user.map(PrincipalId::from) == Some(member.principal) && viewer.sees(member.project)
    });
    let mut projects: Vec<&Project> = own
        .filter_map(|member| catalogue.projects.get(&member.project))
        .collect();
    projects.stable_sort_by_key(|project| (project.name.to_lowercase(), project.id));
    projects.dedup_by_key(|project| project.id);
    projects
}

/// Updates what a user wants to be told of; `projects` are those of which they want every event, and
/// `None` leaves them.
///
/// # Errors
/// `Invalid` for a project of which the user is not a member, `Forbidden` for anonymous.
pub fn update_notifications(
    db: &mut Write<'_>,
    viewer: &Viewer,
    change: &AccountChange,
    projects: Option<&[ProjectId]>,
) -> Result<(), ActionError> {
    let id = viewer.user.ok_or(ActionError::Forbidden)?;
    if let Some(projects) = projects {
        let catalogue = Arc::clone(db.catalogue());
        let own = own_projects(&catalogue, viewer);
        let is_own = |id: &ProjectId| own.iter().any(|project| project.id == *id);
        if !projects.iter().all(is_own) {
            let message = "must be projects of which you are a member";
            let error = ValidationError::new("notified_project_ids", "Selected projects", message);
            return Err(ActionError::Invalid(error.into()));
        }
        notice_preferences::select_projects(db, id, projects)?;
    }
    update_own(db, id, change)
}
