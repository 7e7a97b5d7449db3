//! A service for one test, with its own folder, store and index, called without a network.

use crate::builders::{IssueBuilder, ProjectBuilder};
use crate::client::Client;
use crate::clock::WorldClock;
use crate::cluster::Cluster;
use crate::configuration::configuration;
use crate::database::{Database, OwnDatabase};
use crate::environment::{note_portable, uses_postgres};
use crate::template::{self, Template};
use crate::wait::TIMEOUT;
use axum::Router;
use quarry::actions::administration::settings;
use quarry::app::App;
use quarry::config::{
    BackupConfig, BasePath, Config, Environment, Flags, ImapServer, Key, Limits, MailConfig,
    ServerConfig,
};
use quarry::domain::access::visible::Visible;
use quarry::domain::administration::setting::Setting;
use quarry::domain::clock::SystemEntropy;
use quarry::domain::ids::{IssueId, RoleId, UserId};
use quarry::domain::issues::issue::Issue;
use quarry::jobs::Jobs;
use quarry::store::issues;
use quarry::store::transaction::changes;
use quarry::store::{StoreError, Write};
use serde_json::{Value, json};
use std::sync::Arc;

/// The role Manager of the default data.
pub const MANAGER: RoleId = RoleId(3);
/// The role Developer of the default data.
pub const DEVELOPER: RoleId = RoleId(4);
/// The role Reporter of the default data.
pub const REPORTER: RoleId = RoleId(5);

/// The users of every world; their ids are 1 to 6. `dave` is a member of nothing, `erin` is locked.
pub const LOGINS: [&str; 6] = ["admin", "alice", "bob", "carol", "dave", "erin"];

/// The limit of bodies in bytes.
pub(crate) const BODY_LIMIT: usize = 1024 * 1024;

/// A running service.
pub struct World {
    pub app: Arc<App>,
    /// The clock of the service in this process; `quarry` in a process of its own has that of the system.
    pub clock: Arc<WorldClock>,
    pub router: Router,
    keys: Vec<String>,
    jobs: Option<Jobs>,
    folder: Option<tempfile::TempDir>,
    /// The records; `None` if they are in the folder.
    pub(crate) database: Option<OwnDatabase>,
    /// The last change when the service was started.
    first_change: i64,
    /// Whether changes are still indexed.
    is_indexing: bool,
}

