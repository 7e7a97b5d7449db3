//! The actions on users: who may be changed, and what a deletion keeps.

use crate::world::{DEVELOPER, MANAGER, World, insert_group, user};
use quarry::actions::ActionError;
use quarry::actions::users::{
    self as actions, Actor, CreatedUser, NewPassword, RightsChange, UserChange,
};
use quarry::domain::clock::SystemEntropy;
use quarry::domain::custom_field::{CustomField, Customized, Format};
use quarry::domain::ids::UserId;
use quarry::domain::patch::Patch;
use quarry::domain::setting::Setting;
use quarry::domain::user::UserStatus;
use quarry::domain::viewer::Viewer;
use quarry::store::custom_fields;
use serde_json::json;
use std::sync::Arc;

/// Changes a user in the name of another, or of the operator.
fn update(
    world: &World,
    actor: Option<&str>,
    id: UserId,
    change: UserChange,
) -> Result<Vec<RightsChange>, ActionError> {
    let actor = actor.map(user);
    let clock = Arc::clone(&world.app.clock);
    world.app.store.write(move |db| {
        let viewer = actor.map(|id| Viewer::new(db.catalogue(), Some(id)));
        let actor = viewer.as_ref().map_or(Actor::Operator, Actor::Viewer);
        actions::update(db, actor, id, &change, clock.as_ref(), &SystemEntropy)
            .map(|updated| updated.changes)
    })
}

fn delete(world: &World, actor: Option<&str>, id: UserId) -> Result<RightsChange, ActionError> {
    let actor = actor.map(user);
    let clock = Arc::clone(&world.app.clock);
    world.app.store.write(move |db| {
        let viewer = actor.map(|id| Viewer::new(db.catalogue(), Some(id)));
        actions::delete(
            db,
            viewer.as_ref().map_or(Actor::Operator, Actor::Viewer),
            id,
            clock.as_ref(),
        )
    })
}

fn create(world: &World, change: UserChange) -> Result<CreatedUser, ActionError> {
    let clock = Arc::clone(&world.app.clock);
    world.app.store.write(move |db| {
        actions::create(db, Actor::Operator, &change, clock.as_ref(), &SystemEntropy)
    })
}

fn set(text: &str) -> Patch<String> {
    Patch::Set(text.to_owned())
}

fn new_user(login: &str) -> UserChange {
    let mail = format!("{login}@example.net");
    UserChange {
        login: set(login),
        firstname: set("N"),
        lastname: set("U"),
        mail: set(&mail),
        ..UserChange::default()
    }
}

#[track_caller]
fn messages<T: std::fmt::Debug>(outcome: Result<T, ActionError>) -> Vec<String> {
    match outcome {
        Err(ActionError::Invalid(messages)) => messages,
        other => panic!("{other:?}"),
    }
}

const LAST_ADMIN: &str =
    "The last active administrator cannot be locked, deleted or made an ordinary user";

#[test]
fn last_active_administrator_stays() {
    let world = World::new();
    let admin = user("admin");
    let status = |status| UserChange {
        status: Some(status),
        ..UserChange::default()
    };
    let demote = || UserChange {
        admin: Some(false),
        ..UserChange::default()
    };
    for change in [
        status(UserStatus::Locked),
        status(UserStatus::Registered),
        demote(),
    ] {
        assert_eq!(messages(update(&world, None, admin, change)), [LAST_ADMIN]);
    }
    assert_eq!(messages(delete(&world, None, admin)), [LAST_ADMIN]);
    // A locked administrator does not count.
    world.sql("UPDATE users SET admin = 1 WHERE login = 'erin'");
    assert_eq!(
        messages(update(&world, None, admin, demote())),
        [LAST_ADMIN]
    );
    update(
        &world,
        Some("admin"),
        user("erin"),
        status(UserStatus::Active),
    )
    .unwrap();
    assert_eq!(
        update(&world, Some("admin"), admin, demote()).unwrap(),
        [RightsChange::AdminRevoked]
    );
    assert_eq!(messages(delete(&world, None, user("erin"))), [LAST_ADMIN]);
    delete(&world, Some("erin"), admin).unwrap();
}

