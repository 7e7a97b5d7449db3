//! Filters in the long form, saved queries, and the project scope (compatibility 6.3).

use super::rows::{self, Row};
use super::{errors, filled, ids};
use quarry::domain::administration::setting::Setting;
use quarry::store::Value;
use quarry_world::{MANAGER, World};

#[test]
fn long_form_equals_short_form() {
    let world = filled();
    assert_eq!(
        ids(
            &world,
            "alice",
            "set_filter=1&f[]=tracker_id&op[tracker_id]==&v[tracker_id][]=2"
        ),
        [3]
    );
    assert_eq!(
        ids(
            &world,
            "alice",
            "f[]=status_id&op[status_id]=c&f[]=subject&op[subject]=~&v[subject][]=thing"
        ),
        [2]
    );
    assert_eq!(
        ids(
            &world,
            "alice",
            "f[]=priority_id&op[priority_id]==&v[priority_id][]=3&v[priority_id][]=2&f[]="
        ),
        [5, 4, 3, 2, 1]
    );
    let xml = world
        .as_user("alice")
        .get("/issues.xml?f[]=tracker_id&op[tracker_id]==&v[tracker_id][]=2")
        .assert_status(200)
        .body;
    assert!(xml.contains("<issues total_count=\"1\""), "{xml}");
}

#[test]
fn long_form_replaces_the_default_filter() {
    let world = filled();
    assert_eq!(ids(&world, "alice", "f[]="), [5, 4, 3, 2, 1]);
    assert_eq!(ids(&world, "alice", "set_filter=1"), [5, 4, 3, 1]);
    assert_eq!(ids(&world, "alice", "issue_id=2"), [0_i64; 0]);
    assert_eq!(
        ids(
            &world,
            "alice",
            "f[]=issue_id&op[issue_id]==&v[issue_id][]=2"
        ),
        [2]
    );
    assert_eq!(
        ids(
            &world,
            "alice",
            "f[]=tracker_id&op[tracker_id]==&v[tracker_id][]=1&status_id=open"
        ),
        [5, 4, 1],
        "both hold"
    );
}

#[test]
fn errors_in_the_long_form_are_reported() {
    let world = filled();
    assert_eq!(
        errors(&world, "alice", "f[]=tracker_id&op[tracker_id]=="),
        ["Tracker cannot be blank"]
    );
    assert_eq!(
        errors(
            &world,
            "alice",
            "f[]=tracker_id&op[tracker_id]=~&v[tracker_id][]=1"
        ),
        ["Tracker is invalid"]
    );
    assert_eq!(
        errors(&world, "alice", "f[]=tracker_id&v[tracker_id][]=1"),
        ["Tracker is invalid"],
        "an operator is needed"
    );
    assert_eq!(
        errors(
            &world,
            "alice",
            "f[]=created_on&op[created_on]=%3E%3D&v[created_on][]=x"
        ),
        ["Created is invalid"]
    );
    assert_eq!(
        errors(&world, "alice", "f[a]=1"),
        ["f must be a list of names, such as f[]=status_id"]
    );
    let many = vec!["1"; 1001].join("|");
    assert_eq!(
        errors(&world, "alice", &format!("tracker_id={many}")),
        ["Tracker has more than 1000 values"]
    );
    let unknown = world
        .as_user("alice")
        .get("/issues.json?f[]=bogus&op[bogus]==&v[bogus][]=2")
        .assert_status(200);
    assert!(unknown.header("warning").contains("bogus"), "{unknown:?}");
    assert_eq!(unknown.json()["total_count"], 5);
    assert_eq!(
        errors(
            &world,
            "alice",
            "f[]=traker_id&op[traker_id]==&v[traker_id][]=2&strict=1"
        ),
        ["Unknown parameter traker_id; did you mean tracker_id?"]
    );
    let known = world
        .as_user("alice")
        .get("/issues.json?set_filter=1&f[]=status_id&op[status_id]=*&strict=1&sort=id&limit=3")
        .assert_status(200);
    assert_eq!(known.header("warning"), "");
}

fn ids_of_project(world: &World, value: &str) -> Vec<i64> {
    ids(
        world,
        "alice",
        &format!("f[]=project_id&op[project_id]==&v[project_id][]={value}"),
    )
}

