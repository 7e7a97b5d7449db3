//! The form for a new issue.

use quarry::domain::administration::setting::Setting;
use quarry_world::browser::{Browser, csrf_token, field};
use quarry_world::{REPORTER, Response, World, user};
use serde_json::Value;

fn selected<'p>(page: &'p Response, name: &str) -> &'p str {
    let select = page
        .body
        .split_once(&format!("name=\"{name}\""))
        .unwrap()
        .1
        .split_once("</select>")
        .unwrap()
        .0;
    let before = select
        .split_once("\" selected")
        .unwrap_or_else(|| panic!("{select}"))
        .0;
    before.rsplit_once('"').unwrap().1
}

#[test]
fn issue_is_created_and_shown() {
    let world = World::with_projects();
    let browser = Browser::logged_in(&world, "alice");
    let page = browser.get("/projects/open/issues/new").assert_status(200);
    let bob = user("bob").0.to_string();
    let fields = [
        ("issue[tracker_id]", "2"),
        ("issue[subject]", "From <the> form"),
        ("issue[description]", "Text"),
        ("issue[assigned_to_id]", &bob),
        ("issue[start_date]", "2026-12-01"),
        ("issue[estimated_hours]", "1:30"),
        ("issue[watcher_user_ids][]", ""),
        ("issue[watcher_user_ids][]", &bob),
    ];
    let created = browser
        .submit_files(
            &page,
            "/projects/open/issues/new",
            &fields,
            &[("a.txt", b"one")],
        )
        .assert_status(303);
    let path = created.location().to_owned();
    browser
        .get(&path)
        .assert_status(200)
        .assert_contains("was created.")
        .assert_contains("From &#60;the&#62; form");
    let issue = world
        .as_user("alice")
        .get(&format!("{path}.json?include=attachments,watchers"))
        .assert_status(200);
    let issue = issue
        .assert_json_path("/issue/tracker/id", 2)
        .assert_json_path("/issue/estimated_hours", 1.5);
    let issue = issue
        .assert_json_path("/issue/assigned_to/id", user("bob").0)
        .assert_json_path("/issue/attachments/0/filename", "a.txt");
    issue.assert_json_path("/issue/watchers/0/id", user("bob").0);
}

#[test]
fn query_string_fills_the_form() {
    let world = World::with_projects();
    let browser = Browser::logged_in(&world, "alice");
    let query = "issue[subject]=A%20%22b%22&issue[tracker_id]=2&issue[priority_id]=3&issue[description]=x%3Cy&issue[start_date]=2026-12-24";
    let page = browser
        .get(&format!("/projects/open/issues/new?{query}"))
        .assert_status(200);
    assert!(
        page.body.contains("value=\"A &#34;b&#34;\"") && page.body.contains("x&#60;y</textarea>"),
        "{}",
        page.body
    );
    assert!(page.body.contains("value=\"2026-12-24\""));
    assert_eq!(
        (
            selected(&page, "issue[tracker_id]"),
            selected(&page, "issue[priority_id]")
        ),
        ("2", "3")
    );
    browser
        .get("/projects/open/issues/new?issue=x&issue_id=7")
        .assert_status(200);
    browser
        .get("/issues/new?issue[project_id]=open")
        .assert_status(200);
}

#[test]
fn errors_keep_what_was_typed() {
    let world = World::with_projects();
    let browser = Browser::logged_in(&world, "alice");
    let page = browser.get("/projects/open/issues/new");
    let fields = [
        ("issue[subject]", ""),
        ("issue[description]", "typed"),
        ("issue[due_date]", "never"),
        ("issue[parent_issue_id]", "999"),
    ];
    let refused = browser
        .submit_files(
            &page,
            "/projects/open/issues/new",
            &fields,
            &[("kept.txt", b"k")],
        )
        .assert_status(422);
    for expected in [
        "id=\"issue[subject]-error\">Subject cannot be blank",
        "id=\"issue[due_date]-error\">Due date is not a valid date",
        "id=\"issue[parent_issue_id]-error\">Parent task is invalid",
        "typed</textarea>",
        "value=\"never\"",
        "kept.txt",
    ] {
        assert!(
            refused.body.contains(expected),
            "{expected}: {}",
            refused.body
        );
    }
    let token = field(&refused, "attachments[1][token]").unwrap();
    let fields = [("issue[subject]", "now"), ("attachments[1][token]", &token)];
    let created = browser
        .submit_files(&refused, "/projects/open/issues/new", &fields, &[])
        .assert_status(303);
    let issue = world
        .as_user("alice")
        .get(&format!("{}.json?include=attachments", created.location()));
    issue.assert_json_path("/issue/attachments/0/filename", "kept.txt");
}

