//! Every filter of the list of time entries (compatibility 9)

use super::list::filled;
use super::{field, ids, update};
use quarry_world::{MANAGER, REPORTER, World};
use serde_json::json;

fn errors(world: &World, query: &str) -> Vec<String> {
    world
        .as_user("alice")
        .get(&format!("/time_entries.json?{query}"))
        .assert_status(422)
        .errors()
}

#[test]
fn filters_by_fields_of_the_entry() {
    let world = filled();
    let cases: &[(&str, &[i64])] = &[
        ("user_id=3", &[6, 3, 1]),
        ("user_id=me", &[4, 2]),
        ("user_id=3|2", &[6, 4, 3, 2, 1]),
        ("user_id=!3", &[5, 4, 2]),
        ("user_id=!me|4", &[6, 3, 1]),
        ("user_id=bob", &[]),
        ("author_id=3", &[6, 3, 1]),
        ("author_id=!3", &[5, 4, 2]),
        ("activity_id=8", &[5, 4, 2]),
        ("activity_id=8|9", &[6, 5, 4, 3, 2, 1]),
        ("activity_id=!8", &[6, 3, 1]),
        ("hours=%3E%3D3", &[4, 3]),
        ("hours=%3C%3D1", &[5, 2]),
        ("hours=1", &[2]),
        ("hours=1:00", &[2]),
        ("hours=1.33", &[6]),
        ("hours=%3E%3C1|2h30", &[6, 2, 1]),
        ("comments=~engine", &[1]),
        ("comments=~ENGINE+debug", &[1]),
        ("comments=engine", &[]),
        ("comments=review", &[2]),
        ("comments=!~engine", &[2]),
        ("comments=^debug", &[1]),
        ("comments=$view", &[2]),
        ("comments=*", &[2, 1]),
        ("comments=!*", &[6, 5, 4, 3]),
        ("project.status=1", &[6, 5, 4, 3, 2, 1]),
        ("project.status=5", &[]),
        (
            "user_id=3&activity_id=9&hours=%3E%3D2&from=2024-01-12",
            &[3],
        ),
        (
            "f[]=user_id&op[user_id]==&v[user_id][]=3&v[user_id][]=4",
            &[6, 5, 3, 1],
        ),
    ];
    for (query, expected) in cases {
        assert_eq!(ids(&world, "alice", query), *expected, "{query}");
    }
    assert_eq!(errors(&world, "hours=x"), ["Hours is invalid"]);
    assert_eq!(errors(&world, "user_id="), ["User cannot be blank"]);
    assert_eq!(
        errors(&world, "user_id[]=1"),
        ["user_id must be one text, such as user_id=1|2"]
    );
    assert_eq!(
        errors(&world, &format!("comments=~{}", "a+".repeat(600))),
        ["Comment filter is too long (at most 1000 characters and 50 words)"]
    );
}

