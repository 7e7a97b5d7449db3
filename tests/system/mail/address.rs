//! Mail addresses that users give themselves count once they are confirmed.

use super::account::{ask, link, mail_of};
use super::{MailServer, send, world};
use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::browser::{Browser, password};
use serde_json::json;

const ADDRESS: &str = "/my/address";
const NEW: &str = "new@example.net";

/// Asks for another address with the API key of bob.
fn request_by_key(world: &World, address: &str) {
    let body = json!({"user": {"mail": address}});
    let reply = world.as_user("bob").put("/my/account.json", body);
    assert!([200, 204].contains(&reply.status), "{reply:?}");
}

/// Sends the mails, and returns the link to the address.
fn sent_link(server: &MailServer, world: &World) -> String {
    send(world);
    link(server, &format!("{ADDRESS}?token="))
}

fn confirm(browser: &Browser<'_>, link: &str) -> quarry_world::Response {
    let page = browser.get(link);
    let token = link.split_once("token=").unwrap().1;
    browser.submit(&page, ADDRESS, &[("token", token)])
}

#[test]
fn address_counts_once_its_user_has_opened_the_link() {
    let server = MailServer::start();
    let world = world(&server);
    let old = mail_of(&world, "bob");
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/my/account").assert_status(200);
    let fields = [
        ("firstname", "Bob"),
        ("lastname", "T"),
        ("mail", NEW),
        ("password", &password("bob")),
    ];
    let saved = bob.submit(&page, "/my/account", &fields).assert_status(303);
    bob.get(saved.location())
        .assert_contains("is used once it is confirmed")
        .assert_contains(&format!("{NEW} is not confirmed."));
    let link = sent_link(&server, &world);
    let told: Vec<(String, String)> = server
        .take()
        .iter()
        .map(|mail| {
            (
                mail.header("Subject").unwrap().to_owned(),
                mail.to[0].clone(),
            )
        })
        .collect();
    let line = |subject: &str, to: &str| (format!("[Quarry] {subject}"), format!("RCPT TO:<{to}>"));
    assert_eq!(
        told,
        [
            line("A new mail address was requested for your account", &old),
            line("Confirm your mail address", NEW),
        ]
    );
    // It is no way to another password yet.
    ask(&Browser::new(&world), NEW).assert_status(303);
    assert_eq!(
        (send(&world).sent, mail_of(&world, "bob")),
        (0, old.clone())
    );
    // A login alone, or the link alone, is not enough.
    let alice = Browser::logged_in(&world, "alice");
    alice.get(&link).assert_contains("This link is not valid.");
    confirm(&alice, &link).assert_status(422);
    let nobody = Browser::new(&world).get(&link).assert_status(302);
    assert!(nobody.location().starts_with("/login?"), "{nobody:?}");
    confirm(&bob, &format!("{ADDRESS}?token=0")).assert_status(422);
    assert_eq!(mail_of(&world, "bob"), old);
    bob.get(&link).assert_contains(NEW);
    assert_eq!(mail_of(&world, "bob"), old, "programs follow links");
    confirm(&bob, &link).assert_status(303);
    assert_eq!(mail_of(&world, "bob"), NEW);
    confirm(&bob, &link).assert_status(422);
    assert!(!bob.get("/my/account").body.contains("is not confirmed"));
    assert_eq!(send(&world).sent, 2, "warnings to both addresses");
    ask(&Browser::new(&world), NEW).assert_status(303);
    assert_eq!(send(&world).sent, 1);
}

#[test]
fn api_key_alone_does_not_lead_to_a_password() {
    for compatibility in ["0", "1"] {
        let server = MailServer::start();
        let world = world(&server);
        world.set(Setting::RedmineCompatibility, compatibility);
        let old = mail_of(&world, "bob");
        request_by_key(&world, NEW);
        let link = sent_link(&server, &world);
        Browser::new(&world).get(&link).assert_status(302);
        let token = link.split_once("token=").unwrap().1;
        let form = format!("token={token}").into_bytes();
        let content_type = Some("application/x-www-form-urlencoded");
        for client in [
            world.as_user("bob"),
            world.anonymous().basic("bob", "bobbobbob"),
        ] {
            client
                .with("Accept", "text/html")
                .send(Method::POST, ADDRESS, content_type, form.clone())
                .assert_status(403);
        }
        ask(&Browser::new(&world), NEW).assert_status(303);
        server.take();
        send(&world);
        let to: Vec<_> = server.take().into_iter().flat_map(|mail| mail.to).collect();
        assert!(!to.iter().any(|to| to.contains(NEW)), "{to:?}");
        assert_eq!(mail_of(&world, "bob"), old);
    }
}

