//! `quarry setting`: reads and changes the settings of a data folder.

use super::arguments::SettingCommand;
use super::misuse::Misuse;
use super::{folder, table};
use crate::actions::{Refused, settings};
use crate::config::Config;
use crate::domain::setting::Setting;
use std::io::Write;

/// Does it.
pub fn obey(config: &Config, command: SettingCommand, out: &mut dyn Write) -> anyhow::Result<()> {
    // Names are judged before the folder is: they are wrong in any.
    match command {
        SettingCommand::Get { name } => {
            let setting = named(&name)?;
            let store = folder::open(config)?;
            writeln!(out, "{}", store.catalogue()?.setting(setting))?;
            store.close();
        }
        SettingCommand::Set { name, value } => {
            let setting = named(&name)?;
            setting.accept(&value).map_err(Misuse)?;
            let store = folder::open(config)?;
            let value = store.write::<_, Refused>(move |db| settings::change(db, setting, &value))?;
            writeln!(out, "{name} = {value}")?;
            store.close();
        }
        SettingCommand::List => {
            let store = folder::open(config)?;
            let catalogue = store.catalogue()?;
            let rows: Vec<[String; 2]> =
                Setting::all().map(|setting| [setting.name().to_owned(), catalogue.setting(setting).to_owned()]).collect();
            table::write(out, &rows)?;
            store.close();
        }
    }
    Ok(())
}

fn named(name: &str) -> Result<Setting, Misuse> {
    Setting::parse(name).ok_or_else(|| Misuse::unknown("setting", name, Setting::all().map(Setting::name)))
}
