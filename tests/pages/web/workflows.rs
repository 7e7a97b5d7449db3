//! Changing the workflow in the browser.

use super::roles::{form_fields, send};
use quarry::domain::administration::workflow::Rule;
use quarry::domain::administration::workflow_plan::{
    RoleWorkflow, RuleCell, TransitionCell, TransitionKind,
};
use quarry::domain::ids::{RoleId, StatusId, TrackerId};
use quarry_world::browser::{Browser, field};
use quarry_world::{DEVELOPER, MANAGER, REPORTER, Response, World};

const NEW: i64 = 1;
const IN_PROGRESS: i64 = 2;
const CLOSED: i64 = 5;
pub const BUG: TrackerId = TrackerId(1);

/// Returns the stored workflow of a tracker and a role.
pub fn workflow(world: &World, tracker: TrackerId, role: RoleId) -> RoleWorkflow {
    let catalogue = world.app.store.catalogue().unwrap();
    RoleWorkflow::stored(&catalogue, tracker, role)
}

fn cell(kind: TransitionKind, from: i64, to: i64) -> TransitionCell {
    TransitionCell {
        kind,
        from: (from != 0).then_some(StatusId(from)),
        to: StatusId(to),
    }
}

fn everybody(from: i64, to: i64) -> TransitionCell {
    cell(TransitionKind::Everybody, from, to)
}

/// Returns the address of the transitions of bugs.
pub fn path(role: RoleId) -> String {
    format!("/workflows/edit?role_id[]={role}&tracker_id[]=1")
}

/// Sends the matrices with some checkboxes changed, each `everybody-1-5`.
pub fn check(
    browser: &Browser<'_>,
    page: &Response,
    path: &str,
    on: &[&str],
    off: &[&str],
) -> Response {
    let mut fields = form_fields(page);
    fields.retain(|(name, value)| name != "on[]" || !off.contains(&value.as_str()));
    fields.extend(
        on.iter()
            .map(|value| ("on[]".to_owned(), (*value).to_owned())),
    );
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    browser.submit(page, path, &fields)
}

/// Confirms the changes.
fn save(browser: &Browser<'_>, page: &Response, path: &str) -> Response {
    send(browser, page, path, &[("do", "save")])
}

#[test]
fn summary_counts_the_transitions_of_roles_and_trackers() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let count = workflow(&world, BUG, DEVELOPER).transitions.len();
    let link = format!(
        "href=\"/workflows/edit?role_id[]=4&#38;tracker_id[]=1\" aria-label=\"Developer, Bug: {count} transitions\""
    );
    admin
        .get("/workflows")
        .assert_status(200)
        .assert_contains(&link);
    admin
        .get("/workflows/edit")
        .assert_status(200)
        .assert_contains("Choose at least one role and one tracker.");
}