#[test]
fn long_form_filters_by_project() {
    let world = filled();
    assert_eq!(
        (
            ids_of_project(&world, "2"),
            ids_of_project(&world, "1").len(),
            ids_of_project(&world, "9").len()
        ),
        (vec![4], 4, 0)
    );
    assert_eq!(
        ids(
            &world,
            "bob",
            "f[]=project_id&op[project_id]==&v[project_id][]=mine"
        ),
        [5, 2, 1]
    );
    assert_eq!(
        ids(
            &world,
            "dave",
            "f[]=project_id&op[project_id]==&v[project_id][]=mine"
        ),
        [0_i64; 0]
    );
    assert_eq!(
        ids(
            &world,
            "alice",
            "f[]=project_id&op[project_id]=!&v[project_id][]=mine"
        ),
        [0_i64; 0]
    );
    world
        .as_user("alice")
        .get("/issues.json?project_id=mine")
        .assert_status(404);
}

fn query(world: &World, id: i64, more: Row<'_>) {
    let mut row: Vec<(&'static str, Value)> = vec![
        ("type", "IssueQuery".into()),
        ("name", format!("Query {id}").into()),
        ("user_id", 2.into()),
        ("visibility", 2.into()),
        (
            "filters_json",
            r#"{"priority_id":{"operator":"=","values":["3"]}}"#.into(),
        ),
    ];
    row.retain(|(column, _)| more.iter().all(|(other, _)| other != column));
    row.extend_from_slice(more);
    rows::update(world, "queries", id, &row);
}

fn status(world: &World, login: &str, path: &str) -> u16 {
    world.as_user(login).get(path).status
}

