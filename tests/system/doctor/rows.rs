//! Each damaged row is named by the doctor, and no page and no answer of the API fails because of it.

use super::damaged_rows::{DAMAGED_ROWS, DamagedRow};
use super::folder::copy_tree;
use quarry::cli::doctor::{self, DoctorOptions};
use quarry::config::{Config, Environment, Flags, Key};
use quarry_world::World;
use quarry_world::browser::Browser;
use quarry_world::complete_world::complete_world;
use serde_json::{Value, json};
use std::panic::catch_unwind;
use std::path::Path;
use tempfile::TempDir;

/// Number of damages that are planted at the same time.
const THREADS: usize = 2;

/// The pages, for a browser.
const PAGES: [&str; 26] = [
    "/",
    "/my/page",
    "/my/inbox",
    "/projects/secret/wiki",
    "/projects/secret/wiki/index",
    "/boards/1",
    "/boards/1/topics/1",
    "/news",
    "/documents/1",
    "/versions/1",
    "/projects/secret/settings",
    "/users",
    "/issues?status_id=*",
    "/issues/1",
    "/issues/1/edit?field=description",
    "/issues/calendar?status_id=*&year=2026&month=11",
    "/issues/gantt?status_id=*&year=2026&month=10&months=6",
    "/issues/board",
    "/time_entries",
    "/projects",
    "/projects/secret",
    "/projects/secret/roadmap",
    "/activity",
    "/projects/secret/activity",
    "/users/2",
    "/search?q=pump",
];
/// The addresses of data, for a program.
const DATA: [&str; 20] = [
    "/projects/1/memberships.json",
    "/roles/4.json",
    "/queries.json",
    "/projects/secret/wiki/index.json",
    "/issues.json?status_id=*",
    "/issues.xml?status_id=*",
    "/issues.csv?status_id=*",
    "/issues.atom?status_id=*",
    "/issues/1.json?include=journals,children,attachments,relations,watchers,changesets",
    "/issues/2.json",
    "/time_entries.json",
    "/time_entries/1.json",
    "/time_entries.csv",
    "/projects.json?include=trackers,issue_categories,enabled_modules",
    "/projects/1.json",
    "/projects/1/versions.json",
    "/activity.atom",
    "/news.json",
    "/users.json",
    "/search.json?q=pump",
];

/// A healthy folder, and the credentials of its administrator.
struct Template {
    folder: TempDir,
    key: String,
    session: String,
}

impl Template {
    fn new() -> Template {
        let world = complete_world();
        let browser = Browser::logged_in(&world, "admin");
        let session = browser.cookie("quarry_session").unwrap();
        let key = world.key("admin").to_owned();
        Template {
            folder: world.into_folder(),
            key,
            session,
        }
    }

    /// Returns a copy of the folder after these statements.
    #[expect(
        clippy::disallowed_methods,
        reason = "the statements are the tests' own"
    )]
    fn damaged_by(&self, statements: &str) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        copy_tree(self.folder.path(), folder.path());
        let records = folder.path().join("quarry.sqlite3");
        let connection = rusqlite::Connection::open(records).unwrap();
        connection
            .execute_batch(&format!("PRAGMA foreign_keys = OFF; {statements}"))
            .unwrap();
        folder
    }
}

/// Returns the findings of the doctor, each as its name with its details.
fn findings(folder: &Path) -> Vec<(String, String)> {
    let flags = Flags {
        config: None,
        values: vec![(Key::Data, folder.display().to_string())],
    };
    let config = Config::load(&flags, &Environment::default(), "nowhere").unwrap();
    let options = DoctorOptions {
        fix: false,
        json: true,
        quick: true,
    };
    let mut output = Vec::new();
    doctor::run(&config, &options, &mut output).unwrap();
    let report: Value = serde_json::from_slice(&output).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    findings
        .map(|finding| {
            let details = finding["details"].as_array().unwrap().iter();
            let details: Vec<_> = details.map(|detail| detail.as_str().unwrap()).collect();
            let problem = finding["problem"].as_str().unwrap();
            let name = finding["name"].as_str().unwrap();
            (
                name.to_owned(),
                format!("{}; {problem}", details.join("; ")),
            )
        })
        .collect()
}

