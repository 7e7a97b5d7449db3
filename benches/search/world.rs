//! Generates records from a seed, in large transactions.

use super::records::{AUTHORS, PROJECTS, Record};
use super::words::Words;
use quarry::actions::ActionError;
use quarry::actions::accounts::account;
use quarry::actions::administration::{install, settings};
use quarry::domain::accounts::user::User;
use quarry::domain::administration::enumeration::EnumerationKind;
use quarry::domain::administration::setting::Setting;
use quarry::domain::clock::{Clock, SystemClock};
use quarry::domain::content::board::Board;
use quarry::domain::ids::{EnumerationId, PrincipalId, ProjectId, RoleId, UserId};
use quarry::domain::projects::module::{Module, ModuleSet};
use quarry::domain::projects::project::Project;
use quarry::domain::projects::repository::Repository;
use quarry::store::accounts::memberships;
use quarry::store::accounts::users;
use quarry::store::content::{boards, wiki};
use quarry::store::projects;
use quarry::store::projects::repositories;
use quarry::store::{Store, StoreError, Write};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::sync::mpsc::sync_channel;
use std::time::Instant;

/// Number of projects of which each viewer is a member. The viewers are the first authors.
pub const VIEWERS: [i64; 3] = [5, 500, 5_000];
/// Records per transaction.
const BATCH: usize = 5_000;
/// Maximum number of texts that queries of a viewer are drawn from; for the last viewer, one record
/// in `TEXT_STEP` is considered.
const MAX_TEXTS: usize = 4_000;
const TEXT_STEP: usize = 23;

pub struct World {
    pub folder: tempfile::TempDir,
    pub store: Store,
    /// API key of each viewer.
    pub keys: Vec<String>,
    pub documents: usize,
    /// Bytes of all texts.
    pub text: usize,
    pub generation_seconds: f64,
    /// For each viewer, lower-case words of issues that the viewer sees.
    texts: [Vec<Vec<String>>; 3],
}

impl World {
    /// Generates data for this number of documents in the index, projects included.
    pub fn generate(documents: usize, words: &Words) -> World {
        let start = Instant::now();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store = Store::open(folder.path()).expect("an empty folder opens");
        store
            .write(|db| install::default_data(db).map(drop))
            .expect("the default data is inserted");
        store
            .write(|db| settings::update(db, Setting::RestApiEnabled, "1").map(drop))
            .expect("the setting exists");
        let keys = store.write(insert_users).expect("the users are inserted");
        store
            .write(insert_projects)
            .expect("the projects are inserted");
        let catalogue = store.catalogue().expect("the store can be read");
        let category = catalogue
            .enumerations
            .iter()
            .find(|enumeration| enumeration.kind == EnumerationKind::DocumentCategory);
        let category = category.expect("the default data has categories").id;
        let mut world = World {
            folder,
            store,
            keys,
            documents,
            text: 0,
            generation_seconds: 0.0,
            texts: Default::default(),
        };
        world.fill(documents.saturating_sub(PROJECTS as usize), words, category);
        world.generation_seconds = start.elapsed().as_secs_f64();
        world
    }

