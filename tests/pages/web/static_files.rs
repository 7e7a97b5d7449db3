//! Stylesheet, script and icons.

use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::browser::Browser;

/// Returns the address in the page that starts so.
fn address(html: &str, prefix: &str) -> String {
    let start = html
        .find(prefix)
        .unwrap_or_else(|| panic!("no {prefix} in {html}"));
    html[start..]
        .chars()
        .take_while(|c| *c != '"' && *c != '#')
        .collect()
}

#[test]
fn files_have_a_hash_in_their_name_and_are_immutable() {
    let world = World::new();
    let html = Browser::new(&world).get("/login").assert_status(200).body;
    for (prefix, content_type) in [
        ("/static/style.", "text/css; charset=utf-8"),
        ("/static/quarry.", "text/javascript; charset=utf-8"),
        ("/static/icons.", "image/svg+xml"),
        ("/static/favicon.", "image/svg+xml"),
    ] {
        let file = world
            .anonymous()
            .get(&address(&html, prefix))
            .assert_status(200);
        let file = file.assert_header("cache-control", "public, max-age=31536000, immutable");
        assert_eq!(file.content_type(), content_type);
    }
    assert_eq!(
        world
            .anonymous()
            .get("/favicon.ico")
            .assert_status(200)
            .content_type(),
        "image/svg+xml"
    );
}

#[test]
fn files_and_pages_are_compressed_and_data_is_not() {
    let world = World::new();
    let html = Browser::new(&world).get("/login").body;
    let client = world.as_user("alice").with("Accept-Encoding", "br, gzip");
    let page = client.clone().with("Accept", "text/html");
    for path in [address(&html, "/static/style."), "/login".to_owned()] {
        page.get(&path)
            .assert_status(200)
            .assert_header("content-encoding", "gzip");
    }
    assert!(
        !client
            .get("/projects.json")
            .assert_status(200)
            .headers
            .contains_key("content-encoding")
    );
}

/// Returns the manifest, and checks that its icons exist at addresses relative to its own.
fn manifest(world: &World, base: &str) -> serde_json::Value {
    let client = world.anonymous();
    let page = client.clone().with("Accept", "text/html");
    let html = page.get(&format!("{base}/login")).assert_status(200).body;
    let path = format!("{base}/manifest.webmanifest");
    assert!(
        html.contains(&format!("rel=\"manifest\" href=\"{path}\"")),
        "{html}"
    );
    let file = client.get(&path).assert_status(200);
    assert_eq!(file.content_type(), "application/manifest+json");
    let manifest: serde_json::Value = serde_json::from_str(&file.body).unwrap();
    let icons = manifest["icons"].as_array().unwrap().clone();
    assert_eq!(icons.len(), 2);
    for icon in icons {
        let src = icon["src"].as_str().unwrap();
        let icon = client.get(&format!("{base}/{src}")).assert_status(200);
        assert_eq!(icon.content_type(), "image/svg+xml");
    }
    manifest
}

#[test]
fn service_can_be_installed_also_below_a_base_path() {
    let world = World::new();
    world.set(Setting::AppTitle, "Ours \"and\" yours");
    let of_root = manifest(&world, "");
    assert_eq!(of_root["name"], "Ours \"and\" yours");
    assert_eq!(of_root["start_url"], "./");
    assert_eq!(of_root["scope"], "./");
    let policy = Browser::new(&world).get("/login");
    assert!(
        policy
            .header("content-security-policy")
            .contains("manifest-src 'self'")
    );
    manifest(&World::new().with_base_path("/quarry"), "/quarry");
}
