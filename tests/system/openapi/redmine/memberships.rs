//! `/projects/:id/memberships`, `/memberships/:id`

use super::call::{MISSING, on};
use super::matrix::{Row, row, run};
use quarry_world::World;
use serde_json::json;

#[test]
fn memberships_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "getMemberships",
            ([200; 4], |records| {
                records.group_member();
                on("project_id", "open").query("limit=100")
            }),
            ([404; 4], |_| on("project_id", "nothing")),
        ),
        row(
            "createMembership",
            ([201, 201, 403, 401], |records| {
                on("project_id", "open")
                    .body(json!({"membership": {"user_id": records.user(), "role_ids": [5]}}))
            }),
            ([422, 422, 403, 401], |records| {
                on("project_id", "open")
                    .body(json!({"membership": {"user_id": records.user(), "role_ids": []}}))
            }),
        ),
        row(
            "getMembership",
            ([200; 4], |records| {
                on("membership_id", records.membership())
            }),
            ([404; 4], |_| on("membership_id", MISSING)),
        )
        .also(200, |records| on("membership_id", records.group_of(&[]).1))
        .also(200, |records| on("membership_id", records.group_member().1)),
        row(
            "updateMembership",
            ([204, 204, 403, 401], |records| {
                on("membership_id", records.membership())
                    .body(json!({"membership": {"role_ids": [3]}}))
            }),
            ([422, 422, 403, 401], |records| {
                on("membership_id", records.membership())
                    .body(json!({"membership": {"role_ids": []}}))
            }),
        ),
        row(
            "deleteMembership",
            ([204, 204, 403, 401], |records| {
                on("membership_id", records.membership())
            }),
            ([422, 422, 403, 401], |records| {
                on("membership_id", records.group_member().1)
            }),
        ),
    ]
}
