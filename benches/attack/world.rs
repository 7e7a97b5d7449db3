//! Issues and long wiki texts in one public project, served by the program.

use quarry::actions::ActionError;
use quarry::actions::accounts::account;
use quarry::actions::accounts::sessions::{self, NewSession};
use quarry::actions::administration::{install, settings};
use quarry::app::App;
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
use quarry::store::accounts::memberships;
use quarry::store::{StoreError, Write, issues, projects};
use quarry_world::configuration::configuration;
use quarry_world::connection::{Connection, request};
use quarry_world::process::{Service, quarry as program};
use quarry_world::process_usage;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;

/// Users: the first one is the other client, whose requests are measured.
pub const USERS: usize = 13;
const PROJECT: ProjectId = ProjectId(1);
const FIRST_USER: i64 = 11;
/// Maximum number of issues in an export.
const EXPORT_LIMIT: &str = "10000";
/// Length of the long wiki texts in bytes.
const LONG_TEXT: usize = 1_000_000;
pub const WORDS: [&str; 16] = [
    "pump", "valve", "engine", "tank", "sensor", "leak", "noise", "start", "stop", "heat", "cold",
    "broken", "slow", "report", "index", "search",
];

pub struct World {
    pub service: Service,
    /// The headers of each user: an API key, and a session.
    pub users: Vec<(String, String)>,
    _folder: tempfile::TempDir,
}

impl World {
    /// Generates the world and starts the program on it.
    pub fn start(issues: i64) -> World {
        let folder = tempfile::tempdir().unwrap();
        let app = App::open(
            &configuration(folder.path()),
            Arc::new(SystemClock),
            Arc::new(SystemEntropy),
        )
        .unwrap();
        let users = app.store.write(insert_users).unwrap();
        let written = app.store.write::<_, StoreError>(move |db| {
            let mut random = StdRng::seed_from_u64(1);
            (0..issues).try_for_each(|_| issues::insert(db, &issue(&mut random)).map(drop))
        });
        written.unwrap();
        app.close();
        drop(app);
        let mut command = program(&["serve", "--log", "off", "--trusted-proxies", "127.0.0.1"]);
        command.arg("--data").arg(folder.path());
        let world = World {
            service: Service::start(&mut command),
            users,
            _folder: folder,
        };
        world.save_long_texts();
        world
    }

    /// Saves two versions of a long wiki page with short lines, of which few are the same.
    fn save_long_texts(&self) {
        let mut random = StdRng::seed_from_u64(2);
        for version in 0..2 {
            let mut content = String::new();
            while content.len() < LONG_TEXT {
                content.push_str(&random.random_range(0..5_000).to_string());
                content.push('\n');
            }
            let body = format!("{{\"wiki_page\":{{\"text\":{content:?}}}}}");
            let headers = format!("{}Content-Type: application/json\r\n", self.users[0].0);
            let path = "/projects/lab/wiki/Long.json";
            let request = request("PUT", path, &headers, body.as_bytes());
            let mut connection = Connection::open(&self.service.address).unwrap();
            let status = connection.send(&request).unwrap().status;
            assert!(matches!(status, 200 | 201 | 204), "{version}: {status}");
        }
    }

    /// Returns resident memory in MiB: now, and the peak since the last [`World::reset_peak`].
    pub fn memory(&self) -> (f64, f64) {
        let memory = process_usage::memory(self.service.id());
        let memory = memory.expect("the service runs, on Linux");
        (mebibytes(memory.resident), mebibytes(memory.peak))
    }

    /// Makes the peak of the memory start from now.
    pub fn reset_peak(&self) {
        process_usage::reset_peak(self.service.id());
    }
}

/// Returns MiB.
fn mebibytes(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

fn insert_users(db: &mut Write<'_>) -> Result<Vec<(String, String)>, ActionError> {
    let now = SystemClock.now();
    install::default_data(db)?;
    settings::update(db, Setting::RestApiEnabled, "1")?;
    settings::update(db, Setting::LoginRequired, "0")?;
    settings::update(db, Setting::IssuesExportLimit, EXPORT_LIMIT)?;
    let trackers = db.catalogue().trackers.iter().map(|tracker| tracker.id);
    let project = Project {
        id: PROJECT,
        name: "Lab".to_owned(),
        identifier: "lab".to_owned(),
        is_public: true,
        modules: Module::ALL.iter().copied().collect::<ModuleSet>(),
        trackers: trackers.collect(),
        created_on: now,
        updated_on: now,
        ..Project::default()
    };
    projects::insert(db, &project)?;
    (FIRST_USER..)
        .take(USERS)
        .map(|id| {
            let user = User {
                id: UserId(id),
                login: format!("user{id}"),
                firstname: "User".to_owned(),
                lastname: id.to_string(),
                mail: format!("user{id}@example.org"),
                created_on: now,
                updated_on: now,
                ..User::default()
            };
            let key = account::add(db, &user, "a password that nobody uses")?.1;
            memberships::insert(db, PROJECT, PrincipalId(id), &[RoleId(3)], now)?;
            let session = NewSession {
                user: user.id,
                step: SessionStep::Complete,
                is_persistent: false,
                address: "127.0.0.1".to_owned(),
                user_agent: "bench".to_owned(),
            };
            let token = sessions::start(db, &session)?.1;
            Ok((
                format!("X-Service-API-Key: {key}\r\n"),
                format!("Cookie: quarry_session={token}\r\n"),
            ))
        })
        .collect()
}

fn text(random: &mut StdRng, count: usize) -> String {
    let words = (0..count).map(|_| WORDS[random.random_range(0..WORDS.len())]);
    words.collect::<Vec<_>>().join(" ")
}

fn issue(random: &mut StdRng) -> Issue {
    let created = random.random_range(1_760_000_000_i64..1_767_000_000);
    let created_on = jiff::Timestamp::from_second(created).unwrap();
    let start = created_on.to_zoned(jiff::tz::TimeZone::UTC).date();
    Issue {
        project: PROJECT,
        tracker: TrackerId(random.random_range(1..=3)),
        status: StatusId(random.random_range(1..=4)),
        priority: EnumerationId(random.random_range(1..=5)),
        author: UserId(FIRST_USER),
        subject: format!(
            "{} ABC-{}",
            text(random, 6),
            random.random_range(1..100_000)
        ),
        description: Some(text(random, 80)),
        start_date: Some(start),
        due_date: start.checked_add(jiff::Span::new().days(14)).ok(),
        created_on,
        updated_on: created_on,
        ..Issue::default()
    }
}
