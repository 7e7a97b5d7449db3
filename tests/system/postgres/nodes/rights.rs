//! Rights, settings and memberships that were changed on one node are in force on the other with
//! the next request.

use super::{Node, Nodes};
use quarry::actions::accounts::account;
use quarry::domain::ids::UserId;
use quarry_world::data_folder::KEY;
use quarry_world::oauth_flow::{REDIRECT, VERIFIER, encode, proof};
use serde_json::{Value, json};

const ALICES_KEY: &str = "the-key-of-alice";

/// Two nodes, with a private project `secret` of which alice is a member. Returns her id and that
/// of her membership.
fn with_member() -> Option<(Nodes, Node, Node, i64, i64)> {
    let (nodes, first, second) = Nodes::start_two()?;
    let user = json!({"user": {"login": "alice", "firstname": "A", "lastname": "L",
        "mail": "alice@example.net", "password": "alicealice"}});
    let alice = first.api("POST", "/users.json", &user).assert_status(201);
    let alice = alice.json()["user"]["id"].as_i64().unwrap();
    let store = nodes.store();
    let set_key = store.write(move |db| account::set_key(db, UserId(alice), ALICES_KEY));
    set_key.unwrap();
    store.close();
    let project =
        json!({"project": {"name": "secret", "identifier": "secret", "is_public": false}});
    first
        .api("POST", "/projects.json", &project)
        .assert_status(201);
    let membership = json!({"membership": {"user_id": alice, "role_ids": [4]}});
    let membership = first
        .api("POST", "/projects/secret/memberships.json", &membership)
        .assert_status(201);
    let membership = membership.json()["membership"]["id"].as_i64().unwrap();
    first.create_issue("secret", "hidden");
    Some((nodes, first, second, alice, membership))
}

#[test]
fn removed_membership_is_in_force_on_the_other_node() {
    let Some((_nodes, first, second, _, membership)) = with_member() else {
        return;
    };
    assert_eq!(second.status(ALICES_KEY, "/projects/secret.json"), 200);
    let found = |node: &Node| {
        node.api_as(ALICES_KEY, "GET", "/search.json?q=hidden", &Value::Null)
            .json()["total_count"]
            .as_i64()
            .unwrap()
    };
    assert_eq!(found(&second), 1);
    let path = format!("/memberships/{membership}.json");
    first.api("DELETE", &path, &Value::Null).assert_success();
    assert_eq!(second.status(ALICES_KEY, "/projects/secret.json"), 403);
    assert_eq!(found(&second), 0);
    let issues = second.api_as(ALICES_KEY, "GET", "/issues.json?status_id=*", &Value::Null);
    assert_eq!(issues.json()["total_count"], 0, "{issues:?}");
}

#[test]
fn locked_user_is_locked_out_of_the_other_node() {
    let Some((_nodes, first, second, alice, _)) = with_member() else {
        return;
    };
    let session = second.session("alice", "alicealice");
    let basic = "Authorization: Basic YWxpY2U6YWxpY2VhbGljZQ==";
    let by_password = |node: &Node| node.send("GET", "/users/current.json", &[basic], "").status;
    assert_eq!(second.status(ALICES_KEY, "/users/current.json"), 200);
    assert_eq!(by_password(&second), 200);
    assert_eq!(second.page("/my/account", &session).status, 200);
    let path = format!("/users/{alice}.json");
    let locked = json!({"user": {"status": 3}});
    first.api("PUT", &path, &locked).assert_success();
    assert_eq!(second.status(ALICES_KEY, "/users/current.json"), 401);
    assert_ne!(by_password(&second), 200, "the login is in a cache");
    assert_ne!(second.page("/my/account", &session).status, 200);
}

#[test]
fn changed_password_and_key_are_in_force_on_the_other_node() {
    let Some((nodes, first, second, alice, _)) = with_member() else {
        return;
    };
    let basic = "Authorization: Basic YWxpY2U6YWxpY2VhbGljZQ==";
    let by_password = |node: &Node| node.send("GET", "/users/current.json", &[basic], "").status;
    assert_eq!((by_password(&first), by_password(&second)), (200, 200));
    let path = format!("/users/{alice}.json");
    let changed = json!({"user": {"password": "another one"}});
    first.api("PUT", &path, &changed).assert_success();
    assert_eq!(by_password(&second), 401, "the login is in a cache");
    assert_eq!(second.status(ALICES_KEY, "/users/current.json"), 200);
    let store = nodes.store();
    let reset = store.write(move |db| account::reset_key(db, UserId(alice)));
    let key = reset.unwrap();
    store.close();
    assert_eq!(second.status(ALICES_KEY, "/users/current.json"), 401);
    assert_eq!(second.status(&key, "/users/current.json"), 200);
}

