//! Requests that a page of another site makes a browser send.

use crate::world::{MANAGER, World};

#[test]
fn page_of_another_site_changes_nothing_with_a_remembered_password() {
    let world = World::new();
    world.project("one", true, &[("alice", MANAGER)]);
    let issue = world.issue("one", "");
    let browser = world.anonymous().basic("alice", "alicealice");
    let path = format!("/issues/{issue}.json");
    for (name, value) in [("Origin", "https://evil.test"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site")] {
        let foreign = browser.clone().with(name, value);
        let body = r#"{"issue":{"project_id":"one","subject":"A"}}"#;
        let refused = foreign.post("/issues.json", body).expect(403);
        assert!(refused.errors()[0].contains("another site"), "{refused:?}");
        let _ = foreign.put(&path, r#"{"issue":{"subject":"B"}}"#).expect(403);
        let _ = foreign.delete(&path).expect(403);
        let _ = foreign.post("/uploads.json?filename=a", "x").expect(403);
        let _ = foreign.get(&path).expect(200);
        let keyed = world.as_user("alice").with(name, value);
        let _ = keyed.put(&path, r#"{"issue":{"subject":"B"}}"#).expect(200);
    }
    let own = browser.with("Origin", "http://quarry.test").with("Sec-Fetch-Site", "same-origin");
    let _ = own.put(&path, r#"{"issue":{"subject":"C"}}"#).expect(200);
}

#[test]
fn page_never_makes_the_browser_ask_for_a_password() {
    let world = World::new();
    for path in ["/", "/search", "/issues/1"] {
        let page = world.anonymous().with("Accept", "text/html").get(path).expect(401);
        assert_eq!(page.authenticate, "");
        let data = world.anonymous().with("Accept", "application/json").get("/issues/1").expect(401);
        assert!(data.authenticate.starts_with("Basic "));
    }
}
