//! Lists of issues: columns, groups, totals, and the filters as chips.

use quarry::domain::access::viewer::Viewer;
use quarry::domain::ids::{CategoryId, VersionId};
use quarry::domain::query::columns;
use quarry_world::browser::Browser;
use quarry_world::{Response, World, user};
use serde_json::{Value, json};

/// A version that everybody sees (1), one of the project `secret` (2), and three issues with values
/// in custom fields of several formats.
fn world() -> World {
    let world = World::with_projects();
    for (project, name) in [("open", "Mercury"), ("secret", "Kryptonite")] {
        let version = json!({"version": {"name": name}});
        world
            .as_user("alice")
            .post(&format!("/projects/{project}/versions.json"), version)
            .assert_status(201);
    }
    world.sql(
        r#"INSERT INTO custom_fields (id, type, name, field_format, position, is_for_all, is_filter, visible, possible_values_json) VALUES
               (1, 'IssueCustomField', 'Harbour', 'list', 1, 1, 1, 1, '["North", "South"]'),
               (2, 'IssueCustomField', 'Tester', 'user', 2, 1, 1, 1, NULL),
               (3, 'IssueCustomField', 'Release', 'version', 3, 1, 1, 1, NULL),
               (4, 'IssueCustomField', 'Checked', 'bool', 4, 1, 1, 1, NULL),
               (5, 'IssueCustomField', 'Weight', 'int', 5, 1, 1, 1, NULL),
               (6, 'IssueCustomField', 'Hidden', 'string', 6, 1, 1, 0, NULL),
               (7, 'ProjectCustomField', 'Customer', 'string', 7, 1, 1, 1, NULL);
           INSERT INTO custom_fields_trackers (custom_field_id, tracker_id) SELECT f.id, t.id FROM custom_fields f, trackers t WHERE f.id <= 6"#,
    );
    for (priority, assignee) in [(2, Some(3)), (3, None), (2, Some(3))] {
        let issue = world
            .issue("open")
            .field("priority_id", priority)
            .field("estimated_hours", 1.5);
        let id = match assignee {
            Some(assignee) => issue.field("assigned_to_id", assignee).create(),
            None => issue.create(),
        };
        world.sql(&format!(
            "INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('Issue', {id}, 1, 'North'), \
             ('Issue', {id}, 5, '{id}'), ('Issue', {id}, 6, 'Kryptonite')"
        ));
    }
    world.sql("INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('Project', 1, 7, 'The harbour')");
    world
}

fn get(world: &World, login: &str, path: &str) -> Response {
    Browser::logged_in(world, login)
        .get(path)
        .assert_status(200)
}

