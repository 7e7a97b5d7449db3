//! The worlds that are measured: the demonstration world, and a large one of its words.

use quarry::actions::accounts::{self, NewAccount};
use quarry::app::App;
use quarry::config::{Config, LogFormat};
use quarry::domain::clock::{Clock, SystemClock, SystemEntropy};
use quarry::domain::ids::{EnumerationId, IssueId, PrincipalId, ProjectId, RoleId, StatusId, TrackerId, UserId};
use quarry::domain::issue::Issue;
use quarry::domain::kind::Kind;
use quarry::domain::module::{Module, ModuleSet};
use quarry::domain::project::ProjectStatus;
use quarry::domain::user::UserStatus;
use quarry::jobs::Jobs;
use quarry::store::projects::{self, NewProject};
use quarry::store::{issues, roles, searchable, users};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Projects of the large world, and how many records are one transaction.
const PROJECTS: i64 = 60;
const BATCH: usize = 5_000;
/// Words of a record: about 580 bytes.
const WORDS: usize = 90;

pub struct World {
    pub name: &'static str,
    pub address: String,
    /// Keys of a viewer with three projects and of one with all.
    pub few: String,
    pub all: String,
    pub documents: usize,
    pub app: Arc<App>,
    texts: Vec<String>,
    jobs: Option<Jobs>,
    _folder: tempfile::TempDir,
    _runtime: tokio::runtime::Runtime,
}

impl World {
    /// The demonstration world, with one more user who is a member of three private projects and sees no other.
    pub fn demonstration() -> World {
        let (folder, app) = open();
        quarry::cli::demo::load_world(&app.store).expect("the world loads");
        let admin = app.store.read(|db| users::api_key(db, UserId(1))).expect("the store answers").expect("admin has a key");
        let few = member_of_three(&app);
        World::serve("demonstration", folder, app, few, admin)
    }

    /// Issues whose texts are pieces of those of the demonstration world.
    pub fn large(demo: &World, documents: usize) -> World {
        let (folder, app) = open();
        app.store.write(|db| quarry::actions::install::default_data(db).map(drop)).expect("the default data fits");
        let admin = account(&app, "admin", true);
        lay_out(&app);
        let words: Vec<String> = demo.texts.iter().flat_map(|text| text.split_whitespace().map(str::to_owned)).collect();
        let words = Arc::new(words);
        for batch in 0..documents.div_ceil(BATCH) {
            let (words, many) = (Arc::clone(&words), BATCH.min(documents - batch * BATCH));
            let written = app.store.write::<_, quarry::store::StoreError>(move |db| {
                let mut random = StdRng::seed_from_u64(batch as u64);
                for _ in 0..many {
                    issues::insert(db, &issue(&words, &mut random))?;
                }
                Ok(())
            });
            written.expect("the store takes the records");
        }
        let few = member_of_three(&app);
        World::serve("large", folder, app, few, admin)
    }

    fn serve(name: &'static str, folder: tempfile::TempDir, app: Arc<App>, few: String, all: String) -> World {
        let jobs = Jobs::start(&app).expect("a thread");
        let begun = Instant::now();
        while !app.search.wait_until(app.store.last_change(), Duration::from_secs(1)) {
            assert!(begun.elapsed() < Duration::from_secs(900), "the index does not catch up");
        }
        let texts = app.store.read(|db| searchable::page(db, Kind::Issue, 0, 10_000)).expect("the store answers");
        let texts: Vec<String> = texts.into_iter().flat_map(|source| source.fields.into_iter().map(|field| field.1)).collect();
        let documents =
            Kind::ALL.into_iter().map(|kind| app.store.read(|db| searchable::stamps(db, kind)).expect("the store answers").len()).sum();
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a free port");
        let address = listener.local_addr().expect("an address").to_string();
        let router = quarry::server(Arc::clone(&app));
        runtime.spawn(async move { axum::serve(listener, router).await });
        World { name, address, few, all, documents, app, texts, jobs: Some(jobs), _folder: folder, _runtime: runtime }
    }

