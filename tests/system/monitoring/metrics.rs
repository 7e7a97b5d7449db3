//! What the metrics say, and who gets them.

use super::{Samples, Watched, get};
use quarry_world::process::{Service, quarry, run};
use quarry_world::wait::{TIMEOUT, until};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

const TOKEN: &str = "c0ffee00c0ffee00c0ffee00";

#[test]
fn metrics_are_off_unless_the_configuration_serves_them() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder.path()));
    assert_eq!(service.printed, Vec::<String>::new());
    assert_unknown(&service, "/metrics", &[]);
    assert_unknown(&service, "/metrics", &[&bearer(TOKEN)]);
}

fn bearer(token: &str) -> String {
    format!("Authorization: Bearer {token}")
}

/// Asserts that the response is that of an address that does not exist.
#[track_caller]
fn assert_unknown(service: &Service, path: &str, headers: &[&str]) {
    let whole = |path: &str| {
        let mut text = String::new();
        let mut stream = service.send(path, headers);
        stream.read_to_string(&mut text).unwrap();
        let is_same =
            |line: &&str| !line.starts_with("x-request-id: ") && !line.starts_with("date: ");
        let lines: Vec<&str> = text.split("\r\n").filter(is_same).collect();
        // Pages lead back to their address.
        lines.join("\n").replace("metricz", "metrics")
    };
    let response = whole(path);
    assert!(response.starts_with("HTTP/1.1 404 "), "{response}");
    assert_eq!(response, whole(&path.replace("metrics", "metricz")));
}

fn token_file(folder: &Path, text: &str) -> String {
    let file = folder.join("token");
    std::fs::write(&file, text).unwrap();
    file.display().to_string()
}

#[test]
fn only_the_token_opens_the_metrics_at_the_address_of_the_service() {
    let folder = tempfile::tempdir().unwrap();
    let file = token_file(folder.path(), &format!("{TOKEN}\nsecond line\n"));
    let mut command = quarry(&["serve", "--metrics-token-file", &file, "--data"]);
    let service = Service::start(command.arg(folder.path().join("data")));
    let (status, text) = service.get("/metrics", &[&bearer(TOKEN)]);
    assert_eq!(status, 200);
    assert!(text.contains("quarry_build_info{version=\""), "{text}");
    for headers in [
        vec![],
        vec!["Accept: application/json"],
        vec!["Authorization: Basic YWRtaW46YWRtaW5hZG1pbg=="],
        vec!["Authorization: Bearer second line"],
    ] {
        assert_unknown(&service, "/metrics", &headers);
    }
    let other = bearer(TOKEN);
    assert_unknown(&service, "/metrics.json", &[&other]);
    for same in ["/metrics/", "//metrics"] {
        assert_unknown(&service, same, &[]);
        assert_eq!(service.get(same, &[&other]).0, 200, "{same}");
    }
    let (status, ..) = service.post("/metrics", "", "");
    assert_eq!(status, 404);
    assert_unknown(&service, &format!("/metrics?token={TOKEN}"), &[]);
}

#[test]
fn wrong_tokens_are_limited_counted_and_logged_without_the_token() {
    let folder = tempfile::tempdir().unwrap();
    let file = token_file(folder.path(), TOKEN);
    let mut command = quarry(&[
        "serve",
        "--metrics-token-file",
        &file,
        "--metrics-listen",
        "127.0.0.1:0",
        "--data",
    ]);
    let service = Service::start(command.arg(folder.path().join("data")));
    for guess in 0..5 {
        let wrong = bearer(&format!("guessed-token-{guess}-of-16"));
        assert_unknown(&service, "/metrics", &[&wrong]);
    }
    // The second request of each comparison was for an unknown address, which compares nothing.
    let address = service.printed[0]
        .strip_prefix("metrics at http://")
        .unwrap();
    let address = address.strip_suffix("/metrics").unwrap();
    let samples = Samples::parse(&get(address, "/metrics", &[]).1);
    let failures = samples.sum("quarry_login_failures_total", &[("kind", "metrics_token")]);
    assert!(failures >= 5.0, "{failures}");
    // The delay of a slow machine may have passed; each further guess doubles it.
    let wrong = bearer("guessed-token-again");
    let is_refused = (0..10).any(|_| {
        assert_unknown(&service, "/metrics", &[&wrong]);
        service.get("/metrics", &[&bearer(TOKEN)]).0 != 200
    });
    assert!(is_refused, "the right token is compared during a delay");
    service.terminate();
    let (_, log) = service.ended();
    let refusal =
        "client.address=127.0.0.1 login.method=\"metrics token\" login.outcome=\"failure\"";
    assert!(log.contains(refusal), "{log}");
    assert!(
        !log.contains("guessed-token") && !log.contains(TOKEN),
        "{log}"
    );
}

