//! `quarry setting`: prints and changes the settings of a data folder.

use super::arguments::SettingCommand;
use super::output::table;
use super::output::usage_error::UsageError;
use super::{audit, data_folder};
use quarry_actions::ActionError;
use quarry_actions::administration::settings;
use quarry_config::Config;
use quarry_domain::administration::setting::Setting;
use quarry_wire as wire;
use quarry_wire::Format;
use std::io::Write;

/// Runs the command.
pub fn run(config: &Config, command: SettingCommand, out: &mut dyn Write) -> anyhow::Result<()> {
    // Names are validated first, because they are wrong for any folder.
    match command {
        SettingCommand::Get { name } => {
            let setting = by_name(&name)?;
            let store = data_folder::open(config)?;
            writeln!(out, "{}", store.catalogue()?.setting(setting))?;
            store.close();
        }
        SettingCommand::Set { name, value } => {
            let setting = by_name(&name)?;
            setting
                .accept(&value)
                .map_err(|error| UsageError(error.to_string()))?;
            let store = data_folder::open(config)?;
            let (value, is_changed) = store.write::<_, ActionError>(move |db| {
                let before = db.catalogue().setting(setting).to_owned();
                let value = settings::update(db, setting, &value)?;
                Ok((value.clone(), value != before))
            })?;
            if is_changed {
                audit::log_setting(setting, &value);
            }
            writeln!(out, "{name} = {value}")?;
            store.close();
        }
        SettingCommand::List { json } => {
            let store = data_folder::open(config)?;
            let catalogue = store.catalogue()?;
            if json {
                let describe = |w: &mut wire::Fields, setting: Setting| {
                    w.field("name", setting.name());
                    w.field("value", catalogue.setting(setting));
                };
                let settings = Setting::all();
                let document =
                    wire::list(Format::Json, "settings", "setting", settings, describe, &[]);
                writeln!(out, "{document}")?;
                store.close();
                return Ok(());
            }
            let rows: Vec<[String; 2]> = Setting::all()
                .map(|setting| {
                    [
                        setting.name().to_owned(),
                        catalogue.setting(setting).to_owned(),
                    ]
                })
                .collect();
            table::write(out, &rows)?;
            store.close();
        }
    }
    Ok(())
}

fn by_name(name: &str) -> Result<Setting, UsageError> {
    Setting::parse(name)
        .ok_or_else(|| UsageError::unknown("setting", name, Setting::all().map(Setting::name)))
}
