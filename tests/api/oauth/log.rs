//! What the log tells about requests with secrets (RFC 9700, section 4.3).

use quarry_world::World;
use quarry_world::oauth_flow::{App, authorize_path, code_of, exchange, tokens_in};
use quarry_world::process::Service;

#[test]
fn log_has_no_secret_code_or_token() {
    let world = World::with_projects();
    let app = App::confidential(&world, "view_issues");
    let used = code_of(&world, "bob", &app, "view_issues");
    let unused = code_of(&world, "bob", &app, "view_issues");
    let tokens = tokens_in(&exchange(&world, &app, &used).assert_status(200));
    let data = world.into_data();
    let service = Service::start(&mut data.quarry(&["serve", "--log", "trace"]));
    // Whether they succeed depends on the clock of the machine; the log must have neither.
    let _ = service.get(
        "/issues.json",
        &[&format!("Authorization: Bearer {}", tokens.access)],
    );
    let _ = service.get(&format!("/issues.json?access_token={}", tokens.access), &[]);
    let _ = service.get(&authorize_path(&app, "view_issues"), &[]);
    for grant in [
        format!("authorization_code&code={unused}"),
        format!("refresh_token&refresh_token={}", tokens.refresh),
    ] {
        let _ = service.post(
            "/oauth/token",
            "",
            &format!("grant_type={grant}&{}", app.credentials()),
        );
    }
    let _ = service.post(
        "/oauth/token",
        "",
        &format!(
            "grant_type=refresh_token&refresh_token=x&client_id={}&client_secret=guess-of-a-secret",
            app.client_id
        ),
    );
    let _ = service.post(
        "/oauth/revoke",
        "",
        &format!("token={}&{}", tokens.refresh, app.credentials()),
    );
    service.terminate();
    let (_, log) = service.ended();
    assert!(
        log.contains("/oauth/token") && log.contains("/oauth/authorize"),
        "the requests are in the log: {log}"
    );
    assert!(
        log.contains("refused an OAuth client or its grant"),
        "so are failures: {log}"
    );
    for secret in [
        app.secret.as_deref().unwrap(),
        "guess-of-a-secret",
        &unused,
        &tokens.access,
        &tokens.refresh,
    ] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}
