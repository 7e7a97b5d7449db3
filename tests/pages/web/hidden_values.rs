//! Ids of records that the viewer may not see, in every field of every form and as a parameter of
//! the page with the form: no answer names the record.

use super::pages;
use super::sent_form::{Form, all_forms, send};
use axum::http::Method;
use quarry_world::World;
use quarry_world::browser::Browser;
use quarry_world::complete_world::{complete_world, reindex};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The id of a hidden record of each kind.
const ID: &str = "777";
/// A word that only hidden records have.
const WORD: &str = "Concealed";
/// Fields whose number is no id of a record.
const NO_IDS: &[&str] = &["authenticity_token", "original", "back_url"];

/// Creates the complete world, in which nobody sees people of other projects, with a hidden record
/// of each kind.
fn world_with_hidden_records() -> World {
    let world = complete_world();
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    let time = "1795000000000000";
    world.sql(&format!(
        "INSERT INTO users (id, type, login, firstname, lastname, mail, status, created_on, updated_on)
             VALUES (777, 'User', 'concealed', 'Concealed', 'Person', 'concealed@example.org', 1, {time}, {time});
         INSERT INTO projects (id, name, identifier, is_public, status, created_on, updated_on)
             VALUES (777, 'Concealed project', '777x', 0, 1, {time}, {time});
         INSERT INTO enabled_modules (project_id, name) SELECT 777, name FROM enabled_modules WHERE project_id = 1;
         INSERT INTO project_trackers (project_id, tracker_id) SELECT 777, id FROM trackers;
         INSERT INTO members (id, project_id, user_id, created_on) VALUES (777, 777, 777, {time});
         INSERT INTO member_roles (member_id, role_id) SELECT 777, role_id FROM member_roles WHERE member_id = 90;
         INSERT INTO versions (id, project_id, name, status, created_on, updated_on)
             VALUES (777, 777, 'Concealed version', 'open', {time}, {time});
         INSERT INTO issue_categories (id, project_id, name) VALUES (777, 777, 'Concealed category');
         INSERT INTO issues (id, project_id, tracker_id, status_id, priority_id, author_id, is_private, done_ratio, created_on, updated_on, subject)
             VALUES (777, 777, 1, 1, 2, 777, 0, 0, {time}, {time}, 'Concealed issue');
         INSERT INTO journals (id, issue_id, user_id, private_notes, created_on, notes) VALUES (777, 777, 777, 0, {time}, 'Concealed note');
         INSERT INTO time_entries (id, project_id, issue_id, user_id, activity_id, hours, comments, spent_on, created_on, updated_on, author_id)
             VALUES (777, 777, 777, 777, 8, 1.5, 'Concealed time', '2026-11-19', {time}, {time}, 777);
         INSERT INTO news (id, project_id, author_id, title, created_on) VALUES (777, 777, 777, 'Concealed news', {time});
         INSERT INTO documents (id, project_id, category_id, title, created_on)
             SELECT 777, 777, category_id, 'Concealed document', {time} FROM documents WHERE id = 1;
         INSERT INTO boards (id, project_id, name, description, position) VALUES (777, 777, 'Concealed board', 'Concealed', 1);
         INSERT INTO messages (id, board_id, author_id, subject, content, created_on, updated_on)
             VALUES (777, 777, 777, 'Concealed message', 'Concealed', {time}, {time});
         INSERT INTO queries (id, type, name, project_id, user_id, visibility, filters_json)
             SELECT 777, type, 'Concealed query', NULL, 777, 0, filters_json FROM queries WHERE id = 1;
         INSERT INTO saved_replies (id, user_id, project_id, name, content) VALUES (777, 777, NULL, 'Concealed reply', 'Concealed');
         INSERT INTO issue_templates (id, project_id, tracker_id, name, subject, description, is_default)
             VALUES (777, 777, 1, 'Concealed template', 'Concealed', 'Concealed', 0);
         INSERT INTO custom_fields (id, type, name, field_format, position, is_for_all, is_filter, searchable) VALUES
             (700, 'IssueCustomField', 'Checked by', 'user', 20, 1, 1, 0), (701, 'IssueCustomField', 'Found in', 'version', 21, 1, 1, 0),
             (702, 'ProjectCustomField', 'Owner', 'user', 22, 1, 1, 0), (703, 'VersionCustomField', 'Released by', 'user', 23, 1, 1, 0),
             (704, 'TimeEntryCustomField', 'Approved by', 'user', 24, 1, 1, 0), (705, 'DocumentCustomField', 'Reader', 'user', 25, 1, 0, 0);
         INSERT INTO custom_fields_trackers (custom_field_id, tracker_id) SELECT f.id, t.id FROM custom_fields f, trackers t WHERE f.id IN (700, 701);"
    ));
    reindex(&world);
    world
}

