//! `quarry mail test`.

use super::MailServer;
use quarry_world::process::quarry;
use std::process::Output;

fn test(arguments: &[&str]) -> Output {
    quarry(&["mail", "test", "ann@example.org"])
        .args(arguments)
        .env("QUARRY_MAIL_FROM", "Tracker <quarry@example.org>")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn command_prints_what_the_server_answers() {
    let server = MailServer::start();
    let output = test(&["--mail", &server.url()]);
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        out.contains("sending to ann@example.org from Tracker <quarry@example.org>"),
        "{out}"
    );
    assert!(out.contains(", no TLS: 250 queued as 1"), "{out}");
    assert_eq!(
        server.take()[0].header("Subject"),
        Some("[Quarry] Test mail")
    );
}

#[test]
fn command_fails_with_the_words_of_the_server() {
    let server = MailServer::start();
    server.answer(|answers| answers.recipients = vec![("ann", "550 5.1.1 unknown user")]);
    let url = server.url_with_login("127.0.0.1");
    server.answer(|answers| answers.extensions = &["AUTH PLAIN"]);
    let output = test(&["--mail", &url]);
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(
        error.contains("the mail was not sent: 550 5.1.1 unknown user"),
        "{error}"
    );
    assert!(!error.contains("secret") && !text(&output.stdout).contains("secret"));
}

#[test]
fn command_needs_a_configuration_and_an_address() {
    let output = test(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("mail is off"));
    let output = quarry(&["mail", "test", "ann"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("\"ann\" is not a mail address"));
    let output = quarry(&["mail", "test", "a@b", "--mail", "sendmail:"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("`mail` needs `mail_from`"));
}
