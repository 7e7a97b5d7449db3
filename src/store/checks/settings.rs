//! Stored settings that this program would not accept.

use super::damage::Damage;
use super::repair::Repair;
use crate::StoreError;
use crate::transaction::snapshot::Snapshot;
use quarry_domain::administration::setting::Setting;

/// Checks each setting. Names of other versions are left alone.
pub(super) fn check(db: &Snapshot<'_>) -> Result<Option<Damage>, StoreError> {
    let rows: Vec<(String, String)> = db.rows(
        "SELECT name, value FROM settings ORDER BY name",
        &[],
        |row| Ok((row.next()?, row.next()?)),
    )?;
    let mut names = Vec::new();
    let mut examples = Vec::new();
    for (name, value) in rows {
        let Some(setting) = Setting::parse(&name) else {
            continue;
        };
        if setting.accept(&value).is_err() {
            examples.push(format!("{name} is {:?}", setting.loggable(&value)));
            names.push(format!("'{}'", name.replace('\'', "''")));
        }
    }
    let deletion = (
        "settings",
        format!("settings.name IN ({})", names.join(", ")),
    );
    Ok(Damage::from_examples(
        examples,
        Some(Repair::DeleteRows(vec![deletion])),
    ))
}
