//! A fresh service for one test: its own folder, store and index, spoken to without a network.

use crate::waiting::PATIENCE;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request};
use base64::Engine;
use quarry::actions::accounts::{self, NewAccount};
use quarry::actions::{Refused, install, settings};
use quarry::app::App;
use quarry::config::{Config, Limits, LogFormat};
use quarry::domain::clock::{Clock, FixedClock, SystemEntropy};
use quarry::domain::ids::{IssueId, PrincipalId, ProjectId, RoleId, UserId};
use quarry::domain::issue::Issue;
use quarry::domain::module::{Module, ModuleSet};
use quarry::domain::project::ProjectStatus;
use quarry::domain::setting::Setting;
use quarry::domain::trusted_proxies::TrustedProxies;
use quarry::domain::user::UserStatus;
use quarry::domain::visibility::Visible;
use quarry::jobs::Jobs;
use quarry::store::issues;
use quarry::store::projects::{self, NewProject};
use quarry::store::roles;
use quarry::store::{StoreError, Write};
use std::sync::Arc;
use std::time::Duration;
use tower::ServiceExt;

/// The roles of the default data.
pub const MANAGER: RoleId = RoleId(3);
pub const DEVELOPER: RoleId = RoleId(4);
pub const REPORTER: RoleId = RoleId(5);

/// The users of every world, by number: admin 1, then these. `dave` is a member of nothing, `erin` is locked.
pub const LOGINS: [&str; 6] = ["admin", "alice", "bob", "carol", "dave", "erin"];

pub struct World {
    pub app: Arc<App>,
    pub router: Router,
    keys: Vec<String>,
    jobs: Option<Jobs>,
    _folder: tempfile::TempDir,
}

impl World {
    /// A service with the default data, the REST API on, and the users of [`LOGINS`].
    pub fn new() -> World {
        World::with_limits(Limits::default())
    }

    /// The same with other limits.
    pub fn with_limits(limits: Limits) -> World {
        let mut world = World::open(tempfile::tempdir().unwrap(), limits);
        let clock = Arc::clone(&world.app.clock);
        world.app.store.write(|db| install::default_data(db).map(drop)).unwrap();
        world.keys = world.app.store.write(move |db| accounts(db, clock.as_ref())).unwrap();
        world
    }

    /// A service over what is in this folder.
    pub fn over(folder: tempfile::TempDir) -> World {
        World::open(folder, Limits::default())
    }

    fn open(folder: tempfile::TempDir, limits: Limits) -> World {
        let clock = Arc::new(FixedClock("2026-11-20T12:00:00Z".parse().unwrap()));
        let config = Config {
            data: folder.path().to_owned(),
            index: folder.path().join("index"),
            listen: "127.0.0.1:0".to_owned(),
            body_limit: 1024 * 1024,
            trusted_proxies: TrustedProxies::default(),
            log: "off".to_owned(),
            log_format: LogFormat::Text,
            limits,
        };
        let app = App::open(&config, clock, Arc::new(SystemEntropy)).unwrap();
        let jobs = Jobs::start(&app).unwrap();
        let router = quarry::server(Arc::clone(&app));
        World { app, router, keys: Vec::new(), jobs: Some(jobs), _folder: folder }
    }

