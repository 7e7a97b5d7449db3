//! Generates issues from a seed, in large transactions, and serves them.

use axum::extract::Request;
use axum::routing::get;
use quarry::actions::ActionError;
use quarry::actions::accounts::account;
use quarry::actions::accounts::sessions::{self, NewSession};
use quarry::actions::administration::{install, settings};
use quarry::app::App;
use quarry::config::{Config, Limits, MailConfig, ServerConfig};
use quarry::domain::accounts::session::SessionStep;
use quarry::domain::accounts::user::User;
use quarry::domain::administration::setting::Setting;
use quarry::domain::clock::{Clock, SystemClock, SystemEntropy};
use quarry::domain::ids::{
    EnumerationId, PrincipalId, ProjectId, RoleId, StatusId, TrackerId, UserId,
};
use quarry::domain::issues::issue::Issue;
use quarry::domain::projects::module::{Module, ModuleSet};
use quarry::domain::projects::project::Project;
use quarry::jobs::Jobs;
use quarry::search::rebuild_index;
use quarry::store::accounts::memberships;
use quarry::store::accounts::users;
use quarry::store::projects;
use quarry::store::{StoreError, issues};
use quarry_world::configuration::configuration;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Number of projects, all private; and how many of them each viewer is a member of.
pub const PROJECTS: i64 = 5_000;
pub const VIEWERS: [i64; 3] = [5, 500, 5_000];
const USERS: i64 = 200;
const BATCH: i64 = 20_000;
/// Time until the index must be up to date.
const INDEX_TIMEOUT: Duration = Duration::from_secs(600);
const WORDS: [&str; 24] = [
    "pump", "valve", "engine", "tank", "sensor", "leak", "noise", "start", "stop", "heat", "cold",
    "broken", "slow", "wrong", "value", "display", "report", "user", "login", "import", "export",
    "index", "search", "page",
];

pub struct World {
    pub address: String,
    pub generation_seconds: f64,
    /// How long it took to build the index from the store.
    pub index_seconds: f64,
    app: Arc<App>,
    jobs: Jobs,
    /// A header for each viewer: an API key; then the session of the last one.
    credentials: Vec<String>,
    issues: i64,
    _runtime: tokio::runtime::Runtime,
    _folder: tempfile::TempDir,
}

impl World {
    /// Generates the issues in SQLite, or in a database of a server. No job sends mails.
    pub fn generate(issues: i64, server: Option<ServerConfig>, mail: Option<MailConfig>) -> World {
        let start = Instant::now();
        let folder = tempfile::tempdir().unwrap();
        let config = config(folder.path(), server, mail);
        let app = App::open(&config, Arc::new(SystemClock), Arc::new(SystemEntropy)).unwrap();
        app.store
            .write(|db| install::default_data(db).map(drop))
            .unwrap();
        app.store
            .write(|db| settings::update(db, Setting::RestApiEnabled, "1").map(drop))
            .unwrap();
        let mut credentials = app.store.write(insert_users).unwrap();
        app.store.write(insert_projects).unwrap();
        for batch in 0..(issues + BATCH - 1) / BATCH {
            let count = BATCH.min(issues - batch * BATCH);
            let written = app.store.write::<_, StoreError>(move |db| {
                let mut random = StdRng::seed_from_u64(batch as u64);
                (0..count).try_for_each(|_| issues::insert(db, &issue(&mut random)).map(drop))
            });
            written.unwrap();
        }
        credentials.push(app.store.write(start_session).unwrap());
        let world = World::serve(folder, app, credentials, issues);
        World {
            generation_seconds: start.elapsed().as_secs_f64(),
            ..world
        }
    }

    /// Starts another node with the database of this one, reached in its own way.
    pub fn another_node(&self, server: ServerConfig) -> World {
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(
            self.app.config.data.join("secret"),
            folder.path().join("secret"),
        )
        .unwrap();
        let config = config(folder.path(), Some(server), None);
        let app = App::open(&config, Arc::new(SystemClock), Arc::new(SystemEntropy)).unwrap();
        World::serve(folder, app, self.credentials.clone(), self.issues)
    }

    fn serve(
        folder: tempfile::TempDir,
        app: Arc<App>,
        credentials: Vec<String>,
        issues: i64,
    ) -> World {
        let config = &app.config;
        let start = Instant::now();
        rebuild_index(&config.index, &app.store, |_| {}).unwrap();
        let index_seconds = start.elapsed().as_secs_f64();
        // The index is kept up to date, as it is in the service.
        let jobs = Jobs::start_without_mail(&app).unwrap();
        assert!(
            app.search
                .wait_until(app.store.last_change(), INDEX_TIMEOUT),
            "the index is not up to date"
        );
        app.store.warm().unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap().to_string();
        // The constant response passes the same log, format and routing, but no authentication and
        // no cache.
        let routes = quarry::api::routes()
            .merge(quarry::oauth::routes())
            .merge(quarry::web::routes());
        let routes = quarry::http::service(
            Arc::clone(&app),
            routes.route("/constant/{bytes}", get(constant)),
        );
        runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            quarry::http::serve(
                listener,
                "service",
                routes,
                &Limits::default(),
                std::future::pending(),
            )
            .await
            .unwrap();
        });
        World {
            address,
            generation_seconds: 0.0,
            index_seconds,
            app,
            jobs,
            credentials,
            issues,
            _runtime: runtime,
            _folder: folder,
        }
    }

    /// Returns the service.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Returns the header with the API key of a viewer.
    pub fn key(&self, viewer: usize) -> &str {
        &self.credentials[viewer]
    }

    /// Returns the header with a session of the viewer who sees everything.
    pub fn session(&self) -> &str {
        &self.credentials[VIEWERS.len()]
    }

    /// Fills in the placeholders of the path.
    pub fn path(&self, path: &str, viewer: usize, random: &mut StdRng) -> String {
        // Issue n is in project n modulo PROJECTS, so the id decides which viewer sees it.
        let project = random.random_range(0..VIEWERS[viewer].min(PROJECTS));
        let id = project + 1 + random.random_range(0..(self.issues / PROJECTS).max(1)) * PROJECTS;
        let path = path.replace("{id}", &id.min(self.issues).to_string());
        let path = path.replace("{user}", &random.random_range(4..USERS).to_string());
        let letters: String = (0..3)
            .map(|_| char::from(random.random_range(b'a'..=b'z')))
            .collect();
        let path = path.replace("{letters}", &letters);
        path.replace("{status}", &random.random_range(1..=4).to_string())
    }

    pub fn post_path(&self, random: &mut StdRng) -> String {
        format!(
            "/projects/{}/issues.json",
            random.random_range(1..=PROJECTS)
        )
    }

    pub fn body(&self, random: &mut StdRng) -> String {
        let issue = issue(random);
        format!(
            "{{\"issue\":{{\"subject\":\"{}\",\"description\":\"{}\"}}}}",
            issue.subject,
            issue.description.unwrap_or_default()
        )
    }

    /// Stops the jobs and closes the store.
    pub fn close(self) {
        self.jobs.stop();
        self.app.close();
    }
}

