//! `quarry search`: what it finds is what the service finds for the same user, and nothing is written.

#![allow(
    clippy::disallowed_methods,
    reason = "a test writes and looks into files as anybody may"
)]

use super::commands::{contents, rejected};
use crate::import::loader::ours;
use quarry_world::process::{Service, message, quarry, run};
use quarry_world::redmine_import::{fixture, import};
use quarry_world::wait::{TIMEOUT, until};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Logins of the imported world, with their API keys; the last is nobody.
const USERS: [(Option<&str>, &str); 5] = [
    (Some("admin"), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
    (Some("alice"), "1111111111111111111111111111111111111111"),
    (Some("bob"), "2222222222222222222222222222222222222222"),
    (Some("dave"), "4444444444444444444444444444444444444444"),
    (None, ""),
];

/// Creates a data folder with the records of a Redmine.
fn imported() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let output = import(folder.path(), &fixture(), &[]);
    assert!(folder.path().join("index").is_dir(), "{output:?}");
    folder
}

fn search_json(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, &[&["search", "--json"], arguments].concat());
    serde_json::from_str(&message(&output)).unwrap()
}

/// Returns the types and ids of the results.
fn hits(results: &Value) -> Vec<(String, i64)> {
    let results = results["results"].as_array().unwrap().iter();
    results
        .map(|hit| {
            let kind = hit["type"].as_str().unwrap().to_owned();
            (kind, hit["id"].as_i64().unwrap())
        })
        .collect()
}

fn assert_near(ours: &Value, theirs: &Value, name: &str) {
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    // The age of records changes from one second to the next.
    assert!(
        (number(ours) - number(theirs)).abs() < 0.001,
        "{name}: {ours} {theirs}"
    );
}

fn assert_same_result(ours: &Value, theirs: &Value, name: &str) {
    assert_eq!(ours["title"], theirs["title"], "{name}");
    assert_near(&ours["score"], &theirs["score"], name);
    let our_parts = &ours["explain"];
    let their_parts = &theirs["explain"];
    for part in ["exact_title", "adjacent_words", "recency"] {
        assert_near(&our_parts[part], &their_parts[part], name);
    }
    for (index, word) in their_parts["words"].as_array().unwrap().iter().enumerate() {
        let our_word = &our_parts["words"][index];
        assert_eq!(our_word["word"], word["word"], "{name}");
        assert_near(&our_word["added"], &word["added"], name);
    }
}

#[test]
fn results_and_explanations_are_those_of_the_service_for_each_user() {
    let folder = imported();
    let folder = folder.path();
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder));
    until(TIMEOUT, "the service is ready", || {
        service.get("/readyz", &[]).0 == 200
    });
    let mut totals = Vec::new();
    for (login, key) in USERS {
        for (query, any) in [
            ("rocket", false),
            ("rocket issue", false),
            ("rocket leak", true),
            ("rocket (type:issue OR type:wiki) -status:Closed", false),
            ("involves:alice OR (is:open has:version)", false),
            ("if (rocket AND issue)", false),
            ("rocket expected:<5> but was:<4>", true),
            ("rocket sort:relevance", false),
        ] {
            let header = format!("X-Redmine-API-Key: {key}");
            let headers = [header.as_str()];
            let headers = if login.is_some() { &headers[..] } else { &[] };
            let all_words = if any { "0" } else { "1" };
            let path = format!(
                "/search.json?q={}&sort=relevance&explain=1&all_words={all_words}&limit=10",
                quarry_world::percent_encode(query)
            );
            let (status, body) = service.get(&path, headers);
            assert_eq!(status, 200, "{body}");
            let theirs: Value = serde_json::from_str(&body).unwrap();
            let mut arguments = vec!["--explain", query];
            arguments.extend(any.then_some("--any"));
            arguments.extend(login.into_iter().flat_map(|login| ["--as", login]));
            let ours = search_json(folder, &arguments);
            let name = format!("{query} as {login:?}");
            assert_eq!(hits(&ours), hits(&theirs), "{name}");
            assert_eq!(
                ours["searched_as_text"].is_string(),
                query.starts_with("if") || query.contains("was:")
            );
            assert_eq!(ours["total_count"], theirs["total_count"], "{name}");
            let results = |found: &Value| found["results"].as_array().unwrap().clone();
            for (ours, theirs) in results(&ours).iter().zip(results(&theirs)) {
                assert_same_result(ours, &theirs, &name);
            }
            if query == "rocket" {
                totals.push(ours["total_count"].as_i64().unwrap());
            }
        }
    }
    // Without scores there is nothing to explain.
    let path = "/search.json?q=rocket+sort:date&limit=10";
    let (status, body) = service.get(path, &[]);
    assert_eq!(status, 200, "{body}");
    let theirs: Value = serde_json::from_str(&body).unwrap();
    let ours = search_json(folder, &["rocket sort:date"]);
    assert_eq!(hits(&ours), hits(&theirs));
    let distinct: std::collections::BTreeSet<i64> = totals.iter().copied().collect();
    assert!(distinct.len() > 1 && !distinct.contains(&0), "{totals:?}");
    service.terminate();
    assert!(service.ended().0.success());
}

