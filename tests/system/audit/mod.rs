//! The audit log: changes of permissions, visibility and accounts (operations 10).

pub mod collector;
mod copies;
mod refused_keys;
mod routes;
mod stored;
mod stored_details;

use collector::{Fields, events, start, texts};
use quarry_world::browser::Browser;
use quarry_world::oauth_flow::{App, refresh, tokens};
use quarry_world::{DEVELOPER, MANAGER, World};
use serde_json::json;

/// Asserts that the events have the user and the address of the client.
#[track_caller]
fn assert_origin(events: &[Fields], user: &str) {
    assert!(!events.is_empty());
    for event in events {
        assert_eq!(
            (event["user.id"].as_str(), event["client.address"].as_str()),
            (user, "127.0.0.1"),
            "{event:?}"
        );
    }
}

#[test]
fn memberships_are_logged_with_project_and_roles() {
    start();
    let world = World::new();
    world
        .project("audited-members")
        .member("alice", MANAGER)
        .create();
    let alice = world.as_user("alice");
    let new = json!({"membership": {"user_ids": [3, 4], "role_ids": [4, 5]}});
    let created = alice
        .post("/projects/audited-members/memberships.json", new)
        .assert_status(201)
        .integer("/membership/id");
    let path = format!("/memberships/{created}.json");
    alice
        .put(&path, json!({"membership": {"role_ids": [5]}}))
        .assert_status(200);
    alice.delete(&path).assert_status(200);
    alice.delete(&path).assert_status(404);
    alice
        .post(
            "/projects/audited-members/memberships.json",
            json!({"membership": {"user_id": 99}}),
        )
        .assert_status(422);
    let logged = events("project.identifier", "audited-members");
    assert_origin(&logged, "2");
    assert_eq!(texts(&logged, "record.type"), ["membership"; 4]);
    assert_eq!(
        texts(&logged, "record.change"),
        ["created", "created", "updated", "deleted"]
    );
    assert_eq!(
        texts(&logged, "record.name"),
        ["bob Tester", "carol Tester", "bob Tester", "bob Tester"]
    );
    assert_eq!(
        texts(&logged, "record.details"),
        [
            "Developer, Reporter",
            "Developer, Reporter",
            "Reporter",
            "Reporter"
        ]
    );
}

#[test]
fn changes_of_project_visibility_are_logged() {
    start();
    let world = World::new();
    let admin = world.as_user("admin");
    let new = json!({"project": {"name": "Audited", "identifier": "audited-project", "is_public": false}});
    admin.post("/projects.json", new).assert_status(201);
    let path = "/projects/audited-project";
    for change in [
        json!({"is_public": true}),
        json!({"name": "Other"}),
        json!({"is_public": false}),
        json!({"inherit_members": true}),
    ] {
        admin
            .put(&format!("{path}.json"), json!({ "project": change }))
            .assert_status(200);
    }
    for step in ["close", "reopen", "archive", "unarchive"] {
        admin
            .put(&format!("{path}/{step}.json"), json!({}))
            .assert_status(204);
    }
    world
        .as_user("bob")
        .delete(&format!("{path}.json"))
        .assert_status(403);
    admin.delete(&format!("{path}.json")).assert_status(200);
    let logged = events("record.name", "audited-project");
    assert_origin(&logged, "1");
    let changes = [
        "created",
        "public",
        "private",
        "inherits members",
        "closed",
        "reopened",
        "archived",
        "unarchived",
        "deleted",
    ];
    assert_eq!(texts(&logged, "record.change"), changes);
    assert_eq!(logged[0]["record.details"], "private");
}

#[test]
fn deleted_issues_are_logged_without_their_subjects() {
    start();
    let world = World::new();
    world
        .project("audited-issues")
        .member("alice", MANAGER)
        .member("bob", DEVELOPER)
        .create();
    let parent = world
        .issue("audited-issues")
        .subject("Confidential")
        .create();
    let child = world.issue("audited-issues").parent(parent).create();
    world
        .as_user("bob")
        .delete(&format!("/issues/{parent}.json"))
        .assert_status(403);
    world
        .as_user("alice")
        .delete(&format!("/issues/{parent}.json"))
        .assert_status(200);
    let logged = events("project.identifier", "audited-issues");
    assert_origin(&logged, "2");
    let mut ids = texts(&logged, "record.id");
    ids.sort();
    assert_eq!(ids, [parent.to_string(), child.to_string()]);
    assert_eq!(texts(&logged, "record.change"), ["deleted", "deleted"]);
    assert!(!format!("{logged:?}").contains("Confidential"));
}

