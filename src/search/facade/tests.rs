use super::Search;
use crate::{SearchError, SearchRequest, Visibility, rebuild_index};
use jiff::Timestamp;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::content::wiki::{WikiPage, WikiVersion};
use quarry_domain::ids::ProjectId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::projects::module::{Module, ModuleSet};
use quarry_domain::projects::project::Project;
use quarry_store::content::wiki;
use quarry_store::projects;
use quarry_store::transaction::changes;
use quarry_store::{Store, StoreError, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const SOON: Duration = Duration::from_secs(20);

struct World {
    folder: tempfile::TempDir,
    store: Arc<Store>,
    wiki: i64,
}

fn world() -> World {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(folder.path()).unwrap());
    let wiki = store.write(insert_project_with_wiki).unwrap();
    World {
        folder,
        store,
        wiki,
    }
}

fn insert_project_with_wiki(db: &mut Write<'_>) -> Result<i64, StoreError> {
    let now = Timestamp::from_second(1_700_000_000).unwrap();
    let project = Project {
        id: ProjectId(1),
        name: "World".to_owned(),
        identifier: "world".to_owned(),
        homepage: Some(String::new()),
        is_public: true,
        modules: Module::ALL.iter().copied().collect::<ModuleSet>(),
        created_on: now,
        updated_on: now,
        ..Project::default()
    };
    let project = projects::insert(db, &project)?;
    wiki::insert(db, project)
}

/// A search with its indexing thread, which ends when it is dropped.
struct IndexedSearch {
    search: Arc<Search>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl IndexedSearch {
    fn close(self) {}
}

impl Drop for IndexedSearch {
    fn drop(&mut self) {
        self.search.stop();
        self.thread.take().unwrap().join().unwrap();
    }
}

impl std::ops::Deref for IndexedSearch {
    type Target = Search;

    fn deref(&self) -> &Search {
        &self.search
    }
}

impl World {
    fn index(&self) -> std::path::PathBuf {
        self.folder.path().join("index")
    }

    fn open(&self) -> IndexedSearch {
        let search = Search::open(&self.index(), Arc::clone(&self.store)).unwrap();
        let indexer = Arc::clone(&search);
        IndexedSearch {
            search,
            thread: Some(std::thread::spawn(move || indexer.run_indexer())),
        }
    }

    fn write(&self, title: &str) -> i64 {
        let title = title.to_owned();
        let wiki = self.wiki;
        let written = self.store.write(move |db| -> Result<i64, StoreError> {
            let updated_on = Timestamp::from_second(1_700_000_000).unwrap();
            let version = WikiVersion {
                version: 1,
                updated_on,
                ..WikiVersion::default()
            };
            let page = WikiPage {
                wiki,
                title,
                created_on: updated_on,
                ..WikiPage::default()
            };
            let id = wiki::insert_page(db, &page, &[version])?;
            Ok(id.0)
        });
        written.unwrap()
    }

