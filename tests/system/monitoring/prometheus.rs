//! Debian's Prometheus scrapes the service, and its tool checks what the service and the documents say.

use super::Watched;
use quarry_world::environment::not_installed;
use quarry_world::ports::free_address;
use quarry_world::wait::{TIMEOUT, until};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};

fn has(program: &str) -> bool {
    let found = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if found.is_err() {
        not_installed(program, "prometheus");
    }
    found.is_ok()
}

#[test]
fn promtool_has_nothing_to_say_about_the_metrics() {
    if !has("promtool") {
        return;
    }
    let watched = Watched::start();
    watched.service.get("/issues.json", &[&watched.key]);
    watched.service.get("/search.json?q=is", &[&watched.key]);
    watched
        .service
        .get("/issues.json", &["X-Service-API-Key: wrong"]);
    let mut tool = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = tool.stdin.take().unwrap();
    input.write_all(watched.text().as_bytes()).unwrap();
    drop(input);
    let output = tool.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(
        output.status.success() && said.is_empty(),
        "{}",
        String::from_utf8_lossy(&said)
    );
}

#[test]
fn promtool_accepts_the_example_of_alert_rules() {
    if !has("promtool") {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (command, file) in [
        ("check", "docs/prometheus/alerts.yml"),
        ("test", "fixtures/prometheus/alerts_test.yml"),
    ] {
        let output = Command::new("promtool")
            .args([command, "rules"])
            .arg(folder.join(file))
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn counters_of_jobs_begin_with_zero() {
    let watched = Watched::start();
    let text = watched.text();
    for job in ["backup", "mail", "reminders"] {
        let line = format!("quarry_job_failures_total{{background_job=\"{job}\"}} 0\n");
        assert!(text.contains(&line), "{job}: {text}");
    }
}

/// A Prometheus in a temporary folder, stopped on drop.
struct Prometheus {
    child: Child,
    address: String,
    _folder: tempfile::TempDir,
}

impl Prometheus {
    fn start(target: &str) -> Prometheus {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("prometheus.yml");
        let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/prometheus/alerts.yml");
        let text = format!(
            "global:\n  scrape_interval: 1s\n  evaluation_interval: 1s\nrule_files: [{}]\n\
             scrape_configs:\n  - job_name: quarry\n    static_configs:\n      - targets: ['{target}']\n",
            rules.display()
        );
        std::fs::write(&config, text).unwrap();
        let address = free_address();
        let child = Command::new("prometheus")
            .arg(format!("--config.file={}", config.display()))
            .arg(format!(
                "--storage.tsdb.path={}",
                folder.path().join("data").display()
            ))
            .arg(format!("--web.listen-address={address}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Prometheus {
            child,
            address,
            _folder: folder,
        }
    }

    /// Returns the answer of its API; `None` while it is not ready.
    fn api(&self, path: &str) -> Option<Value> {
        if std::net::TcpStream::connect(&self.address).is_err() {
            return None;
        }
        let mut command = Command::new("curl");
        let output = command
            .args(["-s", &format!("http://{}/api/v1/{path}", self.address)])
            .output()
            .ok()?;
        let answer: Value = serde_json::from_slice(&output.stdout).ok()?;
        Some(answer["data"].clone())
    }

    /// Returns the values of a query.
    fn query(&self, query: &str) -> Vec<f64> {
        let answer = self.api(&format!("query?query={query}"));
        let result = answer.map(|answer| answer["result"].clone());
        let result = result.as_ref().and_then(Value::as_array).cloned();
        let values = result.unwrap_or_default();
        values
            .iter()
            .map(|sample| sample["value"][1].as_str().unwrap().parse().unwrap())
            .collect()
    }
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn prometheus_scrapes_the_service_and_evaluates_the_rules() {
    if !has("prometheus") {
        return;
    }
    let watched = Watched::start();
    for _ in 0..7 {
        assert_eq!(watched.service.get("/issues.json", &[&watched.key]).0, 200);
    }
    let prometheus = Prometheus::start(&watched.address);
    until(TIMEOUT, "the target is up", || {
        prometheus.query("up") == [1.0]
    });
    until(TIMEOUT, "the requests are stored", || {
        let query = "quarry_http_requests_total%7Broute=%22/issues%22,format=%22data%22%7D";
        prometheus.query(query) == [7.0]
    });
    let quantile = "histogram_quantile(0.5,quarry_http_request_duration_seconds_bucket%7Broute=%22/issues%22%7D)";
    until(
        TIMEOUT,
        "a quantile is computed",
        || matches!(prometheus.query(quantile)[..], [value] if value > 0.0 && value < 20.0),
    );
    // A scrape that takes longer than the interval is an error.
    until(TIMEOUT, "a scrape has no error", || {
        prometheus.api("targets").unwrap()["activeTargets"][0]["lastError"] == ""
    });
    until(TIMEOUT, "all rules are evaluated", || {
        let groups = prometheus.api("rules").unwrap()["groups"].clone();
        let rules: Vec<Value> = groups
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|group| group["rules"].as_array().unwrap().clone())
            .collect();
        rules.len() > 5 && rules.iter().all(|rule| rule["health"] == "ok")
    });
}
