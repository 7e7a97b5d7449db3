//! The import of a Redmine in the browser, into a new installation.

use super::process::{Service, message, run};
use super::setup::{between, code, form, start};
use crate::import::loader::FIXTURE;
use crate::wait::{TIMEOUT, until};

/// Returns the cookie with this name that a reply sets, as `name=value`.
fn cookie(head: &str, name: &str) -> String {
    let prefix = format!("set-cookie: {name}=");
    let line = head
        .lines()
        .find(|line| line.to_lowercase().starts_with(&prefix));
    let value = line.unwrap().split_once(": ").unwrap().1;
    value.split(';').next().unwrap().to_owned()
}

/// Waits until the page of the import no longer refreshes itself, and returns it.
fn finished(service: &Service, cookies: &str) -> String {
    let mut page = String::new();
    until(TIMEOUT, "the import has ended", || {
        page = service.get("/setup/import/progress", &[cookies]).1;
        !page.contains("data-refresh")
    });
    page
}

#[test]
fn redmine_is_checked_and_imported() {
    let folder = tempfile::tempdir().unwrap();
    let service = start(folder.path());
    let code = code(&service);
    let (_, page) = service.get(&format!("/setup?code={code}"), &[]);
    assert!(
        page.contains(&format!("/setup/import?code={code}")),
        "{page}"
    );
    let (login_cookie, token) = form(&service);
    let send = |code: &str, database: &str| {
        let body = format!("authenticity_token={token}&code={code}&database={database}");
        service.post("/setup/import", &login_cookie, &body)
    };
    let database = format!("sqlite:{FIXTURE}");
    for (code, database, message) in [
        ("wrong", database.as_str(), "is not the code"),
        ("", database.as_str(), "cannot be blank"),
        (code.as_str(), "", "cannot be blank"),
    ] {
        let (status, _, page) = send(code, database);
        assert!(status == 422 && page.contains(message), "{message}: {page}");
    }
    // A database that is not there.
    let (status, head, _) = send(&code, "sqlite:/nowhere/at/all.sqlite3");
    assert_eq!(status, 303);
    let cookies = format!("Cookie: {login_cookie}; {}", cookie(&head, "import"));
    let page = finished(&service, &cookies);
    assert!(page.contains("role=\"alert\""), "{page}");

    let (status, head, page) = send(&code, &database);
    assert_eq!(status, 303, "{page}");
    let import_cookie = cookie(&head, "import");
    let cookies = format!("Cookie: {login_cookie}; {import_cookie}");
    let page = finished(&service, &cookies);
    assert!(page.contains("Nothing has been written yet."), "{page}");
    assert!(
        page.contains("<td>issues</td><td class=\"number\">48</td>"),
        "{page}"
    );
    let users = || {
        message(&run(folder.path(), &["user", "list"]))
            .lines()
            .count()
    };
    assert_eq!(users(), 1, "the check writes nothing");
    // Another browser neither sees nor starts it.
    let stranger = service.get("/setup/import/progress", &["Cookie: import=0"]);
    assert_eq!(stranger.0, 302);
    let token = between(&page, "name=\"authenticity_token\" value=\"", "\"");
    let body = format!("authenticity_token={token}");
    let path = "/setup/import/progress";
    assert_eq!(service.post(path, &login_cookie, &body).0, 401);
    assert_eq!(users(), 1);

    let own = format!("{login_cookie}; {import_cookie}");
    assert_eq!(service.post(path, &own, &body).0, 303);
    let page = finished(&service, &cookies);
    assert!(page.contains("The import is complete."), "{page}");
    assert_eq!(users(), 9);
    let (_, page) = service.get("/login", &[]);
    assert!(page.contains("name=\"username\""), "{page}");
    // The set-up is over.
    assert_eq!(send(&code, &database).0, 303);
    service.terminate();
    let (_, logged) = service.ended();
    assert!(!logged.contains("ERROR"), "{logged}");
    let status = message(&run(folder.path(), &["index", "verify"]));
    assert!(!status.is_empty());
}
