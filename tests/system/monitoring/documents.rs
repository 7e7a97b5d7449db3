//! `docs/metrics.md`, the example of alert rules and the board name existing metrics.

use super::{Samples, Watched};
use quarry::app::{METRICS, MetricType};
use regex::Regex;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

fn read(file: &str) -> String {
    std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("docs")
            .join(file),
    )
    .unwrap()
}

/// Returns the metrics of the service and of the process that a text names.
fn names(text: &str) -> BTreeSet<String> {
    let name = Regex::new(r"\b(?:quarry|process)_[a-z_]+[a-z]\b").unwrap();
    name.find_iter(text)
        .map(|found| found.as_str().to_owned())
        .collect()
}

fn documented() -> BTreeSet<String> {
    let text = read("metrics.md");
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.filter_map(|row| row.split('`').nth(1).map(str::to_owned))
        .filter(|name| !names(name).is_empty())
        .collect()
}

/// Returns the names by which a query can find a metric.
fn queried(metric_type: MetricType, name: &str) -> Vec<String> {
    match metric_type {
        MetricType::Histogram => ["_bucket", "_sum", "_count"]
            .map(|end| format!("{name}{end}"))
            .to_vec(),
        _ => vec![name.to_owned()],
    }
}

#[test]
fn documented_metrics_are_those_of_the_service() {
    let watched = Watched::start();
    watched.service.get("/search.json?q=is", &[&watched.key]);
    watched
        .service
        .get("/issues.json", &["X-Service-API-Key: wrong"]);
    let text = watched.text();
    let types: BTreeSet<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "))
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect();
    let helped: BTreeSet<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# HELP "))
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect();
    assert_eq!(types, helped, "each metric has a type and a help text");
    let own: BTreeSet<String> = METRICS.iter().map(|metric| metric.1.to_owned()).collect();
    let shown: BTreeSet<String> = types
        .iter()
        .filter(|name| name.starts_with("quarry_"))
        .cloned()
        .collect();
    let unknown: Vec<_> = shown.difference(&own).collect();
    assert!(unknown.is_empty(), "not in the table: {unknown:?}");
    // This service has neither a backup nor a certificate.
    let missing: Vec<_> = own
        .difference(&shown)
        .filter(|name| {
            !name.starts_with("quarry_backup_") && !name.ends_with("_expiry_timestamp_seconds")
        })
        .collect();
    assert!(missing.is_empty(), "never recorded: {missing:?}");
    let process = types.iter().filter(|name| name.starts_with("process_"));
    let all: BTreeSet<String> = own.iter().chain(process).cloned().collect();
    assert_eq!(documented(), all);
    let samples = Samples::parse(&text);
    assert!(samples.has(
        "quarry_build_info",
        &[("version", env!("CARGO_PKG_VERSION"))]
    ));
}

#[test]
fn rules_and_board_name_existing_metrics() {
    let known: BTreeSet<String> = METRICS
        .iter()
        .flat_map(|(metric_type, name, _)| queried(*metric_type, name))
        .chain(
            documented()
                .into_iter()
                .filter(|name| name.starts_with("process_")),
        )
        .collect();
    let rules = read("prometheus/alerts.yml");
    let expressions: String = rules
        .lines()
        .filter(|line| line.trim_start().starts_with("expr:"))
        .collect();
    let board: Value = serde_json::from_str(&read("prometheus/grafana.json")).unwrap();
    let panels = board["panels"].as_array().unwrap();
    let mut queries = 0;
    let mut in_board = String::new();
    for panel in panels {
        for target in panel["targets"].as_array().into_iter().flatten() {
            let expression = target["expr"].as_str().unwrap();
            assert!(!names(expression).is_empty(), "{expression}");
            queries += 1;
            in_board += expression;
            in_board.push('\n');
        }
    }
    assert!(queries >= 10, "{queries}");
    for (file, text) in [("alerts.yml", &expressions), ("grafana.json", &in_board)] {
        let unknown: Vec<_> = names(text).difference(&known).cloned().collect();
        assert!(
            unknown.is_empty() && !names(text).is_empty(),
            "{file}: {unknown:?}"
        );
    }
}
