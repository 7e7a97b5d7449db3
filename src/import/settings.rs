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

/// What the settings that were set are remembered under, by the digests of their names.
const LABEL: &str = "settings (in use)";

/// A Redmine keeps only settings that somebody has changed. What the others are there is said here where it is not what they
/// are here, or decides who gets in: people keep the service that they know.
const THEIRS: &[(Setting, &str)] = &[(Setting::LoginRequired, "0"), (Setting::RestApiEnabled, "0")];

/// What is to be said of a setting when it has got this value.
const SENTENCES: &[(Setting, &str, &str)] = &[
    (
        Setting::LoginRequired,
        "0",
        "login_required is 0, as in the source: public projects are shown to everybody; `quarry setting set login_required 1` changes that",
    ),
    (
        Setting::RestApiEnabled,
        "0",
        "rest_api_enabled is 0, as in the source: the REST API answers nobody; `quarry setting set rest_api_enabled 1` changes that",
    ),
];

/// What the source says about a setting.
struct Said {
    /// The number of its row there; 0 where it has none.
    id: i64,
    setting: Setting,
    value: String,
}

/// Sets them; one that was changed here stays.
pub fn apply(source: &mut Source, store: &Store, dry_run: bool, report: &mut Report) -> Result<(), ImportError> {
    let (found, unknown) = read(source, report)?;
    let before = store.read(|db| imported::remembered(db, LABEL))?;
    let catalogue = store.catalogue()?;
    for Said { id, setting, value } in found {
        let digest = |value: &str| imported::digest(&[vec![Value::from(value)]]);
        let (name, theirs, ours) = (digest(setting.name()), digest(&value), digest(catalogue.setting(setting)));
        let is_set = catalogue.settings.contains_key(&setting);
        let was_edited = match before.get(&name) {
            Some(before) if before.source == theirs => {
                report.of(LABEL).unchanged += 1;
                continue;
            }
            Some(before) => before.ours != ours && ours != theirs,
            None => is_set && ours != theirs,
        };
        if was_edited {
            report.of(LABEL).kept += 1;
            report.problem(LABEL, id, "kept ours", format!("{} is {value:?} in the source, but was set here", setting.name()));
            continue;
        }
        let counts = report.of(LABEL);
        if before.contains_key(&name) {
            counts.updated += 1
        } else {
            counts.taken += 1
        }
        let sentence = SENTENCES.iter().find(|(of, said, _)| *of == setting && *said == value);
        report.said.extend(sentence.map(|(_, _, sentence)| (*sentence).to_owned()));
        if setting == Setting::HostName && !value.is_empty() {
            let change = "`quarry setting set host_name NAME` changes that";
            report.said.push(format!("host_name is {value}, as in the source: absolute links lead there; {change}"));
        }
        if !dry_run {
            store.write(move |db| -> Result<(), ImportError> {
                settings::change(db, setting, &value)?;
                Ok(imported::remember(db, LABEL, name, Remembered { source: theirs, ours: theirs })?)
            })?;
        }
    }
    report.leave(unknown, "means nothing here so far; kept in redmine_settings");
    Ok(())
}

/// What the source says, and the names of settings that mean nothing here.
fn read(source: &mut Source, report: &mut Report) -> Result<(Vec<Said>, BTreeMap<String, u64>), ImportError> {
    let columns = ["id", "name", "value"];
    let (mut found, mut unknown): (Vec<Said>, _) = (Vec::new(), BTreeMap::new());
    let mut broken = Vec::new();
    for cells in source.page("settings", &columns, "id", None, Limit::Rows(100_000))? {
        let row = Row { columns: &columns, cells: &cells };
        // What cannot be read is reported with the rows of the table.
        let (Some(id), Ok(name), Ok(value)) = (row.whole("id"), row.text("name"), row.text("value")) else { continue };
        let Some(setting) = Setting::parse(&name) else {
            *unknown.entry(format!("settings with name {name:?}")).or_default() += 1;
            continue;
        };
        // No value stands for what it is without one.
        let given = if value.trim().is_empty() && setting.accept("").is_err() { setting.default_value() } else { &value };
        match setting.accept(given) {
            Ok(value) => {
                found.retain(|known| known.setting != setting);
                found.push(Said { id, setting, value });
            }
            Err(reason) => {
                broken.push(setting);
                report.of(LABEL).broken += 1;
                report.problem(LABEL, id, "broken", reason);
            }
        }
    }
    for (setting, value) in THEIRS.iter().copied() {
        if !found.iter().any(|known| known.setting == setting) && !broken.contains(&setting) {
            found.push(Said { id: 0, setting, value: value.to_owned() });
        }
    }
    Ok((found, unknown))
}
