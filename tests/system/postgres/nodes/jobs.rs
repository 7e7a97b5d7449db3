//! Jobs that only one node runs, and the list of nodes.

use super::{Node, Nodes};
use quarry::app::App;
use quarry::config::{Config, Environment, Flags, Key};
use quarry::domain::clock::{SystemClock, SystemEntropy};
use quarry::jobs::cleanup;
use quarry_world::wait::{TIMEOUT, until};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

fn count(nodes: &Nodes, sql: &str) -> i64 {
    nodes.sql().query_one(sql, &[]).unwrap().get(0)
}

/// Copies the issues of the project `large` until there are many.
fn fill_project(nodes: &Nodes, node: &Node) {
    let project = json!({"project": {"name": "large", "identifier": "large"}});
    let answer = node.api("POST", "/projects.json", &project);
    answer.assert_status(201);
    node.create_issue("large", "template");
    let mut sql = nodes.sql();
    let columns = "SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns \
                   WHERE table_name = 'issues' AND column_name <> 'id'";
    let columns: String = sql.query_one(columns, &[]).unwrap().get(0);
    let copy = format!(
        "INSERT INTO issues ({columns}) SELECT {columns} FROM issues, generate_series(1, 20000) \
         WHERE subject = 'template'"
    );
    sql.batch_execute(&copy).unwrap();
}

#[test]
fn deletion_that_the_killed_leader_began_is_finished_by_the_next_one() {
    let Some((nodes, mut first, second)) = Nodes::start_two() else {
        return;
    };
    fill_project(&nodes, &first);
    let key = quarry_world::data_folder::KEY;
    let mut stream = std::net::TcpStream::connect(&first.0.address).unwrap();
    write!(
        stream,
        "DELETE /projects/large.json HTTP/1.1\r\nHost: x\r\nX-Service-API-Key: {key}\r\n\r\n"
    )
    .unwrap();
    let hidden = "SELECT COUNT(*) FROM projects WHERE status = -1";
    until(TIMEOUT, "the deletion has begun", || {
        count(&nodes, hidden) == 1
    });
    first.0.kill();
    assert_eq!(count(&nodes, hidden), 1, "the deletion is not finished");
    assert_eq!(second.status(key, "/projects/large.json"), 404);
    until(2 * TIMEOUT, "the other node finishes the deletion", || {
        count(&nodes, hidden) == 0
    });
    let left = "SELECT COUNT(*) FROM issues WHERE subject = 'template'";
    assert_eq!(count(&nodes, left), 0);
    assert_eq!(
        count(&nodes, "SELECT COUNT(*) FROM nodes"),
        1,
        "the killed node was removed"
    );
    let log = second.stop();
    assert!(
        log.contains("a node has stopped reporting") && log.contains("this node leads"),
        "{log}"
    );
    assert_eq!(count(&nodes, "SELECT COUNT(*) FROM nodes"), 0);
}

#[test]
fn node_that_stops_hands_the_lead_over_at_once() {
    let Some((nodes, first, second)) = Nodes::start_two() else {
        return;
    };
    assert_eq!(count(&nodes, "SELECT COUNT(*) FROM nodes"), 2);
    let log = first.stop();
    assert!(log.contains("this node leads"), "{log}");
    assert_eq!(count(&nodes, "SELECT COUNT(*) FROM nodes"), 1);
    until(TIMEOUT, "the other node has reported again", || {
        let sql = "SELECT COUNT(*) FROM nodes WHERE seen_on > joined_on + 4000000";
        count(&nodes, sql) == 1
    });
    let log = second.stop();
    assert!(log.contains("this node leads"), "{log}");
}

#[test]
fn administration_page_lists_the_nodes_with_their_lag() {
    let Some((_nodes, first, second)) = Nodes::start_two() else {
        return;
    };
    let session = first.session("admin", "adminadmin");
    for node in [&first, &second] {
        let page = node.page("/admin/index", &session).assert_status(200);
        for listed in [&first, &second] {
            assert!(page.body.contains(&listed.0.address), "{page:?}");
        }
        let own = format!("{} (this node)", node.0.address);
        assert!(page.body.contains(&own), "{page:?}");
    }
    let health = second.send("GET", "/readyz", &[], "").assert_status(200);
    assert_eq!(health.json()["index"], "ok", "{health:?}");
    assert_eq!(second.send("GET", "/healthz", &[], "").status, 200);
    assert_eq!(second.api("GET", "/issues.json", &Value::Null).status, 200);
}

#[test]
fn node_that_does_not_lead_deletes_its_temporary_files() {
    let Some(nodes) = Nodes::empty() else {
        return;
    };
    let flags = Flags {
        values: vec![(Key::Store, nodes.url())],
        ..Flags::default()
    };
    let folder = nodes.folder(0).display().to_string();
    let config = Config::load(&flags, &Environment::default(), &folder).unwrap();
    let app = App::open(&config, Arc::new(SystemClock), Arc::new(SystemEntropy)).unwrap();
    assert!(!app.node.is_leader(), "it has not reported yet");
    let files = nodes.folder(0).join("files");
    std::fs::create_dir_all(&files).unwrap();
    let left_over = files.join("arriving-1-1");
    std::fs::write(&left_over, "part of an upload").unwrap();
    let written = std::fs::metadata(&left_over).unwrap().modified().unwrap();
    let hours_ago = written - Duration::from_secs(2 * 3600);
    let file = std::fs::File::options()
        .write(true)
        .open(&left_over)
        .unwrap();
    file.set_modified(hours_ago).unwrap();
    assert_eq!(cleanup::run_once(&app).unwrap(), (0, 1));
    assert!(!left_over.exists());
    app.close();
}
