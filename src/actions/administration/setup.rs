//! The set-up of a new installation: its administrator, a few settings and the first project, in
//! one transaction.

use super::settings;
use crate::accounts::account;
use crate::accounts::user_rules;
use crate::prelude::*;
use crate::{ActionError, projects};
use jiff::{SignedDuration, Timestamp};
use quarry_domain::accounts::user::User;
use quarry_domain::administration::setting::Setting;
use quarry_domain::projects::project::ProjectChange;
use quarry_store::accounts::memberships;
use quarry_store::catalogue;

/// What the administrator decides.
#[derive(Clone, Debug, Default)]
pub struct NewInstallation {
    /// The login of the administrator.
    pub login: String,
    /// First name.
    pub firstname: String,
    /// Last name.
    pub lastname: String,
    /// Mail address.
    pub mail: String,
    pub password: String,
    /// Settings with their values.
    pub settings: Vec<(Setting, String)>,
    /// The first project, if there is to be one.
    pub project: Option<FirstProject>,
}

/// The first project.
#[derive(Clone, Debug, Default)]
pub struct FirstProject {
    pub name: String,
    /// Its identifier; empty to make one from the name.
    pub identifier: String,
    /// Whether everybody may see it.
    pub is_public: bool,
}

/// Sets the installation up. The administrator is a member of the project. Returns the administrator and the project.
///
/// # Errors
/// `Conflict` when there is a user already, `Invalid` with all messages; those about settings start
/// with the name of the setting.
pub fn set_up(
    db: &mut Write<'_>,
    new: &NewInstallation,
) -> Result<(UserId, Option<ProjectId>), ActionError> {
    if !db.catalogue().users.is_empty() {
        return Err(ActionError::Conflict(
            "This installation is already set up".to_owned(),
        ));
    }
    let mut errors = ValidationErrors::new();
    user_rules::check_mail(db, &mut errors, None, &new.mail)?;
    // Unlike a password that somebody else has set, this one counts as changed by its owner, so the
    // account is older than its password.
    let created_on = db
        .now()
        .saturating_sub(SignedDuration::from_micros(1))
        .unwrap_or(Timestamp::MIN);
    let account = User {
        login: new.login.clone(),
        firstname: new.firstname.clone(),
        lastname: new.lastname.clone(),
        mail: new.mail.clone(),
        hides_mail: true,
        admin: true,
        created_on,
        ..User::default()
    };
    let added = account::add(db, &account, &new.password);
    let admin = collect(added, &mut errors)?.map(|(admin, _)| admin);
    for (setting, value) in &new.settings {
        collect(settings::update(db, *setting, value), &mut errors)?;
    }
    let Some(admin) = admin.filter(|_| errors.is_empty()) else {
        return Err(ActionError::Invalid(errors));
    };
    account::set_password(db, admin, &new.password)?;
    let project = new
        .project
        .as_ref()
        .map(|project| add_project(db, admin, project))
        .transpose()?;
    Ok((admin, project))
}

/// Keeps the errors of an invalid part, so that all of them are shown at once.
fn collect<T>(
    result: Result<T, ActionError>,
    errors: &mut ValidationErrors,
) -> Result<Option<T>, ActionError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(ActionError::Invalid(invalid)) => {
            errors.extend(invalid);
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn add_project(
    db: &mut Write<'_>,
    admin: UserId,
    project: &FirstProject,
) -> Result<ProjectId, ActionError> {
    // The catalogue of the transaction does not have the administrator yet.
    let viewer = Viewer::new(&catalogue::load(db, db.catalogue().version)?, Some(admin));
    let identifier = if project.identifier.is_empty() {
        identifier_from(&project.name)
    } else {
        project.identifier.clone()
    };
    let change = ProjectChange {
        name: Patch::Set(project.name.clone()),
        identifier: Patch::Set(identifier),
        is_public: Patch::Set(project.is_public),
        ..ProjectChange::default()
    };
    let id = projects::create(db, &viewer, &change)?;
    // Otherwise nothing could be assigned to the only user, whose own page would stay empty.
    if let Some(role) = projects::creator_role(db.catalogue()).map(|role| role.id) {
        let now = db.now();
        memberships::insert(db, id, admin.into(), &[role], now)?;
    }
    Ok(id)
}

/// Returns an identifier like the name: its ASCII letters and digits in lower case, with hyphens
/// between words.
fn identifier_from(name: &str) -> String {
    let words = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    let identifier = words
        .map(str::to_ascii_lowercase)
        .collect::<Vec<_>>()
        .join("-");
    identifier
        .trim_start_matches(|c: char| c.is_ascii_digit() || c == '-')
        .chars()
        .take(100)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::identifier_from;

    #[test]
    fn identifier_is_made_from_the_name() {
        assert_eq!(identifier_from("Our First Project!"), "our-first-project");
        assert_eq!(identifier_from("2026 Plan"), "plan");
        assert_eq!(identifier_from("計画"), "");
    }
}