#[test]
fn saved_query_filters_and_sorts() {
    let world = filled();
    query(
        &world,
        1,
        &[
            (
                "sort_criteria_json",
                r#"[["priority","desc"],["id","asc"]]"#.into(),
            ),
            ("filters_json", "{}".into()),
        ],
    );
    query(&world, 2, &[]);
    query(&world, 3, &[("filters_json", Value::Null)]);
    query(
        &world,
        4,
        &[("filters_json", r#"{"author_id":{"operator":"=","values":["me"]},"gone":{"operator":"=","values":["1"]}}"#.into())],
    );
    query(
        &world,
        5,
        &[(
            "filters_json",
            r#"{"created_on":{"operator":">=","values":["never"]}}"#.into(),
        )],
    );
    assert_eq!(
        ids(&world, "alice", "query_id=1"),
        [1, 2, 3, 4, 5],
        "no filter is no filter"
    );
    assert_eq!(
        ids(&world, "alice", "query_id=1&sort=id:desc"),
        [5, 4, 3, 2, 1]
    );
    assert_eq!(ids(&world, "alice", "query_id=1&status_id=closed"), [2]);
    assert_eq!(ids(&world, "alice", "query_id=2"), [1]);
    assert_eq!(ids(&world, "alice", "query_id=3"), [5, 4, 3, 1]);
    assert_eq!(ids(&world, "dave", "query_id=4"), [5]);
    assert_eq!(ids(&world, "alice", "query_id="), [5, 4, 3, 1]);
    assert_eq!(
        errors(&world, "alice", "query_id=5"),
        ["Created is invalid"]
    );
    assert!(
        world
            .as_user("alice")
            .get("/issues.xml?query_id=2")
            .assert_status(200)
            .body
            .contains("total_count=\"1\"")
    );
}

fn no_filters() -> (&'static str, Value) {
    ("filters_json", "{}".into())
}

#[test]
fn group_of_a_saved_query_leads_the_order() {
    let world = filled();
    query(
        &world,
        1,
        &[
            ("group_by", "tracker".into()),
            ("sort_criteria_json", r#"[["id","asc"]]"#.into()),
            no_filters(),
        ],
    );
    query(&world, 2, &[("group_by", "priority".into()), no_filters()]);
    query(&world, 3, &[("group_by", "subject".into()), no_filters()]);
    query(&world, 4, &[("group_by", "".into()), no_filters()]);
    assert_eq!(ids(&world, "alice", "query_id=1"), [1, 2, 4, 5, 3]);
    assert_eq!(
        ids(&world, "alice", "query_id=1&sort=id:desc"),
        [5, 4, 2, 1, 3],
        "also before the requested order"
    );
    assert_eq!(
        ids(&world, "alice", "query_id=1&group_by=priority"),
        [1, 2, 3, 4, 5],
        "a requested group replaces it"
    );
    assert_eq!(
        ids(&world, "alice", "query_id=1&group_by="),
        [1, 2, 4, 5, 3]
    );
    assert_eq!(
        ids(&world, "alice", "query_id=2"),
        [1, 5, 4, 3, 2],
        "the highest first"
    );
    assert_eq!(
        ids(&world, "alice", "query_id=3"),
        [5, 4, 3, 2, 1],
        "subjects make no groups"
    );
    assert_eq!(ids(&world, "alice", "query_id=4"), [5, 4, 3, 2, 1]);
}

fn users_of_query(world: &World, id: i64, more: &str) -> Vec<&'static str> {
    let mut logins = vec!["admin", "alice", "bob", "carol", "dave"];
    logins.retain(|login| {
        match status(world, login, &format!("/issues.json?query_id={id}{more}")) {
            200 => true,
            404 => false,
            other => panic!("{login} gets {other} of {id}"),
        }
    });
    logins
}

#[test]
fn saved_query_is_available_to_permitted_users() {
    let world = filled();
    query(&world, 1, &[("visibility", 0.into())]);
    query(&world, 2, &[("visibility", 1.into())]);
    rows::set(
        &world,
        "queries_roles",
        "query_id",
        2,
        &[&[("role_id", 4.into())]],
    );
    query(&world, 3, &[("project_id", 1.into())]);
    query(&world, 4, &[("project_id", 2.into())]);
    query(&world, 5, &[("type", "TimeEntryQuery".into())]);
    query(
        &world,
        6,
        &[("visibility", 0.into()), ("user_id", Value::Null)],
    );
    assert_eq!(users_of_query(&world, 1, ""), ["admin", "alice"]);
    assert_eq!(users_of_query(&world, 2, ""), ["admin", "alice", "bob"]);
    assert!(
        users_of_query(&world, 3, "").is_empty(),
        "it is of a project"
    );
    assert_eq!(users_of_query(&world, 3, "&project_id=open").len(), 5);
    assert_eq!(
        (
            status(&world, "alice", "/projects/1/issues.json?query_id=3"),
            status(&world, "alice", "/projects/2/issues.json?query_id=3")
        ),
        (200, 404)
    );
    assert_eq!(
        status(&world, "bob", "/projects/2/issues.json?query_id=4"),
        403
    );
    assert!(
        users_of_query(&world, 4, "").is_empty()
            && users_of_query(&world, 5, "").is_empty()
            && users_of_query(&world, 99, "").is_empty()
    );
    assert_eq!(users_of_query(&world, 6, ""), ["admin"]);
    for odd in ["x", "-1", "1.5", "99999999999999999999"] {
        assert_eq!(
            status(&world, "alice", &format!("/issues.json?query_id={odd}")),
            404,
            "{odd}"
        );
        assert_eq!(
            status(&world, "alice", &format!("/issues.xml?query_id={odd}")),
            404,
            "{odd}"
        );
    }
    assert_eq!(world.anonymous().get("/issues.json?query_id=3").status, 401);
}

fn ids_with(world: &World, more: &str) -> Vec<i64> {
    ids(world, "dave", &format!("project_id=open{more}"))
}

#[test]
fn subprojects_are_included_unless_excluded() {
    let world = filled();
    let low = world.project("low").member("alice", MANAGER).create();
    let lower = world.project("lower").member("alice", MANAGER).create();
    rows::patch(&world, "projects", low.0, &[("parent_id", 1.into())]);
    rows::patch(&world, "projects", lower.0, &[("parent_id", low.0.into())]);
    rows::issue(&world, 8, low.0, &[]);
    rows::issue(&world, 9, lower.0, &[]);
    assert_eq!(ids_with(&world, ""), [9, 8, 5, 1]);
    assert_eq!(ids_with(&world, "&subproject_id=*"), [9, 8, 5, 1]);
    assert_eq!(ids_with(&world, "&subproject_id=!*"), [5, 1]);
    assert_eq!(
        ids_with(&world, &format!("&subproject_id={low}")),
        [8, 5, 1]
    );
    assert_eq!(
        ids_with(&world, &format!("&subproject_id=!{low}")),
        [9, 5, 1]
    );
    assert_eq!(
        ids_with(&world, "&subproject_id=2"),
        [5, 1],
        "a project that is not below it"
    );
    assert_eq!(
        ids_with(
            &world,
            "&f[]=subproject_id&op[subproject_id]=!*&f[]=status_id&op[status_id]=o"
        ),
        [5, 1]
    );
    world.set(Setting::DisplaySubprojectsIssues, "0");
    assert_eq!(ids_with(&world, ""), [5, 1]);
    assert_eq!(ids_with(&world, "&subproject_id=*"), [9, 8, 5, 1]);
    assert_eq!(
        ids_with(&world, &format!("&subproject_id={lower}")),
        [9, 5, 1]
    );
    let everywhere = world
        .as_user("dave")
        .get("/issues.json?subproject_id=!*")
        .assert_status(200);
    assert!(
        everywhere.header("warning").contains("subproject_id"),
        "below what? {everywhere:?}"
    );
}
