//! Files on wiki pages: `include=attachments`, `uploads`

use super::{found, page, titles, update, write};
use quarry::domain::content::attachment::Attachment;
use quarry::store::content::attachments;
use quarry_world::{World, user};
use serde_json::{Value, json};

/// Stores an upload by bob and returns its token.
fn sent(world: &World, filename: &'static str) -> String {
    let now = world.app.clock.now();
    let file: Attachment = world.write(move |db| {
        let sha256 = "7c2ecd07f155648431e0f94b89247d713c5786e1e73e953f2fe7eca39534cd6d";
        let upload = Attachment {
            filename: filename.to_owned(),
            content_type: "text/plain".to_owned(),
            filesize: 3,
            digest: sha256.to_owned(),
            content: Some(sha256.to_owned()),
            author: user("bob"),
            created_on: now,
            ..Attachment::default()
        };
        let id = attachments::insert(db, &upload)?;
        Ok(attachments::find(db, id)?.unwrap())
    });
    file.token()
}

fn with_files(world: &World, path: &str) -> Value {
    world
        .as_user("dave")
        .get(&format!("/projects/{path}.json?include=attachments"))
        .assert_status(200)
        .json_path("/wiki_page/attachments")
}

#[test]
fn include_attachments_lists_files() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "text");
    assert_eq!(page(&world, "open/wiki/Wiki").get("attachments"), None);
    assert_eq!(with_files(&world, "open/wiki/Wiki"), json!([]));
    let xml = world
        .as_user("dave")
        .get("/projects/open/wiki/Wiki.xml?include=nonsense,attachments")
        .assert_status(200)
        .body;
    assert!(
        xml.ends_with("</updated_on><attachments type=\"array\"></attachments></wiki_page>"),
        "{xml}"
    );
    let fields = json!({"text": "text", "uploads": [{"token": sent(&world, "plan.txt"), "description": "blueprint"}]});
    // Attaching a file creates no version.
    update(&world, "bob", "open/wiki/Wiki", fields)
        .assert_status(200)
        .assert_json_path("/wiki_page/version", 1);
    let expected = json!([{"id": 1, "filename": "plan.txt", "filesize": 3, "content_type": "text/plain", "description": "blueprint",
                         "content_url": "http://quarry.test/attachments/download/1/plan.txt", "author": {"id": 3, "name": "bob Tester"},
                         "created_on": "2026-11-20T12:00:00Z"}]);
    assert_eq!(with_files(&world, "open/wiki/Wiki"), expected);
    assert_eq!(with_files(&world, "open/wiki/Wiki/1"), expected);
    let hits = world
        .as_user("dave")
        .get("/search.json?q=blueprint&attachments=1")
        .assert_status(200)
        .json();
    assert_eq!(hits["results"][0]["title"], "Wiki: Wiki");
}

#[test]
fn page_can_be_created_with_uploads() {
    let world = World::with_projects();
    let response = update(
        &world,
        "bob",
        "open/wiki/New",
        json!({"text": "t", "uploads": [{"token": sent(&world, "a.txt")}, {"token": sent(&world, "b.txt")}]}),
    );
    assert_eq!(
        response.assert_status(201).json()["wiki_page"].get("attachments"),
        None
    );
    let files = with_files(&world, "open/wiki/New");
    assert_eq!(files[0]["filename"], "a.txt");
    assert_eq!(files[1]["filename"], "b.txt");
    world
        .as_user("bob")
        .delete("/projects/open/wiki/New.json")
        .assert_status(200);
    write(&world, "open/wiki/New", "again");
    assert_eq!(with_files(&world, "open/wiki/New"), json!([]));
}

#[test]
fn invalid_upload_token_changes_nothing() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "text");
    let token = sent(&world, "a.txt");
    for (login, title, uploads) in [
        ("bob", "Wiki", json!([{"token": "1.wrong"}])),
        (
            "bob",
            "Fresh",
            json!([{"token": token}, {"token": "nonsense"}]),
        ),
        ("alice", "Wiki", json!([{"token": token}])),
        ("bob", "Wiki", json!("x")),
    ] {
        let errors = update(
            &world,
            login,
            &format!("open/wiki/{title}"),
            json!({"text": "zeppelin", "uploads": uploads}),
        )
        .assert_status(422)
        .errors();
        assert_eq!(errors.len(), 1, "{errors:?}");
    }
    assert_eq!(
        (titles(&world), found(&world, "zeppelin").len()),
        (vec!["Wiki".to_owned()], 0)
    );
    assert_eq!(page(&world, "open/wiki/Wiki")["version"], 1);
}

fn file_ids(world: &World, title: &str) -> Vec<i64> {
    with_files(world, &format!("open/wiki/{title}"))
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["id"].as_i64().unwrap())
        .collect::<Vec<_>>()
}

#[test]
fn deleting_attachments_requires_permission() {
    let world = World::with_projects();
    for title in ["Wiki", "Other"] {
        write(&world, &format!("open/wiki/{title}"), "text");
        let uploads = json!([{"token": sent(&world, "a.txt")}, {"token": sent(&world, "b.txt")}]);
        update(
            &world,
            "bob",
            &format!("open/wiki/{title}"),
            json!({"text": "text", "uploads": uploads}),
        )
        .assert_status(200);
    }
    assert_eq!(
        (file_ids(&world, "Wiki"), file_ids(&world, "Other")),
        (vec![1, 2], vec![3, 4])
    );
    // Ids without permission and ids of other pages are ignored.
    for (login, ids) in [
        ("bob", json!([1])),
        ("alice", json!([3, 99, 0])),
        ("alice", json!([])),
    ] {
        update(
            &world,
            login,
            "open/wiki/Wiki",
            json!({"text": "text", "deleted_attachment_ids": ids}),
        )
        .assert_status(200);
    }
    assert_eq!(
        (file_ids(&world, "Wiki"), file_ids(&world, "Other")),
        (vec![1, 2], vec![3, 4])
    );
    update(
        &world,
        "alice",
        "open/wiki/Wiki",
        json!({"text": "text", "deleted_attachment_ids": [2]}),
    )
    .assert_status(200);
    assert_eq!(
        (file_ids(&world, "Wiki"), file_ids(&world, "Other")),
        (vec![1], vec![3, 4])
    );
}