#[test]
fn filters_by_date() {
    let world = filled();
    update(&world, "alice", 4, json!({"spent_on": "2026-11-20"})).assert_status(200);
    let cases: &[(&str, &[i64])] = &[
        ("from=2024-01-12", &[4, 6, 5, 3, 2]),
        ("to=2024-01-12", &[2, 1]),
        ("from=2024-01-12&to=2024-02-01", &[3, 2]),
        ("from=&to=", &[4, 6, 5, 3, 2, 1]),
        ("spent_on=2024-01-12", &[2]),
        ("spent_on=%3E%3D2024-02-02", &[4, 6, 5]),
        ("spent_on=%3C%3D2024-01-12", &[2, 1]),
        ("spent_on=%3E%3C2024-01-11|2024-01-15", &[3, 2, 1]),
        ("spent_on=t", &[4]),
        ("spent_on=today", &[4]),
        ("spent_on=this_week", &[4]),
        ("spent_on=week", &[4]),
        ("spent_on=month", &[4]),
        ("spent_on=year", &[4]),
        ("spent_on=ld", &[]),
        ("spent_on=lmonth", &[]),
        ("spent_on=w", &[4]),
        ("spent_on=lm", &[]),
        ("spent_on=%3Ct-300", &[6, 5, 3, 2, 1]),
        ("spent_on=*", &[4, 6, 5, 3, 2, 1]),
        ("spent_on=!*", &[]),
        ("spent_on=%3E%3D2024-02-01&to=2024-12-31", &[6, 5]),
    ];
    for (query, expected) in cases {
        assert_eq!(ids(&world, "alice", query), *expected, "{query}");
    }
    // An invalid date is ignored with a warning; strict requests get an error.
    for query in [
        "from=abc",
        "to=2024-13-01",
        "spent_on=abc",
        "spent_on=last_week",
        "spent_on=2024-02-30",
        "spent_on=",
    ] {
        let response = world
            .as_user("alice")
            .get(&format!("/time_entries.json?{query}&nonsense=1"))
            .assert_status(200);
        assert_eq!(response.json()["total_count"], 6, "{query}");
        let name = query.split('=').next().unwrap();
        let unknown = "299 quarry \"unknown parameters were ignored: nonsense\"";
        assert_eq!(
            response.header("warning"),
            format!("{unknown}, 299 quarry \"days that are none were ignored: {name}\"")
        );
    }
    let strict = world
        .as_user("alice")
        .get("/time_entries.json?from=abc&strict=1")
        .assert_status(422)
        .errors();
    assert_eq!(strict, ["from is invalid; a day is written YYYY-MM-DD"]);
    let long = world
        .as_user("alice")
        .get("/time_entries.json?f[]=spent_on&op[spent_on]==&v[spent_on][]=abc")
        .assert_status(422)
        .errors();
    assert_eq!(long, ["Date is invalid"]);
}

#[test]
fn filters_by_issue() {
    let world = filled();
    let child = world
        .issue("open")
        .parent(1)
        .subject("Child thing")
        .create();
    world.sql("INSERT INTO versions (id, project_id, name, status, created_on) VALUES (1, 1, 'one', 'open', 0)");
    world.edit(child, |issue| {
        (issue.status, issue.version) = (5.into(), Some(1.into()))
    });
    super::logged(&world, "bob", json!({"issue_id": child, "hours": 1}));
    let cases: &[(&str, &[i64])] = &[
        ("issue_id=1", &[2, 1]),
        ("issue_id=1,2", &[4, 2, 1]),
        ("issue_id=1|2", &[4, 2, 1]),
        ("issue_id=~1", &[7, 2, 1]),
        ("issue_id=*", &[7, 4, 2, 1]),
        ("issue_id=!*", &[6, 5, 3]),
        ("issue_id=99", &[]),
        ("issue_id=abc", &[]),
        ("issue.status_id=1", &[4, 2, 1]),
        ("issue.status_id=open", &[4, 2, 1]),
        ("issue.status_id=closed", &[7]),
        ("issue.status_id=!1", &[7, 6, 5, 3]),
        ("issue.tracker_id=2", &[4]),
        ("issue.tracker_id=!2", &[7, 6, 5, 3, 2, 1]),
        ("issue.fixed_version_id=*", &[7]),
        ("issue.fixed_version_id=!*", &[6, 5, 4, 3, 2, 1]),
        ("issue.fixed_version_id=1", &[7]),
        ("issue.fixed_version_id=!1|99", &[4, 2, 1]),
        ("issue.fixed_version_id=!99", &[7, 4, 2, 1]),
        ("issue.subject=child", &[7]),
        ("issue.parent_id=1", &[7]),
        ("issue.parent_id=~1", &[7]),
        ("issue.category_id=1", &[7, 6, 5, 4, 3, 2, 1]),
        ("issue.category_id=1&project_id=1", &[]),
    ];
    for (query, expected) in cases {
        assert_eq!(ids(&world, "alice", query), *expected, "{query}");
    }
}

fn warns_of_project_status(world: &World, login: &str, query: &str) -> bool {
    let list = world
        .as_user(login)
        .get(&format!("/time_entries.json?{query}"))
        .assert_status(200);
    list.header("warning").contains("project.status")
}