#[test]
fn trackers_statuses_and_enumerations_are_logged() {
    start();
    let world = World::new();
    let admin = world.as_user("admin");
    for (path, object, more) in [
        (
            "/trackers",
            "tracker",
            json!({"name": "Audited tracker", "default_status_id": 1}),
        ),
        (
            "/issue_statuses",
            "issue_status",
            json!({"name": "Audited status"}),
        ),
        (
            "/enumerations/issue_priorities",
            "issue_priority",
            json!({"name": "Audited priority"}),
        ),
    ] {
        let id = admin
            .post(&format!("{path}.json"), json!({ object: more }))
            .assert_status(201)
            .integer(&format!("/{object}/id"));
        let record = format!("{path}/{id}.json");
        // What changes nothing is no event.
        admin.put(&record, json!({object: {}})).assert_status(200);
        admin
            .put(&record, json!({object: {"position": 1}}))
            .assert_status(200);
        admin
            .put(&record, json!({object: {"name": ""}}))
            .assert_status(422);
        admin.delete(&record).assert_status(204);
    }
    for (record, name) in [
        ("tracker", "Audited tracker"),
        ("issue status", "Audited status"),
        ("issue priority", "Audited priority"),
    ] {
        let logged = events("record.name", name);
        assert_origin(&logged, "1");
        assert_eq!(texts(&logged, "record.type"), [record; 3]);
        assert_eq!(
            texts(&logged, "record.change"),
            ["created", "updated", "deleted"]
        );
    }
}

#[test]
fn changes_of_workflows_and_roles_in_the_browser_are_logged() {
    start();
    let world = World::new();
    world.sql("INSERT INTO roles (id, name, position) VALUES (77, 'Audited browser role', 77)");
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/workflows/copy").assert_status(200);
    let copy = [
        ("source_tracker", "same"),
        ("source_role", "4"),
        ("tracker_id[]", "1"),
        ("tracker_id[]", "2"),
        ("role_id[]", "77"),
        ("do", "save"),
    ];
    admin
        .submit(&page, "/workflows/copy", &copy)
        .assert_status(303);
    let cells = [("changes", "everybody-1-2=0"), ("do", "save")];
    let edit = "/workflows/edit?role_id[]=77&tracker_id[]=1";
    admin.submit(&page, edit, &cells).assert_status(303);
    // Nothing changes.
    admin.submit(&page, edit, &cells).assert_status(303);
    let logged = events("record.details", "Audited browser role");
    assert_origin(&logged, "1");
    assert_eq!(texts(&logged, "record.type"), ["workflow"; 3]);
    assert_eq!(texts(&logged, "record.name"), ["Bug", "Feature", "Bug"]);
    let matrix = [("shown[77]", ""), ("permissions[77][]", "manage_news")];
    admin
        .submit(&page, "/roles/permissions", &matrix)
        .assert_status(303);
    let logged = events("role.id", "77");
    assert_origin(&logged, "1");
    assert_eq!(texts(&logged, "role.change"), ["updated"]);
}

