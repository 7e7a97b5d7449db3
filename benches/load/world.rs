//! A world of many issues, made from a seed in big transactions, and the service over it.

use axum::extract::Request;
use axum::routing::get;
use quarry::actions::accounts::{self, NewAccount};
use quarry::actions::{Refused, install, settings};
use quarry::app::App;
use quarry::config::{Config, Limits, LogFormat};
use quarry::domain::clock::{Clock, SystemClock, SystemEntropy};
use quarry::domain::ids::{EnumerationId, IssueId, PrincipalId, ProjectId, RoleId, StatusId, TrackerId, UserId};
use quarry::domain::issue::Issue;
use quarry::domain::module::{Module, ModuleSet};
use quarry::domain::project::ProjectStatus;
use quarry::domain::setting::Setting;
use quarry::domain::trusted_proxies::TrustedProxies;
use quarry::domain::user::UserStatus;
use quarry::jobs::Jobs;
use quarry::search::rebuild_beside;
use quarry::store::projects::{self, NewProject};
use quarry::store::users::{self, NewUser};
use quarry::store::{StoreError, issues, roles};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Projects, all private; and how many of them the viewers see, as members.
pub const PROJECTS: i64 = 5_000;
pub const VIEWERS: [i64; 3] = [5, 500, 5_000];
const USERS: i64 = 200;
const BATCH: i64 = 20_000;
/// How long the index may take until it is of the present.
const PATIENCE: Duration = Duration::from_secs(600);
const WORDS: [&str; 24] = [
    "pump", "valve", "engine", "tank", "sensor", "leak", "noise", "start", "stop", "heat", "cold", "broken", "slow", "wrong", "value",
    "display", "report", "user", "login", "import", "export", "index", "search", "page",
];

pub struct World {
    pub address: String,
    pub made_in: f64,
    app: Arc<App>,
    jobs: Jobs,
    keys: Vec<String>,
    issues: i64,
    _runtime: tokio::runtime::Runtime,
    _folder: tempfile::TempDir,
}

impl World {
    pub fn of(issues: i64) -> World {
        let begun = Instant::now();
        let folder = tempfile::tempdir().unwrap();
        let config = Config {
            data: folder.path().to_owned(),
            index: folder.path().join("index"),
            listen: String::new(),
            body_limit: 1024 * 1024,
            trusted_proxies: TrustedProxies::default(),
            log: "off".to_owned(),
            log_format: LogFormat::Text,
            limits: Limits::default(),
        };
        let app = App::open(&config, Arc::new(SystemClock), Arc::new(SystemEntropy)).unwrap();
        app.store.write(|db| install::default_data(db).map(drop)).unwrap();
        app.store.write(|db| settings::change(db, Setting::RestApiEnabled, "1").map(drop)).unwrap();
        let keys = app.store.write(people).unwrap();
        app.store.write(places).unwrap();
        for batch in 0..(issues + BATCH - 1) / BATCH {
            let many = BATCH.min(issues - batch * BATCH);
            let written = app.store.write::<_, StoreError>(move |db| {
                let mut random = StdRng::seed_from_u64(batch as u64);
                (0..many).try_for_each(|_| issues::insert(db, &issue(&mut random)).map(drop))
            });
            written.unwrap();
        }
        rebuild_beside(&config.index, &app.store, |_| {}).unwrap();
        // The index is kept up to date, as it is in the service.
        let jobs = Jobs::start(&app).unwrap();
        assert!(app.search.wait_until(app.store.last_change(), PATIENCE), "the index is not of the present");
        app.store.warm().unwrap();
        let made_in = begun.elapsed().as_secs_f64();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap().to_string();
        // What is constant comes by the same way: log, format and routing, but for who asks and what is remembered.
        let routes = quarry::api::routes().merge(quarry::oauth::routes()).merge(quarry::web::routes());
        let routes = quarry::http::around(Arc::clone(&app), routes.route("/constant/{bytes}", get(constant)));
        runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            quarry::http::serve(listener, routes, &Limits::default(), std::future::pending()).await.unwrap();
        });
        World { address, made_in, app, jobs, keys, issues, _runtime: runtime, _folder: folder }
    }

    pub fn key(&self, viewer: usize) -> &str {
        &self.keys[viewer]
    }

    /// The address with its places filled in.
    pub fn path(&self, path: &str, viewer: usize, random: &mut StdRng) -> String {
        // Issues lie in the projects in turn, so that the number says which viewer sees it.
        let place = random.random_range(0..VIEWERS[viewer].min(PROJECTS));
        let id = place + 1 + random.random_range(0..(self.issues / PROJECTS).max(1)) * PROJECTS;
        let path = path.replace("{id}", &id.min(self.issues).to_string());
        let path = path.replace("{user}", &random.random_range(4..USERS).to_string());
        let letters: String = (0..3).map(|_| char::from(random.random_range(b'a'..=b'z'))).collect();
        let path = path.replace("{letters}", &letters);
        path.replace("{status}", &random.random_range(1..=4).to_string())
    }

    pub fn post_path(&self, random: &mut StdRng) -> String {
        format!("/projects/{}/issues.json", random.random_range(1..=PROJECTS))
    }

    pub fn body(&self, random: &mut StdRng) -> String {
        let issue = issue(random);
        format!("{{\"issue\":{{\"subject\":\"{}\",\"description\":\"{}\"}}}}", issue.subject, issue.description.unwrap_or_default())
    }

    /// Ends the jobs and closes the store.
    pub fn close(self) {
        self.jobs.stop();
        self.app.close();
    }
}

