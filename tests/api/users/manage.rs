//! The actions on users: who may be changed, and how.

use quarry::actions::ActionError;
use quarry::actions::accounts::users::{
    self as actions, Actor, CreatedUser, NewPassword, RightsChange, UserChange,
};
use quarry::domain::access::viewer::Viewer;
use quarry::domain::accounts::user::UserStatus;
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::UserId;
use quarry::domain::values::patch::Patch;
use quarry::store::administration::custom_fields;
use quarry_world::{DEVELOPER, MANAGER, World, user};

/// Changes a user in the name of another, or of the operator.
fn update(
    world: &World,
    actor: Option<&str>,
    id: UserId,
    change: UserChange,
) -> Result<Vec<RightsChange>, ActionError> {
    let actor = actor.map(user);
    world.app.store.write(move |db| {
        let viewer = actor.map(|id| Viewer::new(db.catalogue(), Some(id)));
        let actor = viewer.as_ref().map_or(Actor::Operator, Actor::Viewer);
        actions::update(db, actor, id, &change).map(|updated| updated.changes)
    })
}

pub fn delete(world: &World, actor: Option<&str>, id: UserId) -> Result<RightsChange, ActionError> {
    let actor = actor.map(user);
    world.app.store.write(move |db| {
        let viewer = actor.map(|id| Viewer::new(db.catalogue(), Some(id)));
        actions::delete(
            db,
            viewer.as_ref().map_or(Actor::Operator, Actor::Viewer),
            id,
        )
    })
}

fn create(world: &World, change: UserChange) -> Result<CreatedUser, ActionError> {
    world
        .app
        .store
        .write(move |db| actions::create(db, Actor::Operator, &change))
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
        Err(ActionError::Invalid(errors)) => errors.messages(),
        other => panic!("{other:?}"),
    }
}

const LAST_ADMIN: &str =
    "The last active administrator cannot be locked, deleted or made an ordinary user";

fn with_status(status: UserStatus) -> UserChange {
    UserChange {
        status: Some(status),
        ..UserChange::default()
    }
}

fn demotion() -> UserChange {
    UserChange {
        admin: Some(false),
        ..UserChange::default()
    }
}

#[test]
fn last_active_administrator_stays() {
    let world = World::new();
    let admin = user("admin");
    for change in [
        with_status(UserStatus::Locked),
        with_status(UserStatus::Registered),
        demotion(),
    ] {
        assert_eq!(messages(update(&world, None, admin, change)), [LAST_ADMIN]);
    }
    assert_eq!(messages(delete(&world, None, admin)), [LAST_ADMIN]);
    // A locked administrator does not count.
    world.sql("UPDATE users SET admin = 1 WHERE login = 'erin'");
    assert_eq!(
        messages(update(&world, None, admin, demotion())),
        [LAST_ADMIN]
    );
    update(
        &world,
        Some("admin"),
        user("erin"),
        with_status(UserStatus::Active),
    )
    .unwrap();
    assert_eq!(
        update(&world, Some("admin"), admin, demotion()).unwrap(),
        [RightsChange::AdminRevoked]
    );
    assert_eq!(messages(delete(&world, None, user("erin"))), [LAST_ADMIN]);
    delete(&world, Some("erin"), admin).unwrap();
}

fn lock() -> UserChange {
    UserChange {
        status: Some(UserStatus::Locked),
        ..UserChange::default()
    }
}

#[test]
fn only_administrators_manage_users_and_nobody_locks_or_deletes_the_own_account() {
    let world = World::new();
    world.sql("UPDATE users SET admin = 1 WHERE login = 'bob'");
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

fn status_of_login(world: &World, password: &str) -> u16 {
    world
        .anonymous()
        .basic("bob", password)
        .get("/users/current.json")
        .status
}

#[test]
fn locking_and_a_new_password_end_cached_credentials_at_once() {
    let world = World::new();
    world
        .project("open")
        .member("bob", DEVELOPER)
        .member("alice", MANAGER)
        .create();
    assert_eq!(
        (
            status_of_login(&world, "bobbobbob"),
            status_of_login(&world, "bobbobbob")
        ),
        (200, 200)
    );
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
    assert_eq!(
        (
            status_of_login(&world, "bobbobbob"),
            status_of_login(&world, "another one")
        ),
        (401, 200)
    );
    let lock = UserChange {
        status: Some(UserStatus::Locked),
        ..UserChange::default()
    };
    assert_eq!(
        update(&world, Some("admin"), user("bob"), lock).unwrap(),
        [RightsChange::Locked]
    );
    assert_eq!(status_of_login(&world, "another one"), 401);
    world
        .as_user("bob")
        .get("/users/current.json")
        .assert_status(401);
}

/// Returns the number of rows that match.
pub fn count(world: &World, table: &str, condition: &str) -> i64 {
    world
        .database()
        .value(&format!("SELECT COUNT(*) FROM {table} WHERE {condition}"))
}