#[test]
fn nothing_is_written_with_or_without_a_service() {
    let folder = imported();
    let folder = folder.path();
    let arguments = ["search", "rocket", "--as", "alice", "--explain"];
    message(&run(folder, &arguments));
    let mut before = BTreeMap::new();
    contents(folder, &mut before);
    let output = run(folder, &arguments);
    message(&output);
    assert!(output.stderr.is_empty(), "{output:?}");
    let mut after = BTreeMap::new();
    contents(folder, &mut after);
    assert!(after == before, "the search writes");
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder));
    until(TIMEOUT, "the service is ready", || {
        service.get("/readyz", &[]).0 == 200
    });
    let events = || message(&run(folder, &["audit", "list", "--json"]));
    let earlier = events();
    message(&run(folder, &arguments));
    assert_eq!(events(), earlier);
    service.terminate();
    let (status, log) = service.ended();
    assert!(status.success() && !log.contains("rocket"), "{log}");
}

#[test]
fn explanation_of_a_result_sums_to_its_score() {
    let folder = imported();
    let arguments = ["search", "rocket engine", "--as", "alice", "--explain"];
    let text = message(&run(folder.path(), &arguments));
    let lines: Vec<&str> = text.lines().collect();
    let words: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!(words[..4], ["1", "1.0000", "issue", "1"], "{text}");
    assert!(lines[1].ends_with("Rocket engine fails to start"), "{text}");
    let parts = lines[2].trim().strip_prefix("= ").unwrap().split(" + ");
    let parts: Vec<(f64, &str)> = parts
        .map(|part| part.split_once(' ').unwrap())
        .map(|(score, name)| (score.parse().unwrap(), name))
        .collect();
    let names: Vec<&str> = parts.iter().map(|(_, name)| *name).collect();
    assert!(
        names.starts_with(&["rocket", "engine", "(exact title)", "(adjacent words)"]),
        "{text}"
    );
    let sum: f64 = parts.iter().map(|(score, _)| score).sum();
    assert!((sum - 1.0).abs() < 0.0005, "{text}");
    assert_eq!(lines.last(), Some(&"3 of 3 results"), "{text}");
}

#[test]
fn misspelled_query_is_corrected_and_limit_counts() {
    let folder = imported();
    let found = search_json(folder.path(), &["rokcet", "--as", "alice", "--limit", "2"]);
    assert_eq!(found["did_you_mean"], "rocket");
    assert_eq!(hits(&found).len(), 2, "{found}");
    assert!(found["total_count"].as_i64().unwrap() > 2, "{found}");
    let text = message(&run(folder.path(), &["search", "rokcet"]));
    assert!(text.contains("did you mean: rocket\n"), "{text}");
}

