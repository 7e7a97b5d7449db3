//! `/users`

use super::call::{MISSING, call, on};
use super::matrix::{Row, row, run};
use quarry_world::{World, user};
use serde_json::json;

#[test]
fn users_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "getUsers",
            ([200, 403, 403, 401], |records| {
                records.user();
                call().query("include=auth_source")
            }),
            ([422, 403, 403, 401], |_| {
                call().query("created_on=last_week")
            }),
        ),
        row(
            "createUser",
            ([201, 403, 403, 401], |records| {
                call().body(json!({"user": {
                    "login": records.name("new"), "firstname": "Nina", "lastname": "New", "mail": format!("{}@example.net", records.name("new")),
                    "password": "ninanina", "mail_notification": "none", "custom_fields": [{"id": 7, "value": "x"}],
                }}))
            }),
            ([422, 403, 403, 401], |records| {
                call().body(json!({"user": {"login": records.name("new"), "password": "short"}}))
            }),
        ),
        row(
            "getUser",
            ([200; 4], |records| {
                on("user_id", records.group_member().0).query("include=memberships,groups")
            }),
            ([404; 4], |_| on("user_id", MISSING)),
        )
        .also(200, |_| on("user_id", 1).query("include=auth_source")),
        row(
            "updateUser",
            ([204, 403, 403, 401], |records| {
                on("user_id", records.user()).body(json!({"user": {"firstname": "Changed"}}))
            }),
            ([422, 403, 403, 401], |records| {
                on("user_id", records.user())
                    .body(json!({"user": {"firstname": "", "mail": "no address"}}))
            }),
        ),
        row(
            "deleteUser",
            ([204, 403, 403, 401], |records| {
                on("user_id", records.user())
            }),
            ([404, 403, 403, 401], |_| on("user_id", MISSING)),
        )
        .also(422, |_| on("user_id", 1)),
        row(
            "getCurrentUser",
            ([200, 200, 200, 401], |_| {
                call().query("include=memberships,groups")
            }),
            ([200, 200, 200, 401], |_| call().query("include=nothing")),
        )
        .also(200, |records| {
            records.group_of(&[user("admin")]);
            call().query("include=memberships,groups,auth_source")
        }),
    ]
}
