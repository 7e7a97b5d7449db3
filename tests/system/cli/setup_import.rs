//! The import of a Redmine in the browser, into a new installation.

use super::setup::{FIELDS, between, code, form, start};
use crate::import::loader::ours;
use quarry_world::process::{Service, message, run};
use quarry_world::redmine_import::FIXTURE;
use quarry_world::wait::{TIMEOUT, until};
use std::net::TcpListener;
use std::path::Path;

/// Returns the cookie with this name that a reply sets, as `name=value`.
pub fn cookie(head: &str, name: &str) -> String {
    let prefix = format!("set-cookie: {name}=");
    let line = head
        .lines()
        .find(|line| line.to_lowercase().starts_with(&prefix));
    let value = line.unwrap().split_once(": ").unwrap().1;
    value.split(';').next().unwrap().to_owned()
}

/// Waits until the page of the import no longer refreshes itself, and returns it.
pub fn finished(service: &Service, cookies: &str) -> String {
    let mut page = String::new();
    until(TIMEOUT, "the import has ended", || {
        page = service.get("/setup/import/progress", &[cookies]).1;
        !page.contains("data-refresh")
    });
    page
}

/// Returns a form with the token and a file.
pub fn form_with_file(token: &str, content: &[u8]) -> Vec<u8> {
    let mut body = format!(
        "--b\r\nContent-Disposition: form-data; name=\"authenticity_token\"\r\n\r\n{token}\r\n\
         --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"redmine.sqlite3\"\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(content);
    body.extend(b"\r\n--b--\r\n");
    body
}

/// Returns the number of files that were uploaded and not yet deleted.
fn uploaded_files(folder: &Path) -> usize {
    let Ok(files) = std::fs::read_dir(folder.join("files")) else {
        return 0;
    };
    let files = files.filter(|file| file.as_ref().unwrap().file_type().unwrap().is_file());
    files.count()
}

#[test]
fn uploaded_database_is_imported_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let service = start(folder.path());
    let code = code(&service);
    let (login_cookie, token) = form(&service);
    let multipart = "multipart/form-data; boundary=b";
    let path = "/setup/import/upload";
    let content = std::fs::read(FIXTURE).unwrap();
    // Without the code nothing is stored.
    let upload = |cookies: &str, content: &[u8]| {
        service.post_body(path, cookies, multipart, &form_with_file(&token, content))
    };
    assert_eq!(upload(&login_cookie, &content).0, 401);
    let forged = format!("{login_cookie}; import=0");
    assert_eq!(upload(&forged, &content).0, 401);
    assert_eq!(uploaded_files(folder.path()), 0);

    let body = format!("authenticity_token={token}&code={code}&database=");
    let (status, head, page) = service.post("/setup/import", &login_cookie, &body);
    assert_eq!(status, 303, "{page}");
    assert!(head.contains(path), "{head}");
    let cookies = format!("{login_cookie}; {}", cookie(&head, "import"));
    let header = format!("Cookie: {cookies}");
    let (_, page) = service.get("/setup/import/progress", &[&header]);
    assert!(!page.contains("data-refresh"), "{page}");
    let (_, page) = service.get(path, &[&header]);
    assert!(page.contains("enctype=\"multipart/form-data\""), "{page}");
    let (status, _, page) = upload(&cookies, b"no database");
    assert!(
        status == 422 && page.contains("is not an SQLite database"),
        "{page}"
    );
    let (status, _, page) =
        service.post_body(path, &cookies, multipart, &form_with_file("0", &content));
    assert_eq!(status, 401, "{page}");
    assert_eq!(uploaded_files(folder.path()), 0);
    let (status, _, page) = upload(&cookies, &content);
    assert_eq!(status, 303, "{page}");
    let page = finished(&service, &header);
    assert!(
        page.contains("<td>issues</td><td class=\"number\">48</td>"),
        "{page}"
    );
    assert_eq!(uploaded_files(folder.path()), 1);
    let (status, _, _) = upload(&cookies, &content);
    assert_eq!(status, 401, "one file is enough");
    let token = between(&page, "name=\"authenticity_token\" value=\"", "\"");
    let body = format!("authenticity_token={token}");
    let own = service.post("/setup/import/progress", &cookies, &body);
    assert_eq!(own.0, 303);
    let page = finished(&service, &header);
    assert!(page.contains("The import is complete."), "{page}");
    assert_eq!(uploaded_files(folder.path()), 0);
}

#[test]
fn running_import_is_cancelled_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let service = start(folder.path());
    let code = code(&service);
    let (login_cookie, token) = form(&service);
    // A database that accepts the connection and does not answer.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    let body =
        format!("authenticity_token={token}&code={code}&database=postgres://me@{address}/redmine");
    let (status, head, page) = service.post("/setup/import", &login_cookie, &body);
    assert_eq!(status, 303, "{page}");
    let cookies = format!("{login_cookie}; {}", cookie(&head, "import"));
    let header = format!("Cookie: {cookies}");
    let (_, page) = service.get("/setup/import/progress", &[&header]);
    assert!(page.contains("action=\"/setup/import/cancel\""), "{page}");
    let cancel = |cookies: &str| {
        let body = format!("authenticity_token={token}");
        service.post("/setup/import/cancel", cookies, &body).0
    };
    assert_eq!(cancel(&login_cookie), 401, "only for its own browser");
    assert_eq!(cancel(&cookies), 303);
    // It ends with the connection, at the latest after the time limit.
    drop(silent);
    let page = finished(&service, &header);
    assert!(page.contains("role=\"alert\""), "{page}");
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

