//! `quarry demo`: the service with demonstration data.
//!
//! The compressed data is part of the program. It is loaded into a subfolder and moved to its place
//! when it is complete, so an interrupted load is repeated at the next start. May import:
//! everything.

mod greeting;
mod importer;
mod load;
mod records;

use super::data_folder::{self, FolderState, LOADING, RECORDS, SECRET};
use super::output::progress::StepProgress;
use super::output::usage_error::UsageError;
use super::serve;
use super::serve::listen::BoundAddress;
use anyhow::{Context, ensure};
use quarry_app::store_location;
use quarry_config::Config;
use quarry_store::copy;
use quarry_store::{Store, StoreLocation, demo_data};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Loads the data if the folder is empty, then serves it.
pub fn demo(config: &Config, out: &mut dyn Write) -> anyhow::Result<()> {
    let (listener, lock) = BoundAddress::bind(config)?;
    let location = store_location::configured(config)?;
    match data_folder::state(&config.data)? {
        _ if location.server.is_some() => {
            if copy::state(&location)? == copy::State::Filled {
                check_marked(&location)?;
            } else {
                load_into_server(&location).with_context(|| {
                    format!(
                        "the demonstration data cannot be loaded into {}",
                        name(&location)
                    )
                })?;
            }
        }
        FolderState::Initialized => check_marked(&location)?,
        FolderState::Foreign(file) => {
            return Err(data_folder::foreign_error(&config.data, &file).into());
        }
        FolderState::Empty | FolderState::PartialDemo => {
            let folder = &config.data;
            load_into(folder).with_context(|| {
                format!(
                    "the demonstration data cannot be loaded into {}",
                    folder.display()
                )
            })?;
        }
    }
    serve::run(config, listener, lock, out, greeting::print_greeting)
}

/// Fails for a store with other data: their passwords are unknown, and their keys are for nobody's eyes.
fn check_marked(location: &StoreLocation) -> anyhow::Result<()> {
    if demo_data::is_marked(location)? {
        return Ok(());
    }
    let (name, new) = match &location.server {
        None => (
            location.folder.display().to_string(),
            "a new folder with --data",
        ),
        Some(server) => (server.name().to_owned(), "an empty database with --store"),
    };
    Err(UsageError(format!(
        "{name} contains other data than the demonstration data; specify {new}, or start the service on it with `quarry serve`"
    ))
    .into())
}

fn name(location: &StoreLocation) -> &str {
    location.server.as_ref().map_or("", |server| server.name())
}

/// Loads the data into a temporary folder, and copies it to the database: in one transaction, so an
/// interrupted load leaves no part of the data.
fn load_into_server(location: &StoreLocation) -> anyhow::Result<()> {
    let folder = &location.folder;
    let loading = create_loading(folder)?;
    // The nodes of the database may have a secret already.
    let secret = folder.join(SECRET);
    if secret.exists() {
        std::fs::copy(&secret, loading.join(SECRET))?;
    }
    load_demo_data(&loading)?;
    copy::copy(
        &StoreLocation::from(&loading),
        location,
        &mut StepProgress::default(),
    )?;
    std::fs::remove_dir_all(&loading)?;
    // The properties of a store are not copied.
    let store = Store::open_secondary(location.clone())?;
    let outcome = store.write(demo_data::mark);
    store.close();
    Ok(outcome?)
}

/// Creates the empty folder in which the data is loaded.
fn create_loading(folder: &Path) -> anyhow::Result<PathBuf> {
    let loading = folder.join(LOADING);
    if loading.exists() {
        std::fs::remove_dir_all(&loading)?;
    }
    std::fs::create_dir(&loading)?;
    Ok(loading)
}

fn load_demo_data(loading: &Path) -> anyhow::Result<()> {
    let store = Store::open(loading)?;
    let outcome = load::demo_data(&store);
    store.close();
    outcome
}

/// Loads the data into a subfolder of the locked data folder, and moves the files to their place afterwards. The database
/// comes last, because with it the folder counts as initialized.
fn load_into(folder: &Path) -> anyhow::Result<()> {
    let loading = create_loading(folder)?;
    load_demo_data(&loading)?;
    let wal = loading.join(format!("{RECORDS}-wal"));
    let wal_bytes = std::fs::metadata(&wal).map_or(0, |wal| wal.len());
    ensure!(
        wal_bytes == 0,
        "the store was not closed cleanly: {} is not empty",
        wal.display()
    );
    std::fs::rename(loading.join(SECRET), folder.join(SECRET))?;
    std::fs::rename(loading.join(RECORDS), folder.join(RECORDS))?;
    #[cfg(unix)]
    std::fs::File::open(folder)?.sync_all()?;
    std::fs::remove_dir_all(&loading)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interrupted_load_is_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let loading = folder.path().join(LOADING);
        std::fs::create_dir(&loading).unwrap();
        std::fs::write(loading.join(RECORDS), "incomplete").unwrap();
        std::fs::write(folder.path().join(SECRET), "another secret").unwrap();
        load_into(folder.path()).unwrap();
        assert_eq!(
            data_folder::state(folder.path()).unwrap(),
            FolderState::Initialized
        );
        assert!(!loading.exists());
        let store = Store::open(folder.path()).unwrap();
        let catalogue = store.catalogue().unwrap();
        assert_eq!((catalogue.users.len(), catalogue.projects.len()), (8, 14));
        assert!(catalogue.is_on(quarry_domain::administration::setting::Setting::RestApiEnabled));
        let alice = catalogue.user_by_login("alice").unwrap().id;
        let key = store
            .read(|db| quarry_store::accounts::users::api_key(db, alice))
            .unwrap();
        assert_eq!(key.map(|key| key.len()), Some(40));
        store.close();
    }
}
