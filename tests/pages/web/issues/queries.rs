//! Saved queries on the pages of issue lists.

use crate::web::roles::send;
use quarry_world::World;
use quarry_world::browser::Browser;
use serde_json::{Value, json};

/// Two open issues of high priority, one of normal priority, and a closed one of high priority.
fn world() -> World {
    let world = World::with_projects();
    for (priority, status) in [(3, 1), (2, 1), (3, 1), (3, 5)] {
        let id = world.issue("open").field("priority_id", priority).create();
        world.edit(id, move |issue| {
            issue.status = quarry::domain::ids::StatusId(status)
        });
    }
    world
}

/// Returns the ids of the issues on a page.
fn rows(html: &str) -> Vec<i64> {
    let row = regex::Regex::new(r#"<td class="number"><a href="/issues/(\d+)">"#).unwrap();
    row.captures_iter(html)
        .map(|row| row[1].parse().unwrap())
        .collect()
}

fn query(world: &World, login: &str, id: i64) -> Value {
    world
        .as_user(login)
        .get(&format!("/queries/{id}.json"))
        .assert_status(200)
        .json()["query"]
        .clone()
}

#[test]
fn list_can_be_saved_used_and_deleted() {
    let world = world();
    let browser = Browser::logged_in(&world, "bob");
    let page = browser
        .get("/projects/open/issues?priority_id=3&sort=id&page=1")
        .assert_status(200);
    let page = page.assert_contains(
        r#"href="/projects/open/queries/new?priority_id=3&#38;sort=id">Save query"#,
    );
    let form = browser
        .get("/projects/open/queries/new?priority_id=3&sort=id")
        .assert_status(200);
    assert!(
        !form.body.contains("everybody"),
        "bob may not share queries"
    );
    let saved = browser
        .submit(
            &page,
            "/projects/open/queries?priority_id=3&sort=id&page=1",
            &[("query[name]", "Hot <b>")],
        )
        .assert_status(303);
    assert_eq!(saved.location(), "/projects/open/issues?query_id=1");
    let page = browser.get(saved.location()).assert_status(200);
    assert_eq!(rows(&page.body), [1, 3]);
    page.assert_contains("The query Hot &#60;b&#62; was saved.")
        .assert_contains("<b>Query</b> Hot &#60;b&#62; <a")
        .assert_contains("Rename, share or delete Hot &#60;b&#62;");
    let stored = query(&world, "bob", 1);
    let filters = json!([{"field": "priority_id", "operator": "=", "values": ["3"]}, {"field": "status_id", "operator": "o", "values": []}]);
    assert_eq!(
        (
            &stored["filters"],
            &stored["sort_criteria"],
            &stored["project"]["id"]
        ),
        (&filters, &json!(["id"]), &json!(1))
    );
    assert_eq!(stored["visibility"], "private");
    let elsewhere = browser.get("/issues").assert_status(200);
    let (_, content) = elsewhere.body.split_once("<main").unwrap();
    assert!(
        !content.contains("query_id=1"),
        "it is for its project only"
    );
    let page = browser
        .get("/projects/open/issues?query_id=1")
        .assert_status(200);
    let edit = browser.get("/queries/1/edit").assert_status(200);
    edit.assert_contains(r#"href="/queries/1/delete""#);
    let deleted = browser
        .submit(&page, "/queries/1/delete", &[])
        .assert_status(303);
    assert_eq!(deleted.location(), "/projects/open/issues");
    // The remembered list is forgotten.
    browser
        .get("/projects/open/issues?query_id=1")
        .assert_status(302);
    browser
        .get("/projects/open/issues?query_id=1")
        .assert_status(404);
}

#[test]
fn filters_of_the_query_in_use_are_saved_with_those_of_the_address() {
    let world = world();
    let filters = json!([{"field": "status_id", "operator": "*", "values": []}, {"field": "priority_id", "operator": "=", "values": ["3"]},
        {"field": "done_ratio", "operator": "<=", "values": ["50"]}]);
    let fields = json!({"name": "All", "visibility": "public", "filters": filters, "sort_criteria": ["id"], "group_by": "tracker",
        "column_names": ["subject"], "totalable_names": ["spent_hours"]});
    world
        .as_user("admin")
        .post("/queries.json", json!({"query": fields}))
        .assert_status(201);
    let browser = Browser::logged_in(&world, "bob");
    let page = browser.get("/issues?query_id=1").assert_status(200);
    assert_eq!(rows(&page.body), [1, 3, 4]);
    assert!(!page.body.contains("delete All"), "it is not bob's");
    let long = "query_id=1&f[]=priority_id&op[priority_id]=!&v[priority_id][]=3&status_id=open&sort=id:desc,nonsense";
    let saved = browser
        .submit(
            &page,
            &format!("/queries?{long}"),
            &[("query[name]", "Others")],
        )
        .assert_status(303);
    assert_eq!(saved.location(), "/issues?query_id=2");
    assert_eq!(
        rows(&browser.get("/issues?query_id=2").assert_status(200).body),
        [2]
    );
    let stored = query(&world, "bob", 2);
    let names: Vec<&str> = stored["filters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|filter| filter["field"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["done_ratio", "status_id", "priority_id"]);
    assert_eq!(
        (&stored["sort_criteria"], &stored["group_by"]),
        (&json!(["id:desc"]), &json!("tracker"))
    );
    assert_eq!(
        (&stored["column_names"], &stored["totalable_names"]),
        (&json!(["subject"]), &json!(["spent_hours"]))
    );
}

#[test]
fn hidden_and_unknown_columns_of_the_query_in_use_are_not_saved() {
    let world = world();
    world.sql(
        r#"INSERT INTO custom_fields (id, type, name, field_format, position, is_for_all, visible) VALUES (4, 'IssueCustomField', 'Secret', 'int', 1, 1, 0);
           INSERT INTO queries (id, type, name, visibility, column_names_json, sort_criteria_json, group_by, options_json)
           VALUES (1, 'IssueQuery', 'Old', 2, '["subject","cf_4","gone"]', '[["cf_4","desc"],["id","desc"]]', 'cf_4',
                   '{"totalable_names":["cf_4","spent_hours"]}')"#,
    );
    let browser = Browser::logged_in(&world, "bob");
    let page = browser.get("/issues?query_id=1").assert_status(200);
    let saved = browser
        .submit(&page, "/queries?query_id=1", &[("query[name]", "Mine")])
        .assert_status(303);
    assert_eq!(saved.location(), "/issues?query_id=2");
    let stored = query(&world, "bob", 2);
    assert_eq!(
        (&stored["column_names"], &stored["totalable_names"]),
        (&json!(["subject"]), &json!(["spent_hours"]))
    );
    assert_eq!(
        (&stored["sort_criteria"], &stored["group_by"]),
        (&json!(["id:desc"]), &Value::Null)
    );
}

#[test]
fn query_is_updated_whatever_its_id() {
    let world = world();
    let browser = Browser::logged_in(&world, "bob");
    // There is no project with the id of the last one.
    for project in ["", "/projects/open", "", ""] {
        let page = browser.get("/issues").assert_status(200);
        let path = format!("{project}/queries?priority_id=3");
        browser
            .submit(&page, &path, &[("query[name]", "Hot")])
            .assert_status(303);
    }
    for id in 1..=4 {
        let page = browser.get("/issues").assert_status(200);
        let path = format!("/queries/{id}?priority_id=2&status_id=*");
        browser.submit(&page, &path, &[]).assert_status(303);
        let filters = &query(&world, "bob", id)["filters"];
        assert_eq!(filters[0]["values"], json!(["2"]), "{id}");
        assert_eq!(filters[1]["operator"], "*", "{id}");
    }
}

#[test]
fn managers_share_queries_and_others_find_them() {
    let world = world();
    let browser = Browser::logged_in(&world, "alice");
    let page = browser
        .get("/projects/open/issues?status_id=*")
        .assert_status(200);
    browser
        .get("/projects/open/queries/new?status_id=*")
        .assert_status(200)
        .assert_contains("Everybody</option>");
    browser
        .submit(
            &page,
            "/projects/open/queries?status_id=*",
            &[
                ("query[name]", "Everything"),
                ("query[visibility]", "public"),
            ],
        )
        .assert_status(303);
    let carol = Browser::logged_in(&world, "carol");
    let page = carol.get("/projects/open/issues").assert_status(200);
    let page = page.assert_contains(r#"<a href="/projects/open/issues?query_id=1">Everything</a>"#);
    assert_eq!(
        rows(
            &carol
                .get("/projects/open/issues?query_id=1")
                .assert_status(200)
                .body
        ),
        [4, 3, 2, 1]
    );
    carol
        .submit(&page, "/queries/1/delete", &[])
        .assert_status(403);
    // A query for all projects is shared by administrators only.
    let page = browser.get("/issues").assert_status(200);
    let form = browser.get("/queries/new").assert_status(200);
    assert!(!form.body.contains("Everybody</option>"));
    let refused = browser
        .submit(
            &page,
            "/queries?tracker_id=1",
            &[("query[name]", "All"), ("query[visibility]", "public")],
        )
        .assert_status(422);
    refused
        .assert_contains(r#"action="/queries?tracker_id=1""#)
        .assert_contains(r#"value="All""#)
        .assert_contains("only administrators share queries for all projects");
}

#[test]
fn saving_tells_what_is_wrong_and_hides_what_is_hidden() {
    let world = world();
    let browser = Browser::logged_in(&world, "bob");
    let page = browser
        .get("/issues?project_id=open&tracker_id=1")
        .assert_status(200);
    let refused = browser
        .submit(
            &page,
            "/queries?project_id=open&tracker_id=1",
            &[("query[name]", " ")],
        )
        .assert_status(422);
    refused.assert_contains("Name cannot be blank");
    for path in [
        "/projects/secret/queries",
        "/projects/none/queries",
        "/queries?project_id=secret",
        "/queries?query_id=99",
        "/queries/99/delete",
        "/queries/99",
        "/queries/99/edit",
    ] {
        browser
            .submit(&page, path, &[("query[name]", "x")])
            .assert_status(404);
    }
    browser
        .post("/queries", &[("query[name]", "x")])
        .assert_status(403);
    world.sql("DELETE FROM role_permissions WHERE name = 'save_queries'");
    let page = browser.get("/issues").assert_status(200);
    assert!(!page.body.contains("Save query"));
    browser
        .submit(&page, "/queries", &[("query[name]", "x")])
        .assert_status(403);
    world
        .as_user("admin")
        .get("/queries.json")
        .assert_status(200)
        .assert_json_path("/total_count", 0);
}

#[test]
fn page_of_a_project_starts_with_its_default_query() {
    let world = world();
    let query = json!({"name": "Hot", "project_id": "open", "visibility": "public",
        "filters": [{"field": "priority_id", "operator": "=", "values": ["3"]}]});
    world
        .as_user("alice")
        .post("/queries.json", json!({"query": query}))
        .assert_status(201);
    world
        .as_user("alice")
        .put(
            "/projects/open.json",
            json!({"project": {"default_issue_query_id": 1}}),
        )
        .assert_status(200);
    let browser = Browser::logged_in(&world, "carol");
    let start = browser.get("/projects/open/issues").assert_status(302);
    assert_eq!(start.location(), "/projects/open/issues?query_id=1");
    let page = browser.get(start.location()).assert_status(200);
    assert_eq!(rows(&page.body), [4, 3, 1]);
    page.assert_contains(r#"<a href="?set_filter=1" aria-label="Remove Query Hot">"#);
    assert_eq!(
        rows(
            &browser
                .get("/projects/open/issues?set_filter=1")
                .assert_status(200)
                .body
        ),
        [3, 2, 1]
    );
    let list = world
        .as_user("carol")
        .get("/projects/open/issues.json")
        .assert_status(200);
    assert_eq!(
        list.integer("/total_count"),
        3,
        "lists of the API have no default query"
    );
    browser.get("/issues").assert_status(200);
    // An import can bring one that not everybody may use.
    world.sql("UPDATE queries SET visibility = 0");
    browser.get("/projects/open/issues").assert_status(200);
}

fn page(world: &World, path: &str) -> String {
    Browser::logged_in(world, "bob")
        .get(path)
        .assert_status(200)
        .body
}

#[test]
fn menu_has_a_hundred_queries_and_the_one_in_use() {
    let world = world();
    world.sql(
        "INSERT INTO queries (type, name, user_id, visibility) \
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 150) \
         SELECT 'IssueQuery', 'query ' || substr('00' || n, length(CAST(n AS TEXT))), 3, 2 FROM numbers",
    );
    // The sidebar has some of them, too.
    let content = |path: &str| page(&world, path).split_once("<main").unwrap().1.to_owned();
    let all = content("/issues");
    assert_eq!(all.matches("href=\"/issues?query_id=").count(), 100);
    // The bar of views leads to the list that is shown, too.
    let in_use = content("/issues?query_id=150");
    assert_eq!(in_use.matches("href=\"/issues?query_id=").count(), 102);
    assert!(
        in_use.contains("href=\"/issues?query_id=150\" aria-current=\"page\""),
        "{in_use}"
    );
}

#[test]
fn managers_choose_the_query_with_which_a_list_starts() {
    let world = world();
    for (name, visibility) in [("Hot", "public"), ("Mine", "private")] {
        let query = json!({"name": name, "project_id": "open", "visibility": visibility});
        world
            .as_user("alice")
            .post("/queries.json", json!({"query": query}))
            .assert_status(201);
    }
    let alice = Browser::logged_in(&world, "alice");
    let page = alice
        .get("/projects/open/issues?query_id=1")
        .assert_status(200)
        .assert_contains("Make Hot the default query of the project</button>");
    let private = alice.get("/projects/open/issues?query_id=2");
    assert!(!private.body.contains("the default query of the project"));
    let path = "/projects/open/queries/default";
    let refused = alice.submit(&page, path, &[("query_id", "2")]);
    alice
        .get(refused.assert_status(303).location())
        .assert_contains("Default issue query");
    alice
        .submit(&page, path, &[("query_id", "99")])
        .assert_status(404);
    let saved = alice.submit(&page, path, &[("query_id", "1")]);
    alice
        .get(saved.assert_status(303).location())
        .assert_contains("Hot is now the default query of the project.")
        .assert_contains("Stop using Hot as the default query of the project</button>");
    let carol = Browser::logged_in(&world, "carol");
    let start = carol.get("/projects/open/issues").assert_status(302);
    assert_eq!(start.location(), "/projects/open/issues?query_id=1");
    let page = carol.get(start.location()).assert_status(200);
    assert!(!page.body.contains("Stop using"));
    carol
        .submit(&page, path, &[("query_id", "")])
        .assert_status(403);
    let page = alice.get("/issues").assert_status(200);
    alice
        .submit(&page, path, &[("query_id", "")])
        .assert_status(303);
    let other = Browser::logged_in(&world, "bob");
    other.get("/projects/open/issues").assert_status(200);
}

#[test]
fn lists_start_with_the_default_query_of_the_viewer_then_of_the_project() {
    let world = World::with_projects();
    world.issue("open").create();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/issues").assert_status(200);
    let save = |path: &str, name: &str| {
        let saved = bob.submit(&page, path, &[("query[name]", name)]);
        let list = saved.assert_status(303).location().to_owned();
        list.rsplit_once('=').unwrap().1.to_owned()
    };
    let everywhere = save("/queries?tracker_id=1", "Bugs");
    let menu = bob.get(&format!("/issues?query_id={everywhere}"));
    menu.assert_contains("Make Bugs my default query");
    let set = |id: &str| bob.submit(&page, "/queries/default", &[("query_id", id)]);
    let list = format!("/issues?query_id={everywhere}");
    assert_eq!(set(&everywhere).assert_status(303).location(), list);
    assert_eq!(bob.get("/issues").assert_status(302).location(), list);
    assert_eq!(
        bob.get("/projects/open/issues")
            .assert_status(302)
            .location(),
        format!("/projects/open{list}")
    );
    bob.get(&list)
        .assert_contains("Stop using Bugs as my default query")
        .assert_contains("href=\"/issues?set_filter=1\">Reset");
    bob.get("/issues?set_filter=1").assert_status(200);
    bob.get("/my/account")
        .assert_contains(&format!("<option value=\"{everywhere}\" selected>Bugs"));
    // Programs and others get what they asked for.
    assert_eq!(bob.get_json("/issues.json").json()["total_count"], 1);
    let alice = Browser::logged_in(&world, "alice");
    alice.get("/issues").assert_status(200);
    let page_of_alice = alice.get("/issues");
    for id in [everywhere.as_str(), "999"] {
        let fields = [("query_id", id)];
        alice
            .submit(&page_of_alice, "/queries/default", &fields)
            .assert_status(404);
    }
    Browser::new(&world)
        .post("/queries/default", &[("query_id", &everywhere)])
        .assert_status(401);
    // A query that can no longer be used, and none.
    world.sql(&format!(
        "UPDATE queries SET user_id = 2 WHERE id = {everywhere}"
    ));
    bob.get("/issues").assert_status(200);
    let account = bob.get("/my/account");
    let account = account.assert_contains("the current one, which you can no longer use");
    assert!(!account.body.contains("Bugs"));
    set("").assert_status(303);
    assert!(!bob.get("/my/account").body.contains("the current one"));
}

#[test]
fn form_of_a_query_that_was_opened_earlier_keeps_what_others_have_saved() {
    let world = world();
    let query = json!({"name": "Hot", "project_id": "open", "visibility": "public"});
    world
        .as_user("alice")
        .post("/queries.json", json!({"query": query}))
        .assert_status(201);
    let alice = Browser::logged_in(&world, "alice");
    let admin = Browser::logged_in(&world, "admin");
    let path = "/queries/1/edit";
    let opened = alice.get(path).assert_status(200);
    let other = admin.get(path).assert_status(200);
    let changes = [
        ("query[visibility]", "private"),
        ("query[description]", "for us"),
    ];
    send(&admin, &other, path, &changes).assert_status(303);
    let stored = || alice.get_json("/queries/1.json").json()["query"].clone();
    send(&alice, &opened, path, &[("query[name]", "Warm")]).assert_status(303);
    assert_eq!(stored()["name"], "Warm");
    assert_eq!(stored()["visibility"], "private");
    send(&alice, &opened, path, &[("query[description]", "for all")])
        .assert_status(409)
        .assert_contains("id=\"query[description]-saved\"");
}
