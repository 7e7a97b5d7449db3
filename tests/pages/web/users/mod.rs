//! Users, as administrators manage them in the browser.

mod access;
mod passwords;

use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::administration::setting::Setting;
use quarry::store::administration::custom_fields;
use quarry_world::browser::{Browser, csrf_token};
use quarry_world::{Response, World, insert_group, user};

/// The pages of a user, and whether each is loaded.
const PAGES: [(&str, bool); 7] = [
    ("/users", true),
    ("/users/new", true),
    ("/users/3/edit", true),
    ("/users/3/password", true),
    ("/users/3/two_factor", true),
    ("/users/3/delete", true),
    ("/users/3/status", false),
];

const PROFILE: [(&str, &str); 5] = [
    ("login", "nina"),
    ("firstname", "Nina"),
    ("lastname", "New"),
    ("mail", "nina@example.net"),
    ("time_zone", "Europe/Berlin"),
];

/// The fields of the form of bob, with these changes.
fn bob<'f>(changes: &[(&'f str, &'f str)]) -> Vec<(&'f str, &'f str)> {
    let stored = [
        ("login", "bob"),
        ("firstname", "bob"),
        ("lastname", "Tester"),
        ("mail", "bob@example.net"),
        ("hide_mail", "1"),
    ];
    let unchanged = stored
        .into_iter()
        .filter(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
    unchanged.chain(changes.iter().copied()).collect()
}

/// Returns the id in the address to which a reply redirects.
fn id_in(reply: &Response) -> String {
    reply
        .location()
        .trim_start_matches("/users/")
        .trim_end_matches("/edit")
        .to_owned()
}

#[test]
fn pages_are_for_administrators_who_send_the_token() {
    let world = World::new();
    let anonymous = Browser::new(&world);
    let alice = Browser::logged_in(&world, "alice");
    let admin = Browser::logged_in(&world, "admin");
    let token = csrf_token(&alice.get("/my/account"));
    for (path, is_loaded) in PAGES {
        if is_loaded {
            assert!(
                anonymous
                    .get(path)
                    .assert_status(302)
                    .location()
                    .starts_with("/login?back_url="),
                "{path}"
            );
            alice.get(path).assert_status(403);
            admin.get(path).assert_status(200);
        }
        if path != "/users" {
            let fields = [
                ("password", "adminadmin"),
                ("status", "3"),
                ("generate_password", "1"),
            ];
            assert_eq!(
                admin.post(path, &fields).status,
                403,
                "{path} without a token"
            );
            let with_token = [&fields[..], &[("authenticity_token", token.as_str())]].concat();
            assert_eq!(alice.post(path, &with_token).status, 403, "{path} by alice");
        }
    }
    for path in [
        "/users/99/edit",
        "/users/99/password",
        "/users/99/two_factor",
        "/users/99/delete",
        "/users/x/edit",
    ] {
        admin.get(path).assert_status(404);
    }
    let catalogue = world.app.store.catalogue().unwrap();
    assert!(
        catalogue.users.len() == 6
            && catalogue.users[&user("bob")].status
                == quarry::domain::accounts::user::UserStatus::Active
    );
    world.set(Setting::LoginRequired, "0");
    anonymous.get("/users").assert_status(302);
}

fn logins(admin: &Browser<'_>, query: &str) -> Vec<String> {
    let page = admin.get(&format!("/users{query}")).assert_status(200);
    let rows = page.body.split("/edit\">").skip(1);
    rows.map(|row| row.split('<').next().unwrap().to_owned())
        .collect::<Vec<_>>()
}

#[test]
fn users_are_searched_filtered_and_sorted() {
    let world = World::new();
    let now = world.app.clock.now();
    let group = world.write(move |db| insert_group(db, "<b>Quality", &[user("carol")], now));
    let admin = Browser::logged_in(&world, "admin");
    assert_eq!(
        logins(&admin, ""),
        ["admin", "alice", "bob", "carol", "dave"]
    );
    assert_eq!(logins(&admin, "?status=3"), ["erin"]);
    assert_eq!(
        logins(&admin, "?status=*&sort=login:desc"),
        ["erin", "dave", "carol", "bob", "alice", "admin"]
    );
    assert_eq!(logins(&admin, "?name=TEST%20bo"), ["bob"]);
    assert_eq!(logins(&admin, &format!("?group_id={group}")), ["carol"]);
    assert_eq!(logins(&admin, "?sort=last_login_on:desc")[0], "admin");
    assert_eq!(logins(&admin, "?limit=2&page=2"), ["bob", "carol"]);
    assert!(logins(&admin, "?group_id=x").is_empty() && logins(&admin, "?name=nobody").is_empty());
    let page = admin
        .get("/users?name=%3Cscript%3E&status=%22x&sort=%27&page=0&limit=-1")
        .assert_status(200);
    assert!(
        !page.body.contains("<script>")
            && page.body.contains("&#60;script&#62;")
            && page.body.contains("&#60;b&#62;Quality")
    );
    assert!(page.body.contains("No users match."));
}

