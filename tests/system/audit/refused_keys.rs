//! Log lines about refused keys, tokens and logins, for programs such as fail2ban (operations 10).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use quarry_world::World;
use quarry_world::process::Service;
use regex::Regex;

/// Returns the expression for fail2ban in the documentation, with an address in place of its host.
fn documented_expression() -> Regex {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/operations.md"))
        .unwrap();
    let expression = text
        .lines()
        .find_map(|line| line.strip_prefix("failregex = "))
        .unwrap();
    Regex::new(&expression.replace("<HOST>", "([0-9a-f.:]+)")).unwrap()
}

/// Starts the service with a world and sends GET requests with these headers, each from another
/// address. Returns the lines of the audit log.
fn log_of(world: World, format: &str, requests: &[(&str, &str)]) -> Vec<String> {
    let data = world.into_data();
    let arguments = [
        "serve",
        "--log",
        "audit=info",
        "--log-format",
        format,
        "--trusted-proxies",
        "127.0.0.1",
    ];
    let service = Service::start(&mut data.quarry(&arguments));
    for (index, (path, header)) in requests.iter().enumerate() {
        let _ = service.get(
            path,
            &[header, &format!("X-Forwarded-For: 192.0.2.{}", index + 1)],
        );
    }
    service.terminate();
    let (_, log) = service.ended();
    log.lines()
        .filter(|line| line.contains("audit"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn each_request_with_a_wrong_key_or_token_is_one_line_with_the_address() {
    let world = World::new();
    let locked = world.key("erin").to_owned();
    let wrong = "0".repeat(40);
    let key_of_parameter = "1".repeat(40);
    let parameter = format!("/issues.json?key={key_of_parameter}");
    let right = format!("X-Service-API-Key: {}", world.key("alice"));
    let key = format!("X-Service-API-Key: {wrong}");
    let redmine_key = format!("X-Redmine-API-Key: {locked}");
    let requests = [
        ("/issues.json", key.as_str()),
        ("/issues.json", redmine_key.as_str()),
        (parameter.as_str(), "Accept: */*"),
        ("/issues.json", "Authorization: Bearer guessed-token"),
        ("/oauth/token/info", "Authorization: Bearer guessed-token"),
        ("/issues.json", "Authorization: Digest x"),
        ("/issues.json", right.as_str()),
        ("/issues.json", "Accept: application/json"),
    ];
    let lines = log_of(world, "text", &requests);
    assert_eq!(lines.len(), 6, "{lines:#?}");
    let methods = [
        "api key",
        "api key",
        "api key",
        "access token",
        "access token",
        "api key",
    ];
    for (index, (line, method)) in lines.iter().zip(methods).enumerate() {
        let expected = format!(
            " client.address=192.0.2.{} login.method=\"{method}\" login.outcome=\"failure\"",
            index + 1
        );
        assert!(
            line.contains(" WARN audit: ") && line.ends_with(&expected),
            "{line}"
        );
    }
    let expression = documented_expression();
    for (index, line) in lines.iter().enumerate() {
        let found = expression
            .captures(line)
            .unwrap_or_else(|| panic!("{line}"));
        assert_eq!(found[1], format!("192.0.2.{}", index + 1), "{line}");
    }
    let text = lines.join("\n");
    let secrets = [
        wrong.as_str(),
        locked.as_str(),
        key_of_parameter.as_str(),
        "guessed-token",
    ];
    assert!(
        secrets.iter().all(|secret| !text.contains(secret)),
        "{text}"
    );
}

fn basic_credentials(login: &str) -> String {
    format!(
        "Authorization: Basic {}",
        STANDARD.encode(format!("{login}:x"))
    )
}

#[test]
fn login_is_a_string_of_json_without_further_quotes() {
    let alice = basic_credentials("alice");
    let lines = log_of(World::new(), "json", &[("/issues.json", alice.as_str())]);
    let event: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!(event["user.login"], "alice", "{lines:#?}");
    assert_eq!(event["client.address"], "192.0.2.1", "{lines:#?}");
}

#[test]
fn logged_login_is_escaped_and_hides_api_keys() {
    let world = World::new();
    let key = world.key("erin").to_owned();
    let forged = basic_credentials(
        "a client.address=198.51.100.9 login.outcome=\"failure\"\n\u{1b}[2K\u{202e}",
    );
    let as_login = basic_credentials(&key);
    let with_blanks = basic_credentials(&format!(" {key}\t"));
    for format in ["text", "json"] {
        let world = World::new();
        let requests = [
            ("/issues.json", forged.as_str()),
            ("/issues.json", as_login.as_str()),
            ("/issues.json", with_blanks.as_str()),
        ];
        let lines = log_of(world, format, &requests);
        assert_eq!(lines.len(), 3, "{lines:#?}");
        assert!(
            !lines
                .iter()
                .any(|line| line.contains(['\u{1b}', '\u{202e}']) || line.contains(&key)),
            "{lines:#?}"
        );
        for line in &lines[1..] {
            assert!(line.contains("(an API key)"), "{lines:#?}");
        }
        if format == "text" {
            assert_eq!(
                documented_expression().captures(&lines[0]).unwrap()[1].to_owned(),
                "192.0.2.1",
                "{lines:#?}"
            );
        }
    }
}
