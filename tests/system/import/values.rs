//! Values whose meaning an import keeps, as Redmine showed them.

use super::complete::reported;
use super::loader::{copy, counts, ours};
use quarry_world::World;
use quarry_world::process::message;
use quarry_world::redmine_import::import;
use serde_json::{Map, Value, json};
use std::path::Path;

/// Imports a copy of the fixture that `statements` have changed, and returns a service with it.
fn world(statements: &str) -> World {
    let folder = tempfile::tempdir().unwrap();
    let source = tempfile::tempdir().unwrap();
    let (database, redmine) = copy(source.path());
    redmine.execute_batch(statements).unwrap();
    message(&import(folder.path(), &database, &[]));
    World::over(folder)
}

fn get(world: &World, login: &str, path: &str) -> Value {
    world
        .anonymous()
        .basic(login, &login.repeat(2))
        .get(path)
        .assert_status(200)
        .json()
}

fn closed_on(world: &World, id: i64) -> Value {
    get(world, "alice", &format!("/issues/{id}.json"))["issue"]["closed_on"].clone()
}

#[test]
fn reopened_issues_have_no_time_of_closing() {
    let world = world(
        "UPDATE issues SET closed_on = '2024-02-01 00:00:00' WHERE id IN (1, 2);
         UPDATE issues SET status_id = 1 WHERE id = 1;
         UPDATE issues SET status_id = 5 WHERE id = 2;",
    );
    assert_eq!(
        (closed_on(&world, 1), closed_on(&world, 2)),
        (Value::Null, json!("2024-02-01T00:00:00Z"))
    );
}

fn modules(connection: &rusqlite::Connection) -> Vec<(i64, i64, String)> {
    let mut statement = connection
        .prepare_cached("SELECT id, project_id, name FROM enabled_modules ORDER BY id")
        .unwrap();
    let rows = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap();
    rows.map(Result::unwrap)
        .collect::<Vec<(i64, i64, String)>>()
}

#[test]
fn enabled_modules_keep_their_ids() {
    let folder = tempfile::tempdir().unwrap();
    let source = tempfile::tempdir().unwrap();
    let (database, redmine) = copy(source.path());
    redmine
        .execute(
            "UPDATE enabled_modules SET id = id + 500 WHERE project_id = 1",
            [],
        )
        .unwrap();
    message(&import(folder.path(), &database, &[]));
    assert_eq!(modules(&ours(folder.path())), modules(&redmine));
    redmine
        .execute(
            "DELETE FROM enabled_modules WHERE project_id = 1 AND name = 'news'",
            [],
        )
        .unwrap();
    let (output, report) = reported(folder.path(), &database, &[]);
    assert!(output.status.success(), "{report}");
    assert_eq!(modules(&ours(folder.path())), modules(&redmine));
}

#[test]
fn text_of_a_page_is_its_content_not_its_newest_version() {
    let world = world(
        "UPDATE wiki_contents SET text = 'the current text', version = 1 WHERE page_id = (SELECT id FROM wiki_pages WHERE title = 'Wiki' AND wiki_id = 1);
         UPDATE wiki_content_versions SET data = 'an older text', compression = '';
         INSERT INTO wiki_content_versions (wiki_content_id, page_id, author_id, data, compression, comments, updated_on, version)
             SELECT wiki_content_id, page_id, author_id, 'a newer text', '', '', '2026-01-01', 9 FROM wiki_content_versions
             WHERE page_id = (SELECT id FROM wiki_pages WHERE title = 'Wiki' AND wiki_id = 1) LIMIT 1;",
    );
    let page = get(&world, "alice", "/projects/1/wiki/Wiki.json")["wiki_page"].clone();
    assert_eq!(
        (&page["text"], &page["version"]),
        (&json!("the current text"), &json!(1))
    );
    // A change makes a version after all of them.
    let body = json!({"wiki_page": {"text": "changed", "version": 1}})
        .to_string()
        .into_bytes();
    let alice = world.anonymous().basic("alice", "alicealice");
    alice
        .send(
            axum::http::Method::PUT,
            "/projects/1/wiki/Wiki.json",
            Some("application/json"),
            body,
        )
        .assert_status(200);
    assert_eq!(
        get(&world, "alice", "/projects/1/wiki/Wiki.json")["wiki_page"]["version"],
        10
    );
}