#[test]
fn only_administrators_manage_users_and_nobody_locks_or_deletes_the_own_account() {
    let world = World::new();
    world.sql("UPDATE users SET admin = 1 WHERE login = 'bob'");
    let lock = || UserChange {
        status: Some(UserStatus::Locked),
        ..UserChange::default()
    };
    assert_eq!(
        messages(update(&world, Some("admin"), user("admin"), lock())),
        ["You cannot lock your own account"]
    );
    assert_eq!(
        messages(delete(&world, Some("admin"), user("admin"))),
        ["You cannot delete your own account"]
    );
    for login in ["alice", "dave"] {
        assert!(matches!(
            update(&world, Some(login), user("carol"), lock()),
            Err(ActionError::Forbidden)
        ));
        assert!(matches!(
            delete(&world, Some(login), user("carol")),
            Err(ActionError::Forbidden)
        ));
        assert!(matches!(
            delete(&world, Some(login), UserId(99)),
            Err(ActionError::Forbidden)
        ));
    }
    assert!(matches!(
        update(&world, Some("admin"), UserId(99), lock()),
        Err(ActionError::NotFound)
    ));
    assert!(matches!(
        delete(&world, Some("admin"), UserId(99)),
        Err(ActionError::NotFound)
    ));
}

#[test]
fn new_user_is_valid_or_refused_with_all_reasons() {
    let world = World::new();
    let empty = [
        "Email cannot be blank",
        "Login cannot be blank",
        "First name cannot be blank",
        "Last name cannot be blank",
    ];
    assert_eq!(messages(create(&world, UserChange::default())), empty);
    let wrong = UserChange {
        login: set("ALICE"),
        firstname: set(&"x".repeat(31)),
        lastname: set("a\u{0}b"),
        mail: set("bad"),
        password: Some(NewPassword::Given("short".to_owned())),
        language: set("<b>"),
        time_zone: set("Nowhere"),
        mail_notification: set("sometimes"),
        ..UserChange::default()
    };
    let reasons = [
        "Email is invalid",
        "Login has already been taken",
        "First name is too long (maximum is 30 characters)",
        "Last name is invalid",
        "Password is too short (minimum is 8 characters)",
        "Language is invalid",
        "Time zone is not included in the list",
        "Email notifications is not included in the list",
    ];
    assert_eq!(messages(create(&world, wrong)), reasons);
    world.set(Setting::PasswordMinLength, "12");
    let short = UserChange {
        password: Some(NewPassword::Given("elevenchars".to_owned())),
        ..new_user("nina")
    };
    assert_eq!(
        messages(create(&world, short)),
        ["Password is too short (minimum is 12 characters)"]
    );
    let created = create(
        &world,
        UserChange {
            password: Some(NewPassword::Generated),
            must_change_password: Some(true),
            ..new_user("nina")
        },
    );
    let created = created.unwrap();
    assert_eq!(created.changes, [RightsChange::Created]);
    assert!(
        created
            .password
            .is_some_and(|password| password.chars().count() == 20)
    );
    let catalogue = world.app.store.catalogue().unwrap();
    let nina = &catalogue.users[&created.id];
    assert!(
        nina.must_change_password
            && nina.hides_mail
            && !nina.admin
            && nina.status == UserStatus::Active
    );
    assert_eq!(
        messages(create(
            &world,
            UserChange {
                mail: set("NINA@example.net"),
                ..new_user("other")
            }
        )),
        ["Email has already been taken"]
    );
}

