//! Settings that mean something here are set; the others are kept beside and named.

use super::error::ImportError;
use super::field::Row;
use super::report::Report;
use super::source::{Limit, Source};
use crate::actions::settings;
use crate::domain::setting::Setting;
use crate::store::imported::{self, Remembered};
use crate::store::{Store, Value};
use std::collections::BTreeMap;

/// What the settings that were set are remembered under.
const LABEL: &str = "settings (in use)";

/// Sets them; one that was changed here since stays.
pub fn apply(source: &mut Source, store: &Store, dry_run: bool, report: &mut Report) -> Result<(), ImportError> {
    let columns = ["id", "name", "value"];
    let before = store.read(|db| imported::remembered(db, LABEL))?;
    let catalogue = store.catalogue()?;
    let mut unknown = BTreeMap::new();
    for cells in source.page("settings", &columns, "id", None, Limit::Rows(100_000))? {
        let row = Row { columns: &columns, cells: &cells };
        let (Some(id), Ok(name), Ok(value)) = (row.whole("id"), row.text("name"), row.text("value")) else { continue };
        let Some(setting) = Setting::parse(&name) else {
            *unknown.entry(format!("settings with name {name:?}")).or_default() += 1;
            continue;
        };
        let value = match setting.accept(&value) {
            Ok(value) => value,
            Err(reason) => {
                report.of(LABEL).broken += 1;
                report.problem(LABEL, id, "broken", reason);
                continue;
            }
        };
        let digest = imported::digest(&[vec![Value::from(&value)]]);
        let now = imported::digest(&[vec![Value::from(catalogue.setting(setting))]]);
        match before.get(&id) {
            Some(before) if before.source == digest => report.of(LABEL).unchanged += 1,
            Some(before) if before.ours != now => {
                report.of(LABEL).kept += 1;
                report.problem(LABEL, id, "kept ours", format!("{name} was changed in the source, but here too"));
            }
            found => {
                let counts = report.of(LABEL);
                if found.is_some() {
                    counts.updated += 1
                } else {
                    counts.taken += 1
                }
                if !dry_run {
                    store.write(move |db| -> Result<(), ImportError> {
                        settings::change(db, setting, &value)?;
                        Ok(imported::remember(db, LABEL, id, Remembered { source: digest, ours: digest })?)
                    })?;
                }
            }
        }
    }
    report.leave(unknown, "means nothing here so far; kept in redmine_settings");
    Ok(())
}
