//! Discovery (RFC 8414 and 9728).

use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use serde_json::json;

#[test]
fn metadata_names_the_endpoints_at_the_configured_address() {
    let world = World::new();
    let client = world.anonymous().with("X-Forwarded-Host", "evil.example");
    let metadata = client
        .get("/.well-known/oauth-authorization-server")
        .assert_status(200)
        .json();
    assert_eq!(metadata["issuer"], "http://quarry.test");
    for (name, path) in [
        ("authorization_endpoint", "/oauth/authorize"),
        ("token_endpoint", "/oauth/token"),
        ("revocation_endpoint", "/oauth/revoke"),
    ] {
        assert_eq!(metadata[name], format!("http://quarry.test{path}"));
    }
    assert_eq!(
        metadata["code_challenge_methods_supported"],
        json!(["S256"])
    );
    assert_eq!(
        metadata["authorization_response_iss_parameter_supported"],
        true
    );
    assert!(
        metadata["scopes_supported"]
            .as_array()
            .unwrap()
            .contains(&json!("view_issues"))
    );
    world.set(Setting::HostName, "tracker.example.net/quarry");
    world.set(Setting::Protocol, "https");
    let metadata = world
        .anonymous()
        .get("/.well-known/oauth-authorization-server")
        .assert_status(200)
        .json();
    assert_eq!(
        metadata["token_endpoint"],
        "https://tracker.example.net/quarry/oauth/token"
    );
}

#[test]
fn address_never_comes_from_the_request() {
    let world = World::new();
    world.set(Setting::HostName, "");
    let metadata = world
        .anonymous()
        .with("Host", "evil.example")
        .get("/.well-known/oauth-authorization-server")
        .assert_status(200);
    assert!(!metadata.body.contains("evil.example"), "{metadata:?}");
}

#[test]
fn resource_names_its_authorization_server() {
    let world = World::new();
    let metadata = world
        .anonymous()
        .get("/.well-known/oauth-protected-resource")
        .assert_status(200)
        .json();
    assert_eq!(metadata["resource"], "http://quarry.test");
    assert_eq!(
        metadata["authorization_servers"],
        json!(["http://quarry.test"])
    );
    assert_eq!(metadata["bearer_methods_supported"], json!(["header"]));
}