impl World {
    /// A service with the default data, the REST API on, and the users of [`LOGINS`].
    #[allow(
        clippy::new_without_default,
        reason = "no default value starts a service"
    )]
    pub fn new() -> World {
        World::with_limits(Limits::default())
    }

    /// Like [`World::new`], with other limits.
    pub fn with_limits(limits: Limits) -> World {
        World::from_template(Template::Users, limits, BODY_LIMIT)
    }

    /// Like [`World::new`], with another limit of bodies in bytes.
    pub fn with_body_limit(body_limit: usize) -> World {
        World::from_template(Template::Users, Limits::default(), body_limit)
    }

    /// A service with the projects `open` and `secret`. `secret` is private; alice manages both,
    /// bob is a developer and carol a reporter in `open`.
    pub fn with_projects() -> World {
        World::from_template(Template::Projects, Limits::default(), BODY_LIMIT)
    }

    /// Like [`World::with_projects`], with the records in SQLite in every run.
    pub fn with_projects_in_sqlite() -> World {
        World::with_projects_in(false)
    }

    /// Like [`World::with_projects`], with the records in PostgreSQL in every run; `None` if it is
    /// not installed.
    pub fn with_projects_in_postgres() -> Option<World> {
        Cluster::shared().map(|_| World::with_projects_in(true))
    }

    fn with_projects_in(is_in_postgres: bool) -> World {
        World::from_template_in(
            tempfile::tempdir().unwrap(),
            Template::Projects,
            Limits::default(),
            BODY_LIMIT,
            is_in_postgres,
        )
    }

    /// A service with the records where this run has them.
    fn from_template(template: Template, limits: Limits, body_limit: usize) -> World {
        let folder = tempfile::tempdir().unwrap();
        note_portable(folder.path());
        World::from_template_in(folder, template, limits, body_limit, uses_postgres())
    }

    fn from_template_in(
        folder: tempfile::TempDir,
        template: Template,
        limits: Limits,
        body_limit: usize,
        is_in_postgres: bool,
    ) -> World {
        let copy = template::copy_to(folder.path(), template, is_in_postgres);
        let mut world = World::open(
            folder,
            copy.database,
            limits,
            body_limit,
            ExtraKeys::default(),
        );
        world.keys = copy.keys;
        world
    }

    /// Like [`World::with_projects`], with an issue, a news item, a board, a topic and its reply in
    /// one of the projects, all by alice.
    pub fn with_records(project: &str) -> World {
        let world = World::with_projects();
        world.issue(project).create();
        let alice = world.as_user("alice");
        alice
            .post(
                &format!("/projects/{project}/news.json"),
                json!({"news": {"title": "Release", "description": "is out"}}),
            )
            .assert_status(201);
        alice
            .post(
                &format!("/projects/{project}/boards.json"),
                json!({"board": {"name": "General", "description": "all else"}}),
            )
            .assert_status(201);
        alice
            .post(
                "/boards/1/topics.json",
                json!({"message": {"subject": "Hello", "content": "there"}}),
            )
            .assert_status(201);
        alice
            .post(
                "/messages/1/replies.json",
                json!({"message": {"content": "and back"}}),
            )
            .assert_status(201);
        world
    }

    /// Like [`World::with_projects`], with bob fourteen hours ahead of UTC: for him it is the 21st,
    /// for others the 20th.
    pub fn with_bob_in_kiritimati() -> World {
        let world = World::with_projects();
        world.sql("UPDATE users SET time_zone = 'Pacific/Kiritimati' WHERE id = 3");
        world
    }

    /// A service that opens the data in an existing folder, which has its records in SQLite.
    pub fn over(folder: tempfile::TempDir) -> World {
        World::open(
            folder,
            None,
            Limits::default(),
            BODY_LIMIT,
            ExtraKeys::default(),
        )
    }

    /// Indexes no further changes, as when the disk of the index is full.
    pub fn stop_indexing(&mut self) {
        self.app.search.stop();
        self.is_indexing = false;
    }

    /// Stops the service and starts it again.
    pub fn restarted(self) -> World {
        self.reconfigured(|_| {})
    }

    /// Stops the service and starts it again with the key `mail` of the configuration. The job that
    /// sends mails does not run: tests run it with `jobs::outbox::run_once`.
    pub fn with_mail(self, server: &str) -> World {
        self.reconfigured(|keys| keys.mail = mail_config(server))
    }

    /// Stops the service and starts it again below a path of its host name.
    pub fn with_base_path(self, path: &str) -> World {
        self.reconfigured(|keys| keys.base_path = BasePath::parse(path).unwrap())
    }

    /// Stops the service and starts it again with this mailbox. The job that receives mails does not
    /// run: tests run it with `jobs::mailbox::run_once`.
    pub fn with_mailbox(self, server: ImapServer) -> World {
        self.reconfigured(|keys| keys.mailbox = Some(server))
    }

    /// Stops the service and starts it again with the key `backup` and others of the configuration. The
    /// job that makes backups does not run: tests run it with `jobs::backup::run_once`.
    pub fn with_backup(self, keys: &[(Key, &str)]) -> World {
        let values = keys.iter().map(|(key, value)| (*key, (*value).to_owned()));
        let flags = Flags {
            config: None,
            values: values.collect(),
        };
        let config = Config::load(&flags, &Environment::default(), "nowhere").unwrap();
        self.reconfigured(|keys| keys.backup = config.backup)
    }

    fn reconfigured(mut self, change: impl FnOnce(&mut ExtraKeys)) -> World {
        self.stop();
        let folder = self.folder.take().unwrap();
        let mut keys = ExtraKeys {
            base_path: self.app.config.base_path.clone(),
            mail: self.app.config.mail.clone(),
            mailbox: self.app.config.mail_imap.clone(),
            backup: self.app.config.backup.clone(),
        };
        change(&mut keys);
        self.reopened(folder, keys)
    }

    fn reopened(&mut self, folder: tempfile::TempDir, extra: ExtraKeys) -> World {
        let database = self.database.take();
        let mut world = World::open(folder, database, Limits::default(), BODY_LIMIT, extra);
        world.keys = std::mem::take(&mut self.keys);
        world
    }

    pub(crate) fn open(
        folder: tempfile::TempDir,
        database: Option<OwnDatabase>,
        limits: Limits,
        body_limit: usize,
        extra: ExtraKeys,
    ) -> World {
        let clock = Arc::new(WorldClock::new("2026-11-20T12:00:00Z"));
        let config = Config {
            server: database.as_ref().map(|database| ServerConfig {
                url: database.url(),
                password_file: None,
                max_connections: 20,
                files: None,
            }),
            body_limit,
            mail: extra.mail,
            mail_imap: extra.mailbox,
            backup: extra.backup,
            base_path: extra.base_path,
            limits,
            ..configuration(folder.path())
        };
        let app = App::open(&config, clock.clone(), Arc::new(SystemEntropy)).unwrap();
        let jobs = Jobs::start_without_mail(&app).unwrap();
        let router = quarry::server(Arc::clone(&app));
        World {
            first_change: app.store.last_change(),
            is_indexing: true,
            app,
            clock,
            router,
            keys: Vec::new(),
            jobs: Some(jobs),
            folder: Some(folder),
            database,
        }
    }

    /// Runs a write transaction, for changes that no request can make.
    pub fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Write<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        self.app.store.write(work).unwrap()
    }

    /// Sets a setting.
    pub fn set(&self, setting: Setting, value: &'static str) {
        self.app
            .store
            .write(move |db| settings::update(db, setting, value).map(drop))
            .unwrap();
    }

    /// Returns the value of a setting.
    pub fn setting(&self, setting: Setting) -> String {
        let catalogue = self.app.store.catalogue().unwrap();
        catalogue.setting(setting).to_owned()
    }

    /// Starts to describe a project: public, with every module and tracker, without members.
    pub fn project(&self, identifier: &str) -> ProjectBuilder<'_> {
        ProjectBuilder::new(self, identifier)
    }

    /// Starts to describe an issue by alice in the project with this identifier.
    pub fn issue(&self, project: &str) -> IssueBuilder<'_> {
        IssueBuilder::new(self, project)
    }

    /// Edits an issue without the checks of a request.
    pub fn edit(&self, issue: i64, edit: impl FnOnce(&mut Issue) + Send + 'static) {
        self.write(move |db| {
            let mut issue = issues::find(db, &Visible::Everything, IssueId(issue))?.unwrap();
            edit(&mut issue);
            issues::update(db, &issue)
        });
    }

    /// Returns a connection to the records, for what no request can do or show.
    pub fn database(&self) -> Database {
        Database::open(&self.app.store)
    }

    /// Runs SQL on the records, for states that cannot be created otherwise. The catalogue is
    /// reloaded.
    pub fn sql(&self, statements: &str) {
        run_sql(&self.app, statements);
    }

    /// Returns a client that sends the API key of a user.
    pub fn as_user(&self, login: &str) -> Client<'_> {
        Client {
            world: self,
            headers: vec![("X-Service-API-Key".to_owned(), self.key(login).to_owned())],
            waits_for_index: true,
            address: None,
        }
    }

    /// Returns a client without credentials.
    pub fn anonymous(&self) -> Client<'_> {
        Client {
            world: self,
            headers: Vec::new(),
            waits_for_index: true,
            address: None,
        }
    }

    /// Returns how many records a search of this user finds.
    #[track_caller]
    pub fn count_hits(&self, login: &str, query: &str) -> i64 {
        self.as_user(login)
            .total_count(&format!("/search.json?q={query}"))
    }

    /// Returns an issue as this user reads it, with the values of `include`.
    #[track_caller]
    pub fn show_issue(&self, login: &str, id: i64, include: &str) -> Value {
        self.as_user(login)
            .get(&format!("/issues/{id}.json?include={include}"))
            .assert_status(200)
            .json_path("/issue")
    }

    /// Returns the API key of a user.
    pub fn key(&self, login: &str) -> &str {
        &self.keys[usize::try_from(user(login).0).unwrap() - 1]
    }
}

