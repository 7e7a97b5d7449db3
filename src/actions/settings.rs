//! Updates settings.

use super::ActionError;
use crate::domain::setting::Setting;
use crate::store::{Write, settings};

/// Sets a setting, and returns the stored value.
///
/// # Errors
/// `Invalid` if the setting does not accept the value.
pub fn update(db: &mut Write<'_>, setting: Setting, value: &str) -> Result<String, ActionError> {
    let value = setting.accept(value).map_err(|message| ActionError::Invalid(vec![message]))?;
    settings::set(db, setting, &value)?;
    Ok(value)
}
