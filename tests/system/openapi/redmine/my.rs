//! `/my/account`

use super::call::call;
use super::matrix::{Row, row, run};
use quarry_world::World;
use serde_json::json;

#[test]
fn accounts_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "getMyAccount",
            ([200, 200, 200, 401], |_| call()),
            ([200, 200, 200, 401], |_| call().query("include=nothing")),
        ),
        row(
            "updateMyAccount",
            ([204, 204, 204, 401], |_| {
                call().body(json!({"user": {"lastname": "Changed", "custom_fields": [{"id": 7, "value": "x"}]}}))
            }),
            ([422, 422, 422, 401], |_| {
                call().body(json!({"user": {"lastname": "", "mail": "no address"}}))
            }),
        ),
    ]
}