/// Returns all texts that an expression finds, without markup.
fn texts(page: &Response, expression: &str) -> Vec<String> {
    let tags = regex::Regex::new("<[^>]*>").unwrap();
    let found = regex::Regex::new(expression).unwrap();
    found
        .captures_iter(&page.body)
        .map(|found| {
            tags.replace_all(&found[1], " ")
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect()
}

fn headers(page: &Response) -> Vec<String> {
    texts(page, r#"(?s)<th scope="col"[^>]*>(.*?)</th>"#)
}

fn groups(page: &Response) -> Vec<String> {
    texts(page, r#"(?s)<th colspan="\d+" scope="rowgroup">(.*?)</th>"#)
}

/// Returns the chips, without the sign that removes them.
fn chips(page: &Response) -> Vec<String> {
    texts(page, r#"(?s)<span class="chip[^"]*">(.*?)</span>"#)
        .into_iter()
        .map(|chip| chip.trim_end_matches('×').trim_end().to_owned())
        .collect()
}

fn removals(page: &Response) -> Vec<String> {
    texts(page, r#"<span class="chip">.*?<a href="([^"]*)""#)
        .into_iter()
        .map(|path| path.replace("&#38;", "&"))
        .collect()
}

#[test]
fn columns_group_and_totals_of_a_saved_query_are_shown() {
    let world = world();
    let fields = json!({"name": "Wide", "visibility": "public", "filters": [], "sort_criteria": ["id"], "group_by": "assigned_to",
        "column_names": ["subject", "cf_1", "cf_5", "project.cf_7", "created_on", "done_ratio"],
        "totalable_names": ["estimated_hours", "cf_5"]});
    world
        .as_user("admin")
        .post("/queries.json", json!({"query": fields}))
        .assert_status(201);
    let page = get(&world, "bob", "/issues?query_id=1");
    assert_eq!(
        headers(&page),
        [
            "#",
            "Subject",
            "Harbour",
            "Weight",
            "Project&#39;s Customer",
            "Created",
            "% Done"
        ]
    );
    assert_eq!(
        groups(&page),
        [
            "None 1 Estimated time: 1.5 h Weight: 2",
            "bob Tester 2 Estimated time: 3 h Weight: 4"
        ]
    );
    assert_eq!(page.body.matches("The harbour").count(), 3, "{page:?}");
    page.assert_contains("Estimated time: <b>4.5 h</b> · Weight: <b>6</b>");
    // The address has precedence.
    let page = get(
        &world,
        "bob",
        "/issues?query_id=1&c[]=tracker&c[]=cf_6&c[]=nonsense&t[]=&group_by=priority",
    );
    assert_eq!(
        headers(&page),
        ["#", "Tracker"],
        "hidden and unknown columns are left out"
    );
    assert_eq!(groups(&page), ["High 1", "Normal 2"]);
    assert!(
        !page.body.contains("Kryptonite") && !page.body.contains("Estimated time: <b>"),
        "{page:?}"
    );
}

#[test]
fn group_counts_include_the_issues_of_other_pages() {
    let world = world();
    for path in [
        "/issues?group_by=priority&limit=2&sort=id",
        "/projects/open/issues?group_by=priority&limit=2&sort=id",
    ] {
        assert_eq!(
            groups(&get(&world, "bob", path)),
            ["High 1", "Normal 2"],
            "{path}"
        );
        assert_eq!(
            groups(&get(&world, "bob", &format!("{path}&page=2"))),
            ["Normal 2"],
            "{path}"
        );
    }
    let page = get(&world, "bob", "/issues?group_by=created_on&limit=1");
    assert!(groups(&page)[0].ends_with(" 3"), "{page:?}");
    assert_eq!(
        groups(&get(&world, "bob", "/issues?group_by=cf_1&limit=1")),
        ["North 3"]
    );
    // A hidden field makes no groups.
    assert_eq!(
        groups(&get(&world, "bob", "/issues?group_by=cf_6")),
        Vec::<String>::new()
    );
}

#[test]
fn every_column_has_cells() {
    let world = world();
    world
        .as_user("alice")
        .put(
            "/issues/1.json",
            json!({"issue": {"notes": "Seen *twice*", "parent_issue_id": 2}}),
        )
        .assert_status(200);
    world
        .as_user("alice")
        .post(
            "/issues/1/relations.json",
            json!({"relation": {"issue_to_id": 3}}),
        )
        .assert_status(201);
    let names = [
        "project",
        "tracker",
        "parent",
        "status",
        "priority",
        "subject",
        "author",
        "assigned_to",
        "updated_on",
        "category",
        "fixed_version",
        "start_date",
        "due_date",
        "estimated_hours",
        "total_estimated_hours",
        "spent_hours",
        "total_spent_hours",
        "done_ratio",
        "created_on",
        "closed_on",
        "is_private",
        "last_updated_by",
        "cf_1",
        "cf_5",
        "attachments",
        "description",
        "last_notes",
        "parent.subject",
        "relations",
        "watcher_users",
        "project.cf_7",
    ];
    let address: String = names.iter().map(|name| format!("&c[]={name}")).collect();
    let page = get(&world, "alice", &format!("/issues?status_id=*{address}"));
    assert_eq!(
        headers(&page).len(),
        names.len() + 1,
        "{:?}",
        headers(&page)
    );
    let cells =
        page.body.matches("<td").count() - page.body.matches("<td class=\"select\"").count();
    assert_eq!(cells, 3 * (names.len() + 1));
    for text in [
        "Seen twice",
        r#"<a href="/issues/3">#3</a>"#,
        r#"<a href="/issues/2">#2</a>"#,
        "alice Tester",
    ] {
        assert!(page.body.contains(text), "{text}: {page:?}");
    }
}

/// A column without a key in `web/issues/list/groups.rs` has only the group "None", and one without
/// a sum in `store/issues/columns.rs` the sum 0.
#[test]
fn every_column_that_can_be_grouped_or_summed_has_groups_or_sums() {
    let world = world();
    world.sql(
        "INSERT INTO issue_categories (id, project_id, name) VALUES (1, 1, 'Engine');
         INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value)
             VALUES ('Issue', 1, 2, '3'), ('Issue', 1, 3, '1'), ('Issue', 1, 4, '1')",
    );
    world.edit(1, |issue| {
        issue.category = Some(CategoryId(1));
        issue.version = Some(VersionId(1));
        issue.start_date = Some(jiff::civil::date(2026, 11, 1));
        issue.due_date = issue.start_date;
        issue.closed_on = Some(issue.created_on);
    });
    world
        .as_user("alice")
        .post(
            "/time_entries.json",
            json!({"time_entry": {"issue_id": 1, "hours": 2, "activity_id": 8}}),
        )
        .assert_status(201);
    let catalogue = world.app.store.catalogue().unwrap();
    let viewer = Viewer::new(&catalogue, Some(user("admin")));
    let all = columns::all(&catalogue, &viewer);
    let is_summed =
        |column: &&columns::Column| columns::is_summable(&catalogue, &viewer, &column.name());
    let summed: Vec<_> = all.iter().filter(is_summed).collect();
    let totals: String = summed
        .iter()
        .map(|column| format!("&t[]={}", column.name()))
        .collect();
    let browser = Browser::logged_in(&world, "admin");
    let mut grouped = 0;
    for column in &all {
        let name = column.name();
        if !columns::is_groupable(&catalogue, &viewer, &name) {
            continue;
        }
        let path = format!("/issues?issue_id=1&group_by={name}{totals}");
        let page = browser.get(&path).assert_status(200);
        let groups = groups(&page);
        let [group] = &groups[..] else {
            panic!("{name}: {groups:?}");
        };
        assert!(!group.starts_with("None "), "{name}: {group}");
        for column in &summed {
            let label = column.label(&catalogue);
            assert!(
                group.contains(&format!("{label}: ")) && !group.contains(&format!("{label}: 0")),
                "{label}: {group}"
            );
        }
        grouped += 1;
    }
    assert!(
        grouped > 15 && summed.len() == 3,
        "{grouped} {}",
        summed.len()
    );
}

#[test]
fn filters_of_both_forms_are_chips_with_names() {
    let world = world();
    for (filter, chip) in [
        ("fixed_version_id=1", "Target version Mercury"),
        ("assigned_to_id=!3|me", "Assignee not bob Tester, me"),
        ("tracker_id=1", "Tracker Bug"),
        ("status_id=1|5", "Status New, Closed"),
        ("category_id=!*", "Category none"),
        ("subject=~pump", "Subject contains pump"),
        ("cf_1=North", "Harbour North"),
        ("cf_2=3", "Tester bob Tester"),
        ("cf_3=1", "Release Mercury"),
        ("cf_4=1", "Checked yes"),
        ("cf_5=%3E%3D2", "Weight ≥ 2"),
        ("updated_on=%3Et-3", "Updated less than 3 days ago"),
        (
            "created_on=%3E%3C2026-01-02|2026-02-03",
            "Created 2 Jan 2026 to 3 Feb 2026",
        ),
        (
            "f[]=priority_id&op[priority_id]=!&v[priority_id][]=3",
            "Priority not High",
        ),
        (
            "f[]=status_id&op[status_id]=!&v[status_id][]=5",
            "Status not Closed",
        ),
        (
            "f[]=project_id&op[project_id]=%3D&v[project_id][]=mine",
            "Project my projects",
        ),
        ("project_id=open", "Project open"),
    ] {
        let page = get(&world, "bob", &format!("/issues?{filter}"));
        assert_eq!(
            chips(&page)
                .into_iter()
                .map(|chip| chip.to_lowercase())
                .collect::<Vec<_>>(),
            [chip.to_lowercase()],
            "{filter}"
        );
    }
    // Tabs show these.
    for filter in [
        "status_id=closed",
        "status_id=*",
        "f[]=status_id&op[status_id]=c",
        "f[]=",
    ] {
        assert_eq!(
            chips(&get(&world, "bob", &format!("/issues?{filter}"))),
            Vec::<String>::new(),
            "{filter}"
        );
    }
}

#[test]
fn chips_do_not_reveal_hidden_names() {
    let world = world();
    // Without "all users", bob sees those of his projects.
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    for (filter, bob, alice) in [
        (
            "fixed_version_id=2",
            "Target version 2",
            "Target version Kryptonite",
        ),
        ("cf_3=2", "Release 2", "Release Kryptonite"),
        ("subproject_id=2", "", ""),
        (
            "f[]=project_id&op[project_id]=%3D&v[project_id][]=2",
            "Project 2",
            "Project secret",
        ),
        ("cf_6=Kryptonite", "", ""),
        ("author_id=5", "Author 5", "Author 5"),
        (
            "fixed_version_id=99",
            "Target version 99",
            "Target version 99",
        ),
    ] {
        for (login, expected) in [("bob", bob), ("alice", alice)] {
            let page = get(&world, login, &format!("/issues?{filter}"));
            let expected: Vec<&str> = Some(expected)
                .into_iter()
                .filter(|chip| !chip.is_empty())
                .collect();
            assert_eq!(chips(&page), expected, "{filter} for {login}");
        }
    }
}

#[test]
fn removing_a_chip_removes_its_filter_in_both_forms() {
    let world = world();
    let path = "/issues?tracker_id=1&priority_id=2&f[]=priority_id&op[priority_id]=%3D&v[priority_id][]=2&page=3&sort=id";
    let page = get(&world, "bob", path);
    assert_eq!(
        chips(&page),
        ["Tracker Bug", "Priority Normal", "Priority Normal"]
    );
    let removals = removals(&page);
    let without = format!("/issues{}", removals[1]);
    assert_eq!(
        (removals[1].as_str(), &removals[1]),
        ("?tracker_id=1&f[]=&sort=id", &removals[2])
    );
    let page = get(&world, "bob", &without);
    assert_eq!(chips(&page), ["Tracker Bug"]);
    assert!(
        page.body.contains("<span class=\"count\">3</span>"),
        "{page:?}"
    );
    // The last one leaves an address that does not lead to the default query of the project.
    assert_eq!(
        removals_of(&world, "/projects/open/issues?tracker_id=1"),
        ["?set_filter=1"]
    );
    // More filters than chips can be removed together.
    let many: String = (1..40)
        .map(|n| format!("&f[]=cf_{}&op[cf_{}]=*", n % 5 + 1, n % 5 + 1))
        .collect();
    assert_eq!(
        chips(&get(&world, "bob", &format!("/issues?set_filter=1{many}"))).len(),
        5
    );
}

fn removals_of(world: &World, path: &str) -> Vec<String> {
    removals(&get(world, "bob", path))
}

#[test]
fn filters_of_the_saved_query_are_shown_with_it() {
    let world = world();
    let filters: Value = json!([{"field": "priority_id", "operator": "=", "values": ["2"]}, {"field": "cf_6", "operator": "=", "values": ["Kryptonite"]}]);
    world
        .as_user("admin")
        .post(
            "/queries.json",
            json!({"query": {"name": "Mine", "visibility": "public", "filters": filters}}),
        )
        .assert_status(201);
    let page = get(&world, "bob", "/issues?query_id=1&tracker_id=1");
    assert_eq!(
        chips(&page),
        ["Query Mine", "Priority Normal", "Tracker Bug"],
        "a filter by a hidden field is left out"
    );
    assert_eq!(
        removals(&page),
        [
            "?tracker_id=1&set_filter=1",
            "?tracker_id=1&based_on=1&f[]=",
            "?query_id=1"
        ],
        "without one of its filters, the query is replaced by what it says, except what is hidden"
    );
}
