//! Authlib, a client for Python; `client.py` has the steps.

use super::{LOOPBACK, register};
use crate::chromium::serve;
use quarry_world::complete_world::complete_world;
use quarry_world::python;
use std::process::Command;

/// The installed versions; fixed, so that new releases cannot break the test.
const PACKAGES: [&str; 2] = ["Authlib==1.9.10", "requests==2.34.2"];
const SCRIPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/pages/oauth_clients/client.py"
);
/// More than the steps ask for.
const SCOPES: &str = "view_project view_issues add_issues view_news";

#[test]
fn authlib_gets_refreshes_and_revokes_tokens() {
    let python = match python::with_packages("authlib", &PACKAGES) {
        Ok(python) => python,
        Err(reason) => return println!("NOT TESTED with Authlib: {reason}"),
    };
    let world = complete_world();
    let (confidential, secret) = register(&world, "Wall of issues", SCOPES, true);
    let (public, _) = register(&world, "Pocket", SCOPES, false);
    let served = serve(world);
    let mut command = Command::new(python);
    command.args([
        "-B",
        SCRIPT,
        &format!("http://{}", served.service.address),
        LOOPBACK,
        &confidential,
        &secret.unwrap(),
        &public,
    ]);
    // The service is local: no TLS, and proxies of the environment do not apply.
    let output = command
        .env("AUTHLIB_INSECURE_TRANSPORT", "1")
        .env("NO_PROXY", "127.0.0.1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(text.lines().last(), Some("9 steps succeeded"), "{text}");
}