impl World {
    /// Stops the service and returns its data, for services in other processes.
    pub fn into_data(mut self) -> Data {
        self.stop();
        Data {
            folder: self.folder.take().unwrap(),
            database: self.database.take(),
        }
    }

    /// Stops the service and returns its folder, which has the records only in SQLite.
    pub fn into_folder(mut self) -> tempfile::TempDir {
        self.stop();
        self.folder.take().unwrap()
    }

    /// Asserts that all changes are indexed and, if there are any, that index and store agree. Then
    /// stops the service.
    pub(crate) fn stop(&mut self) {
        let Some(jobs) = self.jobs.take() else { return };
        if self.is_indexing && !std::thread::panicking() {
            // Read from the database: a commit of a job is visible before it is published.
            let last = self.app.store.read(|db| changes::last(db)).unwrap();
            assert!(
                self.app.search.wait_until(last, TIMEOUT),
                "some changes are not indexed"
            );
            if last != self.first_change {
                let report = self.app.search.verify().unwrap();
                assert!(report.agrees(), "index and store differ: {report:?}");
            }
        }
        jobs.stop();
        self.app.close();
    }
}

/// The data of a world whose service is stopped.
pub struct Data {
    folder: tempfile::TempDir,
    database: Option<OwnDatabase>,
}

impl Data {
    /// Returns a command of the program with the places of the data.
    pub fn quarry(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = crate::process::quarry(arguments);
        command.arg("--data").arg(self.folder.path());
        if let Some(database) = &self.database {
            command.arg("--store").arg(database.url());
        }
        command
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What the configuration says about mail and backups.
#[derive(Default)]
pub(crate) struct ExtraKeys {
    base_path: BasePath,
    mail: Option<MailConfig>,
    mailbox: Option<ImapServer>,
    backup: Option<BackupConfig>,
}

/// Returns the configuration of mail with this server.
fn mail_config(server: &str) -> Option<MailConfig> {
    let flags = Flags {
        config: None,
        values: vec![
            (Key::Mail, server.to_owned()),
            (Key::MailFrom, "quarry@example.org".to_owned()),
        ],
    };
    let config = Config::load(&flags, &Environment::default(), "nowhere");
    config.unwrap().mail
}

/// Runs SQL on the records of a service, for states that cannot be created otherwise. The catalogue
/// is reloaded.
#[track_caller]
pub fn run_sql(app: &App, statements: &str) {
    let database = Database::open(&app.store);
    database.run(statements);
    database.run("UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
}

/// Returns the id of a user of [`LOGINS`].
pub fn user(login: &str) -> UserId {
    let index = LOGINS
        .iter()
        .position(|candidate| *candidate == login)
        .unwrap();
    UserId(i64::try_from(index).unwrap() + 1)
}

/// Encodes each byte of a text for an address.
pub fn percent_encode(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
