//! The state of a data folder before it is opened. Opening creates missing files, so a mistyped
//! path must be noticed before.

pub(crate) mod folder_owner;

use super::output::usage_error::UsageError;
use anyhow::Context;
use quarry_app::store_location;
use quarry_config::Config;
use quarry_domain::administration::audit::Origin;
use quarry_store::backup;
use quarry_store::checks::StoreAtRest;
use quarry_store::copy;
use quarry_store::data_folder::folder_lock::FolderLock;
use quarry_store::{Store, StoreError, StoreLocation};
use std::path::Path;

/// The database. A folder with this file is initialized.
pub const RECORDS: &str = "quarry.sqlite3";
/// The secret of the folder, created with the database.
pub const SECRET: &str = "secret";
/// The folder into which demonstration data is loaded before it is moved to its place.
pub const LOADING: &str = "loading";

/// The state of a folder.
#[derive(Debug, PartialEq, Eq)]
pub enum FolderState {
    /// Missing or empty.
    Empty,
    /// Loading the demonstration data was interrupted.
    PartialDemo,
    /// A data folder.
    Initialized,
    /// Another folder, with the name of a file in it.
    Foreign(String),
}

/// Determines the state of a folder. Fails if a restore was interrupted while it moved its entries.
pub fn state(folder: &Path) -> anyhow::Result<FolderState> {
    backup::check_complete(folder).map_err(|error| UsageError(error.to_string()))?;
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(FolderState::Empty);
        }
        Err(error) => {
            return Err(error)
                .with_context(|| format!("the data folder {} cannot be read", folder.display()));
        }
    };
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    if names.iter().any(|name| name == RECORDS) {
        return Ok(FolderState::Initialized);
    }
    if names.iter().any(|name| name == LOADING) {
        return Ok(FolderState::PartialDemo);
    }
    let foreign = names.into_iter().find(|name| {
        !name.starts_with('.')
            && ![SECRET, quarry_config::FILE, "lost+found"].contains(&name.as_str())
    });
    Ok(foreign.map_or(FolderState::Empty, FolderState::Foreign))
}

/// Whether a folder is the data folder of a store in SQLite or on a server.
pub fn has_records_or_secret(folder: &Path) -> bool {
    [RECORDS, SECRET]
        .iter()
        .any(|name| folder.join(name).is_file())
}

/// Returns the error about a folder with other files.
pub fn foreign_error(folder: &Path, file: &str) -> UsageError {
    UsageError(format!(
        "{} is not a data folder of Quarry: it contains {file}; specify an empty or a new folder with --data",
        folder.display()
    ))
}

/// Returns the error about a folder that is not initialized.
pub fn not_initialized_error(folder: &Path) -> UsageError {
    UsageError(format!(
        "{} is not a data folder of Quarry; specify one with --data, or create one with `quarry serve`",
        folder.display()
    ))
}

/// Returns the error about a database without records.
pub fn empty_database_error(location: &StoreLocation) -> UsageError {
    let name = location.server.as_ref().map_or("", |server| server.name());
    UsageError(format!(
        "{name} has no records of Quarry; specify another database with --store, or create them with `quarry serve`"
    ))
}

/// Opens the store of an initialized folder or database. A running service may have it open at the same time.
pub fn open(config: &Config) -> anyhow::Result<Store> {
    let folder = config.data.as_path();
    if config.server.is_some() {
        let location = store_location::configured(config)?;
        if copy::state(&location)? == copy::State::Empty {
            return Err(empty_database_error(&location).into());
        }
        return Ok(Store::open_secondary(location)?);
    }
    if state(folder)? != FolderState::Initialized {
        return Err(not_initialized_error(folder).into());
    }
    open_store(store_location::configured(config)?)
        .with_context(|| format!("the data folder {} cannot be opened", folder.display()))
}

/// Runs `work` on the store of an initialized folder or database, which it only reads: no file changes,
/// whether or not a service runs. A store that no process uses is read without locks, and once more if a
/// process has written to it meanwhile.
pub fn read<T>(
    config: &Config,
    mut work: impl FnMut(&Store) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let folder = config.data.as_path();
    if config.server.is_none() && state(folder)? != FolderState::Initialized {
        return Err(not_initialized_error(folder).into());
    }
    let location = store_location::configured(config)?;
    if config.server.is_some() && copy::state(&location)? == copy::State::Empty {
        return Err(empty_database_error(&location).into());
    }
    let cannot_open = || format!("the data folder {} cannot be opened", folder.display());
    if let Some(at_rest) = StoreAtRest::find(&location) {
        let store = Store::open_at_rest(&location).with_context(cannot_open)?;
        let outcome = work(&store);
        store.close();
        if at_rest.is_unchanged() {
            return outcome;
        }
    }
    let store = Store::open_secondary(location).with_context(cannot_open)?;
    let outcome = work(&store);
    store.close();
    outcome
}

/// Opens the store at a location that exists or may be created, also while a service uses it.
pub fn open_store(location: impl Into<StoreLocation>) -> Result<Store, StoreError> {
    let location = location.into();
    let store = if FolderLock::is_held(&location.folder) {
        Store::open_secondary(location)?
    } else {
        Store::open(location)?
    };
    store.set_origin(Origin::CommandLine);
    Ok(store)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_config::{Environment, Flags};

    #[test]
    fn state_depends_on_the_files_in_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(
            state(&folder.path().join("missing")).unwrap(),
            FolderState::Empty
        );
        assert_eq!(state(folder.path()).unwrap(), FolderState::Empty);
        for (file, expected) in [
            ("quarry.toml", FolderState::Empty),
            (SECRET, FolderState::Empty),
            ("thesis.tex", FolderState::Foreign("thesis.tex".to_owned())),
            (LOADING, FolderState::PartialDemo),
            (RECORDS, FolderState::Initialized),
        ] {
            std::fs::write(folder.path().join(file), "").unwrap();
            assert_eq!(state(folder.path()).unwrap(), expected, "{file}");
        }
    }

    #[test]
    fn opening_a_missing_folder_creates_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mistyped = folder.path().join("dta");
        let config = Config::load(
            &Flags::default(),
            &Environment::default(),
            mistyped.to_str().unwrap(),
        )
        .unwrap();
        assert!(open(&config).is_err());
        assert!(!mistyped.exists());
    }

    #[test]
    fn opening_does_not_write_while_a_service_runs() {
        let folder = tempfile::tempdir().unwrap();
        let config = Config::load(
            &Flags::default(),
            &Environment::default(),
            folder.path().to_str().unwrap(),
        )
        .unwrap();
        Store::open(folder.path()).unwrap().close();
        let records = folder.path().join(RECORDS);
        let before = std::fs::read(&records).unwrap();
        let lock = FolderLock::acquire(folder.path()).unwrap();
        assert!(lock.is_some());
        open(&config).unwrap().close();
        assert!(std::fs::read(&records).unwrap() == before);
        drop(lock);
        open(&config).unwrap().close();
        assert!(
            std::fs::read(&records).unwrap() != before,
            "opening without a service starts a new epoch"
        );
    }
}