#[test]
fn project_and_tracker_change_without_a_script() {
    let world = World::with_projects();
    let browser = Browser::logged_in(&world, "alice");
    let page = browser.get("/issues/new").assert_status(200);
    let secret = world.app.store.catalogue().unwrap().identifiers["secret"].to_string();
    let fields = [
        ("issue[project_id]", secret.as_str()),
        ("issue[subject]", "kept"),
        ("issue[tracker_id]", "3"),
        ("do", "refresh"),
    ];
    let again = browser
        .submit_files(&page, "/issues/new", &fields, &[])
        .assert_status(200);
    assert_eq!(
        (
            selected(&again, "issue[project_id]"),
            selected(&again, "issue[tracker_id]")
        ),
        (secret.as_str(), "3")
    );
    assert!(again.body.contains("value=\"kept\""));
    let created = browser
        .submit_files(&again, "/issues/new", &fields[..3], &[])
        .assert_status(303);
    world
        .as_user("alice")
        .get(&format!("{}.json", created.location()))
        .assert_json_path("/issue/project/name", "secret");
}

#[test]
fn form_is_for_those_who_may_add_issues() {
    let world = World::with_projects();
    world.project("read-only").create();
    let dave = Browser::logged_in(&world, "dave");
    dave.get("/projects/secret/issues/new").assert_status(404);
    dave.get("/projects/nowhere/issues/new").assert_status(404);
    world.sql("DELETE FROM role_permissions WHERE name = 'add_issues' AND role_id IN (SELECT id FROM roles WHERE builtin <> 0)");
    dave.get("/projects/open/issues/new").assert_status(403);
    dave.get("/issues/new").assert_status(403);
    let carol = Browser::logged_in(&world, "carol");
    let page = carol.get("/issues/new").assert_status(200);
    assert!(
        page.body.contains(">open<")
            && !page.body.contains("secret")
            && !page.body.contains("read-only"),
        "{}",
        page.body
    );
    let token = csrf_token(&page);
    let fields = [
        ("authenticity_token", token.as_str()),
        ("issue[subject]", "x"),
        ("issue[project_id]", "secret"),
    ];
    let refused = carol.post("/issues/new", &fields).assert_status(422);
    assert!(!refused.body.contains("secret"), "{}", refused.body);
    carol
        .post("/projects/open/issues/new", &[("issue[subject]", "x")])
        .assert_status(403);
    world.set(Setting::LoginRequired, "0");
    let stranger = Browser::new(&world)
        .get("/projects/open/issues/new")
        .assert_status(302);
    assert!(stranger.location().starts_with("/login?back_url="));
}

fn value_of(issue: &Value, id: i64) -> Value {
    issue
        .as_array()
        .unwrap()
        .iter()
        .find(|field| field["id"] == id)
        .unwrap()["value"]
        .clone()
}

#[test]
fn custom_fields_of_every_format_have_an_input() {
    let world = World::new();
    world.project("open").member("alice", REPORTER).create();
    for (index, format) in [
        "string",
        "text",
        "link",
        "int",
        "float",
        "date",
        "list",
        "enumeration",
        "bool",
        "user",
        "version",
    ]
    .iter()
    .enumerate()
    {
        let id = index + 1;
        world.sql(&format!(
            "INSERT INTO custom_fields (id, type, name, field_format, is_for_all, position, possible_values_json, multiple, is_required) \
             VALUES ({id}, 'IssueCustomField', 'Field {format}', '{format}', 1, {id}, '[\"red\",\"blue\"]', {}, 0); \
             INSERT INTO custom_fields_trackers (custom_field_id, tracker_id) VALUES ({id}, 1)",
            i32::from(*format == "list")
        ));
    }
    let browser = Browser::logged_in(&world, "alice");
    let page = browser
        .get("/projects/open/issues/new?issue[tracker_id]=1")
        .assert_status(200);
    for id in 1..=11 {
        let name = format!("name=\"issue[custom_field_values][{id}]");
        assert!(page.body.contains(&name), "{name}: {}", page.body);
    }
    let fields = [
        ("issue[subject]", "with fields"),
        ("issue[tracker_id]", "1"),
        ("issue[custom_field_values][1]", "line"),
        ("issue[custom_field_values][4]", "x"),
        ("issue[custom_field_values][7][]", ""),
        ("issue[custom_field_values][7][]", "red"),
        ("issue[custom_field_values][7][]", "blue"),
    ];
    let refused = browser
        .submit_files(&page, "/projects/open/issues/new", &fields, &[])
        .assert_status(422);
    assert!(
        refused.body.contains("Field int is not a number")
            && refused.body.matches(" checked> ").count() >= 2,
        "{}",
        refused.body
    );
    let mut fields = fields;
    fields[3].1 = "12";
    let created = browser
        .submit_files(&refused, "/projects/open/issues/new", &fields, &[])
        .assert_status(303);
    let issue = world
        .as_user("alice")
        .get(&format!("{}.json", created.location()))
        .json_path("/issue/custom_fields");
    assert_eq!(
        (
            value_of(&issue, 1),
            value_of(&issue, 4),
            value_of(&issue, 7)
        ),
        (
            "line".into(),
            "12".into(),
            serde_json::json!(["red", "blue"])
        )
    );
}