    /// Questions of so many words that stand together in some text, so that all-words questions find something.
    pub fn questions(&self, words: usize, many: usize) -> Vec<String> {
        let mut random = StdRng::seed_from_u64(words as u64);
        let fits = |word: &&str| word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        let mut questions = Vec::with_capacity(many);
        while questions.len() < many {
            let text = &self.texts[random.random_range(0..self.texts.len())];
            let plain: Vec<&str> = text.split_whitespace().filter(fits).collect();
            if plain.len() >= words {
                let from = random.random_range(0..=plain.len() - words);
                questions.push(plain[from..from + words].join(" "));
            }
        }
        questions
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if let Some(jobs) = self.jobs.take() {
            jobs.stop();
        }
        self.app.close();
    }
}

fn open() -> (tempfile::TempDir, Arc<App>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = Config {
        data: folder.path().to_owned(),
        index: folder.path().join("index"),
        listen: "127.0.0.1:0".to_owned(),
        body_limit: 1024 * 1024,
        log: "off".to_owned(),
        log_format: LogFormat::Text,
    };
    let app = App::open(&config, Arc::new(SystemClock), Arc::new(SystemEntropy)).expect("a fresh folder opens");
    (folder, app)
}

fn account(app: &App, login: &'static str, admin: bool) -> String {
    let made = app.store.write::<_, quarry::actions::Refused>(move |db| {
        quarry::actions::settings::change(db, quarry::domain::setting::Setting::RestApiEnabled, "1")?;
        let account = NewAccount {
            id: None,
            login,
            firstname: "A",
            lastname: "B",
            mail: "",
            password: "a long password",
            admin,
            status: UserStatus::Active,
        };
        accounts::add(db, &account, &SystemClock, &SystemEntropy)
    });
    made.expect("the account fits").1
}

/// A user who sees three private projects alone: public ones show nothing to those who are not members.
fn member_of_three(app: &App) -> String {
    let key = account(app, "few", false);
    let made = app.store.write::<_, quarry::store::StoreError>(|db| {
        let user = db.catalogue().user_by_login("few").map(|user| PrincipalId::from(user.id)).unwrap_or(PrincipalId(0));
        let non_member = db.catalogue().roles.iter().find(|role| role.builtin.is_some()).map_or(RoleId(1), |role| role.id);
        roles::set_permissions(db, non_member, quarry::domain::permission::PermissionSet::NONE)?;
        for project in 1..=3 {
            roles::add_member(db, ProjectId(project), user, &[RoleId(5)], SystemClock.now())?;
        }
        Ok(())
    });
    made.expect("the membership fits");
    key
}

fn lay_out(app: &App) {
    let made = app.store.write::<_, quarry::store::StoreError>(|db| {
        let trackers: Vec<TrackerId> = db.catalogue().trackers.iter().map(|tracker| tracker.id).collect();
        for id in 1..=PROJECTS {
            let identifier = format!("p{id}");
            let project = NewProject {
                id: Some(ProjectId(id)),
                name: &identifier,
                identifier: &identifier,
                description: None,
                homepage: "",
                parent: None,
                is_public: id > 3,
                inherit_members: false,
                status: ProjectStatus::Active,
                modules: Module::ALL.iter().copied().collect::<ModuleSet>(),
                trackers: &trackers,
                created_on: SystemClock.now(),
                updated_on: SystemClock.now(),
            };
            projects::insert(db, &project)?;
        }
        Ok(())
    });
    made.expect("the projects fit");
}

fn issue(words: &[String], random: &mut StdRng) -> Issue {
    let mut piece = |many: usize| {
        let from = random.random_range(0..words.len() - many);
        words[from..from + many].join(" ")
    };
    let subject: String = piece(8).chars().take(255).collect();
    let description: Vec<String> = (0..WORDS / 15).map(|_| piece(15)).collect();
    let created_on = jiff::Timestamp::from_second(1_500_000_000 + random.random_range(0..280_000_000)).unwrap_or_default();
    Issue {
        id: IssueId(0),
        project: ProjectId(random.random_range(1..=PROJECTS)),
        tracker: TrackerId(1),
        status: StatusId(random.random_range(1..=6)),
        priority: EnumerationId(2),
        author: UserId(1),
        assignee: None,
        category: None,
        version: None,
        parent: None,
        subject,
        description: Some(description.join("\n")),
        private: false,
        start_date: None,
        due_date: None,
        done_ratio: 0,
        estimated_hours: None,
        created_on,
        updated_on: created_on,
        closed_on: None,
    }
}
