//! People create accounts for themselves, where the setting allows it.

use quarry::domain::accounts::user::UserStatus;
use quarry::domain::administration::setting::Setting;
use quarry_world::browser::Browser;
use quarry_world::{Response, World};

const PATH: &str = "/account/register";

fn register(browser: &Browser<'_>, login: &str, password: &str) -> Response {
    let page = browser.get(PATH).assert_status(200);
    let mail = format!("{login}@example.org");
    let form = [
        ("user[login]", login),
        ("user[firstname]", "Gina"),
        ("user[lastname]", "Guest"),
        ("user[mail]", mail.as_str()),
        ("user[admin]", "1"),
        ("user[status]", "1"),
        ("password", password),
        ("password_confirmation", password),
    ];
    browser.submit(&page, PATH, &form)
}

fn status(world: &World, login: &str) -> Option<UserStatus> {
    let catalogue = world.app.store.catalogue().unwrap();
    let id = catalogue.logins.get(login)?;
    assert!(!catalogue.users[id].admin);
    Some(catalogue.users[id].status)
}

#[test]
fn nobody_registers_while_the_setting_is_off() {
    let world = World::new();
    let gina = Browser::new(&world);
    gina.get(PATH)
        .assert_contains("New accounts are created by administrators here.");
    assert!(!gina.get("/login").body.contains(PATH));
    let login = gina.get("/login").assert_status(200);
    let form = [("user[login]", "gina"), ("password", "ginaginagina")];
    gina.submit(&login, PATH, &form).assert_status(403);
    assert_eq!(status(&world, "gina"), None);
}

#[test]
fn account_waits_for_an_administrator() {
    let world = World::new();
    world.set(Setting::SelfRegistration, "2");
    let gina = Browser::new(&world);
    gina.get("/login").assert_contains(PATH);
    let created = register(&gina, "gina", "ginaginagina").assert_status(303);
    assert_eq!(created.location(), "/login");
    assert_eq!(status(&world, "gina"), Some(UserStatus::Registered));
    gina.log_in("gina", "ginaginagina", &[]).assert_status(422);
    let admin = Browser::logged_in(&world, "admin");
    admin.get("/admin").assert_contains("/users?status=2");
    let page = admin.get("/users/7/edit").assert_status(200);
    admin
        .submit(&page, "/users/7/status", &[("status", "1")])
        .assert_status(303);
    gina.log_in("gina", "ginaginagina", &[]).assert_status(303);
}

#[test]
fn account_can_be_used_at_once() {
    let world = World::new();
    world.set(Setting::SelfRegistration, "3");
    let gina = Browser::new(&world);
    register(&gina, "gina", "ginaginagina").assert_status(303);
    assert_eq!(status(&world, "gina"), Some(UserStatus::Active));
    gina.log_in("gina", "ginaginagina", &[]).assert_status(303);
}

#[test]
fn each_form_counts_so_that_logins_cannot_be_tried_out() {
    let world = World::new();
    world.set(Setting::SelfRegistration, "3");
    let gina = Browser::new(&world);
    for _ in 0..5 {
        let again = register(&gina, "alice", "ginaginagina").assert_status(422);
        assert!(again.body.contains("id=\"user[login]-error\""), "{again:?}");
    }
    register(&gina, "gina", "ginaginagina")
        .assert_status(429)
        .assert_contains("Try again in");
    assert_eq!(status(&world, "gina"), None);
}

#[test]
fn custom_fields_that_users_may_edit_are_part_of_the_form() {
    let world = World::new();
    world.set(Setting::SelfRegistration, "3");
    world.sql(
        "INSERT INTO custom_fields (id, type, name, field_format, position, is_required, editable, visible) VALUES
         (1, 'UserCustomField', 'Office', 'string', 1, 1, 1, 1), (2, 'UserCustomField', 'Salary', 'string', 2, 1, 0, 0)",
    );
    let gina = Browser::new(&world);
    let page = gina.get(PATH).assert_status(200);
    assert!(page.body.contains("Office") && !page.body.contains("Salary"));
    register(&gina, "gina", "ginaginagina")
        .assert_status(422)
        .assert_contains("Office cannot be blank");
    let form = [
        ("user[login]", "gina"),
        ("user[firstname]", "Gina"),
        ("user[lastname]", "Guest"),
        ("user[mail]", "gina@example.org"),
        ("user[custom_field_values][1]", "Room 4"),
        ("user[custom_field_values][2]", "a million"),
        ("password", "ginaginagina"),
        ("password_confirmation", "ginaginagina"),
    ];
    gina.submit(&page, PATH, &form).assert_status(303);
    let admin = world.as_user("admin");
    let shown = admin.get("/users/7.json").assert_status(200);
    assert!(shown.body.contains("Room 4") && !shown.body.contains("a million"));
}