#[test]
fn changes_are_checked_before_they_are_saved() {
    let world = World::with_projects();
    for subject in ["One", "Two", "Three"] {
        world.issue("open").subject(subject).create();
    }
    world.sql("UPDATE issues SET tracker_id = 1, status_id = 1");
    world.sql("UPDATE issues SET status_id = 2 WHERE subject = 'Two'");
    let admin = Browser::logged_in(&world, "admin");
    let path = path(DEVELOPER);
    let page = admin.get(&path).assert_status(200);
    let before = workflow(&world, BUG, DEVELOPER);
    assert!(
        before.permits(everybody(NEW, CLOSED)) && before.permits(everybody(IN_PROGRESS, CLOSED))
    );
    let checked = check(
        &admin,
        &page,
        &path,
        &["author-1-5"],
        &["everybody-1-5", "everybody-2-5"],
    )
    .assert_status(200);
    for expected in [
        "href=\"/issues?tracker_id=1&#38;status_id=1%7C2\">3 open issues</a> could no longer be closed in one step by Developer.",
        "Bug: New, In Progress",
        "No longer permitted: New → Closed",
        "Permitted: New → Closed as the author",
    ] {
        assert!(checked.body.contains(expected), "{expected}: {checked:?}");
    }
    assert_eq!(
        workflow(&world, BUG, DEVELOPER),
        before,
        "nothing is saved yet"
    );
    admin
        .get("/issues?tracker_id=1&status_id=1%7C2")
        .assert_status(200)
        .assert_contains("<span class=\"count\">3");
    let again = send(&admin, &checked, &path, &[("do", "edit")]).assert_status(200);
    assert_eq!(field(&again, "shown"), field(&page, "shown"));
    let fields = form_fields(&again);
    let is_on = |cell: &str| fields.contains(&("on[]".to_owned(), cell.to_owned()));
    assert!(is_on("author-1-5") && !is_on("everybody-1-5"));
    let saved = save(&admin, &checked, &path).assert_status(303);
    assert_eq!(saved.location(), path);
    let after = workflow(&world, BUG, DEVELOPER);
    assert!(!after.permits(everybody(NEW, CLOSED)));
    assert!(after.permits(cell(TransitionKind::Author, NEW, CLOSED)));
    assert_eq!(after.transitions.len(), before.transitions.len() - 1);
    admin
        .get(&path)
        .assert_status(200)
        .assert_contains("One workflow was changed.");
    let unchanged = admin.get(&path).assert_status(200);
    check(&admin, &unchanged, &path, &[], &[]).assert_status(303);
    admin
        .get(&path)
        .assert_status(200)
        .assert_contains("There is nothing to change.");
}

#[test]
fn cells_that_differ_stay_unless_they_are_chosen() {
    let world = World::new();
    world.sql("DELETE FROM workflow_transitions WHERE role_id = 5");
    world.sql("INSERT INTO workflow_transitions (tracker_id, role_id, old_status_id, new_status_id, author, assignee) VALUES (1, 5, 2, 3, 1, 1)");
    let admin = Browser::logged_in(&world, "admin");
    let path = "/workflows/edit?role_id[]=4&role_id[]=5&tracker_id[]=1";
    let page = admin.get(path).assert_status(200);
    assert!(
        page.body.contains("name=\"mixed[everybody-1-5]\""),
        "{page:?}"
    );
    let before = workflow(&world, BUG, DEVELOPER);
    let changes = [
        ("mixed[everybody-1-5]", "1"),
        ("mixed[everybody-1-2]", "0"),
        ("mixed[author-2-3]", "0"),
    ];
    let checked = send(&admin, &page, path, &changes).assert_status(200);
    save(&admin, &checked, path).assert_status(303);
    let developer = workflow(&world, BUG, DEVELOPER);
    assert!(
        developer.permits(everybody(NEW, CLOSED))
            && !developer.permits(everybody(NEW, IN_PROGRESS))
    );
    assert_eq!(developer.transitions.len(), before.transitions.len() - 1);
    let reporter = workflow(&world, BUG, REPORTER);
    assert!(reporter.permits(everybody(NEW, CLOSED)));
    assert!(reporter.permits(cell(TransitionKind::Assignee, 2, 3)));
    assert!(!reporter.permits(cell(TransitionKind::Author, 2, 3)));
    assert_eq!(reporter.transitions.len(), 2);
}

#[test]
fn changes_of_others_are_not_undone() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let other = Browser::logged_in(&world, "admin");
    let path = path(DEVELOPER);
    let mine = admin.get(&path).assert_status(200);
    let theirs = other.get(&path).assert_status(200);
    let checked = check(&other, &theirs, &path, &[], &["everybody-1-2"]).assert_status(200);
    save(&other, &checked, &path).assert_status(303);
    let checked = check(&admin, &mine, &path, &[], &["everybody-1-5"]).assert_status(200);
    save(&admin, &checked, &path).assert_status(303);
    let stored = workflow(&world, BUG, DEVELOPER);
    assert!(
        !stored.permits(everybody(NEW, IN_PROGRESS)) && !stored.permits(everybody(NEW, CLOSED))
    );
}