#[test]
fn permission_and_setting_changed_on_one_node_are_in_force_on_the_other() {
    let Some((_nodes, first, second, _, _)) = with_member() else {
        return;
    };
    let issue = json!({"issue": {"project_id": "secret", "subject": "by alice"}});
    let create = |node: &Node| {
        node.api_as(ALICES_KEY, "POST", "/issues.json", &issue)
            .status
    };
    assert_eq!(create(&second), 201);
    let role = first.api("GET", "/roles/4.json", &Value::Null).json();
    let permissions: Vec<&Value> = role["role"]["permissions"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|permission| **permission != "add_issues")
        .collect();
    let fewer = json!({"role": {"permissions": permissions}});
    let answer = first.api("PUT", "/roles/4.json", &fewer);
    answer.assert_success();
    assert_eq!(create(&second), 422, "she may create no issue any more");
    let off = json!({"settings": {"rest_api_enabled": false}});
    first.api("PUT", "/settings.json", &off);
    assert_eq!(second.status(KEY, "/users/current.json"), 401);
}

#[test]
fn session_ended_on_one_node_is_over_on_the_other() {
    let Some((_nodes, first, second, _, _)) = with_member() else {
        return;
    };
    let session = first.session("alice", "alicealice");
    let page = second.page("/my/account", &session).assert_status(200);
    let token = page.field("authenticity_token");
    let fields = format!("authenticity_token={token}");
    // The token of a form of one node is accepted by the other.
    first.form("/logout", &session, &fields).assert_status(303);
    assert_ne!(second.page("/my/account", &session).status, 200);
}

#[test]
fn code_of_an_application_is_accepted_by_one_node_and_its_token_revoked_on_both() {
    let Some((nodes, first, second, _, _)) = with_member() else {
        return;
    };
    let arguments = ["oauth", "app", "add", "Wall", "--redirect-uri", REDIRECT];
    let arguments = [
        &arguments[..],
        &["--scope", "view_issues", "view_project", "--json"],
    ]
    .concat();
    let application = quarry_world::process::message(&nodes.run(0, &arguments));
    let application: Value = serde_json::from_str(&application).unwrap();
    let client_id = application["client_id"].as_str().unwrap();
    let secret = application["client_secret"].as_str().unwrap();
    let session = first.session("alice", "alicealice");
    let request = format!(
        "response_type=code&client_id={client_id}&redirect_uri={}&scope=view_issues&state=xyz&{}",
        encode(REDIRECT),
        proof()
    );
    let consent = first
        .page(&format!("/oauth/authorize?{request}"), &session)
        .assert_status(200);
    let token = consent.field("authenticity_token");
    let fields = format!("{request}&authenticity_token={token}&decision=approve");
    let answer = second
        .form("/oauth/authorize", &session, &fields)
        .assert_status(303);
    let code = answer.location().split("code=").nth(1).unwrap();
    let code = code.split('&').next().unwrap();
    let credentials = format!("client_id={client_id}&client_secret={secret}");
    let exchange = format!(
        "grant_type=authorization_code&code={code}&redirect_uri={}&code_verifier={VERIFIER}&{credentials}",
        encode(REDIRECT)
    );
    let answers = std::thread::scope(|scope| {
        let attempts: Vec<_> = [&first, &second, &first, &second]
            .map(|node| scope.spawn(|| node.form("/oauth/token", "", &exchange)))
            .into_iter()
            .collect();
        let answers = attempts.into_iter().map(|attempt| attempt.join().unwrap());
        answers.collect::<Vec<_>>()
    });
    let issued: Vec<_> = answers
        .iter()
        .filter(|answer| answer.status == 200)
        .collect();
    assert_eq!(issued.len(), 1, "{answers:?}");
    // Who sends a code twice may have stolen it: its token is revoked on every node.
    let access = issued[0].json()["access_token"]
        .as_str()
        .unwrap()
        .to_owned();
    let bearer = format!("Authorization: Bearer {access}");
    for node in [&first, &second] {
        assert_eq!(node.send("GET", "/issues.json", &[&bearer], "").status, 401);
    }
}
