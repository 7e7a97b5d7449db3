//! `/admin/mail`.

use super::{MailServer, count, insert, make_due, send, world};
use quarry_world::World;
use quarry_world::browser::Browser;

const PATH: &str = "/admin/mail";
const FAILED: &str = "/admin/mail/failed";

/// Starts a world with this number of dead letters to bob.
fn world_with_failed(server: &MailServer, failed: usize) -> World {
    let world = world(server);
    server.answer(|answers| answers.recipients = vec![("bob", "550 5.1.1 <b>unknown</b>")]);
    insert(&world, &vec!["bob"; failed]);
    assert_eq!(send(&world).failed, failed);
    world
}

#[test]
fn page_is_for_administrators() {
    let server = MailServer::start();
    let world = world_with_failed(&server, 1);
    let anonymous = Browser::new(&world);
    assert!(anonymous.get(PATH).location().starts_with("/login"));
    let bob = Browser::logged_in(&world, "bob");
    bob.get(PATH).assert_status(403);
    let page = bob.get("/my/account");
    for (path, fields) in [
        (PATH, [("address", "x@example.org"), ("do", "")]),
        (FAILED, [("id", "all"), ("do", "delete")]),
    ] {
        bob.submit(&page, path, &fields).assert_status(403);
    }
    assert_eq!((count(&world, "failed"), server.count()), (1, 0));
}

#[test]
fn configuration_is_shown_without_the_password() {
    let server = MailServer::start();
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    admin
        .get(PATH)
        .assert_status(200)
        .assert_contains("Mail is off");
    drop(admin);
    let world = world.with_mail(&server.url_with_login("localhost"));
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get(PATH).assert_status(200);
    assert!(!page.body.contains("secret"));
    page.assert_contains("smtp://me@localhost:")
        .assert_contains("quarry@example.org")
        .assert_contains("Every mail was sent, or still waits.");
}

#[test]
fn test_mail_shows_the_answer_and_is_limited() {
    let server = MailServer::start();
    let world = world(&server);
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get(PATH);
    let test = |address: &str| admin.submit(&page, PATH, &[("address", address)]);
    test("ann@example.org").assert_status(303);
    admin
        .get(PATH)
        .assert_contains("The mail to ann@example.org was accepted by")
        .assert_contains("250 queued as 1");
    for wrong in ["", "ann", "a@b, c@d", "a@b\r\nBcc: c@d"] {
        test(wrong)
            .assert_status(422)
            .assert_contains("is not a mail address");
    }
    server.answer(|answers| answers.recipients = vec![("ann", "550 5.1.1 unknown")]);
    test("ann@example.org").assert_status(303);
    admin
        .get(PATH)
        .assert_contains("was not sent: 550 5.1.1 unknown");
    for _ in 0..3 {
        test("ben@example.org").assert_status(303);
    }
    test("ben@example.org")
        .assert_status(422)
        .assert_contains("at most 5 are sent in a minute");
    assert_eq!(server.count(), 4);
}

#[test]
fn dead_letters_are_sent_again_and_deleted() {
    let server = MailServer::start();
    let world = world_with_failed(&server, 3);
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get(PATH).assert_status(200);
    assert!(
        page.body
            .contains("550 5.1.1 &#60;b&#62;unknown&#60;/b&#62;"),
        "{}",
        page.body
    );
    let update = |id: &str, what: &str| {
        let reply = admin.submit(&page, FAILED, &[("id", id), ("do", what)]);
        if reply.status == 303 {
            assert_eq!(reply.location(), PATH);
        }
        reply
    };
    admin
        .get("/admin/mail/failed/delete")
        .assert_contains("Delete 3 mails?");
    let id: i64 = world.database().value("SELECT MIN(id) FROM mails");
    update(&id.to_string(), "delete").assert_status(303);
    admin.get(PATH).assert_contains("1 mail was deleted.");
    update(&id.to_string(), "delete").assert_status(404);
    update(&id.to_string(), "send").assert_status(404);
    update("x", "send").assert_status(404);
    update("all", "other").assert_status(404);
    server.answer(|answers| answers.recipients.clear());
    update(&(id + 1).to_string(), "send").assert_status(303);
    admin.get(PATH).assert_contains("1 mail is sent again.");
    make_due(&world);
    assert_eq!(send(&world).sent, 1);
    update("all", "send").assert_status(303);
    assert_eq!((count(&world, "waiting"), count(&world, "failed")), (1, 0));
    update("all", "delete").assert_status(303);
    admin.get(PATH).assert_contains("0 mails were deleted.");
}

#[test]
fn dead_letters_are_paged() {
    let server = MailServer::start();
    let world = world_with_failed(&server, 26);
    let admin = Browser::logged_in(&world, "admin");
    let rows = |path: &str| {
        let page = admin.get(path).assert_status(200);
        page.body.matches(">Send again</button>").count()
    };
    assert_eq!(rows(PATH), 25);
    assert_eq!(rows("/admin/mail?page=2"), 1);
    assert_eq!(rows("/admin/mail?page=9"), 0);
}
