//! What a Redmine answered about this world, and what is answered here after it has moved in. Only what was read is replayed.
//!
//! An answer is the same when the status is, and every value of the body is there with the same value; more values are
//! allowed. The order of search results is free. A difference is as decided (contract, part A) or not there yet.

use super::world::{fixture, import};
use crate::cli::process::{Service, quarry, run, told};
use serde_json::{Value, json};
use std::path::Path;

/// The files that count so far, and how many cases are the same at least. More is better: raise the numbers.
const FILES: &[(&str, usize)] = &[("01-auth", 31), ("02-issues-list", 65), ("07-projects", 26), ("09-search", 68)];

/// Differences that are decided: what the difference begins with, what the request contains, and the reason.
const DECIDED: &[(&str, &str, &str)] = &[
    ("status 406 not 200", "", "without suffix, Accept or a key is enough"),
    ("status 200 not 401", "", "wrong credentials are never taken for none"),
    ("status 401 not 200", "", "a key counts as password of HTTP Basic too"),
    (".tag: \"hash\"", "", "every error has sentences"),
    (".total_count: null is 0", "/search", "an empty search has found nothing"),
    (".issues[0].id", "subject=", "a subject without operator is contained"),
    (".total_count", "subject=", "a subject without operator is contained"),
    (".issues", "=t&", "relative to the day of the recording"),
    (".kids[0].kids: 6 are 9", "/search.xml", "results have project, excerpt and score besides"),
    ("status 200 not 302", "/search", "a number leads to that issue"),
    (".results:", "=0", "0 is off"),
    (".results:", "scope=bookmarks", "as in 5.1 and later"),
    (".results[0]", "limit=", "by relevance, not by date"),
    (".results: 23 are 0", "q=ro", "words are found, not parts of them"),
    (".results: 18 are 0", "q=a%20rocket", "a word of one letter is a word"),
];

/// The keys of the users, forty times this sign.
const KEYS: &[(&str, &str)] =
    &[("admin", "a"), ("alice", "1"), ("bob", "2"), ("carol", "3"), ("dave", "4"), ("erin", "5"), ("frank", "6"), ("gina", "7")];

/// The first difference, if there is one.
fn difference(want: &Value, got: &Value, path: &str) -> Option<String> {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => want.iter().find_map(|(key, value)| match got.get(key) {
            Some(found) => difference(value, found, &format!("{path}.{key}")),
            None => Some(format!("{path}.{key} is missing")),
        }),
        (Value::Array(want), Value::Array(got)) if want.len() == got.len() => {
            let (mut want, mut got) = (want.clone(), got.clone());
            if path == ".results" {
                let key = |result: &Value| (result["type"].to_string(), result["id"].as_i64());
                want.sort_by_key(key);
                got.sort_by_key(key);
            }
            want.iter().zip(&got).enumerate().find_map(|(place, (want, got))| difference(want, got, &format!("{path}[{place}]")))
        }
        (Value::Array(want), Value::Array(got)) => Some(format!("{path}: {} are {}", want.len(), got.len())),
        (Value::Number(want), Value::Number(got)) if (want.as_f64()? - got.as_f64()?).abs() < 1e-6 => None,
        _ if want == got => None,
        _ => Some(format!("{path}: {want} is {got}")),
    }
}

/// An element as JSON, so that one comparison does for both.
fn tree(node: roxmltree::Node<'_, '_>) -> Value {
    let kids: Vec<Value> = node.children().filter(roxmltree::Node::is_element).map(tree).collect();
    let attributes: serde_json::Map<String, Value> = node.attributes().map(|a| (a.name().to_owned(), json!(a.value()))).collect();
    let text = if kids.is_empty() { node.text().unwrap_or_default().trim() } else { "" };
    json!({"tag": node.tag_name().name(), "attributes": attributes, "text": text, "kids": kids})
}

fn read(body: &str, kind: &str) -> Option<Value> {
    match kind {
        kind if kind.contains("json") => serde_json::from_str(body).ok(),
        kind if kind.contains("xml") => Some(tree(roxmltree::Document::parse(body).ok()?.root_element())),
        _ => None,
    }
}

/// What is different, if anything is; `None` in it when the case cannot be replayed.
fn replay(service: &Service, case: &Value) -> Option<Option<String>> {
    let (request, response) = (&case["request"], &case["response"]);
    if request["method"] != "GET" || response["body_omitted"] == true {
        return None;
    }
    let mut headers: Vec<String> = Vec::new();
    for (name, value) in request["headers"].as_object().into_iter().flatten() {
        headers.push(format!("{name}: {}", value.as_str().unwrap_or_default()));
    }
    if let Some((_, sign)) = KEYS.iter().find(|(login, _)| request["as"] == *login) {
        headers.push(format!("X-Redmine-API-Key: {}", sign.repeat(40)));
    }
    let path = request["path"].as_str()?;
    if !path.is_ascii() || path.contains(' ') {
        return None;
    }
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    let (status, body) = service.ask(path, &headers);
    if response["status"] != status {
        return Some(Some(format!("status {} not {status}", response["status"])));
    }
    let want = response["body"].as_str().unwrap_or_default().replace("{base_url}", &format!("http://{}", service.address));
    if want.trim().is_empty() {
        return Some(None);
    }
    let kind = response["headers"]["Content-Type"].as_str().unwrap_or_default();
    let want = read(&want, kind)?;
    Some(read(&body, kind).map_or_else(|| Some("the body is of another kind".to_owned()), |got| difference(&want, &got, "")))
}

#[test]
fn what_was_read_there_is_read_here() {
    let folder = tempfile::tempdir().unwrap();
    told(&import(folder.path(), &fixture(), &[]));
    // As that Redmine was set up: nobody need log in.
    told(&run(folder.path(), &["setting", "set", "login_required", "0"]));
    // Nobody reads what it logs, and it waits when that has become too much.
    let service = Service::start(quarry(&["serve", "--log", "off", "--data"]).arg(folder.path()));
    for (name, least) in FILES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/transcripts").join(format!("{name}.jsonl"));
        let (mut equal, mut decided, mut not_yet) = (0, 0, 0);
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let Some(found) = replay(&service, &case) else { continue };
            let path = case["request"]["path"].as_str().unwrap();
            match found {
                None => equal += 1,
                Some(found) if DECIDED.iter().any(|(begins, contains, _)| found.starts_with(begins) && path.contains(contains)) => {
                    decided += 1
                }
                Some(found) => {
                    not_yet += 1;
                    println!("  {} {} {path}: {}", case["group"], case["n"], found.chars().take(120).collect::<String>());
                }
            }
        }
        println!("{name}: {} replayed, {equal} equal, {decided} different as decided, {not_yet} not yet", equal + decided + not_yet);
        assert!(equal >= *least, "{name}: {equal} are equal, there were {least}");
    }
}
