//! Replays one file of cases against a service with its own copy of the world.

use super::compare::{Response, difference};
use super::decided::{Decision, INSTEAD, decision};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use quarry::actions::administration::settings;
use quarry::app::App;
use quarry::domain::administration::setting::Setting;
use quarry::domain::clock::{FixedClock, SystemEntropy};
use quarry::domain::ids::UserId;
use quarry::jobs::Jobs;
use quarry::store::accounts::users;
use quarry::store::{StoreError, Write};
use quarry_world::configuration::configuration;
use quarry_world::{RUNTIME, run_sql};
use ruzstd::decoding::StreamingDecoder;
use serde_json::Value;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use tower::ServiceExt;

/// The API keys of the users: this character forty times.
const KEYS: &[(&str, &str)] = &[
    ("admin", "a"),
    ("alice", "1"),
    ("bob", "2"),
    ("carol", "3"),
    ("dave", "4"),
    ("erin", "5"),
    ("frank", "6"),
    ("gina", "7"),
];

/// Settings of the recorded Redmine for groups of cases, where they differ from the defaults.
const SETTINGS: &[(&str, &[(Setting, &str)])] = &[
    ("settings_api_disabled", &[(Setting::RestApiEnabled, "0")]),
    (
        "settings_login_required",
        &[
            (Setting::RestApiEnabled, "1"),
            (Setting::LoginRequired, "1"),
        ],
    ),
    ("settings_2fa_pwd", &[(Setting::LoginRequired, "0")]),
    (
        "settings_timelog",
        &[
            (Setting::TimelogRequiredFields, "issue_id,comments"),
            (Setting::TimelogMaxHoursPerDay, "24"),
            (Setting::TimelogAcceptFutureDates, "0"),
        ],
    ),
    (
        "settings_parent_independent",
        &[
            (Setting::ParentIssueDates, "independent"),
            (Setting::ParentIssuePriority, "independent"),
            (Setting::ParentIssueDoneRatio, "independent"),
            (Setting::IssueDoneRatio, "issue_status"),
            (Setting::IssueGroupAssignment, "1"),
            (Setting::CrossProjectIssueRelations, "1"),
            (Setting::CrossProjectSubtasks, "descendants"),
            (Setting::DefaultIssueStartDateToCreationDate, "0"),
        ],
    ),
];

struct Service {
    app: Arc<App>,
    router: Router,
    jobs: Option<Jobs>,
}

impl Service {
    /// Starts the service on a copy of this directory, at the time of the recording.
    fn over(moved_in: &Path, folder: &Path) -> Service {
        copy(moved_in, folder);
        let config = configuration(folder);
        let clock = Arc::new(FixedClock("2026-11-20T23:24:00Z".parse().unwrap()));
        let app = App::open(&config, clock, Arc::new(SystemEntropy)).unwrap();
        let jobs = Some(Jobs::start(&app).unwrap());
        let service = Service {
            router: quarry::server(Arc::clone(&app)),
            app,
            jobs,
        };
        service.set(&[
            (Setting::RestApiEnabled, "1"),
            (Setting::LoginRequired, "0"),
            (Setting::HostName, "redmine.test"),
        ]);
        service
    }

    fn set(&self, values: &'static [(Setting, &'static str)]) {
        let set = move |db: &mut Write<'_>| {
            values
                .iter()
                .try_for_each(|(name, value)| settings::update(db, *name, value).map(drop))
        };
        self.app.store.write(set).unwrap();
    }

    /// State that is not a setting: second factors and the done ratio of statuses.
    fn prepare(&self, group: &str) {
        if let Some((_, values)) = SETTINGS.iter().find(|(known, _)| *known == group) {
            self.set(values);
        }
        let second_factor = group == "settings_2fa_pwd";
        let by_status = group == "settings_parent_independent";
        let set = move |db: &mut Write<'_>| -> Result<(), StoreError> {
            users::set_second_factor(db, UserId(5), second_factor.then_some("totp"))?;
            users::set_must_change_password(db, UserId(6), second_factor)
        };
        self.app.store.write(set).unwrap();
        let done_ratio = if by_status { "30" } else { "NULL" };
        run_sql(
            &self.app,
            &format!("UPDATE issue_statuses SET default_done_ratio = {done_ratio} WHERE id = 2"),
        );
    }

    fn send(&self, request: &Value) -> Response {
        let mut builder = Request::builder()
            .method(request["method"].as_str().unwrap())
            .uri(uri(request["path"].as_str().unwrap()));
        builder = builder.header("Host", "redmine.test");
        for (name, value) in request["headers"].as_object().into_iter().flatten() {
            builder = builder.header(name, value.as_str().unwrap_or_default());
        }
        if let Some((_, sign)) = KEYS.iter().find(|(login, _)| request["as"] == *login) {
            builder = builder.header("X-Redmine-API-Key", sign.repeat(40));
        }
        // Of a long body only the length is recorded.
        let omitted = request["body_omitted"]
            .as_str()
            .and_then(|text| text.split(' ').next()?.parse::<usize>().ok());
        let body = omitted.map_or_else(
            || {
                request["body"]
                    .as_str()
                    .unwrap_or_default()
                    .replace("{base_url}", BASE)
            },
            |long| "x".repeat(long),
        );
        RUNTIME.block_on(async {
            let response = self
                .router
                .clone()
                .oneshot(builder.body(Body::from(body)).unwrap())
                .await
                .unwrap();
            let status = u64::from(response.status().as_u16());
            let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
            Response {
                status,
                body: String::from_utf8_lossy(&body).into_owned(),
            }
        })
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(jobs) = self.jobs.take() {
            jobs.stop();
        }
        self.app.close();
    }
}