#[test]
fn unusable_token_file_is_a_startup_error() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    for (text, problem) in [
        ("", "its first line is empty"),
        (
            "fifteen-letters",
            "must have at least 16 visible characters",
        ),
        (
            "sixteen letters and spaces",
            "must have at least 16 visible characters",
        ),
    ] {
        let file = token_file(folder.path(), text);
        let output = run(
            &data,
            &[
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--metrics-token-file",
                &file,
            ],
        );
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains(problem), "{message}");
        assert!(text.is_empty() || !message.contains(text), "{message}");
    }
    let missing = folder.path().join("missing").display().to_string();
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--metrics-token-file"];
    let output = run(&data, &[&arguments[..], &[&missing]].concat());
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing"));
}

#[test]
fn only_the_metrics_are_at_their_own_address() {
    let watched = Watched::start();
    let (status, text) = get(&watched.address, "/metrics", &[]);
    assert_eq!(status, 200);
    assert!(
        !text.contains("alice") && !text.contains("secret"),
        "no content"
    );
    for path in ["/", "/issues.json", "/metrics.json", "/healthz", "/admin"] {
        let (status, body) = get(&watched.address, path, &[&watched.key]);
        assert_eq!((status, body.as_str()), (404, ""), "{path}");
    }
    assert_unknown(&watched.service, "/metrics", &[]);
}

#[test]
fn requests_are_counted_by_pattern_method_format_and_status() {
    let watched = Watched::start();
    let service = &watched.service;
    for _ in 0..3 {
        assert_eq!(service.get("/issues/1.json", &[&watched.key]).0, 200);
    }
    assert_eq!(service.get("/issues/1", &[&watched.key]).0, 200);
    assert_eq!(service.get("/issues/99.json", &[&watched.key]).0, 404);
    assert_eq!(service.get("/nothing.json", &[]).0, 404);
    assert_eq!(service.get("/", &[&watched.key]).0, 200);
    let samples = watched.samples();
    for (labels, expected) in [
        (
            [
                ("route", "/issues/{id}"),
                ("format", "data"),
                ("status", "200"),
            ],
            3.0,
        ),
        (
            [
                ("route", "/issues/{id}"),
                ("format", "data"),
                ("status", "404"),
            ],
            1.0,
        ),
        (
            [
                ("route", "/issues/{id}"),
                ("format", "page"),
                ("status", "200"),
            ],
            1.0,
        ),
        ([("route", "/"), ("format", "page"), ("status", "200")], 1.0),
        (
            [
                ("route", "unknown"),
                ("format", "unknown"),
                ("status", "404"),
            ],
            1.0,
        ),
    ] {
        let counted = samples.sum("quarry_http_requests_total", &labels);
        assert!((counted - expected).abs() < 0.5, "{labels:?}: {counted}");
    }
    let labels = [
        ("method", "GET"),
        ("route", "/issues/{id}"),
        ("format", "data"),
    ];
    let name = "quarry_http_request_duration_seconds";
    assert!((samples.sum(&format!("{name}_count"), &labels) - 4.0).abs() < 0.5);
    assert!(samples.sum(&format!("{name}_sum"), &labels) > 0.0);
    let all = [&labels[..], &[("le", "+Inf")]].concat();
    assert!((samples.sum(&format!("{name}_bucket"), &all) - 4.0).abs() < 0.5);
}

