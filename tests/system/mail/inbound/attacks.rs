//! Hostile mails: no error of the service, no note, no long work.

use super::{KEY, address, issue, mail, notes, send, send_form, world};
use quarry::domain::administration::setting::Setting;
use std::time::{Duration, Instant};

#[test]
fn hostile_mails_never_make_the_service_fail() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let bomb = |header: &str, body: &str| {
        mail("bob", &to, "", body).replace("Content-Type: text/plain; charset=utf-8", header)
    };
    let many_parts = "--b\r\n\r\nx\r\n".repeat(50_000);
    let nested: String = (0..200)
        .map(|depth| {
            format!(
                "--b{depth}\nContent-Type: multipart/mixed; boundary=b{}\n\n",
                depth + 1
            )
        })
        .collect();
    let mails = [
        bomb("Content-Type: multipart/mixed; boundary=b", &many_parts),
        bomb("Content-Type: multipart/mixed; boundary=b0", &nested),
        bomb(&format!("X: {}", "y".repeat(300_000)), "x"),
        bomb(&"X-A: b\r\n".repeat(2000), "x"),
        bomb(&format!("Cc: {}", "a@b.c,".repeat(50_000)), "x"),
        bomb(
            "Subject: =?\0?b?\u{fffd}?=\r\n\tfolded\r\n \0",
            "nul \0 inside \u{1}\u{2}",
        ),
        bomb("Content-Type: text/plain; charset=\"\0\"", "x\0y"),
        bomb(
            "Content-Type: text/html",
            &"<div><blockquote>".repeat(50_000),
        ),
        bomb("Content-Type: multipart/mixed", "no boundary"),
        bomb(
            "Content-Type: multipart/mixed; boundary=\"\"",
            "--\r\n\r\n--",
        ),
        bomb("Content-Transfer-Encoding: base64", "!!!! not base64"),
    ];
    let start = Instant::now();
    for text in &mails {
        let status = send(&world, text).status;
        assert!(status == 201 || status == 422, "{status}: {}", &text[..200]);
    }
    assert!(
        start.elapsed() < Duration::from_secs(300),
        "{:?}",
        start.elapsed()
    );
    for note in notes(&world, id) {
        assert!(!note.contains('\0') && !note.contains('\u{1}'), "{note}");
    }
}

#[test]
fn mail_of_thirty_megabytes_is_the_largest() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let largest = quarry::mail::incoming::MAX_MAIL_SIZE;
    let start = mail("bob", &to, "", "short\n\n>");
    let start = start.trim_end();
    let fill = |size: usize| format!("{start}{}", "x".repeat(size - start.len()));
    let form = |mail: &str| format!("key={KEY}&email={}", encode(mail)).into_bytes();
    let post = |body| {
        world.anonymous().send(
            axum::http::Method::POST,
            "/mail_handler",
            Some("application/x-www-form-urlencoded"),
            body,
        )
    };
    post(form(&fill(largest))).assert_status(201);
    post(form(&fill(largest + 1)))
        .assert_status(422)
        .assert_contains("larger than 30 MiB");
    post(vec![b'x'; 3 * largest + 128 * 1024]).assert_status(413);
    assert_eq!(notes(&world, id), ["short"]);
}

#[test]
fn text_and_file_of_digits_are_accepted_up_to_the_maximum_size() {
    let (world, id) = world();
    world.set(Setting::AttachmentMaxSize, "40000");
    let to = address(&world, "bob", issue(id));
    for header in ["", "Content-Disposition: attachment; filename=digits.txt\n"] {
        // An unsubscribe link begins with digits.
        let mail = mail("bob", &to, header, "1");
        let start = mail.trim_end();
        let digits = "1".repeat(quarry::mail::incoming::MAX_MAIL_SIZE - start.len());
        send(&world, &format!("{start}{digits}")).assert_status(201);
    }
    let notes = notes(&world, id);
    assert_eq!(notes.len(), 2);
    assert!(notes[0].starts_with("11111") && notes[1].is_empty());
}