/// Returns the form with the id in one field, and without its texts, so that required ones are
/// missing and the form is shown again.
fn with_id(form: &Form, field: usize) -> Form {
    let mut form = form.clone();
    for text in &form.texts {
        form.fields[*text].1.clear();
    }
    ID.clone_into(&mut form.fields[field].1);
    form
}

#[test]
fn ids_of_hidden_records_name_nothing_wherever_they_are_sent() {
    let world = world_with_hidden_records();
    let browser = Browser::logged_in(&world, "alice");
    let mut sent = BTreeSet::new();
    let mut named = BTreeSet::new();
    let mut requests = 0;
    for page in pages::all().filter(|page| !page.redirects) {
        let opened = browser.get(page.path);
        assert!(!opened.body.contains(WORD), "{}", page.path);
        if opened.status != 200 {
            continue;
        }
        for form in all_forms(&opened, page.path) {
            for (index, (name, _)) in form.fields.iter().enumerate() {
                if NO_IDS.contains(&name.as_str())
                    || !sent.insert(format!("{} {name}", form.action))
                {
                    continue;
                }
                let separator = if page.path.contains('?') { '&' } else { '?' };
                let name = quarry::http::resources::paths::encode(name);
                let path = format!("{}{separator}{name}={ID}", page.path);
                requests += 1;
                if browser.get(&path).body.contains(WORD) {
                    named.insert(format!("GET {path}"));
                }
                if form.is_post && send(&browser, &with_id(&form, index)).body.contains(WORD) {
                    named.insert(format!("POST {} with {name} ({})", form.action, page.path));
                }
            }
        }
    }
    assert!(requests >= 400, "{requests} requests");
    let named: Vec<_> = named.into_iter().collect();
    assert!(named.is_empty(), "{}", named.join("\n"));
}

#[test]
fn api_names_no_hidden_record_whose_id_is_sent() {
    let world = world_with_hidden_records();
    let alice = world.as_user("alice");
    let issue =
        |field: &str| json!({ "issue": { "project_id": "secret", "subject": "x", field: 777 } });
    let issues = [
        "assigned_to_id",
        "category_id",
        "fixed_version_id",
        "parent_issue_id",
        "project_id",
    ];
    let mut requests: Vec<(Method, &str, Value)> = issues
        .iter()
        .flat_map(|field| {
            [
                (Method::POST, "/issues.json", issue(field)),
                (Method::PUT, "/issues/1.json", issue(field)),
            ]
        })
        .collect();
    let ids = json!([777]);
    for (method, path, body) in [
        (
            "POST",
            "/issues.json",
            json!({"issue": {"project_id": "secret", "subject": "x", "watcher_user_ids": ids}}),
        ),
        (
            "POST",
            "/issues.json",
            json!({"issue": {"project_id": "secret", "subject": "x", "custom_fields": [{"id": 700, "value": 777}, {"id": 701, "value": 777}]}}),
        ),
        ("POST", "/issues/1/watchers.json", json!({"user_id": 777})),
        (
            "POST",
            "/issues/1/relations.json",
            json!({"relation": {"issue_to_id": 777, "relation_type": "relates"}}),
        ),
        (
            "POST",
            "/time_entries.json",
            json!({"time_entry": {"issue_id": 777, "hours": 1, "activity_id": 8}}),
        ),
        (
            "POST",
            "/time_entries.json",
            json!({"time_entry": {"project_id": 777, "hours": 1, "activity_id": 8}}),
        ),
        (
            "POST",
            "/time_entries.json",
            json!({"time_entry": {"issue_id": 1, "user_id": 777, "hours": 1, "activity_id": 8}}),
        ),
        (
            "POST",
            "/projects/secret/memberships.json",
            json!({"membership": {"user_ids": ids, "role_ids": [4]}}),
        ),
        (
            "POST",
            "/projects/secret/issue_categories.json",
            json!({"issue_category": {"name": "y", "assigned_to_id": 777}}),
        ),
        (
            "PUT",
            "/projects/secret.json",
            json!({"project": {"parent_id": 777, "default_assigned_to_id": 777, "default_version_id": 777}}),
        ),
    ] {
        requests.push((method.parse().unwrap(), path, body));
    }
    for (method, path, body) in requests {
        let sent = body.to_string();
        let content = Some("application/json");
        let answer = alice.send(method.clone(), path, content, sent.clone().into_bytes());
        assert!(
            !answer.body.contains(WORD),
            "{method} {path} {sent}: {answer:?}"
        );
        assert!(answer.status < 500, "{method} {path} {sent}: {answer:?}");
    }
    for path in [
        "/issues.json?status_id=*",
        "/issues/1.json?include=watchers",
        "/time_entries.json",
        "/projects/secret/memberships.json",
    ] {
        let shown = alice.get(path);
        assert!(!shown.body.contains(WORD), "{path}: {shown:?}");
    }
}
