//! Requests that a browser sends on behalf of another site.

use quarry_world::{MANAGER, World};
use serde_json::json;

#[test]
fn cross_site_write_with_basic_credentials_is_rejected() {
    let world = World::new();
    world.project("one").member("alice", MANAGER).create();
    let issue = world.issue("one").create();
    let browser = world.anonymous().basic("alice", "alicealice");
    let path = format!("/issues/{issue}.json");
    for (name, value) in [
        ("Origin", "https://evil.test"),
        ("Origin", "null"),
        ("Sec-Fetch-Site", "cross-site"),
    ] {
        let foreign = browser.clone().with(name, value);
        let body = json!({"issue": {"project_id": "one", "subject": "A"}});
        let rejected = foreign.post("/issues.json", body).assert_status(403);
        assert!(
            rejected.errors()[0].contains("another site"),
            "{rejected:?}"
        );
        foreign
            .put(&path, json!({"issue": {"subject": "B"}}))
            .assert_status(403);
        foreign.delete(&path).assert_status(403);
        foreign
            .post("/uploads.json?filename=a", "x")
            .assert_status(403);
        foreign.get(&path).assert_status(200);
        let keyed = world.as_user("alice").with(name, value);
        keyed
            .put(&path, json!({"issue": {"subject": "B"}}))
            .assert_status(200);
    }
    let own = browser
        .with("Origin", "http://quarry.test")
        .with("Sec-Fetch-Site", "same-origin");
    own.put(&path, json!({"issue": {"subject": "C"}}))
        .assert_status(200);
}

#[test]
fn pages_do_not_trigger_the_password_dialog() {
    let world = World::new();
    for path in ["/", "/search", "/issues/1"] {
        let page = world
            .anonymous()
            .with("Accept", "text/html")
            .get(path)
            .assert_status(302);
        assert_eq!(page.header("www-authenticate"), "");
        let data = world
            .anonymous()
            .with("Accept", "application/json")
            .get("/issues/1")
            .assert_status(401);
        assert!(data.header("www-authenticate").starts_with("Basic "));
    }
}