/// A fixed answer of so many bytes.
async fn constant(request: Request) -> ([(&'static str, &'static str); 1], Vec<u8>) {
    let bytes = request.uri().path().rsplit('/').next().and_then(|text| text.parse().ok()).unwrap_or(0);
    ([("content-type", "application/json; charset=utf-8")], vec![b'x'; bytes])
}

fn people(db: &mut quarry::store::Write<'_>) -> Result<Vec<String>, Refused> {
    let now = SystemClock.now();
    let mut keys = Vec::new();
    for id in 1..=USERS {
        let (login, lastname) = (format!("user{id}"), id.to_string());
        let (number, firstname, mail, status) = (Some(UserId(id + 10)), "User", "", UserStatus::Active);
        if keys.len() < VIEWERS.len() {
            let password = "a password that nobody uses";
            let account = NewAccount { id: number, login: &login, firstname, lastname: &lastname, mail, password, admin: false, status };
            keys.push(accounts::add(db, &account, &SystemClock, &SystemEntropy)?.1);
        } else {
            let (login, lastname) = (login.as_str(), lastname.as_str());
            let user = NewUser { id: number, login, firstname, lastname, mail, admin: false, status, password_hash: "", created_on: now };
            users::insert(db, &user)?;
        }
    }
    Ok(keys)
}

fn places(db: &mut quarry::store::Write<'_>) -> Result<(), StoreError> {
    let now = "2026-01-01T00:00:00Z".parse().unwrap();
    let trackers: Vec<_> = db.catalogue().trackers.iter().map(|tracker| tracker.id).collect();
    for id in 1..=PROJECTS {
        let identifier = format!("project{id}");
        let project = NewProject {
            id: Some(ProjectId(id)),
            name: &identifier,
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
        projects::insert(db, &project)?;
        for (viewer, sees) in (11..).zip(VIEWERS) {
            if id <= sees {
                roles::add_member(db, ProjectId(id), PrincipalId(viewer), &[RoleId(3)], now)?;
            }
        }
    }
    Ok(())
}

thread_local! {
    static NEXT: std::cell::Cell<i64> = const { std::cell::Cell::new(0) };
}

fn issue(random: &mut StdRng) -> Issue {
    let turn = NEXT.with(|next| next.replace(next.get() + 1));
    let text = |random: &mut StdRng, many: usize| -> String {
        (0..many).map(|_| WORDS[random.random_range(0..WORDS.len())]).collect::<Vec<_>>().join(" ")
    };
    let second = random.random_range(1_600_000_000_i64..1_767_000_000);
    let created_on = quarry_time(second);
    let closed = random.random_range(0..3) == 0;
    Issue {
        id: IssueId(0),
        project: ProjectId(turn % PROJECTS + 1),
        tracker: TrackerId(random.random_range(1..=3)),
        status: StatusId(if closed { 5 } else { random.random_range(1..=4) }),
        priority: EnumerationId(random.random_range(1..=5)),
        author: UserId(10 + random.random_range(1..=USERS)),
        assignee: (random.random_range(0..3) > 0).then(|| PrincipalId(10 + random.random_range(1..=USERS))),
        category: None,
        version: None,
        parent: None,
        subject: text(random, 6),
        description: Some(text(random, 40)),
        private: random.random_range(0..50) == 0,
        start_date: None,
        due_date: None,
        done_ratio: 0,
        estimated_hours: None,
        created_on,
        updated_on: quarry_time(second + random.random_range(0..10_000_000)),
        closed_on: closed.then_some(created_on),
    }
}

fn quarry_time(second: i64) -> jiff::Timestamp {
    jiff::Timestamp::from_second(second).unwrap()
}