#[test]
fn required_custom_field_is_needed_for_a_new_user() {
    let world = World::new();
    let field = world.write(|db| {
        let field = CustomField {
            required: true,
            ..CustomField::new(Customized::User, "Phone", Format::Line)
        };
        custom_fields::insert(db, &field)
    });
    assert_eq!(
        messages(create(&world, new_user("nina"))),
        ["Phone cannot be blank"]
    );
    let id = create(
        &world,
        UserChange {
            custom: vec![(field, vec!["123".to_owned()])],
            ..new_user("nina")
        },
    )
    .unwrap()
    .id;
    let values = world
        .app
        .store
        .read(|db| custom_fields::find_values(db, Customized::User, id.0))
        .unwrap();
    assert_eq!(values.get(field).unwrap(), ["123"]);
    // Others are asked for it only when they change it.
    update(
        &world,
        None,
        user("bob"),
        UserChange {
            firstname: set("Bo"),
            ..UserChange::default()
        },
    )
    .unwrap();
}

/// Bob has written and been assigned everywhere; then the account goes.
#[test]
fn records_of_a_deleted_user_belong_to_anonymous_and_are_found_with_that_author() {
    let world = World::with_projects();
    let issue = world
        .issue("open")
        .author("bob")
        .subject("quokka")
        .field("assigned_to_id", user("bob").0)
        .create();
    let assigned = world
        .issue("open")
        .author("alice")
        .subject("wombat")
        .field("assigned_to_id", user("bob").0)
        .create();
    let note = json!({"issue": {"notes": "numbat", "assigned_to_id": user("alice").0}});
    world
        .as_user("bob")
        .put(&format!("/issues/{issue}.json"), note)
        .assert_status(200);
    let page = json!({"wiki_page": {"text": "bilby"}});
    world
        .as_user("bob")
        .put("/projects/open/wiki/Marsupials.json", page)
        .assert_status(201);
    world.sql(
        "INSERT INTO queries (type, name, user_id, visibility) VALUES ('IssueQuery', 'private', 3, 0), ('IssueQuery', 'public', 3, 2);
         INSERT INTO bookmarks (user_id, project_id) VALUES (3, 1);
         INSERT INTO email_addresses (user_id, address, created_on, updated_on) VALUES (3, 'b@example.net', 0, 0);
         INSERT INTO comments (commented_type, commented_id, author_id, created_on, updated_on) VALUES ('News', 1, 3, 0, 0)",
    );
    let now = world.app.clock.now();
    world.write(move |db| insert_group(db, "Quality", &[user("bob")], now));
    assert_eq!(world.as_user("bob").get("/users/current.json").status, 200);

    assert_eq!(
        delete(&world, Some("admin"), user("bob")).unwrap(),
        RightsChange::Deleted
    );

    world
        .as_user("bob")
        .get("/users/current.json")
        .assert_status(401);
    let alice = world.as_user("alice");
    let shown = alice
        .get(&format!("/issues/{issue}.json?include=journals"))
        .assert_status(200)
        .json_path("/issue");
    let anonymous = shown["author"]["id"].as_i64().unwrap();
    assert_eq!(shown["author"]["name"], "Anonymous");
    assert_eq!(shown["journals"][0]["user"]["name"], "Anonymous");
    let details = shown["journals"][0]["details"].as_array().unwrap();
    let change = details
        .iter()
        .find(|detail| detail["name"] == "assigned_to_id")
        .unwrap();
    assert_eq!(
        (&change["old_value"], &change["new_value"]),
        (
            &json!(anonymous.to_string()),
            &json!(user("alice").0.to_string())
        )
    );
    let unassigned = alice
        .get(&format!("/issues/{assigned}.json"))
        .assert_status(200)
        .json_path("/issue");
    assert!(unassigned.get("assigned_to").is_none(), "{unassigned}");
    let version = alice
        .get("/projects/open/wiki/Marsupials.json")
        .assert_status(200)
        .json_path("/wiki_page");
    assert_eq!(version["author"]["name"], "Anonymous");

    // The facet is counted by the index.
    let authors = |word: &str| {
        let found = alice
            .get(&format!("/search.json?q={word}&facets=author"))
            .assert_status(200)
            .json_path("/facets/author");
        found
            .as_array()
            .unwrap()
            .iter()
            .map(|author| (author["id"].as_i64().unwrap(), author["name"].clone()))
            .collect::<Vec<_>>()
    };
    for word in ["quokka", "bilby"] {
        assert_eq!(authors(word), [(anonymous, json!("Anonymous"))], "{word}");
    }
    assert_eq!(authors("wombat")[0].0, user("alice").0);
    assert_eq!(
        alice
            .get(&format!("/issues.json?author_id={anonymous}&status_id=*"))
            .json()["total_count"],
        1
    );

    for (table, condition) in [
        ("users", "id = 3"),
        ("members", "user_id = 3"),
        ("group_users", "user_id = 3"),
        ("watchers", "user_id = 3"),
        ("bookmarks", "user_id = 3"),
        ("email_addresses", "user_id = 3"),
        ("sessions", "user_id = 3"),
        ("queries", "user_id = 3"),
        ("comments", "author_id = 3"),
        ("queries", "name = 'private'"),
    ] {
        assert_eq!(count(&world, table, condition), 0, "{table}");
    }
    assert_eq!(
        count(
            &world,
            "queries",
            &format!("name = 'public' AND user_id = {anonymous}")
        ),
        1
    );

    // A second deletion uses the same anonymous user.
    delete(&world, Some("admin"), user("carol")).unwrap();
    assert_eq!(count(&world, "users", "type = 'AnonymousUser'"), 1);
}

