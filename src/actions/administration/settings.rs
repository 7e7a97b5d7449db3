//! Updates settings.

use crate::ActionError;
use crate::prelude::*;
use quarry_domain::administration::setting::Setting;
use quarry_domain::notices::notified_event::NotifiedEvent;
use quarry_domain::projects::module::Module;
use quarry_domain::validation::ValidationError;
use quarry_store::administration::settings;
use std::sync::Arc;

/// Sets a setting, and returns the stored value.
///
/// # Errors
/// `Invalid` if the setting does not accept the value.
pub fn update(db: &mut Write<'_>, setting: Setting, value: &str) -> Result<String, ActionError> {
    let value = setting
        .accept(value)
        .map_err(|error| ActionError::Invalid(error.into()))?;
    settings::set(db, setting, &value)?;
    Ok(value)
}

/// A setting with its new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingChange {
    pub setting: Setting,
    /// The value, as it is stored.
    pub value: String,
}

/// Returns which of the values differ from those of the catalogue, in the form in which they are
/// stored.
///
/// # Errors
/// One for each value that is not valid; its attribute is the name of the setting.
pub fn changes(
    catalogue: &Catalogue,
    values: &[(Setting, String)],
) -> Result<Vec<SettingChange>, ValidationErrors> {
    let mut changes = Vec::new();
    let mut errors = ValidationErrors::new();
    for (setting, value) in values {
        match setting
            .accept(value)
            .and_then(|value| check_items(catalogue, *setting, &value).map(|()| value))
        {
            Ok(value) if value == catalogue.setting(*setting) => {}
            Ok(value) => changes.push(SettingChange {
                setting: *setting,
                value,
            }),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        Ok(changes)
    } else {
        Err(errors)
    }
}

/// Sets several settings as an administrator, all or none. Returns those that have changed.
///
/// # Errors
/// `Forbidden` for everybody else, `Invalid` with the errors of [`changes`].
pub fn update_all(
    db: &mut Write<'_>,
    viewer: &Viewer,
    values: &[(Setting, String)],
) -> Result<Vec<SettingChange>, ActionError> {
    if !viewer.admin {
        return Err(ActionError::Forbidden);
    }
    let catalogue = Arc::clone(db.catalogue());
    let changes = changes(&catalogue, values).map_err(ActionError::Invalid)?;
    for change in &changes {
        settings::set(db, change.setting, &change.value)?;
    }
    Ok(changes)
}

/// Checks the items of a list, and the id of a role, against what there is.
fn check_items(
    catalogue: &Catalogue,
    setting: Setting,
    value: &str,
) -> Result<(), ValidationError> {
    match value
        .split(',')
        .filter(|item| !item.is_empty())
        .find(|item| !exists(catalogue, setting, item))
    {
        Some(item) => Err(setting.error(&format!("has an unknown item: {item}"))),
        None => Ok(()),
    }
}

fn parse_id(item: &str) -> Option<i64> {
    item.parse::<i64>().ok()
}

/// Whether there is what an item of the setting names.
fn exists(catalogue: &Catalogue, setting: Setting, item: &str) -> bool {
    match setting {
        Setting::DefaultProjectsModules => item.parse::<Module>().is_ok(),
        Setting::DefaultProjectsTrackerIds => parse_id(item)
            .is_some_and(|id| catalogue.trackers.iter().any(|tracker| tracker.id.0 == id)),
        Setting::NonWorkingWeekDays => parse_id(item).is_some_and(|day| (1..=7).contains(&day)),
        Setting::NotifiedEvents => item.parse::<NotifiedEvent>().is_ok(),
        Setting::TimelogRequiredFields => ["issue_id", "comments"].contains(&item),
        Setting::NewProjectUserRoleId => parse_id(item).is_some_and(|id| {
            id == 0
                || catalogue
                    .roles
                    .iter()
                    .any(|role| role.id.0 == id && role.builtin.is_none())
        }),
        _ => true,
    }
}
