//! A world of so many records, made from a seed in big transactions.

use super::records::Record;
use super::words::Words;
use quarry::actions::accounts::{self, NewAccount};
use quarry::actions::{Refused, install, settings};
use quarry::domain::catalogue::EnumerationKind;
use quarry::domain::clock::{Clock, SystemClock, SystemEntropy};
use quarry::domain::ids::{EnumerationId, PrincipalId, ProjectId, RoleId, UserId};
use quarry::domain::module::{Module, ModuleSet};
use quarry::domain::project::ProjectStatus;
use quarry::domain::setting::Setting;
use quarry::domain::user::UserStatus;
use quarry::store::projects::{self, NewProject};
use quarry::store::users::{self, NewUser};
use quarry::store::{Store, StoreError, Write, messages, repositories, roles, wiki};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::ops::RangeInclusive;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

/// Projects, all private; and how many of them the viewers see, as members.
pub const PROJECTS: i64 = 5_000;
pub const VIEWERS: [i64; 3] = [5, 500, 5_000];
/// Who writes; the first of them are the viewers.
pub const AUTHORS: RangeInclusive<i64> = 11..=60;
/// How many records are one transaction.
const BATCH: usize = 5_000;
/// How many texts are kept for the questions of a viewer, and how many records are passed over between two for the last one.
const KEPT: usize = 4_000;
const PASSED: usize = 23;

pub struct World {
    pub folder: tempfile::TempDir,
    pub store: Store,
    /// A key for each of the viewers.
    pub keys: Vec<String>,
    pub documents: usize,
    /// Bytes of all texts.
    pub text: usize,
    pub made_in: f64,
    /// Plain words of issues, for each viewer of issues that this one sees.
    texts: [Vec<Vec<String>>; 3],
}

impl World {
    /// A world with so many documents in its index; the projects are among them.
    pub fn of(documents: usize, words: &Words) -> World {
        let begun = Instant::now();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store = Store::open(folder.path()).expect("a fresh folder opens");
        store.write(|db| install::default_data(db).map(drop)).expect("the default data fits");
        store.write(|db| settings::change(db, Setting::RestApiEnabled, "1").map(drop)).expect("there is such a setting");
        let keys = store.write(people).expect("the people fit");
        store.write(places).expect("the projects fit");
        let catalogue = store.catalogue().expect("the store answers");
        let category = catalogue.enumerations.iter().find(|one| one.kind == EnumerationKind::DocumentCategory);
        let category = category.expect("the default data has categories").id;
        let mut world = World { folder, store, keys, documents, text: 0, made_in: 0.0, texts: Default::default() };
        world.fill(documents.saturating_sub(PROJECTS as usize), words, category);
        world.made_in = begun.elapsed().as_secs_f64();
        world
    }

    /// One thread makes the records while the other writes them.
    fn fill(&mut self, records: usize, words: &Words, category: EnumerationId) {
        let (sender, receiver) = sync_channel::<Vec<Record>>(2);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut random = StdRng::seed_from_u64(records as u64);
                for batch in 0..records.div_ceil(BATCH) {
                    let many = BATCH.min(records - batch * BATCH);
                    let made = (0..many).map(|_| Record::draw(words, &mut random)).collect();
                    sender.send(made).expect("somebody writes");
                }
            });
            for batch in receiver {
                self.keep(&batch);
                let written = self.store.write::<_, StoreError>(move |db| batch.iter().try_for_each(|record| record.insert(db, category)));
                written.expect("the store takes the records");
            }
        });
    }

    fn keep(&mut self, batch: &[Record]) {
        for (place, record) in batch.iter().enumerate() {
            self.text += record.bytes();
            for (texts, sees) in self.texts.iter_mut().zip(VIEWERS) {
                let taken = record.project <= sees && texts.len() < KEPT && (sees < PROJECTS || place % PASSED == 0);
                if taken && let Some(text) = record.open_text() {
                    let fits = |word: &&str| word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_lowercase());
                    let plain: Vec<String> = text.split(' ').filter(fits).map(str::to_owned).collect();
                    if plain.len() >= 5 {
                        texts.push(plain);
                    }
                }
            }
        }
    }

    /// Questions of so many words, none of them short, that come one after the other in an issue that the viewer sees: each finds something.
    pub fn questions(&self, viewer: usize, words: usize, many: usize) -> Vec<String> {
        let mut random = StdRng::seed_from_u64((viewer * 10 + words) as u64);
        let question = |_| {
            let text = &self.texts[viewer][random.random_range(0..self.texts[viewer].len())];
            let from = random.random_range(0..=text.len() - words);
            text[from..from + words].join(" ")
        };
        (0..many).map(question).collect()
    }

    /// Where the index is that is in use.
    pub fn index(&self) -> std::path::PathBuf {
        let home = self.folder.path().join("index");
        let current = std::fs::read_to_string(home.join("CURRENT")).expect("there is an index");
        home.join(current.trim())
    }

    pub fn index_bytes(&self) -> u64 {
        let files = std::fs::read_dir(self.index()).expect("the index is a folder");
        files.map(|file| file.and_then(|file| file.metadata()).map_or(0, |file| file.len())).sum()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.store.close();
    }
}

fn people(db: &mut Write<'_>) -> Result<Vec<String>, Refused> {
    let (now, mut keys) = (SystemClock.now(), Vec::new());
    for id in AUTHORS {
        let (login, lastname) = (format!("user{id}"), id.to_string());
        let (number, firstname, mail, status) = (Some(UserId(id)), "User", "", UserStatus::Active);
        let (login, lastname) = (login.as_str(), lastname.as_str());
        if keys.len() < VIEWERS.len() {
            let password = "a password that nobody uses";
            let account = NewAccount { id: number, login, firstname, lastname, mail, password, admin: false, status };
            keys.push(accounts::add(db, &account, &SystemClock, &SystemEntropy)?.1);
        } else {
            let user = NewUser { id: number, login, firstname, lastname, mail, admin: false, status, password_hash: "", created_on: now };
            users::insert(db, &user)?;
        }
    }
    Ok(keys)
}

fn places(db: &mut Write<'_>) -> Result<(), StoreError> {
    let now = SystemClock.now();
    let trackers: Vec<_> = db.catalogue().trackers.iter().map(|tracker| tracker.id).collect();
    let manager = db.catalogue().roles.iter().find(|role| role.builtin.is_none()).map_or(RoleId(1), |role| role.id);
    for id in 1..=PROJECTS {
        let (name, identifier, project) = (format!("Project {id}"), format!("project{id}"), ProjectId(id));
        let new = NewProject {
            id: Some(project),
            name: &name,
            identifier: &identifier,
            description: None,
            homepage: "",
            parent: None,
            is_public: false,
            inherit_members: false,
            status: ProjectStatus::Active,
            modules: Module::ALL.iter().copied().collect::<ModuleSet>(),
            trackers: &trackers,
            created_on: now,
            updated_on: now,
        };
        projects::insert(db, &new)?;
        wiki::insert(db, project)?;
        messages::insert_board(db, project, "Board", "", 1)?;
        repositories::insert(db, project, "", "Git", true)?;
        for (viewer, sees) in AUTHORS.zip(VIEWERS) {
            if id <= sees {
                roles::add_member(db, project, PrincipalId(viewer), &[manager], now)?;
            }
        }
    }
    Ok(())
}
