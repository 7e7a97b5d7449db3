//! What is in a data folder before it is opened: opening makes what is missing, so a mistyped name must be noticed first.

use super::misuse::Misuse;
use crate::config::Config;
use crate::search;
use crate::store::Store;
use anyhow::Context;
use std::path::Path;

/// The records; a folder with this file has been set up.
pub const RECORDS: &str = "quarry.sqlite3";
/// The secret of the folder, made with the records.
pub const SECRET: &str = "secret";
/// Where the demonstration world is loaded; what is in it counts for nothing until it has moved out.
pub const LOADING: &str = "loading";

/// What a folder is.
#[derive(Debug, PartialEq, Eq)]
pub enum State {
    /// Not there, or with nothing in it that matters.
    Fresh,
    /// The demonstration world was being loaded into it when something intervened.
    HalfLoaded,
    /// A data folder.
    Ours,
    /// Something else; the name of a file in it.
    Foreign(String),
}

/// Looks what the folder is.
pub fn state(folder: &Path) -> anyhow::Result<State> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(State::Fresh),
        Err(error) => return Err(error).with_context(|| format!("the data folder {} cannot be read", folder.display())),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    if names.iter().any(|name| name == RECORDS) {
        return Ok(State::Ours);
    }
    if names.iter().any(|name| name == LOADING) {
        return Ok(State::HalfLoaded);
    }
    let harmless = |name: &String| [SECRET, crate::config::FILE, "lost+found"].contains(&name.as_str()) || name.starts_with('.');
    Ok(names.into_iter().find(|name| !harmless(name)).map_or(State::Fresh, State::Foreign))
}

/// The sentence about a folder that is something else.
pub fn foreign(folder: &Path, file: &str) -> Misuse {
    Misuse(format!("{} is not a data folder of Quarry: it holds {file}; name an empty or a new folder with --data", folder.display()))
}

/// The sentence about a folder that has not been set up.
pub fn not_ours(folder: &Path) -> Misuse {
    Misuse(format!("{} is not a data folder of Quarry; name one with --data, or make one with `quarry serve`", folder.display()))
}

/// Opens the store of a folder that has been set up, which another process may be serving at the same time.
pub fn open(config: &Config) -> anyhow::Result<Store> {
    let folder = config.data.as_path();
    if state(folder)? != State::Ours {
        return Err(not_ours(folder).into());
    }
    let opened = if search::is_kept(&config.index) { Store::open_beside(folder) } else { Store::open(folder) };
    opened.with_context(|| format!("the data folder {} cannot be opened", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Environment, Given};

    #[test]
    fn a_folder_is_what_lies_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let touch = |name: &str| std::fs::write(folder.path().join(name), "").unwrap();
        assert_eq!(state(&folder.path().join("missing")).unwrap(), State::Fresh);
        assert_eq!(state(folder.path()).unwrap(), State::Fresh);
        touch("quarry.toml");
        touch(SECRET);
        assert_eq!(state(folder.path()).unwrap(), State::Fresh);
        touch("thesis.tex");
        assert_eq!(state(folder.path()).unwrap(), State::Foreign("thesis.tex".to_owned()));
        touch(LOADING);
        assert_eq!(state(folder.path()).unwrap(), State::HalfLoaded);
        touch(RECORDS);
        assert_eq!(state(folder.path()).unwrap(), State::Ours);
    }

    #[test]
    fn nothing_is_made_where_nothing_was_set_up() {
        let folder = tempfile::tempdir().unwrap();
        let mistyped = folder.path().join("dta");
        let config = Config::load(&Given::default(), &Environment::default(), mistyped.to_str().unwrap()).unwrap();
        assert!(open(&config).is_err());
        assert!(!mistyped.exists());
    }

    #[test]
    fn nothing_is_written_where_a_service_keeps_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let config = Config::load(&Given::default(), &Environment::default(), folder.path().to_str().unwrap()).unwrap();
        Store::open(folder.path()).unwrap().close();
        let records = || std::fs::read(folder.path().join(RECORDS)).unwrap();
        let opened_and_closed = || {
            let before = records();
            open(&config).unwrap().close();
            records() == before
        };
        std::fs::create_dir(&config.index).unwrap();
        let keeper = std::fs::File::create(config.index.join("KEEPER")).unwrap();
        keeper.lock().unwrap();
        assert!(opened_and_closed());
        drop(keeper);
        assert!(!opened_and_closed(), "a new stretch of the history begins");
    }
}