fn field_by_name(fields: &Value, name: &str) -> Value {
    fields
        .as_array()
        .unwrap()
        .iter()
        .find(|field| field["name"] == name)
        .unwrap()
        .clone()
}

#[test]
fn fields_of_enumerations_are_listed() {
    let world = world(
        "INSERT INTO custom_fields (type, name, field_format, position, is_required, is_for_all, is_filter, searchable, editable, visible, multiple)
             VALUES ('TimeEntryActivityCustomField', 'Rate', 'int', 1, 0, 0, 0, 0, 1, 1, 0),
                    ('IssuePriorityCustomField', 'Urgent', 'bool', 1, 0, 0, 0, 0, 1, 1, 0),
                    ('DocumentCategoryCustomField', 'Shelf', 'string', 1, 0, 0, 0, 1, 1, 1, 0);",
    );
    let fields = get(&world, "admin", "/custom_fields.json")["custom_fields"].clone();
    let types = ["Rate", "Urgent", "Shelf"]
        .map(|name| field_by_name(&fields, name)["customized_type"].clone());
    assert_eq!(
        types,
        ["time_entry_activity", "issue_priority", "document_category"]
    );
    assert_eq!(
        field_by_name(&fields, "Urgent")["possible_values"],
        json!([{"value": "1", "label": "Yes"}, {"value": "0", "label": "No"}])
    );
    assert!(
        field_by_name(&fields, "Rate")
            .get("possible_values")
            .is_none()
    );
    let xml = world
        .anonymous()
        .basic("admin", "adminadmin")
        .get("/custom_fields.xml")
        .assert_status(200)
        .body;
    assert!(
        xml.contains("<possible_value><value>1</value><label>Yes</label></possible_value>"),
        "{xml}"
    );
}

fn homepage(world: &World, id: i64) -> Value {
    get(world, "admin", &format!("/projects/{id}.json"))["project"]["homepage"].clone()
}

fn find_in_list(world: &World, path: &str, list: &str, id: i64) -> Map<String, Value> {
    let listed = get(world, "admin", path)[list]
        .as_array()
        .unwrap()
        .iter()
        .find(|item| item["id"] == id)
        .unwrap()
        .clone();
    listed.as_object().unwrap().clone()
}

fn get_xml(world: &World, path: &str) -> String {
    world
        .anonymous()
        .basic("admin", "adminadmin")
        .get(path)
        .assert_status(200)
        .body
}

#[test]
fn null_texts_stay_null() {
    let world = world(
        "UPDATE projects SET homepage = NULL, description = NULL WHERE id = 1;
         UPDATE projects SET homepage = '' WHERE id = 2;
         UPDATE news SET summary = NULL WHERE id = 1;
         UPDATE versions SET description = NULL WHERE id = 1;
         UPDATE documents SET description = NULL WHERE project_id = 1;
         UPDATE attachments SET description = NULL WHERE id = 1;",
    );
    assert_eq!(
        (homepage(&world, 1), homepage(&world, 2)),
        (Value::Null, json!(""))
    );
    assert_eq!(
        find_in_list(&world, "/news.json", "news", 1)["summary"],
        Value::Null
    );
    assert!(
        get(&world, "admin", "/news/1.json")["news"]
            .get("summary")
            .is_none()
    );
    assert_eq!(
        get(&world, "admin", "/versions/1.json")["version"]["description"],
        Value::Null
    );
    let document = get(&world, "admin", "/projects/1/documents.json")["documents"][0].clone();
    assert!(
        document["description"].is_null() && document["id"].is_number(),
        "{document}"
    );
    assert_eq!(
        get(&world, "admin", "/issues/1.json?include=attachments")["issue"]["attachments"][0]["description"],
        Value::Null
    );
    let path = format!(
        "/search.json?documents=1&q={}",
        document["title"]
            .as_str()
            .unwrap()
            .split(' ')
            .next()
            .unwrap()
    );
    assert_eq!(
        find_in_list(&world, &path, "results", document["id"].as_i64().unwrap())["description"],
        Value::Null
    );
    assert!(
        get_xml(&world, "/projects/1.xml").contains("<homepage/>")
            && get_xml(&world, "/projects/2.xml").contains("<homepage></homepage>")
    );
    assert!(
        get_xml(&world, "/news.xml").contains("<summary/>")
            && !get_xml(&world, "/news/1.xml").contains("<summary")
    );
    assert!(
        get_xml(&world, "/issues/1.xml?include=attachments").contains("<description/>")
            && get_xml(&world, "/versions/1.xml").contains("<description/>")
    );
}