#[test]
fn set_up_waits_for_an_import_that_has_begun() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("redmine.sqlite3");
    let data = folder.path().join("data");
    std::fs::copy(FIXTURE, &source).unwrap();
    let service = start(&data);
    let code = code(&service);
    let (login_cookie, token) = form(&service);
    let database = format!("sqlite:{}", source.display());
    let body = format!("authenticity_token={token}&code={code}&database={database}");
    let (_, head, _) = service.post("/setup/import", &login_cookie, &body);
    let cookies = format!("{login_cookie}; {}", cookie(&head, "import"));
    let header = format!("Cookie: {cookies}");
    finished(&service, &header);
    // The source is gone before anything was imported: the installation is new again.
    let away = folder.path().join("away.sqlite3");
    std::fs::rename(&source, &away).unwrap();
    let body = format!("authenticity_token={token}");
    let path = "/setup/import/progress";
    assert_eq!(service.post(path, &cookies, &body).0, 303);
    let page = finished(&service, &header);
    assert!(page.contains("There is no file"), "{page}");
    let set_up = |service: &Service, cookie: &str, token: &str, code: &str| {
        let body = format!("authenticity_token={token}&code={code}&{FIELDS}");
        service.post("/setup", cookie, &body)
    };
    let (status, _, page) = set_up(&service, &login_cookie, &token, &code);
    assert_eq!(status, 303, "{page}");
    let (_, page) = service.get("/login", &[]);
    assert!(page.contains("name=\"username\""), "{page}");
    // The import cannot replace the installation any more.
    std::fs::rename(&away, &source).unwrap();
    service.post(path, &cookies, &body);
    let users = message(&run(&data, &["user", "list"]));
    assert!(users.contains("root"), "{users}");
}

#[test]
fn import_that_stopped_before_its_first_row_leaves_a_new_installation() {
    let folder = tempfile::tempdir().unwrap();
    let service = start(folder.path());
    service.terminate();
    service.ended();
    ours(folder.path())
        .execute_batch(
            "PRAGMA foreign_keys = OFF; INSERT INTO counters VALUES ('incomplete_import', 1); \
             DELETE FROM workflow_transitions; DELETE FROM enumerations; DELETE FROM trackers; \
             DELETE FROM issue_statuses; DELETE FROM role_permissions; DELETE FROM roles",
        )
        .unwrap();
    let service = start(folder.path());
    let code = code(&service);
    let (login_cookie, token) = form(&service);
    let body = format!("authenticity_token={token}&code={code}&{FIELDS}");
    let (status, _, page) = service.post("/setup", &login_cookie, &body);
    assert_eq!(status, 303, "{page}");
    service.terminate();
    service.ended();
    let service = start(folder.path());
    assert_eq!(service.printed, [""; 0]);
    assert_ne!(service.get("/issues.json", &[]).0, 503, "the API is open");
}

#[test]
fn import_that_stopped_before_it_was_complete_is_continued_after_a_restart() {
    let stop = "PRAGMA foreign_keys = OFF; INSERT OR REPLACE INTO counters VALUES ('incomplete_import', 1);";
    // After the first rows: the default data is gone, and nobody is imported yet.
    let at_first = format!(
        "{stop} DELETE FROM role_permissions; DELETE FROM roles; INSERT INTO imported VALUES ('none', 1, 0, 0)"
    );
    // When users and all but the last records are there.
    let at_last = format!(
        "{stop} DELETE FROM imported WHERE source_table = 'comments'; DELETE FROM comments"
    );
    for (has_users, sql) in [(false, at_first), (true, at_last)] {
        let folder = tempfile::tempdir().unwrap();
        if has_users {
            let database = format!("sqlite:{FIXTURE}");
            run(
                folder.path(),
                &["import", "redmine", "--database", &database],
            );
        } else {
            let service = start(folder.path());
            service.terminate();
            service.ended();
        }
        ours(folder.path()).execute_batch(&sql).unwrap();
        let service = start(folder.path());
        let (_, code) = service.printed[0]
            .split_once("/setup/import?code=")
            .unwrap();
        let code = code.split(' ').next().unwrap();
        // Nobody takes the ids of what is missing.
        let (status, _) = service.get("/issues.json", &[]);
        assert_eq!(status, 503);
        let (status, _, _) = service.post("/uploads.json?filename=a.txt", "", "a");
        assert_eq!(status, 503);
        let (status, head, _) = service.post("/login", "", "username=admin&password=admin");
        assert!(status == 303 && head.contains("/setup"), "{status}: {head}");
        let (login_cookie, token) = form(&service);
        let body = format!("authenticity_token={token}&code={code}&{FIELDS}");
        let (status, _, page) = service.post("/setup", &login_cookie, &body);
        assert!(
            status == 409 && page.contains("An import from Redmine has begun"),
            "{status}: {page}"
        );
        let body = format!("authenticity_token={token}&code={code}&database=sqlite:{FIXTURE}");
        let (status, head, page) = service.post("/setup/import", &login_cookie, &body);
        assert_eq!(status, 303, "{page}");
        let cookies = format!("{login_cookie}; {}", cookie(&head, "import"));
        let header = format!("Cookie: {cookies}");
        let page = finished(&service, &header);
        assert!(page.contains("Nothing has been written yet."), "{page}");
        let body = format!("authenticity_token={token}");
        service.post("/setup/import/progress", &cookies, &body);
        let page = finished(&service, &header);
        assert!(page.contains("The import is complete."), "{page}");
        let (_, page) = service.get("/login", &[]);
        assert!(page.contains("name=\"username\""), "{page}");
        service.terminate();
        service.ended();
        // Neither the set-up nor the import is offered again.
        let service = start(folder.path());
        assert_eq!(service.printed, [""; 0]);
    }
}