/// Returns the addresses, and some writes, with the status of each.
fn statuses(template: &Template, folder: TempDir) -> Vec<(&'static str, u16)> {
    let mut world = World::over(folder);
    // The index still has what can no longer be read.
    world.stop_indexing();
    let program = world
        .anonymous()
        .with("X-Service-API-Key", &template.key)
        .without_waiting();
    let cookie = format!("quarry_session={}", template.session);
    let browser = world
        .anonymous()
        .with("Cookie", &cookie)
        .with("Accept", "text/html")
        .without_waiting();
    let data = DATA.iter().map(|path| (*path, program.get(path).status));
    let pages = PAGES.iter().map(|path| (*path, browser.get(path).status));
    let mut statuses: Vec<_> = data.chain(pages).collect();
    let note = json!({"issue": {"notes": "Seen", "estimated_hours": 2}});
    statuses.push(("PUT issue", program.put("/issues/1.json", note).status));
    let entry = json!({"time_entry": {"issue_id": 1, "hours": 1, "activity_id": 9}});
    let posted = program.post("/time_entries.json", entry);
    statuses.push(("POST time entry", posted.status));
    let issue = json!({"issue": {"project_id": 1, "subject": "Another", "parent_issue_id": 1}});
    statuses.push(("POST issue", program.post("/issues.json", issue).status));
    statuses
}

/// Returns what is wrong: a damage that the doctor does not name, and addresses that fail.
fn failures(template: &Template, (finding, details, statements): &DamagedRow) -> Vec<String> {
    let folder = template.damaged_by(statements);
    let findings = findings(folder.path());
    let is_named = findings
        .iter()
        .any(|(name, text)| name == finding && text.contains(details));
    let mut failures = Vec::new();
    if !is_named {
        failures.push(format!("{statements}: found only {findings:?}"));
    }
    let failed = statuses(template, folder).into_iter();
    failures.extend(
        failed
            // Without a next id, new records are refused with 507.
            .filter(|(_, status)| *status >= 500 && (*status != 507 || *finding != "sequences-end"))
            .map(|(path, status)| format!("{statements}: {path} answers {status}")),
    );
    failures
}

#[test]
fn each_damaged_row_is_named_and_no_page_fails_because_of_it() {
    quarry_world::only_on_sqlite!(
        "a server refuses values of other types and rows without their references"
    );
    assert!(DAMAGED_ROWS.len() >= 60);
    let template = Template::new();
    let healthy = findings(template.folder.path());
    let names: Vec<&str> = healthy.iter().map(|(name, _)| name.as_str()).collect();
    assert!(
        !DAMAGED_ROWS.iter().any(|damage| names.contains(&damage.0)),
        "{healthy:?}"
    );
    let mut healthy = statuses(&template, template.damaged_by("")).into_iter();
    assert_eq!(
        healthy.find(|(_, status)| ![200, 201, 204].contains(status)),
        None
    );
    let share = DAMAGED_ROWS.len().div_ceil(THREADS);
    let failures: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = DAMAGED_ROWS
            .chunks(share)
            .map(|damages| {
                let template = &template;
                scope.spawn(move || {
                    let failures = damages.iter().flat_map(|damage| {
                        let outcome = catch_unwind(|| failures(template, damage));
                        outcome.unwrap_or_else(|_| vec![format!("{}: a panic", damage.2)])
                    });
                    failures.collect::<Vec<_>>()
                })
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn damaged_date_is_shown_as_missing_and_a_row_that_cannot_be_read_is_left_out() {
    quarry_world::only_on_sqlite!("a server refuses values of other types");
    let template = Template::new();
    let folder = template.damaged_by(
        "UPDATE issues SET due_date = 'soon' WHERE id = 1; UPDATE issues SET subject = x'00ff' WHERE id = 2; \
         UPDATE time_entries SET spent_on = 'yesterday', hours = 9e999 WHERE id = 1",
    );
    let world = World::over(folder);
    let admin = world
        .anonymous()
        .with("X-Service-API-Key", &template.key)
        .without_waiting();
    let issue = admin.get("/issues/1.json").assert_status(200);
    assert_eq!(issue.json_path("/issue/due_date"), Value::Null);
    assert_eq!(issue.json_path("/issue/start_date"), "2026-11-01");
    let issues = admin.get("/issues.json?status_id=*&sort=id");
    assert_eq!(issues.integers("/issues", "id"), [1, 3, 4]);
    let _ = admin.get("/issues/2.json").assert_status(403);
    let entry = admin.get("/time_entries/1.json").assert_status(200);
    assert_eq!(entry.json_path("/time_entry/spent_on"), "1970-01-01");
    assert_eq!(entry.json_path("/time_entry/hours"), 0.0);
}