const BASE: &str = "http://redmine.test";

/// Returns the recorded path with invalid characters percent-encoded.
fn uri(path: &str) -> String {
    path.bytes()
        .map(|byte| {
            if byte.is_ascii_graphic() {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).unwrap()),
        }
    }
}

fn cases(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/transcripts")
        .join(format!("{name}.jsonl.zst"));
    let file = std::fs::File::open(path).unwrap();
    let mut bytes = Vec::new();
    StreamingDecoder::new(file)
        .unwrap()
        .read_to_end(&mut bytes)
        .unwrap();
    bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

/// The results of a file.
#[derive(Default)]
pub struct Tally {
    /// Number of equal responses.
    pub equal: usize,
    /// Number of accepted differences.
    pub decided: usize,
    /// The other differences.
    pub not_yet: Vec<String>,
    /// The cases that cannot be compared: no recorded body, or neither JSON nor XML.
    pub left_out: usize,
    /// The accepted differences that matched.
    pub used: Vec<&'static Decision>,
}

/// Replays all cases of a file on a copy of this directory; `wordy` prints accepted differences.
pub fn replay(moved_in: &Path, name: &str, wordy: bool) -> Tally {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::over(moved_in, folder.path());
    let mut tally = Tally::default();
    let mut group = String::new();
    for case in cases(name) {
        let request = &case["request"];
        let response = &case["response"];
        let now = case["group"].as_str().unwrap();
        let number = case["n"].as_u64().unwrap();
        if group != now {
            group = now.to_owned();
            service.prepare(&group);
        }
        let label = format!("{group}#{number}");
        if let Some((_, instead, reason)) =
            INSTEAD.iter().find(|(label_of, _, _)| *label_of == label)
        {
            if let Some(body) = instead {
                let mut request = request.clone();
                request["body"] = Value::from(*body);
                service.send(&request);
            }
            tally.decided += 1;
            if wordy {
                println!("  {label} not as recorded: {reason}");
            }
            continue;
        }
        let got = service.send(request);
        let want = Response {
            status: response["status"].as_u64().unwrap(),
            body: response["body"]
                .as_str()
                .unwrap_or_default()
                .replace("{base_url}", BASE),
        };
        let kind = response["headers"]["Content-Type"]
            .as_str()
            .unwrap_or_default();
        match difference(request["method"].as_str().unwrap(), &want, kind, &got) {
            Err(()) => tally.left_out += 1,
            // Without a recorded body, only the status is compared.
            Ok(None) if !response["body_omitted"].is_null() => tally.left_out += 1,
            Ok(None) => tally.equal += 1,
            Ok(Some(found)) => {
                let path = request["path"].as_str().unwrap();
                let body: String = request["body"]
                    .as_str()
                    .unwrap_or_default()
                    .chars()
                    .take(90)
                    .collect();
                let line = format!(
                    "{label} {} {path} {body}: {}",
                    request["method"].as_str().unwrap(),
                    found.chars().take(220).collect::<String>()
                );
                match decision(&label, path, &found) {
                    Some(decision) => {
                        tally.decided += 1;
                        tally.used.push(decision);
                        if wordy {
                            println!("  as decided ({}): {line}", decision.reason);
                        }
                    }
                    None => tally.not_yet.push(line),
                }
            }
        }
    }
    tally
}