#[test]
fn user_is_created_with_a_generated_password_that_must_be_changed() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let form = admin.get("/users/new").assert_status(200);
    let send =
        |more: &[(&str, &str)]| admin.submit(&form, "/users/new", &[&PROFILE[..], more].concat());
    assert!(
        send(&[])
            .assert_status(422)
            .body
            .contains("Enter a password, or let one be generated.")
    );
    let differ = [
        ("new_password", "long enough"),
        ("new_password_confirmation", "other"),
    ];
    assert!(
        send(&differ)
            .assert_status(422)
            .body
            .contains("The two passwords differ.")
    );
    let short = [
        ("new_password", "short"),
        ("new_password_confirmation", "short"),
    ];
    let refused = send(&short).assert_status(422);
    assert!(
        refused
            .body
            .contains("is too short (minimum is 8 characters)")
            && refused.body.contains("value=\"Nina\""),
        "{refused:?}"
    );
    let created =
        send(&[("generate_password", "1"), ("must_change_passwd", "1")]).assert_status(200);
    let password = created
        .body
        .split("id=\"password\" tabindex=\"0\">")
        .nth(1)
        .unwrap()
        .split('<')
        .next()
        .unwrap()
        .to_owned();
    assert_eq!(
        (password.len(), created.header("cache-control")),
        (20, "no-store")
    );
    let nina = Browser::new(&world);
    assert!(
        nina.log_in("nina", &password, &[])
            .assert_status(200)
            .body
            .contains("Choose a new password")
    );
    let catalogue = world.app.store.catalogue().unwrap();
    let stored = catalogue.user_by_login("nina").unwrap();
    assert!(stored.time_zone == "Europe/Berlin" && stored.must_change_password && !stored.admin);
    let again = send(&[("generate_password", "1")]).assert_status(422);
    assert!(
        again.body.contains("Login has already been taken")
            && again.body.contains("Email has already been taken"),
        "{again:?}"
    );
}

#[test]
fn user_is_edited_with_groups_and_custom_fields() {
    let world = World::new();
    let now = world.app.clock.now();
    let (group, phone, team) = world.write(move |db| {
        let phone = CustomField {
            max_length: Some(5),
            ..CustomField::new(Customized::User, "Phone \"x\"", Format::Line)
        };
        let team = CustomField {
            possible_values: vec!["Red".into(), "Blue".into()],
            ..CustomField::new(Customized::User, "Team", Format::List)
        };
        let fields = (
            custom_fields::insert(db, &phone)?,
            custom_fields::insert(db, &team)?,
        );
        Ok((insert_group(db, "Quality", &[], now)?, fields.0, fields.1))
    });
    let admin = Browser::logged_in(&world, "admin");
    let path = format!("/users/{}/edit", user("bob").0);
    let page = admin.get(&path).assert_status(200);
    let phone_name = format!("user[custom_field_values][{phone}]");
    let team_name = format!("user[custom_field_values][{team}]");
    let group_id = group.to_string();
    let send = |phone: &str, lastname: &str| {
        let more = [
            ("lastname", lastname),
            ("groups[]", ""),
            ("groups[]", group_id.as_str()),
            (phone_name.as_str(), phone),
            (team_name.as_str(), "Blue"),
        ];
        admin.submit(&page, &path, &bob(&more))
    };
    let refused = send("123456", "<script>alert(1)</script>").assert_status(422);
    assert!(
        refused
            .body
            .contains("Phone &#34;x&#34; is too long (maximum is 5 characters)"),
        "{refused:?}"
    );
    assert!(refused.body.contains("value=\"123456\"") && !refused.body.contains("<script>alert"));
    send("123", "O'Neill \"B\"").assert_status(303);
    let saved = admin.get(&path).assert_status(200);
    assert!(
        saved.body.contains("value=\"123\"")
            && saved.body.contains("<option value=\"Blue\" selected>"),
        "{saved:?}"
    );
    assert!(
        saved.body.contains(&format!("value=\"{group}\" checked"))
            && saved.body.contains("O&#39;Neill &#34;B&#34;")
    );
    let blank = admin
        .submit(
            &page,
            &path,
            &bob(&[("login", ""), ("mail", "bad"), ("time_zone", "Nowhere")]),
        )
        .assert_status(422);
    for message in [
        "Login cannot be blank",
        "Email is invalid",
        "Time zone is not included in the list",
    ] {
        assert!(blank.body.contains(message), "{message}: {blank:?}");
    }
}

#[test]
fn user_is_locked_and_let_in_again() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let bob = Browser::logged_in(&world, "bob");
    let path = format!("/users/{}/status", user("bob").0);
    let edit = format!("/users/{}/edit", user("bob").0);
    let page = admin.get(&edit);
    admin
        .submit(&page, &path, &[("status", "9")])
        .assert_status(400);
    assert_eq!(
        id_in(
            &admin
                .submit(&page, &path, &[("status", "3")])
                .assert_status(303)
        ),
        "3"
    );
    assert!(admin.get(&edit).body.contains("The user is locked."));
    bob.get("/my/account").assert_status(302);
    Browser::new(&world)
        .log_in("bob", "bobbobbob", &[])
        .assert_status(422);
    admin
        .submit(&page, &path, &[("status", "1")])
        .assert_status(303);
    Browser::logged_in(&world, "bob")
        .get("/my/account")
        .assert_status(200);
    // The own account and the last administrator are refused with a message.
    admin
        .submit(
            &page,
            &format!("/users/{}/status", user("admin").0),
            &[("status", "3")],
        )
        .assert_status(303);
    let own = admin
        .get(&format!("/users/{}/edit", user("admin").0))
        .assert_status(200);
    assert!(
        own.body.contains("You cannot lock your own account.") && !own.body.contains("/delete\""),
        "{own:?}"
    );
}