#[test]
fn private_notes_of_a_deleted_user_stay_private() {
    let world = World::with_projects();
    world.sql("INSERT INTO role_permissions (role_id, name) SELECT 5, 'set_notes_private' WHERE NOT EXISTS (SELECT 1 FROM role_permissions WHERE role_id = 5 AND name = 'set_notes_private')");
    let issue = world.issue("open").author("alice").create();
    let note = json!({"issue": {"notes": "pangolin", "private_notes": true}});
    world
        .as_user("bob")
        .put(&format!("/issues/{issue}.json"), note)
        .assert_status(200);
    delete(&world, Some("admin"), user("bob")).unwrap();
    let found = |login: &str| {
        world
            .as_user(login)
            .get("/search.json?q=pangolin")
            .assert_status(200)
            .integer("/total_count")
    };
    assert_eq!((found("alice"), found("carol")), (1, 0));
}

#[test]
fn locking_and_a_new_password_end_cached_credentials_at_once() {
    let world = World::new();
    world
        .project("open")
        .member("bob", DEVELOPER)
        .member("alice", MANAGER)
        .create();
    let basic = |password: &str| {
        world
            .anonymous()
            .basic("bob", password)
            .get("/users/current.json")
            .status
    };
    assert_eq!((basic("bobbobbob"), basic("bobbobbob")), (200, 200));
    let password = NewPassword::Given("another one".to_owned());
    update(
        &world,
        Some("admin"),
        user("bob"),
        UserChange {
            password: Some(password),
            ..UserChange::default()
        },
    )
    .unwrap();
    assert_eq!((basic("bobbobbob"), basic("another one")), (401, 200));
    let lock = UserChange {
        status: Some(UserStatus::Locked),
        ..UserChange::default()
    };
    assert_eq!(
        update(&world, Some("admin"), user("bob"), lock).unwrap(),
        [RightsChange::Locked]
    );
    assert_eq!(basic("another one"), 401);
    world
        .as_user("bob")
        .get("/users/current.json")
        .assert_status(401);
}

/// Returns the number of rows in the database file.
#[allow(clippy::disallowed_methods, reason = "the statement is the test's own")]
fn count(world: &World, table: &str, condition: &str) -> i64 {
    let connection = rusqlite::Connection::open(world.app.store.path()).unwrap();
    connection
        .query_row(
            &format!("SELECT COUNT(*) FROM {table} WHERE {condition}"),
            [],
            |row| row.get(0),
        )
        .unwrap()
}
