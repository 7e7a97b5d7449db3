//! The set-up of a new installation in the browser.

use quarry_world::process::{Service, message, quarry, run};
use quarry_world::wait::{TIMEOUT, until};
use std::path::Path;

/// Starts the service without a password in the environment.
pub fn start(folder: &Path) -> Service {
    Service::start(
        quarry(&["serve", "--data"])
            .arg(folder)
            .env_remove("QUARRY_ADMIN_PASSWORD"),
    )
}

/// Returns the code that the service has printed.
pub fn code(service: &Service) -> String {
    let (_, code) = service.printed[0].split_once("/setup?code=").unwrap();
    let code = code.split(' ').next().unwrap().to_owned();
    assert!(
        service.printed[1].starts_with(&format!("the code is {code};")),
        "{:?}",
        service.printed
    );
    code
}

/// Returns the code that a node in front of a server has printed.
pub fn code_of_nodes(service: &Service) -> String {
    let (_, code) = service.printed[0].split_once("/setup?code=").unwrap();
    code.split(' ').next().unwrap().to_owned()
}

pub fn between(text: &str, start: &str, end: &str) -> String {
    text.split_once(start)
        .unwrap()
        .1
        .split_once(end)
        .unwrap()
        .0
        .to_owned()
}

/// Loads the form and returns the cookie and the token that belong together.
pub fn form(service: &Service) -> (String, String) {
    let mut stream = service.send("/setup", &[]);
    let mut text = String::new();
    std::io::Read::read_to_string(&mut stream, &mut text).unwrap();
    let cookie = text
        .lines()
        .find(|line| line.to_lowercase().starts_with("set-cookie: quarry_login="))
        .unwrap();
    let cookie = cookie
        .split_once(": ")
        .unwrap()
        .1
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    (
        cookie,
        between(&text, "name=\"authenticity_token\" value=\"", "\""),
    )
}

pub const FIELDS: &str = "login=root&firstname=Ada&lastname=L&mail=ada%40example.net&password=long+enough&password_confirmation=long+enough\
                      &app_title=Our+tracker&host_name=&protocol=http&rest_api_enabled=1&project_name=First+Project&project_identifier=";

fn location(head: &str) -> &str {
    head.lines()
        .find_map(|line| {
            line.strip_prefix("location: ")
                .or_else(|| line.strip_prefix("Location: "))
        })
        .unwrap_or_default()
}

#[test]
fn new_installation_is_set_up_with_the_printed_code() {
    let folder = tempfile::tempdir().unwrap();
    let service = start(folder.path());
    let code = code(&service);
    for path in [
        "/",
        "/login",
        "/search?q=x",
        "/projects",
        "/admin",
        "/my/account",
    ] {
        let mut stream = service.send(path, &[]);
        let mut text = String::new();
        std::io::Read::read_to_string(&mut stream, &mut text).unwrap();
        assert!(
            text.starts_with("HTTP/1.1 303") && location(&text) == "/setup",
            "{path}: {text}"
        );
    }
    assert_eq!(service.get("/issues.json", &[]).0, 401);
    assert_eq!(service.get("/healthz", &[]).0, 200);
    // The printed address leads to the whole form, without a further click.
    let (status, page) = service.get(&format!("/setup?code={code}"), &[]);
    assert!(
        status == 200
            && page.contains(&format!("value=\"{code}\""))
            && page.contains("name=\"password_confirmation\""),
        "{page}"
    );
    let (status, page) = service.get("/setup?code=wrong", &[]);
    assert!(
        status == 422
            && page.contains("not the code")
            && !page.contains("name=\"password_confirmation\""),
        "{page}"
    );

    let (cookie, token) = form(&service);
    let send = |code: &str, fields: &str| {
        service.post(
            "/setup",
            &cookie,
            &format!("authenticity_token={token}&code={code}&{fields}"),
        )
    };
    let (status, _, page) = send(&code, "");
    assert!(
        status == 200 && page.contains("name=\"password_confirmation\""),
        "{page}"
    );
    assert!(
        message(&run(folder.path(), &["user", "list"]))
            .lines()
            .count()
            == 1,
        "the code alone creates nobody"
    );
    let (status, head, page) = send(&code, FIELDS);
    assert_eq!((status, location(&head)), (303, "/admin/welcome"), "{page}");
    let session = head
        .lines()
        .find(|line| {
            line.to_lowercase()
                .starts_with("set-cookie: quarry_session=")
        })
        .unwrap();
    let session = format!(
        "Cookie: {}",
        session
            .split_once(": ")
            .unwrap()
            .1
            .split(';')
            .next()
            .unwrap()
    );
    let (status, page) = service.get("/admin/welcome", &[&session]);
    assert!(
        status == 200
            && page.contains("Our tracker is set up")
            && page.contains("href=\"/projects/first-project\""),
        "{page}"
    );
    let (_, admin) = service.get("/admin", &[&session]);
    assert!(
        !admin.contains("still has the password"),
        "the owner has chosen it: {admin}"
    );
    assert!(!admin.contains("REST API is off"), "{admin}");
    assert!(admin.contains("Mail is off"), "{admin}");
    let (_, mail) = service.get("/admin/mail", &[&session]);
    assert!(
        mail.contains("mail = &quot;smtp://") || mail.contains("mail = \"smtp://"),
        "{mail}"
    );
    let (_, form) = service.get("/projects/first-project/issues/new", &[&session]);
    assert!(form.contains(">Ada L (me)</option>"), "{form}");

    // The code is worth nothing any more.
    assert_eq!(send(&code, &FIELDS.replace("root", "second")).0, 303);
    assert_eq!(
        message(&run(folder.path(), &["user", "list"]))
            .lines()
            .count(),
        2
    );
    assert_eq!(service.get("/login", &[]).0, 200);
    service.terminate();
    let (_, logged) = service.ended();
    assert!(
        !logged.contains(&code) && !logged.contains("long enough"),
        "{logged}"
    );
    assert_eq!(start(folder.path()).printed, Vec::<String>::new());
}

