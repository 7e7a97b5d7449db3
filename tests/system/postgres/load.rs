//! Data that is loaded into a database: imports from Redmine, and the demonstration.

use super::site::{Site, request};
use crate::cli::setup::{between, code, form};
use crate::cli::setup_import::{cookie, finished, form_with_file};
use quarry_world::process::{Service, message, quarry};
use quarry_world::redmine_import::FIXTURE;
use std::process::Output;

fn import(site: &Site, further: &[&str]) -> Output {
    let database = format!("sqlite:{FIXTURE}");
    let arguments = ["import", "redmine", "--database", &database];
    site.run("a", &[&arguments, further].concat())
}

#[test]
fn redmine_is_imported_into_a_database_as_into_a_folder() {
    let Some(site) = Site::empty() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let sqlite = quarry(&[
        "import",
        "redmine",
        "--database",
        &format!("sqlite:{FIXTURE}"),
    ])
    .arg("--data")
    .arg(folder.path())
    .output()
    .unwrap();
    let tables = "SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'public'";
    let dry_run = message(&import(&site, &["--dry-run"]));
    assert!(dry_run.contains("nothing was written"), "{dry_run}");
    assert_eq!(site.query(tables), 0);
    assert_eq!(message(&import(&site, &[])), message(&sqlite));
    assert_eq!(site.query("SELECT COUNT(*) FROM issues"), 48);
    message(&site.run("a", &["index", "verify"]));
    let again = message(&import(&site, &[]));
    assert!(again.contains("nothing changed"), "{again}");
}

#[test]
fn redmine_is_imported_into_a_database_in_the_browser() {
    let Some(site) = Site::empty() else {
        return;
    };
    let mut command = quarry(&["serve", "--store", &site.url(), "--data"]);
    command
        .arg(site.root.path().join("a"))
        .env_remove("QUARRY_ADMIN_PASSWORD");
    let service = Service::start(&mut command);
    let (login_cookie, token) = form(&service);
    let body = format!(
        "authenticity_token={token}&code={}&database=",
        code(&service)
    );
    let (status, head, page) = service.post("/setup/import", &login_cookie, &body);
    assert_eq!(status, 303, "{page}");
    let cookies = format!("{login_cookie}; {}", cookie(&head, "import"));
    let header = format!("Cookie: {cookies}");
    let file = form_with_file(&token, &std::fs::read(FIXTURE).unwrap());
    let (status, _, page) = service.post_body(
        "/setup/import/upload",
        &cookies,
        "multipart/form-data; boundary=b",
        &file,
    );
    assert_eq!(status, 303, "{page}");
    let page = finished(&service, &header);
    assert!(
        page.contains("<td>issues</td><td class=\"number\">48</td>"),
        "{page}"
    );
    let token = between(&page, "name=\"authenticity_token\" value=\"", "\"");
    let body = format!("authenticity_token={token}");
    assert_eq!(
        service.post("/setup/import/progress", &cookies, &body).0,
        303
    );
    let page = finished(&service, &header);
    assert!(page.contains("The import is complete."), "{page}");
    assert_eq!(site.query("SELECT COUNT(*) FROM issues"), 48);
}

/// Starts the demonstration on a database.
fn demo(site: &Site) -> Service {
    let mut command = quarry(&["demo", "--store", &site.url(), "--data"]);
    Service::start(command.arg(site.root.path().join("demo")))
}

#[test]
fn demonstration_data_is_loaded_into_an_empty_database_once() {
    let Some(site) = Site::empty() else {
        return;
    };
    let mut users = Vec::new();
    for _ in 0..2 {
        let service = demo(&site);
        let row = service
            .printed
            .iter()
            .find(|line| line.starts_with("alice"))
            .unwrap();
        users.push(row.clone());
        let key = row.split_whitespace().nth(2).unwrap();
        let headers = [&*super::site::key_header(key)];
        let list = request(
            &service.address,
            "GET /issues.json?status_id=*",
            &headers,
            b"",
        )
        .unwrap();
        assert!(
            list.json()["total_count"].as_i64().unwrap() > 4000,
            "{}",
            list.head
        );
    }
    assert_eq!(users[0], users[1]);
    assert_eq!(site.query("SELECT COUNT(*) FROM projects"), 14);
    assert!(!site.root.path().join("demo/loading").exists());
}

#[test]
fn demonstration_refuses_a_database_with_other_records() {
    let Some((site, _)) = Site::initialized(&[]) else {
        return;
    };
    let output = site.run("a", &["demo", "--listen", "127.0.0.1:0"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && error.contains("other data than the demonstration data"),
        "{error}"
    );
    assert_eq!(site.query("SELECT COUNT(*) FROM projects"), 0);
}