#[test]
fn unused_statuses_are_shown_on_request() {
    let world = World::new();
    world.sql("INSERT INTO issue_statuses (id, name, position) VALUES (50, 'Unused', 50)");
    let admin = Browser::logged_in(&world, "admin");
    let path = path(DEVELOPER);
    let page = admin.get(&path).assert_status(200);
    assert!(!page.body.contains(">Unused<"), "{page:?}");
    let all = format!("{path}&all=1");
    let page = admin.get(&all).assert_status(200);
    let checked = check(&admin, &page, &all, &["everybody-0-50"], &[]).assert_status(200);
    save(&admin, &checked, &all).assert_status(303);
    assert!(workflow(&world, BUG, DEVELOPER).permits(everybody(0, 50)));
    admin
        .get(&path)
        .assert_status(200)
        .assert_contains(">Unused<");
}

#[test]
fn many_statuses_are_on_several_pages() {
    let world = World::new();
    world.sql("INSERT INTO issue_statuses (id, name, position) WITH RECURSIVE s (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM s WHERE n < 140) SELECT n, 'Status ' || n, n FROM s");
    world.sql("INSERT INTO workflow_transitions (tracker_id, role_id, old_status_id, new_status_id, author, assignee) SELECT 1, 4, a.id, b.id, CASE WHEN k.value = 1 THEN 1 ELSE 0 END, CASE WHEN k.value = 2 THEN 1 ELSE 0 END FROM issue_statuses a, issue_statuses b, (SELECT 0 AS value UNION SELECT 1 UNION SELECT 2) k WHERE a.id <> b.id AND a.id >= 100");
    let admin = Browser::logged_in(&world, "admin");
    for page in [1, 2, 8, 99] {
        let path = format!("{}&page={page}", path(DEVELOPER));
        let shown = admin.get(&path).assert_status(200);
        assert!(form_fields(&shown).len() < 1000);
        check(&admin, &shown, &path, &[], &[]).assert_status(303);
    }
    let path = format!("{}&page=3", path(DEVELOPER));
    let page = admin.get(&path).assert_status(200);
    let on = form_fields(&page);
    let cell = &on.iter().find(|(name, _)| name == "on[]").unwrap().1;
    let checked = check(&admin, &page, &path, &[], &[cell.as_str()]).assert_status(200);
    let before = workflow(&world, BUG, DEVELOPER).transitions.len();
    save(&admin, &checked, &path).assert_status(303);
    assert_eq!(
        workflow(&world, BUG, DEVELOPER).transitions.len(),
        before - 1
    );
}

