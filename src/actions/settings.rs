//! Settings.

use super::ActionError;
use crate::domain::setting::Setting;
use crate::store::{Write, settings};

/// Sets a setting; the value that it has then. Refuses a value that the setting does not accept.
pub fn update(db: &mut Write<'_>, setting: Setting, value: &str) -> Result<String, ActionError> {
    let value = setting.accept(value).map_err(|problem| ActionError::Invalid(vec![problem]))?;
    settings::set(db, setting, &value)?;
    Ok(value)
}