/// A constant response of the given length.
async fn constant(request: Request) -> ([(&'static str, &'static str); 1], Vec<u8>) {
    let bytes = request
        .uri()
        .path()
        .rsplit('/')
        .next()
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    (
        [("content-type", "application/json; charset=utf-8")],
        vec![b'x'; bytes],
    )
}

fn config(folder: &Path, server: Option<ServerConfig>, mail: Option<MailConfig>) -> Config {
    Config {
        server,
        mail,
        ..configuration(folder)
    }
}

/// Starts a session of the viewer who sees everything. Returns its header.
fn start_session(db: &mut quarry::store::Write<'_>) -> Result<String, ActionError> {
    let new = NewSession {
        user: UserId(10 + VIEWERS.len() as i64),
        step: SessionStep::Complete,
        is_persistent: false,
        address: "127.0.0.1".to_owned(),
        user_agent: "bench".to_owned(),
    };
    let token = sessions::start(db, &new)?.1;
    Ok(format!("Cookie: quarry_session={token}"))
}

fn insert_users(db: &mut quarry::store::Write<'_>) -> Result<Vec<String>, ActionError> {
    let now = SystemClock.now();
    let mut keys = Vec::new();
    for id in 1..=USERS {
        let user = User {
            id: UserId(id + 10),
            login: format!("user{id}"),
            firstname: "User".to_owned(),
            lastname: id.to_string(),
            mail: format!("user{id}@example.org"),
            created_on: now,
            updated_on: now,
            ..User::default()
        };
        if keys.len() < VIEWERS.len() {
            let password = "a password that nobody uses";
            let key = account::add(db, &user, password)?.1;
            keys.push(format!("X-Service-API-Key: {key}"));
        } else {
            users::insert(db, &user, "")?;
        }
    }
    Ok(keys)
}

fn insert_projects(db: &mut quarry::store::Write<'_>) -> Result<(), StoreError> {
    let now = "2026-01-01T00:00:00Z".parse().unwrap();
    let trackers: Vec<_> = db
        .catalogue()
        .trackers
        .iter()
        .map(|tracker| tracker.id)
        .collect();
    for id in 1..=PROJECTS {
        let identifier = format!("project{id}");
        let project = Project {
            id: ProjectId(id),
            name: identifier.clone(),
            identifier,
            modules: Module::ALL.iter().copied().collect::<ModuleSet>(),
            trackers: trackers.clone(),
            created_on: now,
            updated_on: now,
            ..Project::default()
        };
        projects::insert(db, &project)?;
        for (viewer, sees) in (11..).zip(VIEWERS) {
            if id <= sees {
                memberships::insert(db, ProjectId(id), PrincipalId(viewer), &[RoleId(3)], now)?;
            }
        }
    }
    Ok(())
}

thread_local! {
    static NEXT: std::cell::Cell<i64> = const { std::cell::Cell::new(0) };
}

fn text(random: &mut StdRng, count: usize) -> String {
    (0..count)
        .map(|_| WORDS[random.random_range(0..WORDS.len())])
        .collect::<Vec<_>>()
        .join(" ")
}

fn issue(random: &mut StdRng) -> Issue {
    let index = NEXT.with(|next| next.replace(next.get() + 1));
    let second = random.random_range(1_600_000_000_i64..1_767_000_000);
    let created_on = timestamp(second);
    let closed = random.random_range(0..3) == 0;
    Issue {
        project: ProjectId(index % PROJECTS + 1),
        tracker: TrackerId(random.random_range(1..=3)),
        status: StatusId(if closed {
            5
        } else {
            random.random_range(1..=4)
        }),
        priority: EnumerationId(random.random_range(1..=5)),
        author: UserId(10 + random.random_range(1..=USERS)),
        assignee: (random.random_range(0..3) > 0)
            .then(|| PrincipalId(10 + random.random_range(1..=USERS))),
        subject: text(random, 6),
        description: Some(text(random, 40)),
        private: random.random_range(0..50) == 0,
        created_on,
        updated_on: timestamp(second + random.random_range(0..10_000_000)),
        closed_on: closed.then_some(created_on),
        ..Issue::default()
    }
}

fn timestamp(second: i64) -> jiff::Timestamp {
    jiff::Timestamp::from_second(second).unwrap()
}
