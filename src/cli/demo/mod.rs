//! `quarry demo`: the service on a world that somebody else has filled.
//!
//! The world lies packed in the program. It is loaded beside the place where a store is looked for and moved there when it is
//! whole, so an interrupted load is never shown: the next start begins anew.
//! May import: everything.

mod greeting;
mod load;
mod records;
mod world;

use super::folder::{self, LOADING, RECORDS, SECRET, State};
use super::serve;
use crate::config::Config;
use crate::store::Store;
use anyhow::{Context, ensure};
use std::io::Write;
use std::path::Path;

/// Loads the world if the folder is fresh, then serves it.
pub fn demo(config: &Config, out: &mut dyn Write) -> anyhow::Result<()> {
    let listener = serve::bind(&config.listen)?;
    match folder::state(&config.data)? {
        State::Ours => {}
        State::Foreign(file) => return Err(folder::foreign(&config.data, &file).into()),
        State::Fresh | State::HalfLoaded => {
            let folder = &config.data;
            load_into(folder).with_context(|| format!("the demonstration world cannot be loaded into {}", folder.display()))?;
        }
    }
    serve::run(config, listener, out, greeting::greet)
}

/// Loads the world into a folder inside the folder, and moves it up when it is whole: the records last, since with them the
/// folder is a data folder.
fn load_into(folder: &Path) -> anyhow::Result<()> {
    let loading = folder.join(LOADING);
    if loading.exists() {
        std::fs::remove_dir_all(&loading)?;
    }
    std::fs::create_dir_all(&loading)?;
    let store = Store::open(&loading)?;
    let outcome = load::world(&store);
    store.close();
    drop(store);
    outcome?;
    let log = loading.join(format!("{RECORDS}-wal"));
    let left = std::fs::metadata(&log).map_or(0, |log| log.len());
    ensure!(left == 0, "the store was not closed cleanly: {} is not empty", log.display());
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
    fn what_an_interrupted_load_left_is_replaced_by_the_whole_world() {
        let folder = tempfile::tempdir().unwrap();
        let loading = folder.path().join(LOADING);
        std::fs::create_dir(&loading).unwrap();
        std::fs::write(loading.join(RECORDS), "half a world").unwrap();
        std::fs::write(folder.path().join(SECRET), "of another one").unwrap();
        load_into(folder.path()).unwrap();
        assert_eq!(folder::state(folder.path()).unwrap(), State::Ours);
        assert!(!loading.exists());
        let store = Store::open(folder.path()).unwrap();
        let catalogue = store.catalogue().unwrap();
        assert_eq!((catalogue.users.len(), catalogue.projects.len()), (8, 14));
        assert!(catalogue.is_on(crate::domain::setting::Setting::RestApiEnabled));
        let alice = catalogue.user_by_login("alice").unwrap().id;
        let key = store.read(|db| crate::store::users::api_key(db, alice)).unwrap();
        assert_eq!(key.map(|key| key.len()), Some(40));
        store.close();
    }
}
