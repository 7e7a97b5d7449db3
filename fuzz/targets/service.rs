//! A service in this process, with the default data, an administrator and one project.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, Request, Uri};
use quarry::actions::ActionError;
use quarry::actions::accounts::account;
use quarry::actions::accounts::sessions::{self, NewSession};
use quarry::actions::administration::{install, settings};
use quarry::app::App;
use quarry::config::{Config, Limits, LogFormat, Monitoring};
use quarry::domain::accounts::session::SessionStep;
use quarry::domain::accounts::user::User;
use quarry::domain::administration::setting::Setting;
use quarry::domain::clock::{FixedClock, SystemEntropy};
use quarry::domain::ids::{ProjectId, UserId};
use quarry::domain::projects::module::{Module, ModuleSet};
use quarry::domain::projects::project::Project;
use quarry::domain::values::trusted_proxies::TrustedProxies;
use quarry::jobs::Jobs;
use quarry::store::{Write, projects};
use std::sync::Arc;
use tower::ServiceExt;

/// A request as the fuzzer wrote it.
pub struct RawRequest {
    pub method: String,
    pub target: String,
    pub headers: Vec<(String, Vec<u8>)>,
    pub body: Vec<u8>,
}

/// The service.
pub struct Service {
    router: Router,
    /// The API key of the administrator, and the cookie of a session, which are sent with requests
    /// that have none.
    credentials: (String, String),
    runtime: tokio::runtime::Runtime,
    _jobs: Jobs,
    _folder: tempfile::TempDir,
}

impl Service {
    /// Starts it in a temporary folder.
    pub fn start() -> Service {
        let folder = tempfile::tempdir().unwrap();
        let config = Config {
            data: folder.path().to_owned(),
            server: None,
            index: folder.path().join("index"),
            listen: String::new(),
            body_limit: 1024 * 1024,
            trusted_proxies: TrustedProxies::default(),
            mail: None,
            mail_imap: None,
            base_path: quarry::config::BasePath::default(),
            socket_mode: 0o660,
            tls: None,
            monitoring: Monitoring::default(),
            backup: None,
            backs_up_before_upgrade: true,
            file: None,
            log: "off".to_owned(),
            log_format: LogFormat::Text,
            limits: Limits::default(),
        };
        let clock = Arc::new(FixedClock("2026-11-20T12:00:00Z".parse().unwrap()));
        let app = App::open(&config, clock, Arc::new(SystemEntropy)).unwrap();
        app.store
            .write(|db| install::default_data(db).map(drop))
            .unwrap();
        app.store
            .write(|db| settings::update(db, Setting::RestApiEnabled, "1").map(drop))
            .unwrap();
        let api_key = app.store.write(insert_records).unwrap();
        let cookie = app.store.write(start_session).unwrap();
        let jobs = Jobs::start_without_mail(&app).unwrap();
        Service {
            router: quarry::server(app),
            credentials: (api_key, cookie),
            runtime: tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .enable_all()
                .build()
                .unwrap(),
            _jobs: jobs,
            _folder: folder,
        }
    }

    /// Sends a request and returns the status; 400 for one that hyper would refuse.
    pub fn send(&self, request: RawRequest) -> u16 {
        let method = Method::from_bytes(request.method.as_bytes());
        let uri: Result<Uri, _> = request.target.parse();
        let (Ok(method), Ok(uri)) = (method, uri) else {
            return 400;
        };
        let mut sent = Request::new(Body::from(request.body));
        *sent.method_mut() = method;
        *sent.uri_mut() = uri;
        let headers = sent.headers_mut();
        for (name, value) in request.headers {
            let name = HeaderName::from_bytes(name.as_bytes());
            if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(&value)) {
                headers.append(name, value);
            }
        }
        let host = HeaderValue::from_static("quarry.test");
        headers.entry("Host").or_insert(host);
        let (key, cookie) = &self.credentials;
        for (name, value) in [("X-Redmine-API-Key", key), ("Cookie", cookie)] {
            let value = HeaderValue::from_str(value).unwrap();
            headers.entry(name).or_insert(value);
        }
        let response = self.runtime.block_on(self.router.clone().oneshot(sent));
        response.unwrap().status().as_u16()
    }
}

/// Inserts the administrator and a project. Returns the API key.
fn insert_records(db: &mut Write<'_>) -> Result<String, ActionError> {
    let now = db.now();
    let admin = User {
        id: UserId(1),
        login: "admin".to_owned(),
        firstname: "Ada".to_owned(),
        lastname: "Admin".to_owned(),
        admin: true,
        created_on: now,
        updated_on: now,
        ..User::default()
    };
    let (_, key) = account::add(db, &admin, "a password that nobody uses")?;
    let trackers = db.catalogue().trackers.iter().map(|tracker| tracker.id);
    let project = Project {
        id: ProjectId(1),
        name: "Pumps".to_owned(),
        identifier: "pumps".to_owned(),
        modules: Module::ALL.iter().copied().collect::<ModuleSet>(),
        trackers: trackers.collect(),
        is_public: true,
        created_on: now,
        updated_on: now,
        ..Project::default()
    };
    projects::insert(db, &project)?;
    Ok(key)
}

/// Starts a session of the administrator. Returns its cookie.
fn start_session(db: &mut Write<'_>) -> Result<String, ActionError> {
    let new = NewSession {
        user: UserId(1),
        step: SessionStep::Complete,
        is_persistent: false,
        address: "127.0.0.1".to_owned(),
        user_agent: "fuzzer".to_owned(),
    };
    let token = sessions::start(db, &new)?.1;
    Ok(format!("quarry_session={token}"))
}