#[test]
fn address_is_shown_as_unconfirmed_and_as_the_address_to_clients_of_redmine() {
    let server = MailServer::start();
    let world = world(&server);
    let old = mail_of(&world, "bob");
    request_by_key(&world, NEW);
    for (login, path) in [("bob", "/my/account.json"), ("admin", "/users/3.json")] {
        world.set(Setting::RedmineCompatibility, "0");
        let user = world.as_user(login).get(path).json()["user"].clone();
        assert_eq!(
            (&user["mail"], &user["unconfirmed_mail"]),
            (&json!(old), &json!(NEW))
        );
        world.set(Setting::RedmineCompatibility, "1");
        let user = world.as_user(login).get(path).json()["user"].clone();
        // An administrator who writes back what they have read must not confirm it.
        let shown = if login == "bob" { NEW } else { &old };
        assert_eq!(
            (&user["mail"], user.get("unconfirmed_mail")),
            (&json!(shown), None)
        );
    }
    // Others see neither.
    let seen = world.as_user("alice").get("/users/3.json").body;
    assert!(!seen.contains(NEW), "{seen}");
    // The stored address again gives the other one up.
    request_by_key(&world, &old);
    let user = world.as_user("bob").get("/my/account.json");
    assert_eq!(user.json()["user"]["mail"], json!(old));
}

#[test]
fn administrators_confirm_or_discard_an_address() {
    let server = MailServer::start();
    let world = world(&server);
    let old = mail_of(&world, "bob");
    let admin = Browser::logged_in(&world, "admin");
    let send_form = |browser: &Browser<'_>, choice| {
        let page = browser.get("/my/page");
        let fields = [("do", choice), ("address", NEW)];
        browser.submit(&page, "/users/3/address", &fields)
    };
    request_by_key(&world, NEW);
    let bob = Browser::logged_in(&world, "bob");
    send_form(&bob, "confirm").assert_status(403);
    admin
        .get("/users/3/edit")
        .assert_contains(&format!("{NEW} is not confirmed."));
    send_form(&admin, "discard").assert_status(303);
    send_form(&admin, "confirm").assert_status(404);
    assert_eq!(mail_of(&world, "bob"), old);
    // Not the address that the administrator has seen.
    request_by_key(&world, "other@example.net");
    send_form(&admin, "confirm").assert_status(404);
    request_by_key(&world, NEW);
    send_form(&admin, "confirm").assert_status(303);
    assert_eq!(mail_of(&world, "bob"), NEW);
}

#[test]
fn link_ends_with_the_password_and_when_the_address_is_taken() {
    let server = MailServer::start();
    let world = world(&server);
    request_by_key(&world, NEW);
    let link = sent_link(&server, &world);
    world.sql(&format!(
        "UPDATE users SET mail = '{NEW}' WHERE login = 'carol'"
    ));
    let bob = Browser::logged_in(&world, "bob");
    confirm(&bob, &link)
        .assert_status(422)
        .assert_contains("Email has already been taken");
    let change = json!({"user": {"password": "another-password"}});
    let admin = world.as_user("admin");
    admin.put("/users/3.json", change).assert_status(200);
    let bob = Browser::new(&world);
    bob.log_in("bob", "another-password", &[])
        .assert_status(303);
    bob.get(&link).assert_contains("This link is not valid.");
    // The address waits on, and its user can have another link.
    world.sql("UPDATE users SET mail = '' WHERE login = 'carol'");
    let page = bob.get("/my/account").assert_contains("is not confirmed");
    bob.submit(&page, "/my/address/link", &[])
        .assert_status(303);
    let link = sent_link(&server, &world);
    confirm(&bob, &link).assert_status(303);
    assert_eq!(mail_of(&world, "bob"), NEW);
}

#[test]
fn address_gets_few_links_from_all_users_together() {
    let server = MailServer::start();
    let world = world(&server);
    let links = || {
        send(&world);
        let mails = server.take().into_iter();
        mails.filter(|mail| mail.to[0].contains(NEW)).count()
    };
    let mut sent = 0;
    for login in ["alice", "bob", "carol"] {
        let client = world.as_user(login);
        for address in [NEW, "other@example.net", NEW] {
            let body = json!({"user": {"mail": address}});
            client.put("/my/account.json", body).assert_status(200);
            sent += links();
        }
    }
    assert_eq!(sent, 3);
    world.sql("UPDATE address_links SET mailed_on = mailed_on - 3600000001");
    let carol = Browser::logged_in(&world, "carol");
    let page = carol.get("/my/account");
    carol
        .submit(&page, "/my/address/link", &[])
        .assert_status(303);
    assert_eq!(links(), 1);
}

#[test]
fn account_that_people_create_has_no_address_until_it_is_confirmed() {
    let server = MailServer::start();
    let world = world(&server);
    world.set(Setting::SelfRegistration, "3");
    let gina = Browser::new(&world);
    let page = gina.get("/account/register").assert_status(200);
    let fields = [
        ("user[login]", "gina"),
        ("user[firstname]", "Gina"),
        ("user[lastname]", "Guest"),
        ("user[mail]", NEW),
        ("password", "ginaginagina"),
        ("password_confirmation", "ginaginagina"),
    ];
    gina.submit(&page, "/account/register", &fields)
        .assert_status(303);
    let link = sent_link(&server, &world);
    gina.log_in("gina", "ginaginagina", &[]).assert_status(303);
    assert_eq!(mail_of(&world, "gina"), "");
    confirm(&gina, &link).assert_status(303);
    assert_eq!(mail_of(&world, "gina"), NEW);
}