    /// Changes the store as no request can.
    pub fn write<T: Send + 'static>(&self, work: impl FnOnce(&mut Write<'_>) -> Result<T, StoreError> + Send + 'static) -> T {
        self.app.store.write(work).unwrap()
    }

    /// Sets a setting.
    pub fn set(&self, setting: Setting, value: &'static str) {
        self.app.store.write(move |db| settings::change(db, setting, value).map(drop)).unwrap();
    }

    /// A project with every module, in which these users are what they are said to be.
    pub fn project(&self, identifier: &str, is_public: bool, members: &[(&str, RoleId)]) -> ProjectId {
        let (identifier, now) = (identifier.to_owned(), self.app.clock.now());
        let members: Vec<(PrincipalId, RoleId)> = members.iter().map(|(login, role)| (user(login).into(), *role)).collect();
        self.write(move |db| {
            let trackers: Vec<_> = db.catalogue().trackers.iter().map(|tracker| tracker.id).collect();
            let project = projects::insert(
                db,
                &NewProject {
                    id: None,
                    name: &identifier,
                    identifier: &identifier,
                    description: None,
                    homepage: "",
                    parent: None,
                    is_public,
                    inherit_members: false,
                    status: ProjectStatus::Active,
                    modules: Module::ALL.iter().copied().collect::<ModuleSet>(),
                    trackers: &trackers,
                    created_on: now,
                    updated_on: now,
                },
            )?;
            for (principal, role) in members {
                roles::add_member(db, project, principal, &[role], now)?;
            }
            Ok(project)
        })
    }

    /// An issue in the project with this identifier, by alice; its number.
    pub fn issue(&self, project: &str, more: &str) -> i64 {
        let body = format!("{{\"issue\":{{\"project_id\":\"{project}\",\"subject\":\"A thing\"{more}}}}}");
        self.as_user("alice").post("/issues.json", &body).expect(201).json()["issue"]["id"].as_i64().unwrap()
    }

    /// Makes an issue what no request need be able to make it.
    pub fn edit(&self, issue: i64, edit: impl FnOnce(&mut Issue) + Send + 'static) {
        self.write(move |db| {
            let mut issue = issues::find(db, &Visible::Everything, IssueId(issue))?.unwrap();
            edit(&mut issue);
            issues::change(db, &issue)
        });
    }

    /// Runs statements on the file itself, for what cannot be made in any other way; names and rights are read anew.
    #[allow(clippy::disallowed_methods, reason = "the statement is the test's own")]
    pub fn sql(&self, statements: &str) {
        let connection = rusqlite::Connection::open(self.app.store.path()).unwrap();
        connection.busy_timeout(Duration::from_secs(10)).unwrap();
        connection.execute_batch(statements).unwrap();
        connection.execute_batch("UPDATE counters SET value = value + 1 WHERE name = 'catalogue'").unwrap();
    }

    /// A client that sends the user's key.
    pub fn as_user(&self, login: &str) -> Client<'_> {
        Client { world: self, headers: vec![("X-Service-API-Key".to_owned(), self.key(login).to_owned())], waits_for_index: true }
    }

    /// A client that sends nothing.
    pub fn anonymous(&self) -> Client<'_> {
        Client { world: self, headers: Vec::new(), waits_for_index: true }
    }

    /// A user's API key.
    pub fn key(&self, login: &str) -> &str {
        &self.keys[usize::try_from(user(login).0).unwrap() - 1]
    }
}

/// Nothing may be left to do, and the index must say what the store says.
impl Drop for World {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let last = self.app.store.last_change();
            assert!(self.app.search.wait_until(last, Duration::from_secs(20)), "changes were left unindexed");
            let report = self.app.search.verify().unwrap();
            assert!(report.agrees(), "index and store differ: {report:?}");
        }
        if let Some(jobs) = self.jobs.take() {
            jobs.stop();
        }
        self.app.close();
    }
}

/// The number of a user of [`LOGINS`].
pub fn user(login: &str) -> UserId {
    let place = LOGINS.iter().position(|known| *known == login).unwrap();
    UserId(i64::try_from(place).unwrap() + 1)
}