#[test]
fn writes_searches_logins_jobs_and_sizes_are_measured() {
    let watched = Watched::start_with(&[
        "--mail",
        "smtp://127.0.0.1:9",
        "--mail-from",
        "q@example.org",
    ]);
    let before = watched.samples();
    let json = "application/json";
    let body = br#"{"issue":{"subject":"metrics"}}"#;
    let (status, ..) = watched.service.post_body(
        "/projects/open/issues.json",
        &format!("x=y\r\n{}", watched.key),
        json,
        body,
    );
    assert_eq!(status, 201);
    assert_eq!(
        watched
            .service
            .get("/search.json?q=metrics", &[&watched.key])
            .0,
        200
    );
    let wrong = "Authorization: Basic YWxpY2U6d3Jvbmc=";
    assert_eq!(watched.service.get("/issues.json", &[wrong]).0, 401);
    let unknown = "X-Service-API-Key: 0123456789012345678901234567890123456789";
    assert_eq!(watched.service.get("/issues.json", &[unknown]).0, 401);
    until(TIMEOUT, "the job of mails has run", || {
        watched
            .samples()
            .sum("quarry_job_runs_total", &[("background_job", "mail")])
            >= 1.0
    });
    let after = watched.samples();
    let grown =
        |name: &str, labels: &[(&str, &str)]| after.sum(name, labels) - before.sum(name, labels);
    assert!(grown("quarry_store_writes_total", &[("outcome", "committed")]) >= 1.0);
    assert!(grown("quarry_store_write_duration_seconds_count", &[]) >= 1.0);
    assert!(grown("quarry_store_write_group_size_count", &[]) >= 1.0);
    assert!((grown("quarry_search_duration_seconds_count", &[]) - 1.0).abs() < 0.5);
    for kind in ["password", "api_key"] {
        let failures = grown("quarry_login_failures_total", &[("kind", kind)]);
        assert!((failures - 1.0).abs() < 0.5, "{kind}: {failures}");
    }
    assert!(
        after.sum(
            "quarry_job_last_run_timestamp_seconds",
            &[("background_job", "mail")]
        ) > 1e9
    );
    assert!(after.has("quarry_job_failures_total", &[("background_job", "mail")]));
    for part in ["database", "index"] {
        assert!(
            after.sum("quarry_storage_bytes", &[("part", part)]) > 0.0,
            "{part}"
        );
    }
    assert!(after.sum("process_resident_memory_bytes", &[]) > 1e6);
    assert!(after.sum("quarry_http_connections", &[("address", "metrics")]) >= 1.0);
    until(TIMEOUT, "the index has the last change", || {
        watched.samples().sum("quarry_index_lag_changes", &[]) == 0.0
    });
}

#[test]
fn waiting_requests_and_open_connections_are_gauges() {
    let watched = Watched::start();
    let open =
        |samples: &Samples| samples.sum("quarry_http_connections", &[("address", "service")]);
    until(TIMEOUT, "no connection is open", || {
        open(&watched.samples()) == 0.0
    });
    let mut idle: Vec<TcpStream> = (0..3)
        .map(|_| TcpStream::connect(&watched.service.address).unwrap())
        .collect();
    until(TIMEOUT, "three connections are open", || {
        open(&watched.samples()) == 3.0
    });
    write!(idle[0], "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    drop(idle);
    until(TIMEOUT, "they are closed", || {
        open(&watched.samples()) == 0.0
    });
    let samples = watched.samples();
    for limit in [
        "reads",
        "slow_reads",
        "writes",
        "uploads",
        "long_texts",
        "thumbnails",
        "passwords",
        "body_memory",
    ] {
        assert!(
            samples.has("quarry_http_requests_waiting", &[("limit", limit)]),
            "{limit}"
        );
    }
}
