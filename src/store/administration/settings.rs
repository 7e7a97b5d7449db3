//! The stored settings. Defaults and permitted values are in `domain::administration::setting`.

use crate::{Read, StoreError, Write};
use quarry_domain::administration::setting::Setting;
use std::collections::HashMap;

/// Returns the stored settings, without unknown names.
pub fn load(db: &Read<'_>) -> Result<HashMap<Setting, String>, StoreError> {
    let rows = db.rows("SELECT name, value FROM settings", &[], |row| {
        Ok((row.next::<String>()?, row.next::<String>()?))
    })?;
    Ok(rows
        .into_iter()
        .filter_map(|(name, value)| Some((Setting::parse(&name)?, value)))
        .collect())
}

/// Stores a setting; callers validate the value.
pub fn set(db: &mut Write<'_>, setting: Setting, value: &str) -> Result<(), StoreError> {
    db.execute(
        "INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        &[setting.name().into(), value.into()],
    )?;
    db.catalogue_changed()
}