    /// One thread generates the records while another inserts them.
    fn fill(&mut self, records: usize, words: &Words, category: EnumerationId) {
        let (sender, receiver) = sync_channel::<Vec<Record>>(2);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut random = StdRng::seed_from_u64(records as u64);
                for batch in 0..records.div_ceil(BATCH) {
                    let count = BATCH.min(records - batch * BATCH);
                    let batch_records = (0..count)
                        .map(|_| Record::draw(words, &mut random))
                        .collect();
                    sender.send(batch_records).expect("the receiver lives");
                }
            });
            for batch in receiver {
                self.collect_texts(&batch);
                let written = self.store.write::<_, StoreError>(move |db| {
                    batch
                        .iter()
                        .try_for_each(|record| record.insert(db, category))
                });
                written.expect("the records are inserted");
            }
        });
    }

    fn collect_texts(&mut self, batch: &[Record]) {
        for (index, record) in batch.iter().enumerate() {
            self.text += record.bytes();
            for (texts, sees) in self.texts.iter_mut().zip(VIEWERS) {
                let is_selected = record.project <= sees
                    && texts.len() < MAX_TEXTS
                    && (sees < PROJECTS || index % TEXT_STEP == 0);
                if is_selected && let Some(text) = record.public_text() {
                    let plain: Vec<String> = text
                        .split(' ')
                        .filter(|word| {
                            word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_lowercase())
                        })
                        .map(str::to_owned)
                        .collect();
                    if plain.len() >= 5 {
                        texts.push(plain);
                    }
                }
            }
        }
    }

    /// Returns queries of adjacent words, each of at least four letters, from issues that the
    /// viewer sees: each query has results.
    pub fn queries(&self, viewer: usize, words: usize, count: usize) -> Vec<String> {
        let mut random = StdRng::seed_from_u64((viewer * 10 + words) as u64);
        let query = |_| {
            let text = &self.texts[viewer][random.random_range(0..self.texts[viewer].len())];
            let from = random.random_range(0..=text.len() - words);
            text[from..from + words].join(" ")
        };
        (0..count).map(query).collect()
    }

    /// Returns the folder of the current generation of the index.
    pub fn index(&self) -> std::path::PathBuf {
        let index_dir = self.folder.path().join("index");
        let current =
            std::fs::read_to_string(index_dir.join("CURRENT")).expect("there is an index");
        index_dir.join(current.trim())
    }

    pub fn index_bytes(&self) -> u64 {
        let files = std::fs::read_dir(self.index()).expect("the folder of the index is readable");
        files
            .map(|file| {
                file.and_then(|file| file.metadata())
                    .map_or(0, |file| file.len())
            })
            .sum()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.store.close();
    }
}

fn insert_users(db: &mut Write<'_>) -> Result<Vec<String>, ActionError> {
    let now = SystemClock.now();
    let mut keys = Vec::new();
    for id in AUTHORS {
        let user = User {
            id: UserId(id),
            login: format!("user{id}"),
            firstname: "User".to_owned(),
            lastname: id.to_string(),
            created_on: now,
            updated_on: now,
            ..User::default()
        };
        if keys.len() < VIEWERS.len() {
            let password = "a password that nobody uses";
            keys.push(account::add(db, &user, password)?.1);
        } else {
            users::insert(db, &user, "")?;
        }
    }
    Ok(keys)
}

fn insert_projects(db: &mut Write<'_>) -> Result<(), StoreError> {
    let now = SystemClock.now();
    let trackers: Vec<_> = db
        .catalogue()
        .trackers
        .iter()
        .map(|tracker| tracker.id)
        .collect();
    let manager = db
        .catalogue()
        .roles
        .iter()
        .find(|role| role.builtin.is_none())
        .map_or(RoleId(1), |role| role.id);
    for id in 1..=PROJECTS {
        let name = format!("Project {id}");
        let identifier = format!("project{id}");
        let project = ProjectId(id);
        let new = Project {
            id: project,
            name,
            identifier,
            modules: Module::ALL.iter().copied().collect::<ModuleSet>(),
            trackers: trackers.clone(),
            created_on: now,
            updated_on: now,
            ..Project::default()
        };
        projects::insert(db, &new)?;
        wiki::insert(db, project)?;
        let board = Board {
            project,
            name: "Board".to_owned(),
            position: 1,
            ..Board::default()
        };
        boards::insert(db, &board)?;
        let main = Repository {
            project,
            scm: "Git".to_owned(),
            is_default: true,
            ..Repository::default()
        };
        repositories::insert(db, &main)?;
        for (viewer, sees) in AUTHORS.zip(VIEWERS) {
            if id <= sees {
                memberships::insert(db, project, PrincipalId(viewer), &[manager], now)?;
            }
        }
    }
    Ok(())
}
