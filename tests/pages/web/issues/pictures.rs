//! Several pictures of the same name: which one a text shows.

use quarry_world::attachments::upload;
use quarry_world::browser::Browser;
use quarry_world::{Response, World};
use serde_json::{Value, json};

/// Asserts that the picture with this description is the file with this id.
#[track_caller]
fn assert_picture(page: &Response, description: &str, file: i64) {
    let picture = format!("src=\"/attachments/download/{file}/image.png\" alt=\"{description}\"");
    assert!(page.body.contains(&picture), "{picture} in {page:?}");
}

/// Saves a comment with files on the issue.
fn comment(browser: &Browser<'_>, issue: i64, note: &str, files: &[(&str, &[u8])]) {
    let path = format!("/issues/{issue}");
    let page = browser.get(&path).assert_status(200);
    browser
        .submit_files(&page, &path, &[("issue[notes]", note)], files)
        .assert_status(303);
}

/// An issue whose description has a picture with the id 1.
fn issue_with_picture(world: &World) -> i64 {
    let token = upload(world, "alice", "image.png", "first");
    let issue = json!({"project_id": "open", "subject": "A", "description": "![described](image.png)", "uploads": [{"token": token}]});
    world
        .as_user("alice")
        .post("/issues.json", json!({ "issue": issue }))
        .assert_status(201)
        .integer("/issue/id")
}

#[test]
fn note_shows_the_picture_that_came_with_it() {
    let world = World::with_projects();
    let id = issue_with_picture(&world);
    let alice = Browser::logged_in(&world, "alice");
    comment(
        &alice,
        id,
        "![red](image.png) attachment:image.png",
        &[("image.png", b"red")],
    );
    comment(
        &alice,
        id,
        "![blue](image.png)",
        &[("image.png", b"blue"), ("other.png", b"other")],
    );
    comment(&alice, id, "![again](image.png)", &[]);
    let page = alice.get(&format!("/issues/{id}")).assert_status(200);
    for (description, file) in [("described", 1), ("red", 2), ("blue", 3), ("again", 3)] {
        assert_picture(&page, description, file);
    }
    page.assert_contains("<a href=\"/attachments/2\" class=\"attachment\">image.png</a>");
    // A note without a file of that name shows the newest one.
    world
        .as_user("alice")
        .delete("/attachments/2.json")
        .assert_status(200);
    assert_picture(&alice.get(&format!("/issues/{id}")), "red", 3);
}

fn update(world: &World, id: i64, fields: serde_json::Value) -> Response {
    world
        .as_user("alice")
        .put(&format!("/issues/{id}.json"), json!({ "issue": fields }))
        .assert_status(200)
}

fn new_picture(world: &World) -> Value {
    json!([{"token": upload(world, "alice", "image.png", "x")}])
}

#[test]
fn description_shows_the_newest_picture_that_came_without_a_note() {
    let world = World::with_projects();
    let id = issue_with_picture(&world);
    let alice = Browser::logged_in(&world, "alice");
    update(&world, id, json!({"uploads": new_picture(&world)}));
    assert_picture(&alice.get(&format!("/issues/{id}")), "described", 2);
    update(
        &world,
        id,
        json!({"notes": "with a note", "uploads": new_picture(&world)}),
    );
    assert_picture(&alice.get(&format!("/issues/{id}")), "described", 2);
    update(
        &world,
        id,
        json!({"notes": "both", "description": "![changed](image.png)", "uploads": new_picture(&world)}),
    );
    assert_picture(&alice.get(&format!("/issues/{id}")), "changed", 4);
}

#[test]
fn preview_shows_files_of_the_form() {
    let world = World::with_projects();
    let id = issue_with_picture(&world);
    let alice = Browser::logged_in(&world, "alice");
    comment(&alice, id, "![red](image.png)", &[("image.png", b"red")]);
    let journal = world
        .as_user("alice")
        .get(&format!("/issues/{id}.json?include=journals"))
        .integer("/issue/journals/0/id");
    comment(&alice, id, "", &[("image.png", b"blue")]);
    let page = alice.get(&format!("/issues/{id}"));
    let preview = |query: &str, fields: &[(&str, &str)]| {
        let fields: Vec<_> = [("text", "![p](image.png)")]
            .iter()
            .chain(fields)
            .copied()
            .collect();
        alice
            .submit(&page, &format!("/preview?{query}"), &fields)
            .assert_status(200)
    };
    let of_issue = format!("issue={id}");
    assert_picture(&preview(&of_issue, &[]), "p", 3);
    // The files of the note that is edited, if it is one of this issue.
    assert_picture(&preview(&format!("{of_issue}&note={journal}"), &[]), "p", 2);
    assert_picture(&preview(&format!("{of_issue}&note=999"), &[]), "p", 3);
    assert_picture(&preview(&format!("{of_issue}&note=x"), &[]), "p", 3);
    // Uploads of an earlier attempt, if they are those of the viewer.
    let own = upload(&world, "alice", "image.png", "sent");
    let foreign = upload(&world, "bob", "image.png", "foreign");
    for query in [&of_issue, "project=open"] {
        assert_picture(&preview(query, &[("attachments[1][token]", &own)]), "p", 4);
    }
    assert_picture(
        &preview(&of_issue, &[("attachments[1][token]", &foreign)]),
        "p",
        3,
    );
    assert_picture(
        &preview(&of_issue, &[("attachments[1][token]", "4.wrong")]),
        "p",
        3,
    );
    assert!(
        !preview("project=open", &[("attachments[1][token]", &foreign)])
            .body
            .contains("<img")
    );
    // Files that are chosen and not sent yet; the last one of several.
    let chosen = [
        ("attachments[1][token]", own.as_str()),
        ("files[]", "Image.PNG"),
        ("files[]", "C:\\image.png"),
        ("files[]", "b.png"),
    ];
    preview(&of_issue, &chosen).assert_contains("src=\"#file-1\" alt=\"p\"");
    preview("project=open", &[("files[]", "image.png")])
        .assert_contains("src=\"#file-0\" alt=\"p\"");
    assert_picture(&preview(&of_issue, &[("files", "image.png")]), "p", 3);
}

#[test]
fn journal_form_previews_its_own_note() {
    let world = World::with_projects();
    let id = issue_with_picture(&world);
    let alice = Browser::logged_in(&world, "alice");
    comment(&alice, id, "![red](image.png)", &[("image.png", b"red")]);
    let journal = world
        .as_user("alice")
        .get(&format!("/issues/{id}.json?include=journals"))
        .integer("/issue/journals/0/id");
    let form = alice
        .get(&format!("/journals/{journal}/edit"))
        .assert_status(200);
    form.assert_contains(&format!(
        "data-preview=\"/preview?issue={id}&#38;note={journal}\""
    ));
}
