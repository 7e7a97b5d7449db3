//! What one node has saved is found by the next search on another one.

use super::{Node, Nodes};
use quarry_world::data_folder::KEY;
use serde_json::Value;
use std::time::{Duration, Instant};

const ISSUES: usize = 100;
/// How long a search may take to find what another node has saved, on a slow machine.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Returns whether a search finds the issue.
fn finds(node: &Node, word: &str, id: i64, key: Option<&str>) -> bool {
    let path = format!("/search.json?q={word}");
    let answer = match key {
        Some(key) => node.api_as(key, "GET", &path, &Value::Null),
        None => node.send("GET", &path, &[], ""),
    };
    let answer = answer.assert_status(200).json();
    let results = answer["results"].as_array().unwrap();
    results.iter().any(|result| result["id"] == id)
}

#[test]
fn issue_saved_on_one_node_is_found_by_the_next_search_on_the_other() {
    let Some((_nodes, first, second)) = Nodes::start_two() else {
        return;
    };
    let open = serde_json::json!({"settings": {"login_required": false}});
    first.api("PUT", "/settings.json", &open).assert_status(200);
    let mut times = Vec::new();
    let mut at_once = 0;
    for n in 0..ISSUES {
        let (writer, reader) = if n % 2 == 0 {
            (&first, &second)
        } else {
            (&second, &first)
        };
        let word = format!("word{n}x");
        let id = writer.create_issue("one", &word);
        // Other users must find it as well as its author.
        let key = (n % 3 > 0).then_some(KEY);
        let start = Instant::now();
        let mut searches = 0;
        let mut is_found = false;
        while !is_found && start.elapsed() < MAX_WAIT {
            searches += 1;
            is_found = finds(reader, &word, id, key);
        }
        assert!(is_found, "issue {n} was not found in {:?}", start.elapsed());
        at_once += usize::from(searches == 1);
        times.push(start.elapsed());
    }
    times.sort();
    println!(
        "{ISSUES} of {ISSUES} issues found on the other node, {at_once} by the first search; p50 {:?}, p99 {:?}",
        times[ISSUES / 2],
        times[ISSUES * 99 / 100]
    );
}

#[test]
fn node_that_was_away_resumes_with_the_changes_that_it_missed() {
    let Some((nodes, first, second)) = Nodes::start_two() else {
        return;
    };
    second.stop();
    let id = first.create_issue("one", "whileaway");
    let second = nodes.start(1);
    assert!(finds(&second, "whileaway", id, Some(KEY)));
    nodes.assert_indexes_agree();
    let log = second.stop();
    assert!(!log.contains("search index is built"), "{log}");

    std::fs::remove_dir_all(nodes.folder(1).join("index")).unwrap();
    let second = nodes.start(1);
    assert!(finds(&second, "whileaway", id, Some(KEY)));
    nodes.assert_indexes_agree();
    let log = second.stop();
    assert!(log.contains("search index is built"), "{log}");
}

#[test]
fn index_folder_deleted_while_the_node_runs_is_rebuilt() {
    let Some((nodes, first, second)) = Nodes::start_two() else {
        return;
    };
    quarry_world::wait::until_removed(&nodes.folder(1).join("index"));
    let id = first.create_issue("one", "afterdeletion");
    quarry_world::wait::until(quarry_world::wait::TIMEOUT, "the index is rebuilt", || {
        finds_if_ready(&second, "afterdeletion", id)
    });
    nodes.assert_indexes_agree();
}

/// Like [`finds`]; `false` while there is no index.
fn finds_if_ready(node: &Node, word: &str, id: i64) -> bool {
    let path = format!("/search.json?q={word}");
    let answer = node.api("GET", &path, &Value::Null);
    answer.status == 200 && {
        let answer = answer.json();
        let results = answer["results"].as_array().unwrap();
        results.iter().any(|result| result["id"] == id)
    }
}
