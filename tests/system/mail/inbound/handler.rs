//! `POST /mail_handler` itself: its key, its fields and its bounds.

use super::{KEY, address, issue, mail, notes, send_form, world};
use axum::http::Method;
use quarry::domain::administration::setting::Setting;

#[test]
fn handler_is_off_by_default_and_needs_its_key() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let text = mail("bob", &to, "", "x");
    for key in ["", "wrong", "A-KEY-OF-THE-MAIL-SERVER"] {
        send_form(&world, &[("key", key), ("email", &text)])
            .assert_status(403)
            .assert_contains("The key is wrong.");
    }
    send_form(&world, &[("email", &text)]).assert_status(403);
    world.set(Setting::MailHandlerApiKey, "");
    send_form(&world, &[("key", ""), ("email", &text)]).assert_status(403);
    world.set(Setting::MailHandlerApiKey, KEY);
    world.set(Setting::MailHandlerApiEnabled, "0");
    send_form(&world, &[("key", KEY), ("email", &text)])
        .assert_status(403)
        .assert_contains("Mails are not accepted here.");
    assert!(notes(&world, id).is_empty());
    assert_eq!(world.anonymous().get("/mail_handler").status, 404);
}

#[test]
fn guesses_of_the_key_are_delayed() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let text = mail("bob", &to, "", "x");
    world.set(Setting::FailedLoginsPerAccount, "3");
    let statuses: Vec<u16> = (0..6)
        .map(|_| send_form(&world, &[("key", "guess"), ("email", &text)]).status)
        .collect();
    assert_eq!(statuses[..3], [403; 3]);
    assert!(statuses[3..].contains(&429), "{statuses:?}");
    let delayed = send_form(&world, &[("key", KEY), ("email", &text)]);
    assert_eq!(delayed.status, 429, "not even the right one is compared");
    assert!(notes(&world, id).is_empty());
}

#[test]
fn fields_of_the_script_that_would_give_rights_are_ignored() {
    let (world, id) = world();
    let stranger = mail("stranger", "reply@example.net", "", "let me in");
    let fields = [
        ("key", KEY),
        ("email", &stranger),
        ("unknown_user", "create"),
        ("no_permission_check", "1"),
        ("no_account_notice", "1"),
        ("allow_override", "all"),
        ("issue[project]", "open"),
        ("issue[tracker]", "Bug"),
    ];
    let users = world.database().value::<i64>("SELECT COUNT(*) FROM users");
    send_form(&world, &fields).assert_status(422);
    assert_eq!(
        world.database().value::<i64>("SELECT COUNT(*) FROM users"),
        users
    );
    assert_eq!(
        world.database().value::<i64>("SELECT COUNT(*) FROM issues"),
        1
    );
    assert!(notes(&world, id).is_empty());
}

#[test]
fn form_may_be_multipart_and_larger_than_others() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let long = format!(
        "long\n\nOn 20 Nov 2026, Quarry wrote:\n> {}",
        "x".repeat(3 * 1024 * 1024)
    );
    let text = mail("bob", &to, "", &long);
    let body = format!(
        "--f\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\n{KEY}\r\n--f\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\n{text}\r\n--f--\r\n"
    );
    let response = world.anonymous().send(
        Method::POST,
        "/mail_handler",
        Some("multipart/form-data; boundary=f"),
        body.into_bytes(),
    );
    response.assert_status(201);
    assert_eq!(notes(&world, id), ["long"]);
    // While nothing is accepted, nothing large is read.
    world.set(Setting::MailHandlerApiEnabled, "0");
    let large = "x".repeat(2 * 1024 * 1024);
    send_form(&world, &[("key", KEY), ("email", &large)]).assert_status(413);
}

#[test]
fn what_is_no_mail_is_refused_with_a_reason() {
    let (world, _) = world();
    for (text, reason) in [
        ("", "The field email is missing."),
        ("no header", "This is not a mail: it has no header."),
    ] {
        let response = send_form(&world, &[("key", KEY), ("email", text)]).assert_status(422);
        assert_eq!(response.body.trim_end(), reason);
    }
    let other = world.anonymous().send(
        Method::POST,
        "/mail_handler",
        Some("application/json"),
        b"{\"key\": 1}".to_vec(),
    );
    other.assert_status(403);
}

#[test]
fn key_of_the_mail_server_is_in_no_log() {
    let (world, _) = world();
    let browser = world.as_user("admin");
    browser
        .put(
            "/settings.json",
            serde_json::json!({"settings": {"mail_handler_api_key": "another-secret"}}),
        )
        .assert_status(200);
    let details: Vec<String> = world
        .database()
        .rows("SELECT COALESCE(details, '') FROM audit_events")
        .iter()
        .map(|row| row.get(0))
        .collect();
    assert!(
        details.iter().all(|text| !text.contains("another-secret")),
        "{details:?}"
    );
}

#[test]
fn mail_may_be_a_file_and_further_files_are_attached() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let text = mail("bob", &to, "", "see the files");
    let part = |name: &str, file: &str, content: &str| {
        format!(
            "--f\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\nContent-Type: application/octet-stream\r\n\r\n{content}\r\n"
        )
    };
    let post = |parts: String| {
        let body = format!(
            "--f\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\n{KEY}\r\n{parts}--f--\r\n"
        );
        world.anonymous().send(
            Method::POST,
            "/mail_handler",
            Some("multipart/form-data; boundary=f"),
            body.into_bytes(),
        )
    };
    let files = part("file", "../log.txt", "a log") + &part("file", "b.bin", "bytes");
    post(part("email", "mail.eml", &text) + &files).assert_status(201);
    let shown = world.show_issue("bob", id, "attachments,journals");
    let names: Vec<&str> = shown["attachments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["filename"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["log.txt", "b.bin"]);
    assert_eq!(shown["journals"].as_array().unwrap().len(), 1);
    // Nothing is stored for a stranger, and files have the limits of others.
    let forged = mail("mallory", &to, "", "forged");
    post(part("email", "mail.eml", &forged) + &files).assert_status(422);
    world.set(Setting::AttachmentMaxSize, "1");
    let large = part("file", "large.bin", &"x".repeat(2000));
    post(part("email", "mail.eml", &mail("bob", &to, "", "large")) + &large)
        .assert_status(422)
        .assert_contains("large.bin is too large (maximum is 1 KiB)");
    assert_eq!(notes(&world, id), ["see the files"]);
}
