//! Applies the settings that Quarry supports; the others are kept in `redmine_settings` and
//! reported.

use super::error::ImportError;
use super::field::Row;
use super::report::Report;
use super::source::{Limit, Source};
use quarry_actions::administration::settings;
use quarry_domain::administration::setting::Setting;
use quarry_store::imported;
use quarry_store::imported::RowDigests;
use quarry_store::{Store, Value};
use std::collections::BTreeMap;

/// Label in reports; the digests of applied settings are stored under it, by the digests of their
/// names.
const LABEL: &str = "settings (in use)";

/// Redmine's defaults where they differ from ours or grant access: a Redmine stores only the
/// settings that somebody has changed.
const REDMINE_DEFAULTS: &[(Setting, &str)] = &[
    (Setting::LoginRequired, "0"),
    (Setting::RestApiEnabled, "0"),
];

/// Settings that are not imported, because every absolute link would lead to the old server.
const NOT_IMPORTED: &[Setting] = &[Setting::HostName, Setting::Protocol];

/// Notes about settings that have this value after the import.
const NOTES: &[(Setting, &str, &str)] = &[
    (
        Setting::LoginRequired,
        "0",
        "login_required is 0, as in the source: everybody can see public projects; `quarry setting set login_required 1` changes that",
    ),
    (
        Setting::RestApiEnabled,
        "0",
        "rest_api_enabled is 0, as in the source: the REST API is disabled; `quarry setting set rest_api_enabled 1` changes that",
    ),
];

/// A setting of the source.
struct SourceSetting {
    /// Id of its row; 0 for a default.
    id: i64,
    setting: Setting,
    value: String,
}

/// Applies the settings, except those that were changed here.
pub fn apply(
    source: &mut Source,
    store: &Store,
    dry_run: bool,
    report: &mut Report,
) -> Result<(), ImportError> {
    let (settings, unsupported) = read_settings(source, report)?;
    let before = store.read(|db| imported::list_digests(db, LABEL))?;
    let catalogue = store.catalogue()?;
    for SourceSetting { id, setting, value } in settings {
        if NOT_IMPORTED.contains(&setting) {
            let name = setting.name();
            if !catalogue.settings.contains_key(&setting) {
                let reason = "it is not imported, because absolute links would lead there";
                report.notes.push(format!("{name} is {value} in the source: {reason}; `quarry setting set {name} VALUE` sets it"));
            }
            continue;
        }
        let name = digest(setting.name());
        let theirs = digest(&value);
        let ours = digest(catalogue.setting(setting));
        let is_set = catalogue.settings.contains_key(&setting);
        let was_edited = match before.get(&name) {
            Some(before) if before.source == theirs => {
                report.counts(LABEL).unchanged += 1;
                continue;
            }
            Some(before) => before.ours != ours && ours != theirs,
            None => is_set && ours != theirs,
        };
        if was_edited {
            report.counts(LABEL).kept += 1;
            report.add_problem(
                LABEL,
                id,
                "kept ours",
                format!(
                    "{} is {value:?} in the source, but was set here",
                    setting.name()
                ),
            );
            continue;
        }
        let counts = report.counts(LABEL);
        if before.contains_key(&name) {
            counts.updated += 1
        } else {
            counts.taken += 1
        }
        let note = NOTES
            .iter()
            .find(|(noted, noted_value, _)| *noted == setting && *noted_value == value);
        report
            .notes
            .extend(note.map(|(_, _, note)| (*note).to_owned()));
        if !dry_run {
            store.write(move |db| -> Result<(), ImportError> {
                settings::update(db, setting, &value)?;
                Ok(imported::set_digests(
                    db,
                    LABEL,
                    name,
                    RowDigests {
                        source: theirs,
                        ours: theirs,
                    },
                )?)
            })?;
        }
    }
    report.add_left_behind(unsupported, "is not supported; kept in redmine_settings");
    Ok(())
}

fn digest(text: &str) -> i64 {
    imported::digest(&[vec![Value::from(text)]])
}

/// Returns the settings of the source, and the number of rows by unsupported setting.
fn read_settings(
    source: &mut Source,
    report: &mut Report,
) -> Result<(Vec<SourceSetting>, BTreeMap<String, u64>), ImportError> {
    let columns = ["id", "name", "value"];
    let mut settings: Vec<SourceSetting> = Vec::new();
    let mut unsupported = BTreeMap::new();
    let mut broken = Vec::new();
    for cells in source.page("settings", &columns, "id", None, Limit::Rows(100_000))? {
        let row = Row {
            columns: &columns,
            cells: &cells,
        };
        // An unreadable row is reported by the mapping of the table.
        let (Some(id), Ok(name), Ok(value)) =
            (row.integer("id"), row.text("name"), row.text("value"))
        else {
            continue;
        };
        let Some(setting) = Setting::parse(&name) else {
            *unsupported
                .entry(format!("settings with name {name:?}"))
                .or_default() += 1;
            continue;
        };
        // An empty value stands for the default.
        let accepted = if value.trim().is_empty() && setting.accept("").is_err() {
            setting.default_value()
        } else {
            &value
        };
        match setting.accept(accepted) {
            Ok(value) => {
                settings.retain(|earlier: &SourceSetting| earlier.setting != setting);
                settings.push(SourceSetting { id, setting, value });
            }
            Err(reason) => {
                broken.push(setting);
                report.counts(LABEL).broken += 1;
                report.add_problem(LABEL, id, "broken", reason.to_string());
            }
        }
    }
    for (setting, value) in REDMINE_DEFAULTS.iter().copied() {
        if !settings.iter().any(|present| present.setting == setting) && !broken.contains(&setting)
        {
            settings.push(SourceSetting {
                id: 0,
                setting,
                value: value.to_owned(),
            });
        }
    }
    Ok((settings, unsupported))
}
