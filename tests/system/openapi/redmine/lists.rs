//! Lists that are the same for every project: statuses, trackers, enumerations, roles, custom
//! fields, queries

use super::call::{MISSING, call, on};
use super::matrix::{Row, row, run};
use quarry_world::World;

#[test]
fn lists_respond_as_described() {
    run(&World::with_projects(), &rows());
}

pub fn rows() -> Vec<Row> {
    vec![
        row(
            "getIssueStatuses",
            ([200; 4], |_| call()),
            ([200; 4], |_| call().query("limit=nothing")),
        ),
        row(
            "getTrackers",
            ([200; 4], |_| call()),
            ([200; 4], |_| call().query("limit=nothing")),
        ),
        row(
            "getIssuePriorities",
            ([200; 4], |_| call()),
            ([200; 4], |_| call().query("limit=nothing")),
        ),
        row(
            "getTimeEntryActivities",
            ([200; 4], |_| call()),
            ([200; 4], |_| call().query("limit=nothing")),
        ),
        row(
            "getDocumentCategories",
            ([200; 4], |_| call()),
            ([200; 4], |_| call().query("limit=nothing")),
        ),
        row(
            "getRoles",
            ([200; 4], |_| call()),
            ([200; 4], |_| call().query("limit=nothing")),
        ),
        row(
            "getRole",
            ([200; 4], |_| on("role_id", 3)),
            ([404; 4], |_| on("role_id", MISSING)),
        ),
        row(
            "getCustomFields",
            ([200, 403, 403, 401], |_| call()),
            ([200, 403, 403, 401], |_| call().query("limit=nothing")),
        ),
        row(
            "getQueries",
            ([200; 4], |records| {
                records.query();
                call()
            }),
            ([200; 4], |_| call().query("limit=nothing")),
        ),
    ]
}