    fn count_when_indexed(&self, search: &Search, words: &str) -> u64 {
        assert!(search.wait_until(self.store.last_change(), SOON));
        count(search, words)
    }
}

fn count(search: &Search, query: &str) -> u64 {
    let query = search.parse(query, true).unwrap();
    let everything = Visibility::everything();
    let now = Timestamp::from_second(1_700_000_000).unwrap();
    let request = SearchRequest::new(&query, &everything, now, 10);
    let found = search.store.read(|db| {
        let viewer = Viewer::new(db.catalogue(), None);
        Ok::<_, StoreError>(search.search(&request, db, &viewer).unwrap())
    });
    found.unwrap().total
}

fn assert_matches_store(search: &Search) {
    let report = search.verify().unwrap();
    assert!(report.agrees() && report.records > 0, "{report:?}");
}

#[test]
fn written_records_are_found_once_indexed() {
    let world = world();
    world.write("rocket zero");
    let search = world.open();
    assert_eq!(
        count(&search, "rocket"),
        1,
        "an index of a small store is there when it is opened"
    );
    for n in 1..20 {
        world.write(&format!("rocket {n}"));
        assert_eq!(world.count_when_indexed(&search, "rocket"), n + 1);
    }
    assert_matches_store(&search);
    assert_eq!(search.status().documents, 21);
}

#[test]
fn reopened_index_continues_without_rebuild() {
    let world = world();
    let search = world.open();
    world.write("alpha");
    assert_eq!(world.count_when_indexed(&search, "alpha"), 1);
    let before = search.status();
    search.close();
    world.write("beta");
    let reopened = world.open();
    assert_eq!(world.count_when_indexed(&reopened, "beta"), 1);
    assert_eq!(
        reopened.status().generation,
        before.generation,
        "nothing was rebuilt"
    );
    assert_matches_store(&reopened);
}

#[test]
fn unusable_index_is_rebuilt() {
    let world = world();
    world.write("alpha");
    let search = world.open();
    let first = search.status().generation;
    search.close();
    for damage in ["payload", "files", "current", "folder"] {
        let directory = world.index().join(
            std::fs::read_to_string(world.index().join("CURRENT"))
                .unwrap()
                .trim(),
        );
        match damage {
            "payload" => {
                let meta = std::fs::read_to_string(directory.join("meta.json")).unwrap();
                std::fs::write(
                    directory.join("meta.json"),
                    meta.replace("quarry ", "quarry 00"),
                )
                .unwrap();
            }
            "files" => std::fs::write(directory.join("meta.json"), "{").unwrap(),
            "current" => std::fs::write(world.index().join("CURRENT"), "x").unwrap(),
            _ => std::fs::remove_dir_all(world.index()).unwrap(),
        }
        let search = world.open();
        assert_eq!(world.count_when_indexed(&search, "alpha"), 1, "{damage}");
        assert!(search.status().generation >= first, "{damage}");
        assert_matches_store(&search);
        search.close();
    }
}

#[test]
fn index_of_another_store_is_rebuilt() {
    let world = world();
    let search = world.open();
    world.write("alpha");
    assert_eq!(world.count_when_indexed(&search, "alpha"), 1);
    search.close();
    let second = self::world();
    copy(&world.index(), &second.index());
    let search = second.open();
    assert_eq!(second.count_when_indexed(&search, "alpha"), 0);
    assert_matches_store(&search);
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

#[test]
fn rebuilt_index_is_used_while_records_change() {
    let world = world();
    let search = world.open();
    for n in 0..50 {
        world.write(&format!("rocket {n}"));
    }
    assert_eq!(world.count_when_indexed(&search, "rocket"), 50);
    let before = search.status().generation;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for n in 0..50 {
                world.write(&format!("rocket later {n}"));
                assert!(count(&search, "rocket") >= 50);
            }
        });
        search.rebuild(|_| {}).unwrap();
        rebuild_index(&world.index(), &world.store, |_| {}).unwrap();
    });
    assert!(search.progress.wait_for_generation(before + 2, SOON));
    assert_eq!(world.count_when_indexed(&search, "rocket"), 100);
    assert_matches_store(&search);
    search.close();
    let remaining: Vec<_> = std::fs::read_dir(world.index())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().path().is_dir())
        .collect();
    assert_eq!(remaining.len(), 1, "old generations are removed");
}

#[test]
fn only_one_process_opens_an_index() {
    let world = world();
    let search = world.open();
    assert!(matches!(
        Search::open(&world.index(), Arc::clone(&world.store)),
        Err(SearchError::InUse(_))
    ));
    assert!(
        Search::verify_index(&world.index(), &world.store)
            .unwrap()
            .agrees()
    );
    search.close();
    rebuild_index(&world.index(), &world.store, |_| {}).unwrap();
    let reopened = world.open();
    assert_matches_store(&reopened);
}

#[test]
fn change_without_a_record_is_ignored() {
    let world = world();
    let search = world.open();
    world.write("alpha");
    search.close();
    let change = world
        .store
        .write(|db| changes::record(db, Kind::News, 77i64));
    change.unwrap();
    // A change without a record leaves no document.
    let reopened = world.open();
    assert_eq!(world.count_when_indexed(&reopened, "alpha"), 1);
    assert_matches_store(&reopened);
}

#[test]
fn requested_change_is_committed_soon() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(folder.path()).unwrap());
    let search = Search::open(&folder.path().join("index"), Arc::clone(&store)).unwrap();
    let change = store
        .write(|db| changes::record(db, Kind::News, 1i64))
        .unwrap();
    assert!(!search.progress.is_awaited(change - 1));
    assert!(!search.request_commit(change));
    assert!(
        search.progress.is_awaited(change - 1),
        "otherwise it is committed at the usual pace"
    );
    store.close();
}
