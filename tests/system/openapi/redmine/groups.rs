//! `/groups`

use super::call::{MISSING, call, on};
use super::matrix::{Row, row, run};
use super::records::BUILTIN_GROUP;
use quarry_world::World;
use serde_json::json;

#[test]
fn groups_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "getGroups",
            ([200, 403, 403, 401], |records| {
                records.group();
                call().query("builtin=1")
            }),
            ([200, 403, 403, 401], |_| call().query("builtin=nothing")),
        ),
        row(
            "createGroup",
            ([201, 403, 403, 401], |records| {
                call().body(json!({"group": {"name": records.name("new"), "user_ids": [4], "custom_fields": [{"id": 9, "value": "x"}]}}))
            }),
            ([422, 403, 403, 401], |_| {
                call().body(json!({"group": {"name": ""}}))
            }),
        ),
        row(
            "getGroup",
            ([200; 4], |records| {
                // A project below, which inherits the membership.
                records.complete_project();
                on("group_id", records.group()).query("include=users,memberships")
            }),
            ([404; 4], |_| on("group_id", MISSING)),
        )
        .also(200, |_| on("group_id", BUILTIN_GROUP)),
        row(
            "updateGroup",
            ([204, 403, 403, 401], |records| {
                on("group_id", records.group())
                    .body(json!({"group": {"name": records.name("changed")}}))
            }),
            ([422, 403, 403, 401], |records| {
                on("group_id", records.group()).body(json!({"group": {"name": ""}}))
            }),
        ),
        row(
            "deleteGroup",
            ([204, 403, 403, 401], |records| {
                on("group_id", records.group())
            }),
            ([404, 403, 403, 401], |_| on("group_id", MISSING)),
        ),
        row(
            "addUserToGroup",
            ([204, 403, 403, 401], |records| {
                on("group_id", records.group()).body(json!({"user_id": 2}))
            }),
            ([422, 403, 403, 401], |records| {
                on("group_id", records.group()).body(json!({"user_id": 987_654}))
            }),
        ),
        row(
            "removeUsersFromGroup",
            ([204, 403, 403, 401], |records| {
                on("group_id", records.group()).query("user_ids[]=4")
            }),
            ([404, 403, 403, 401], |records| {
                on("group_id", records.group()).query("user_ids[]=987654")
            }),
        ),
        row(
            "removeUserFromGroup",
            ([204, 403, 403, 401], |records| {
                on("group_id", records.group()).and("user_id", 4)
            }),
            ([404, 403, 403, 401], |records| {
                on("group_id", records.group()).and("user_id", MISSING)
            }),
        ),
    ]
}