#[test]
fn workflows_custom_fields_and_groups_are_logged() {
    start();
    let world = World::new();
    let admin = world.as_user("admin");
    let role = admin
        .post("/roles.json", json!({"role": {"name": "Audited role"}}))
        .assert_status(201)
        .integer("/role/id");
    admin
        .put(
            &format!("/workflows.json?role_id={role}&tracker_id=1"),
            json!({"workflow": {"transitions": []}}),
        )
        .assert_status(200);
    let workflow = events("record.details", "Audited role");
    assert_origin(&workflow, "1");
    assert_eq!(
        (
            texts(&workflow, "record.type"),
            texts(&workflow, "record.change")
        ),
        (vec!["workflow".into()], vec!["updated".into()])
    );

    let field = json!({"custom_field": {"customized_type": "issue", "field_format": "string", "name": "Audited field"}});
    let id = admin
        .post("/custom_fields.json", field)
        .assert_status(201)
        .integer("/custom_field/id");
    admin
        .put(
            &format!("/custom_fields/{id}.json"),
            json!({"custom_field": {"is_required": true}}),
        )
        .assert_status(200);
    admin
        .delete(&format!("/custom_fields/{id}.json"))
        .assert_status(204);
    assert_eq!(
        texts(&events("record.name", "Audited field"), "record.change"),
        ["created", "updated", "deleted"]
    );

    let id = admin
        .post(
            "/groups.json",
            json!({"group": {"name": "Audited group", "user_ids": [3]}}),
        )
        .assert_status(201)
        .integer("/group/id");
    admin
        .put(
            &format!("/groups/{id}.json"),
            json!({"group": {"twofa_required": true}}),
        )
        .assert_status(200);
    admin
        .delete(&format!("/groups/{id}.json"))
        .assert_status(200);
    let logged = events("record.name", "Audited group");
    assert_eq!(
        texts(&logged, "record.change"),
        ["created", "updated", "deleted"]
    );
    assert_eq!(logged[1]["record.details"], "second factor required");
}

fn count_shown_keys() -> usize {
    events("account.login", "audited")
        .into_iter()
        .filter(|event| event["account.change"] == "api key shown")
        .count()
}

#[test]
fn showing_the_api_key_of_another_user_is_logged() {
    start();
    let world = World::new();
    let admin = world.as_user("admin");
    let user = json!({"user": {"login": "audited", "firstname": "A", "lastname": "B", "mail": "a@example.net", "password": "long enough"}});
    admin.post("/users.json", user).assert_status(201);
    let before = count_shown_keys();
    let key = admin.get("/users/7.json").assert_status(200).json()["user"]["api_key"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(count_shown_keys(), before + 1);
    let owner = world.anonymous().with("X-Service-API-Key", &key);
    owner.get("/users/7.json").assert_status(200);
    owner.get("/users/current.json").assert_status(200);
    world
        .as_user("alice")
        .get("/users/7.json")
        .assert_status(200);
    admin.get("/users.json").assert_status(200);
    assert_eq!(count_shown_keys(), before + 1);
    assert!(!format!("{:?}", events("account.login", "audited")).contains(&key));
}

#[test]
fn issued_and_revoked_tokens_are_logged_without_their_values() {
    start();
    let world = World::with_projects();
    let app = App::confidential(&world, "view_issues");
    let issued = tokens(&world, "bob", &app, "view_issues");
    let body = refresh(&world, &app, &issued.refresh)
        .assert_status(200)
        .body;
    quarry_world::oauth_flow::form(
        &world,
        "/oauth/revoke",
        &format!("token={}&{}", issued.access, app.credentials()),
    )
    .assert_status(200);
    let logged: Vec<Fields> = events("oauth.client", &app.client_id)
        .into_iter()
        .filter(|event| event.contains_key("oauth.grant"))
        .collect();
    assert_eq!(
        texts(&logged, "oauth.grant"),
        ["authorization_code", "refresh_token", "revoked"]
    );
    assert_origin(&logged[..2], "3");
    assert_eq!(logged[0]["oauth.scopes"], "view_issues");
    let text = format!("{logged:?}");
    let secrets = [
        issued.access.as_str(),
        issued.refresh.as_str(),
        app.secret.as_deref().unwrap(),
    ];
    assert!(
        secrets.iter().all(|secret| !text.contains(secret)) && !body.is_empty(),
        "{text}"
    );
}

fn count_mail_changes() -> usize {
    events("user.id", "4")
        .into_iter()
        .filter(|event| {
            event
                .get("account.change")
                .is_some_and(|change| change == "mail")
        })
        .count()
}

#[test]
fn new_mail_address_of_ones_own_is_logged() {
    start();
    let world = World::new();
    let carol = world.as_user("carol");
    let before = count_mail_changes();
    carol
        .put(
            "/my/account.json",
            json!({"user": {"mail": "carol@example.net"}}),
        )
        .assert_status(200);
    assert_eq!(count_mail_changes(), before + 1);
}