#[test]
fn record_that_was_hidden_since_is_neither_found_nor_counted() {
    let folder = imported();
    let folder = folder.path();
    let search = |more: &[&str]| search_json(folder, &[&["rocket", "engine"], more].concat());
    let engine = ("issue".to_owned(), 1);
    let before = search(&[]);
    assert!(hits(&before).contains(&engine), "{before}");
    ours(folder)
        .execute_batch(
            "UPDATE issues SET is_private = 1 WHERE id = 1;
             UPDATE counters SET value = value + 1 WHERE name = 'change';
             UPDATE changes SET seq = (SELECT value FROM counters WHERE name = 'change') WHERE kind = 0 AND id = 1;",
        )
        .unwrap();
    let total = |found: &Value| found["total_count"].as_i64().unwrap();
    let after = search(&[]);
    assert!(!hits(&after).contains(&engine), "{after}");
    assert_eq!(total(&after), total(&before) - 1);
    let admin = search(&["--as", "admin"]);
    assert!(hits(&admin).contains(&engine), "{admin}");
    assert_eq!(total(&admin), total(&before));
    // Too many changes to check them all.
    ours(folder)
        .execute_batch(
            "INSERT INTO changes (kind, id, seq)
             WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= 50000)
             SELECT 1, 1000000 + i, (SELECT value FROM counters WHERE name = 'change') + i FROM n;
             UPDATE counters SET value = value + 50001 WHERE name = 'change';",
        )
        .unwrap();
    let output = run(folder, &["search", "rocket"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("is too far behind the records"), "{error}");
}

#[test]
fn weights_of_another_folder_count() {
    let folder = imported();
    let schema = tempfile::tempdir().unwrap();
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("index-schema");
    for entry in std::fs::read_dir(files).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, schema.path().join(path.file_name().unwrap())).unwrap();
    }
    let path = schema.path().to_str().unwrap();
    let arguments = ["rocket", "--as", "alice", "--explain", "--schema", path];
    let first_part = |found: &Value, part: &str| {
        let result = &found["results"][0]["explain"];
        result[part].as_f64().unwrap()
    };
    let unchanged = search_json(folder.path(), &arguments);
    assert_eq!(
        hits(&unchanged),
        hits(&search_json(folder.path(), &arguments[..4]))
    );
    assert!(first_part(&unchanged, "exact_title") > 0.0);
    let file = schema.path().join("index.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let changed = text.replace("exact_title = 0.3", "exact_title = 0.0");
    assert_ne!(changed, text);
    std::fs::write(&file, changed).unwrap();
    let without = search_json(folder.path(), &arguments);
    assert_eq!(without["total_count"], unchanged["total_count"]);
    assert!(first_part(&without, "exact_title") == 0.0, "{without}");
    std::fs::write(&file, "[ranking]\nexact_title = 1\n").unwrap();
    let output = run(folder.path(), &[&["search"], &arguments[..]].concat());
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("index.toml"), "{error}");
}

#[test]
fn mistakes_and_missing_parts_are_one_sentence() {
    let folder = imported();
    let folder = folder.path();
    let refused = |arguments: &[&str], sentence: &str| {
        rejected(&run(folder, &[&["search"], arguments].concat()), sentence)
    };
    refused(
        &["rocket", "--as", "alcie"],
        "there is no user \"alcie\", did you mean alice?",
    );
    refused(
        &["rocket", "--as", "erin"],
        "erin may not log in; unlock the user first, or name another one",
    );
    refused(
        &["is:open asignee:bob"],
        "the query is invalid at character 9: asignee:bob – there is no qualifier asignee:, did you mean assignee:?; to search for the text itself put it in double quotes",
    );
    message(&run(folder, &["setting", "set", "login_required", "1"]));
    refused(
        &["rocket"],
        "people who are not logged in see nothing here (login_required); name a user with --as",
    );
    for arguments in [&["search"][..], &["search", "a", "--limit", "101"]] {
        assert_eq!(run(folder, arguments).status.code(), Some(2));
    }
    let index = folder.join("index");
    std::fs::remove_dir_all(&index).unwrap();
    let output = run(folder, &["search", "rocket", "--as", "alice"]);
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        format!(
            "quarry: the index in {} cannot be searched: there is none yet; build it with `quarry index rebuild`\n",
            index.display()
        )
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(!index.exists(), "only reads");
    let missing = folder.join("dta");
    rejected(
        &run(&missing, &["search", "rocket"]),
        &format!(
            "{} is not a data folder of Quarry; specify one with --data, or create one with `quarry serve`",
            missing.display()
        ),
    );
    assert!(!missing.exists());
}