#[test]
fn state_of_the_project_is_no_filter_where_there_is_one_project() {
    let world = filled();
    assert_eq!(
        ids(&world, "alice", "project_id=2&project.status=5"),
        [4],
        "ignored"
    );
    assert!(warns_of_project_status(
        &world,
        "alice",
        "project_id=2&project.status=5"
    ));
    assert_eq!(
        ids(&world, "alice", "project_id=1&project.status=5"),
        [0_i64; 0],
        "it tells subprojects apart"
    );
    assert!(
        !warns_of_project_status(&world, "alice", "project_id=1&project.status=5")
            && !warns_of_project_status(&world, "alice", "project.status=5")
    );
    world
        .as_user("alice")
        .get("/projects/2/time_entries.json?project.status=5&strict=1")
        .assert_status(422);
    world.sql("UPDATE projects SET is_public = 0 WHERE id = 3");
    assert!(
        warns_of_project_status(&world, "carol", "project_id=1&project.status=5"),
        "whether there are hidden subprojects is not revealed"
    );
}

#[test]
fn filters_by_group_and_role() {
    let world = filled();
    world.sql(
        "INSERT INTO users (id, login, firstname, lastname, status, type, admin, password_hash, created_on, updated_on) \
         SELECT 50, '', '', 'Crew', 1, 'Group', 0, '', created_on, updated_on FROM users WHERE id = 1; INSERT INTO group_users (group_id, user_id) VALUES (50, 4)",
    );
    let cases: &[(&str, &[i64])] = &[
        ("user.group=50", &[5]),
        ("user.group=!50", &[6, 4, 3, 2, 1]),
        ("user.group=99", &[]),
        ("user.role=4", &[6, 3, 1]),
        ("user.role=3", &[4, 2]),
        ("user.role=!3", &[6, 5, 3, 1]),
    ];
    for (query, expected) in cases {
        assert_eq!(ids(&world, "alice", query), *expected, "{query}");
    }
}