fn issues_with_description(world: &World, operator: &str) -> Vec<i64> {
    let path = format!("/issues.json?status_id=*&sort=id&attachment_description={operator}");
    let issues = get(world, "alice", &path)["issues"].clone();
    issues
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| issue["id"].as_i64().unwrap())
        .collect::<Vec<_>>()
}

#[test]
fn files_without_a_description_are_filtered_as_such() {
    let world = world(
        "UPDATE attachments SET description = NULL WHERE id = 1; UPDATE attachments SET description = '' WHERE id = 2;",
    );
    assert_eq!(
        (
            issues_with_description(&world, "!*"),
            issues_with_description(&world, "*")
        ),
        (vec![1], Vec::new())
    );
}

fn list_users(world: &World, query: &str) -> Vec<Value> {
    get(world, "admin", &format!("/users.json?{query}"))["users"]
        .as_array()
        .unwrap()
        .clone()
}

fn logins(world: &World, query: &str) -> Vec<String> {
    list_users(world, query)
        .iter()
        .map(|user| user["login"].as_str().unwrap().to_owned())
        .collect::<Vec<_>>()
}

#[test]
fn directories_of_users_are_shown_to_administrators() {
    let world = world(
        "INSERT INTO auth_sources (id, type, name) VALUES (3, 'AuthSourceLdap', 'Head office');
         UPDATE users SET auth_source_id = 3 WHERE login = 'bob';",
    );
    let directory = json!({"id": 3, "name": "Head office"});
    assert_eq!(
        get(&world, "admin", "/users/6.json?include=groups,auth_source")["user"]["auth_source"],
        directory
    );
    assert!(
        get(&world, "admin", "/users/6.json")["user"]
            .get("auth_source")
            .is_none()
    );
    assert!(
        get(&world, "admin", "/users/5.json?include=auth_source")["user"]
            .get("auth_source")
            .is_none()
    );
    assert!(
        get(&world, "alice", "/users/6.json?include=auth_source")["user"]
            .get("auth_source")
            .is_none()
    );
    assert_eq!(
        (
            logins(&world, "auth_source_id=3"),
            logins(&world, "auth_source_id=*")
        ),
        (vec!["bob".to_owned()], vec!["bob".to_owned()])
    );
    assert!(
        !logins(&world, "auth_source_id=!*").contains(&"bob".to_owned())
            && logins(&world, "auth_source_id=9").is_empty()
    );
    assert_eq!(
        list_users(&world, "include=auth_source&login=bob")[0]["auth_source"],
        directory
    );
    let xml = world
        .anonymous()
        .basic("admin", "adminadmin")
        .get("/users.xml?include=auth_source")
        .assert_status(200)
        .body;
    assert_eq!(
        xml.matches("<auth_source id=\"3\" name=\"Head office\"/>")
            .count(),
        1,
        "{xml}"
    );
}

fn roles_of_member(world: &World) -> Value {
    get(world, "admin", "/memberships/2.json")["membership"]["roles"].clone()
}

#[test]
fn roles_of_members_keep_their_order() {
    // Bob, a developer in project 1, was a reporter first and became a manager through a group in
    // between.
    let world = world(
        "DELETE FROM member_roles WHERE member_id = 2;
         INSERT INTO member_roles (id, member_id, role_id, inherited_from) VALUES (901, 2, 5, NULL), (902, 2, 3, 900), (903, 2, 4, NULL);
         INSERT INTO groups_users (group_id, user_id) VALUES (12, 6);
         INSERT INTO members (id, user_id, project_id, created_on) VALUES (800, 12, 1, '2026-01-01');
         INSERT INTO member_roles (id, member_id, role_id) VALUES (900, 800, 3);",
    );
    let reporter = json!({"id": 5, "name": "Reporter"});
    let manager = json!({"id": 3, "name": "Manager", "inherited": true});
    assert_eq!(
        roles_of_member(&world),
        json!([reporter, manager, {"id": 4, "name": "Developer"}])
    );
    // A new role comes after all imported ones.
    let body = json!({"membership": {"role_ids": [6, 5]}})
        .to_string()
        .into_bytes();
    let admin = world.anonymous().basic("admin", "adminadmin");
    admin
        .send(
            axum::http::Method::PUT,
            "/memberships/2.json",
            Some("application/json"),
            body,
        )
        .assert_status(200);
    assert_eq!(
        roles_of_member(&world),
        json!([reporter, manager, {"id": 6, "name": "OwnOnly"}])
    );
}