#[test]
fn field_rules_are_checked_and_saved() {
    let world = World::with_projects();
    world.issue("open").subject("One").create();
    world.sql("UPDATE issues SET tracker_id = 1, status_id = 1");
    world.sql("INSERT INTO workflow_permissions (tracker_id, role_id, old_status_id, field_name, rule) VALUES (1, 4, 1, 'due_date', 'required'), (1, 4, 2, 'start_date', 'readonly')");
    let admin = Browser::logged_in(&world, "admin");
    let path = "/workflows/permissions?role_id[]=4&role_id[]=5&tracker_id[]=1";
    let page = admin.get(path).assert_status(200);
    let fields = form_fields(&page);
    let value = |name: &str| {
        fields
            .iter()
            .find(|(field, _)| field == name)
            .unwrap()
            .1
            .clone()
    };
    assert_eq!(value("rules[1-due_date]"), "differs");
    assert_eq!(value("rules[1-subject]"), "free");
    let changes = [
        ("rules[1-subject]", "readonly"),
        ("rules[2-start_date]", "free"),
    ];
    let checked = send(&admin, &page, path, &changes)
        .assert_status(200)
        .assert_contains("1 issue</a> would have “Subject” read-only for Developer.")
        .assert_contains("Start date in In Progress: free");
    save(&admin, &checked, path).assert_status(303);
    let rule = |role, status, field: &str| {
        workflow(&world, BUG, role).rule(&RuleCell {
            status: StatusId(status),
            field: field.to_owned(),
        })
    };
    assert_eq!(rule(DEVELOPER, 1, "subject"), Some(Rule::ReadOnly));
    assert_eq!(rule(REPORTER, 1, "subject"), Some(Rule::ReadOnly));
    assert_eq!(rule(DEVELOPER, 2, "start_date"), None);
    assert_eq!(rule(DEVELOPER, 1, "due_date"), Some(Rule::Required));
    assert_eq!(rule(REPORTER, 1, "due_date"), None);
    // Fields that always have a value cannot be required.
    let page = admin.get(path).assert_status(200);
    send(&admin, &page, path, &[("rules[1-priority_id]", "required")])
        .assert_status(422)
        .assert_contains("cannot be required");
    for invalid in ["rules[1-nowhere]", "rules[99-subject]", "rules[1-999]"] {
        send(&admin, &page, path, &[(invalid, "readonly")]).assert_status(422);
    }
}

#[test]
fn workflows_are_copied_to_several_trackers_and_roles() {
    let world = World::new();
    world.sql("INSERT INTO workflow_permissions (tracker_id, role_id, old_status_id, field_name, rule) VALUES (1, 3, 1, 'due_date', 'required')");
    let admin = Browser::logged_in(&world, "admin");
    let path = "/workflows/copy";
    admin.get(path).assert_status(200);
    let check = |fields: &[(&str, &str)]| {
        let fields = fields.iter();
        let fields: Vec<String> = fields
            .map(|(name, value)| format!("&{name}={value}"))
            .collect();
        admin.get(&format!("{path}?do=check{}", fields.concat()))
    };
    for (incomplete, message) in [
        (
            [("source_tracker", "1"), ("source_role", "3")],
            "Trackers cannot be empty",
        ),
        (
            [("source_tracker", ""), ("source_role", "3")],
            "does not exist any more",
        ),
        (
            [("source_tracker", "same"), ("source_role", "same")],
            "needs a tracker or a role",
        ),
    ] {
        check(&incomplete)
            .assert_status(422)
            .assert_contains(message);
    }
    let fields = [
        ("source_tracker", "1"),
        ("source_role", "3"),
        ("tracker_id[]", "2"),
        ("tracker_id[]", "3"),
        ("role_id[]", "4"),
        ("role_id[]", "5"),
    ];
    let checked = check(&fields)
        .assert_status(200)
        .assert_contains("Developer · Feature");
    assert_ne!(
        workflow(&world, TrackerId(2), DEVELOPER),
        workflow(&world, BUG, MANAGER)
    );
    save(&admin, &checked, path).assert_status(303);
    for tracker in [2, 3].map(TrackerId) {
        for role in [DEVELOPER, REPORTER] {
            assert_eq!(
                workflow(&world, tracker, role),
                workflow(&world, BUG, MANAGER)
            );
        }
    }
    admin
        .get("/workflows")
        .assert_status(200)
        .assert_contains("4 workflows were changed.");
    // From one role to another, for each tracker.
    world.sql("DELETE FROM workflow_transitions WHERE role_id = 1");
    let same = [
        ("source_tracker", "same"),
        ("source_role", "5"),
        ("tracker_id[]", "1"),
        ("tracker_id[]", "2"),
        ("role_id[]", "1"),
    ];
    let checked = check(&same).assert_status(200);
    save(&admin, &checked, path).assert_status(303);
    for tracker in [BUG, TrackerId(2)] {
        assert_eq!(
            workflow(&world, tracker, RoleId(1)),
            workflow(&world, tracker, REPORTER)
        );
    }
}
