//! Two people change the same issue.

use quarry_world::browser::{Browser, form_field};
use quarry_world::{Response, World};
use serde_json::json;

struct Form<'w> {
    browser: Browser<'w>,
    page: Response,
    path: String,
}

impl<'w> Form<'w> {
    fn open(world: &'w World, id: i64) -> Form<'w> {
        let browser = Browser::logged_in(world, "bob");
        let path = format!("/issues/{id}");
        let page = browser.get(&path).assert_status(200);
        Form {
            browser,
            page,
            path,
        }
    }

    /// Sends the form as a browser does: each field with the value that it was opened with, except
    /// those given.
    fn send(&self, fields: &[(&str, &str)]) -> Response {
        let field =
            |name: &str| form_field(&self.page, &format!("{}#update", self.path), name).unwrap();
        let lock_version = field("issue[lock_version]");
        let original = field("original");
        let mut all = vec![
            ("issue[lock_version]", lock_version.as_str()),
            ("original", original.as_str()),
            ("issue[subject]", "A thing"),
            ("issue[description]", "before"),
            ("issue[status_id]", "1"),
            ("issue[done_ratio]", "0"),
            ("issue[assigned_to_id]", ""),
        ];
        all.retain(|(name, _)| fields.iter().all(|field| field.0 != *name));
        all.extend_from_slice(fields);
        self.browser.submit_files(&self.page, &self.path, &all, &[])
    }
}

fn world() -> (World, i64) {
    let world = World::with_projects();
    let id = world.issue("open").description("before").create();
    (world, id)
}

#[test]
fn changes_of_different_fields_are_merged() {
    let (world, id) = world();
    let form = Form::open(&world, id);
    let alice = world.as_user("alice");
    let change = json!({"issue": {"status_id": 2, "description": "by alice", "notes": "mine"}});
    alice
        .put(&format!("/issues/{id}.json"), change)
        .assert_status(200);
    form.send(&[("issue[notes]", "by bob"), ("issue[done_ratio]", "30")])
        .assert_status(303);
    let issue = alice
        .get(&format!("/issues/{id}.json?include=journals"))
        .assert_json_path("/issue/status/id", 2);
    let issue = issue
        .assert_json_path("/issue/description", "by alice")
        .assert_json_path("/issue/done_ratio", 30);
    assert_eq!(issue.array("/issue/journals").len(), 2);
}

#[test]
fn conflict_shows_both_texts_and_loses_nothing() {
    let (world, id) = world();
    let form = Form::open(&world, id);
    let alice = world.as_user("alice");
    let change =
        json!({"issue": {"description": "by <i>alice</i>", "done_ratio": 50, "status_id": 2}});
    alice
        .put(&format!("/issues/{id}.json"), change)
        .assert_status(200);
    let fields = [
        ("issue[notes]", "a note"),
        ("issue[description]", "by bob"),
        ("issue[done_ratio]", "30"),
    ];
    let conflict = form.send(&fields).assert_status(409);
    for expected in [
        "a note</textarea>",
        "by bob</textarea>",
        "by &#60;i&#62;alice&#60;/i&#62;",
        "alice Tester has changed this issue (<time",
        "<title>Error: ",
        "50 %",
    ] {
        assert!(
            conflict.body.contains(expected),
            "{expected}: {}",
            conflict.body
        );
    }
    let status = conflict
        .body
        .split_once("name=\"issue[status_id]\"")
        .unwrap()
        .1
        .split_once("</select>")
        .unwrap()
        .0;
    assert!(status.contains("value=\"2\" selected"), "{status}");
    alice
        .get(&format!("/issues/{id}.json"))
        .assert_json_path("/issue/done_ratio", 50);
    let second = Form {
        page: conflict,
        ..form
    };
    second
        .send(&[
            ("issue[notes]", "a note"),
            ("issue[description]", "by both"),
            ("issue[done_ratio]", "30"),
            ("issue[status_id]", "2"),
        ])
        .assert_status(303);
    let issue = alice
        .get(&format!("/issues/{id}.json"))
        .assert_json_path("/issue/description", "by both");
    issue
        .assert_json_path("/issue/done_ratio", 30)
        .assert_json_path("/issue/status/id", 2);
}

#[test]
fn same_change_of_both_is_no_conflict() {
    let (world, id) = world();
    let form = Form::open(&world, id);
    world
        .as_user("alice")
        .put(
            &format!("/issues/{id}.json"),
            json!({"issue": {"status_id": 2}}),
        )
        .assert_status(200);
    form.send(&[("issue[status_id]", "2"), ("issue[notes]", "also")])
        .assert_status(303);
}

#[test]
fn form_without_its_original_values_conflicts_where_values_differ() {
    let (world, id) = world();
    let form = Form::open(&world, id);
    world
        .as_user("alice")
        .put(
            &format!("/issues/{id}.json"),
            json!({"issue": {"done_ratio": 50}}),
        )
        .assert_status(200);
    form.send(&[("original", ""), ("issue[done_ratio]", "30")])
        .assert_status(409);
    form.send(&[("original", "%ff"), ("issue[done_ratio]", "30")])
        .assert_status(409);
}