fn accounts(db: &mut Write<'_>, clock: &dyn Clock) -> Result<Vec<String>, Refused> {
    settings::change(db, Setting::RestApiEnabled, "1")?;
    settings::change(db, Setting::HostName, "quarry.test")?;
    let keys = LOGINS.iter().map(|login| {
        let password = if *login == "bob" { "bobbobbob".to_owned() } else { format!("{login}{login}") };
        let account = NewAccount {
            id: Some(user(login)),
            login,
            firstname: login,
            lastname: "Tester",
            mail: "",
            password: &password,
            admin: *login == "admin",
            status: if *login == "erin" { UserStatus::Locked } else { UserStatus::Active },
        };
        accounts::add(db, &account, clock, &SystemEntropy).map(|(_, key)| key)
    });
    keys.collect()
}

/// Sends requests as somebody.
#[derive(Clone)]
pub struct Client<'w> {
    world: &'w World,
    headers: Vec<(String, String)>,
    waits_for_index: bool,
}

impl Client<'_> {
    /// The same, which waits for the index no longer than the service does. Others wait before each search until the index has what
    /// anybody wrote, however busy the machine is.
    pub fn impatient(mut self) -> Self {
        self.waits_for_index = false;
        self
    }

    /// The same with one more header.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same with HTTP Basic.
    pub fn basic(self, login: &str, password: &str) -> Self {
        let encoded = base64::engine::general_purpose::STANDARD.encode(format!("{login}:{password}"));
        self.with("Authorization", &format!("Basic {encoded}"))
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None, Vec::new())
    }

    pub fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None, Vec::new())
    }

    pub fn post(&self, path: &str, json: &str) -> Answer {
        self.send(Method::POST, path, Some("application/json"), json.as_bytes().to_vec())
    }

    pub fn put(&self, path: &str, json: &str) -> Answer {
        self.send(Method::PUT, path, Some("application/json"), json.as_bytes().to_vec())
    }

    pub fn send(&self, method: Method, path: &str, content_type: Option<&str>, body: Vec<u8>) -> Answer {
        if self.waits_for_index && (path.contains("search") || path.contains("similar")) {
            let app = &self.world.app;
            assert!(app.search.wait_until(app.store.last_change(), PATIENCE), "the index stands still");
        }
        let mut request = Request::builder().method(method).uri(path).header("Host", "quarry.test");
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if let Some(content_type) = content_type {
            request = request.header("Content-Type", content_type);
        }
        let request = request.body(Body::from(body)).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.block_on(async {
            let response = self.world.router.clone().oneshot(request).await.unwrap();
            let (parts, body) = response.into_parts();
            let body = String::from_utf8(to_bytes(body, usize::MAX).await.unwrap().to_vec()).unwrap();
            let header = |name: &str| parts.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
            Answer {
                status: parts.status.as_u16(),
                content_type: header("content-type").unwrap_or_default(),
                location: header("location").unwrap_or_default(),
                authenticate: header("www-authenticate").unwrap_or_default(),
                warning: header("warning").unwrap_or_default(),
                tag: header("etag").unwrap_or_default(),
                headers: parts.headers.clone(),
                body,
            }
        })
    }
}

#[must_use]
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub content_type: String,
    pub location: String,
    pub authenticate: String,
    pub warning: String,
    pub tag: String,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    /// The body as JSON; the content type must say so.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        assert_eq!(self.content_type, "application/json; charset=utf-8", "{self:?}");
        serde_json::from_str(&self.body).unwrap()
    }

    /// A header, empty when it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The same answer, if it has this status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Answer {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    /// The sentences of an error, in whichever format.
    #[track_caller]
    pub fn errors(&self) -> Vec<String> {
        if self.content_type.starts_with("application/xml") {
            let document = roxmltree::Document::parse(&self.body).unwrap();
            let root = document.root_element();
            let errors = if root.has_tag_name("hash") { root.last_element_child().unwrap() } else { root };
            assert!(errors.has_tag_name("errors"), "{self:?}");
            return errors.children().map(|error| error.text().unwrap_or_default().to_owned()).collect();
        }
        let errors = self.json()["errors"].as_array().cloned().unwrap_or_default();
        errors.iter().map(|error| error.as_str().unwrap().to_owned()).collect()
    }
}