/// Encodes what a form requires.
fn encode(text: &str) -> String {
    text.replace('%', "%25")
        .replace('+', "%2B")
        .replace('&', "%26")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

#[test]
fn the_same_mail_at_the_same_time_becomes_one_note() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let text = mail("bob", &to, "", "at once");
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| send_form(&world, &[("key", KEY), ("email", &text)]).status))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    assert_eq!(statuses, [201; 4]);
    assert_eq!(notes(&world, id), ["at once"]);
}

#[test]
fn texts_that_senders_write_are_escaped_on_pages() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let text = mail("bob", &to, "", "note\n\n> <script>alert(1)</script>")
        .replace("Re: an issue", "<img src=x onerror=alert(1)>");
    send(&world, &text).assert_status(201);
    let page = quarry_world::browser::Browser::logged_in(&world, "bob")
        .get("/journals/1/mail")
        .assert_status(200);
    assert!(
        !page.body.contains("<script>alert") && !page.body.contains("<img src=x"),
        "{}",
        page.body
    );
    assert!(notes(&world, id).len() == 1);
}

#[test]
fn html_alone_and_wrong_character_sets_become_readable_notes() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let with = |content_type: &str, text: &str| {
        let mail = mail("bob", &to, "", text);
        mail.replace("text/plain; charset=utf-8", content_type)
    };
    let html = "<html><style>p {}</style><p>It <b>works</b>.<script>alert(1)</script>";
    for text in [
        with("text/html; charset=utf-8", html),
        with("text/plain; charset=no-such-set", "Gr\u{fc}\u{df}e"),
        with("text/plain; charset=us-ascii", "na\u{ef}ve"),
        with("nonsense", "still a text"),
    ] {
        send(&world, &text).assert_status(201);
    }
    assert_eq!(
        notes(&world, id),
        ["It works.", "Gr\u{fc}\u{df}e", "na\u{ef}ve", "still a text"]
    );
}

#[test]
fn more_files_than_a_form_may_have_are_refused() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let with_files = |count: usize| {
        let files = "--b\nContent-Disposition: attachment; filename=a.txt\n\nx\n".repeat(count);
        let body = format!("--b\nContent-Type: text/plain\n\n{count} files\n{files}--b--");
        let mail = mail("bob", &to, "", &body);
        mail.replace("text/plain; charset=utf-8", "multipart/mixed; boundary=b")
    };
    send(&world, &with_files(101)).assert_status(422);
    assert_eq!(notes(&world, id), Vec::<String>::new());
    send(&world, &with_files(100)).assert_status(201);
    let shown = world.show_issue("bob", id, "attachments");
    assert_eq!(shown["attachments"].as_array().unwrap().len(), 100);
}

#[test]
fn mail_of_a_stranger_is_refused_before_its_text_is_parsed() {
    let (world, id) = world();
    let to = address(&world, "bob", issue(id));
    let bomb = "--b\r\n\r\nx\r\n".repeat(1000);
    let multipart = |login: &str, to: &str| {
        mail(login, to, "", &bomb).replace(
            "Content-Type: text/plain; charset=utf-8",
            "Content-Type: multipart/mixed; boundary=b",
        )
    };
    for (mail, reason) in [
        (multipart("bob", &to), "too many parts"),
        (multipart("alice", &to), "not an answer from the person"),
        (
            multipart("bob", "reply@example.net"),
            "not an answer from the person",
        ),
    ] {
        let response = send(&world, &mail).assert_status(422);
        assert!(response.body.contains(reason), "{}", response.body);
    }
    let start = Instant::now();
    let lines = mail("bob", "reply@example.net", "", &"\n".repeat(1_000_000));
    send(&world, &lines).assert_status(422);
    let lines = mail("bob", &to, "", &"From:\n".repeat(100_000));
    assert!([201, 422].contains(&send(&world, &lines).status));
    assert!(
        start.elapsed() < Duration::from_secs(300),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn sender_is_compared_without_regard_to_the_case_of_ascii_only() {
    let (world, id) = world();
    world.sql("UPDATE users SET mail = 'bobk@example.net' WHERE id = 3; UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
    let to = address(&world, "bob", issue(id));
    let from = |sender: &str| mail("bob", &to, "", sender).replacen("bob@example.net", sender, 1);
    send(&world, &from("bob\u{212a}@example.net")).assert_status(422);
    send(&world, &from("BobK@example.net")).assert_status(201);
}