fn tracker_and_id(issue: &Value) -> (i64, i64) {
    (
        issue["tracker"]["id"].as_i64().unwrap(),
        issue["id"].as_i64().unwrap(),
    )
}

#[test]
fn saved_queries_keep_filters_of_related_records_and_their_group() {
    let world = world(
        "UPDATE custom_fields SET is_filter = 1 WHERE id IN (5, 7);
         INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('Principal', 5, 7, '555-0100');
         INSERT INTO queries (id, name, filters, user_id, type, visibility, group_by, sort_criteria) VALUES (90, 'By tracker',
'---
project.cf_5:
  :operator: \"=\"
  :values:
  - CC-100
author.cf_7:
  :operator: \"~\"
  :values:
  - ''0100''
', 5, 'IssueQuery', 2, 'tracker', '---
- - id
  - asc
');",
    );
    let issues = get(&world, "carol", "/issues.json?query_id=90&limit=100")["issues"].clone();
    let found: Vec<(i64, i64)> = issues
        .as_array()
        .unwrap()
        .iter()
        .map(tracker_and_id)
        .collect();
    assert!(
        found.is_sorted() && found.first().map(|first| first.0) != found.last().map(|last| last.0),
        "{found:?}"
    );
    let all = get(
        &world,
        "carol",
        "/issues.json?project_id=1&subproject_id=!*&author_id=5&status_id=*&limit=100",
    )["issues"]
        .clone();
    let mut all: Vec<(i64, i64)> = all.as_array().unwrap().iter().map(tracker_and_id).collect();
    all.sort_unstable();
    assert_eq!(found, all);
}

fn count_stored(folder: &Path) -> (i64, i64) {
    let ours = ours(folder);
    let field = counts(
        &ours,
        "custom_fields",
        "WHERE id = 90 AND field_format = 'attachment'",
    );
    (
        field,
        counts(
            &ours,
            "custom_values",
            "WHERE custom_field_id = 90 AND value = '2'",
        ),
    )
}

/// A field for files has no effect here, but keeps its values.
#[test]
fn custom_field_for_files_is_kept_without_effect() {
    let folder = tempfile::tempdir().unwrap();
    let source = tempfile::tempdir().unwrap();
    let (database, redmine) = copy(source.path());
    redmine
        .execute_batch(
            "INSERT INTO custom_fields (id, type, name, field_format, is_for_all, position) VALUES (90, 'IssueCustomField', 'Plan', 'attachment', 1, 9);
             INSERT INTO custom_fields_trackers (custom_field_id, tracker_id) SELECT 90, id FROM trackers;
             INSERT INTO custom_values (id, customized_type, customized_id, custom_field_id, value) VALUES (900, 'Issue', 1, 90, '2')",
        )
        .unwrap();
    message(&import(folder.path(), &database, &[]));
    assert_eq!(count_stored(folder.path()), (1, 1));
    let world = World::over(folder);
    let admin = world.anonymous().basic("admin", "adminadmin");
    let alice = world.anonymous().basic("alice", "alicealice");
    let fields = admin
        .get("/custom_fields.json")
        .assert_status(200)
        .array("/custom_fields");
    assert!(
        fields
            .iter()
            .any(|field| field["id"] == 90 && field["name"] == "Plan"),
        "{fields:?}"
    );
    alice
        .put("/issues/1.json", json!({"issue": {"subject": "Changed"}}))
        .assert_status(200);
    let folder = world.into_folder();
    assert_eq!(
        count_stored(folder.path()),
        (1, 1),
        "a change of the issue keeps the value"
    );
}