fn post_setup(service: &Service, code: &str, cookie: &str, token: &str) -> u16 {
    service
        .post(
            "/setup",
            cookie,
            &format!("authenticity_token={token}&code={code}&{FIELDS}"),
        )
        .0
}

#[test]
fn nobody_is_set_up_without_the_code() {
    let folder = tempfile::tempdir().unwrap();
    let service = start(folder.path());
    let code = code(&service);
    let (cookie, token) = form(&service);
    assert_eq!(
        post_setup(&service, &code, "", ""),
        422,
        "without the token of the form"
    );
    assert_eq!(post_setup(&service, &code, &cookie, "x"), 422);
    for wrong in ["", "aaaaa-aaaaa-aaaaa-aaaaa", &code[..20]] {
        assert_eq!(post_setup(&service, wrong, &cookie, &token), 422, "{wrong}");
    }
    let mut last = 0;
    for _ in 0..6 {
        last = post_setup(&service, "wrong", &cookie, &token);
    }
    assert_eq!(last, 429, "wrong codes are delayed like wrong passwords");
    assert_eq!(
        message(&run(folder.path(), &["user", "list"]))
            .lines()
            .count(),
        1
    );
    // The right code counts again after the delay.
    until(TIMEOUT, "the delay is over", || {
        post_setup(&service, &code, &cookie, &token) == 303
    });
}

#[test]
fn interrupted_set_up_starts_again_with_another_code() {
    let folder = tempfile::tempdir().unwrap();
    let mut service = start(folder.path());
    let first = code(&service);
    let (cookie, token) = form(&service);
    let invalid = FIELDS
        .replace(
            "password_confirmation=long+enough",
            "password_confirmation=other",
        )
        .replace("First+Project", "%3Cb%3E");
    let (status, _, page) = service.post(
        "/setup",
        &cookie,
        &format!("authenticity_token={token}&code={first}&{invalid}"),
    );
    assert!(
        status == 422
            && page.contains("The two passwords differ.")
            && page.contains("value=\"Ada\""),
        "{page}"
    );
    assert!(
        page.contains("&#60;b&#62;") && !page.contains("<b>") && !page.contains("long enough"),
        "{page}"
    );
    // The project is the last step: its failure leaves nothing of the steps before it.
    let invalid = FIELDS.replace("project_identifier=", "project_identifier=No+Identifier");
    let (status, _, page) = service.post(
        "/setup",
        &cookie,
        &format!("authenticity_token={token}&code={first}&{invalid}"),
    );
    assert!(
        status == 422 && page.contains("Identifier is invalid"),
        "{page}"
    );
    service.kill();

    let service = start(folder.path());
    assert_ne!(code(&service), first);
    let (cookie, token) = form(&service);
    assert_eq!(
        post_setup(&service, &first, &cookie, &token),
        422,
        "the code of an earlier start"
    );
    assert_eq!(post_setup(&service, &code(&service), &cookie, &token), 303);
    assert_eq!(
        message(&run(folder.path(), &["setting", "get", "app_title"])),
        "Our tracker"
    );
}

#[test]
fn user_of_the_command_line_ends_the_set_up() {
    let folder = tempfile::tempdir().unwrap();
    let service = start(folder.path());
    let code = code(&service);
    let (cookie, token) = form(&service);
    let names = [
        "--firstname",
        "A",
        "--lastname",
        "B",
        "--mail",
        "a@example.net",
        "--admin",
    ];
    let _ = message(&run(
        folder.path(),
        &[&["user", "add", "ada"][..], &names].concat(),
    ));
    assert_eq!(service.get("/login", &[]).0, 200);
    let (status, head, _) = service.post(
        "/setup",
        &cookie,
        &format!("authenticity_token={token}&code={code}&{FIELDS}"),
    );
    assert_eq!((status, location(&head)), (303, "/"));
    assert_eq!(
        message(&run(folder.path(), &["user", "list"]))
            .lines()
            .count(),
        2
    );
}

#[test]
fn session_that_needs_tls_is_not_started_without_it() {
    let folder = tempfile::tempdir().unwrap();
    let service = start(folder.path());
    let (cookie, token) = form(&service);
    let fields = FIELDS.replace(
        "host_name=&protocol=http",
        "host_name=tracker.test&protocol=https",
    );
    let body = format!(
        "authenticity_token={token}&code={}&{fields}",
        code(&service)
    );
    let (status, head, page) = service.post("/setup", &cookie, &body);
    assert!(
        status == 200
            && page.contains("href=\"https://tracker.test/login\"")
            && !head.contains("quarry_session"),
        "{page}"
    );
}