#[test]
fn filters_by_custom_field() {
    let world = filled();
    field(&world, 1, "Billable", "bool", "visible = 1");
    field(&world, 2, "Order", "int", "visible = 0");
    world.sql(&format!(
        "INSERT INTO custom_fields_roles (custom_field_id, role_id) VALUES (2, {REPORTER})"
    ));
    for (id, custom) in [
        (1, json!({"1": "1", "2": "10"})),
        (2, json!({"1": "0"})),
        (3, json!({"2": "9"})),
        (4, json!({"2": "8"})),
    ] {
        update(&world, "admin", id, json!({"custom_field_values": custom})).assert_status(200);
    }
    assert_eq!(ids(&world, "alice", "cf_1=1"), [1]);
    assert_eq!(ids(&world, "alice", "cf_1=!1"), [6, 5, 4, 3, 2]);
    assert_eq!(ids(&world, "carol", "cf_2=%3E%3D9"), [3, 1]);
    assert_eq!(ids(&world, "carol", "sort=cf_2:desc")[..2], [1, 3]);
    assert_eq!(ids(&world, "admin", "sort=cf_2:desc")[..3], [1, 3, 4]);
    assert_eq!(
        ids(&world, "admin", "sort=id&group_by=cf_2"),
        [2, 5, 6, 4, 3, 1]
    );
    assert_eq!(
        ids(&world, "carol", "sort=id&group_by=cf_2"),
        [2, 5, 3, 1],
        "only where she sees the field"
    );
    assert_eq!(
        ids(&world, "admin", "sort=id,cf_2:desc&group_by=cf_2")[..3],
        [1, 3, 4]
    );
    assert_eq!(
        ids(&world, "alice", "sort=id&group_by=cf_2"),
        [1, 2, 3, 4, 5, 6],
        "a field that she cannot see makes no groups"
    );
    let hidden = world
        .as_user("alice")
        .get("/time_entries.json?cf_2=9&strict=1")
        .assert_status(422)
        .errors();
    assert_eq!(hidden, ["Unknown parameter cf_2; did you mean cf_1?"]);
    assert_eq!(ids(&world, "alice", "sort=cf_2:desc"), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn filters_by_custom_fields_of_related_records() {
    let world = filled();
    world.sql(&format!(
        "INSERT INTO custom_fields (id, type, name, field_format, position, is_filter, visible, is_for_all) VALUES
            (1, 'ProjectCustomField', 'Cost', 'string', 1, 1, 1, 1), (2, 'ProjectCustomField', 'Budget', 'int', 2, 1, 0, 1),
            (3, 'UserCustomField', 'City', 'list', 3, 1, 1, 1), (4, 'IssueCustomField', 'Build', 'string', 4, 1, 1, 1),
            (5, 'TimeEntryCustomField', 'Customer', 'user', 5, 1, 1, 1), (6, 'TimeEntryCustomField', 'Sprint', 'version', 6, 1, 1, 1),
            (7, 'VersionCustomField', 'Codename', 'string', 7, 1, 1, 1);
         INSERT INTO custom_fields_trackers (custom_field_id, tracker_id) VALUES (4, 1), (4, 2);
         INSERT INTO custom_fields_roles (custom_field_id, role_id) VALUES (2, {MANAGER});
         INSERT INTO versions (id, project_id, name, status, due_date, created_on) VALUES
            (1, 1, 'one', 'open', '2026-11-20', 0), (2, 2, 'two', 'closed', NULL, 0);
         INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES
            ('Project', 1, 1, 'CC-1'), ('Project', 2, 1, 'CC-2'), ('Project', 1, 2, '10'), ('Project', 2, 2, '20'), ('Project', 3, 2, '30'),
            ('Principal', 2, 3, 'Rome'), ('Principal', 3, 3, 'Oslo'), ('Issue', 1, 4, 'b-1'), ('Version', 1, 7, 'Apollo'),
            ('Version', 2, 7, 'Hera'), ('TimeEntry', 1, 5, '2'), ('TimeEntry', 2, 5, '4'), ('TimeEntry', 1, 6, '1'),
            ('TimeEntry', 3, 6, '2')"
    ));
    let cases: &[(&str, &str, &[i64])] = &[
        ("alice", "project.cf_1=CC-1", &[5, 3, 2, 1]),
        ("alice", "project.cf_1=!CC-1", &[6, 4]),
        ("alice", "project.cf_1=!*", &[6]),
        ("alice", "project.cf_2=%3E%3D15", &[4]),
        ("alice", "project.cf_2=*", &[5, 4, 3, 2, 1]),
        ("alice", "user.cf_3=Oslo", &[6, 3, 1]),
        ("alice", "user.cf_3=!Oslo", &[5, 4, 2]),
        ("alice", "user.cf_3=!*", &[5]),
        ("alice", "issue.cf_4=b-1", &[2, 1]),
        ("alice", "issue.cf_4=!b-1", &[6, 5, 4, 3]),
        ("bob", "issue.cf_4=!b-1", &[6, 5, 3]),
        ("alice", "issue.cf_4=!*", &[4]),
        ("alice", "cf_5.cf_3=Rome", &[1]),
        ("alice", "cf_5.cf_3=!*", &[2]),
        ("alice", "cf_6.cf_7=Hera", &[3]),
        ("alice", "cf_6.status=closed", &[3]),
        ("alice", "cf_6.status=!closed", &[6, 5, 4, 2, 1]),
        ("alice", "cf_6.due_date=t", &[1]),
        (
            "alice",
            "f[]=user.cf_3&op[user.cf_3]==&v[user.cf_3][]=Rome",
            &[4, 2],
        ),
        ("bob", "cf_6.cf_7=Hera", &[]),
        ("bob", "cf_6.status=closed", &[]),
        ("bob", "cf_6.due_date=!*", &[]),
        ("bob", "project.cf_1=*", &[5, 3, 2, 1]),
    ];
    for (login, query, expected) in cases {
        assert_eq!(
            ids(&world, login, &format!("{query}&strict=1")),
            *expected,
            "{login}: {query}"
        );
    }
    for name in [
        "project.cf_2",
        "author.cf_3",
        "project.cf_3",
        "issue.cf_5",
        "cf_5.status",
        "cf_1",
    ] {
        world
            .as_user("bob")
            .get(&format!("/time_entries.json?{name}=1&strict=1"))
            .assert_status(422);
    }
    let errors = world
        .as_user("alice")
        .get("/time_entries.json?project.cf_2=x&user.cf_3=")
        .assert_status(422)
        .errors();
    assert_eq!(
        errors,
        ["Project's Budget is invalid", "User's City cannot be blank"]
    );
    world.sql(
        r#"INSERT INTO queries (id, type, name, user_id, visibility, filters_json) VALUES
           (1, 'TimeEntryQuery', 'Oslo', 2, 2, '{"user.cf_3":{"operator":"=","values":["Oslo"]}}')"#,
    );
    assert_eq!(ids(&world, "alice", "query_id=1"), [6, 3, 1]);
}
