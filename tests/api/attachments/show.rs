//! `GET /attachments/:id`: format and visibility

use super::{lose_file, world};
use quarry::domain::access::permission::PermissionSet;
use quarry::domain::administration::enumeration::EnumerationKind;
use quarry::domain::administration::setting::Setting;
use quarry::domain::content::attachment::ContainerType;
use quarry::domain::content::board::Board;
use quarry::domain::content::document::Document;
use quarry::domain::content::message::Message;
use quarry::domain::content::news::News;
use quarry::domain::content::wiki::{WikiPage, WikiVersion};
use quarry::domain::ids::{ProjectId, RoleId};
use quarry::domain::index_feed::kind::Kind;
use quarry::store::StoreError;
use quarry::store::administration::roles;
use quarry::store::content::{boards, documents, messages, news, wiki};
use quarry_world::attachments::{file, upload};
use quarry_world::wait::TIMEOUT;
use quarry_world::{Response, World, insert_version, user};
use serde_json::json;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};

#[test]
fn attachment_has_the_same_content_in_json_and_xml() {
    let world = world();
    let id = file(
        &world,
        "bob",
        Kind::Issue,
        1,
        "engine-log.txt",
        "engine log line\n",
    );
    let expected = json!({"attachment": {
        "id": id,
        "filename": "engine-log.txt",
        "filesize": 16,
        "content_type": "text/plain",
        "description": "",
        "content_url": format!("http://quarry.test/attachments/download/{id}/engine-log.txt"),
        "author": {"id": 3, "name": "bob Tester"},
        "created_on": "2026-11-20T12:00:00Z",
    }});
    let alice = world.as_user("alice");
    assert_eq!(
        alice
            .get(&format!("/attachments/{id}.json"))
            .assert_status(200)
            .body,
        expected.to_string()
    );
    let wanted = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><attachment><id>{id}</id><filename>engine-log.txt</filename><filesize>16</filesize>\
         <content_type>text/plain</content_type><description></description>\
         <content_url>http://quarry.test/attachments/download/{id}/engine-log.txt</content_url><author id=\"3\" name=\"bob Tester\"/>\
         <created_on>2026-11-20T12:00:00Z</created_on></attachment>"
    );
    assert_eq!(
        alice
            .get(&format!("/attachments/{id}.xml"))
            .assert_status(200)
            .body,
        wanted
    );
}

#[test]
fn image_has_a_thumbnail_url() {
    let world = world();
    let id = file(
        &world,
        "bob",
        Kind::Issue,
        1,
        "a%20%26%20b.PNG",
        "not really",
    );
    let shown = world
        .as_user("bob")
        .get(&format!("/attachments/{id}.json"))
        .assert_status(200)
        .json_path("/attachment");
    let names: Vec<&String> = shown.as_object().unwrap().keys().collect();
    let wanted = [
        "id",
        "filename",
        "filesize",
        "content_type",
        "description",
        "content_url",
        "thumbnail_url",
        "author",
        "created_on",
    ];
    assert_eq!(names, wanted);
    assert_eq!(
        shown["content_url"],
        format!("http://quarry.test/attachments/download/{id}/a%20%26%20b.PNG")
    );
    assert_eq!(
        shown["thumbnail_url"],
        format!("http://quarry.test/attachments/thumbnail/{id}")
    );
}

/// Returns the status that each user gets for a file.
#[track_caller]
fn seen(world: &World, id: i64, wanted: &[(&str, u16)]) {
    for (login, status) in wanted {
        for address in [
            format!("/attachments/{id}.json"),
            format!("/attachments/{id}.xml"),
            format!("/attachments/download/{id}"),
        ] {
            let response = world.as_user(login).get(&address);
            let is_content = address.contains("download");
            // The content of a hidden file is answered like that of a missing one.
            let status = if is_content && *status == 403 {
                404
            } else {
                *status
            };
            assert_eq!(response.status, status, "{login} {address}: {response:?}");
            assert!(
                status == 200 || !response.body.contains("hidden-name"),
                "{response:?}"
            );
        }
    }
}

fn get_anonymously(world: &World, id: i64) -> Response {
    world.anonymous().get(&format!("/attachments/{id}.json"))
}

#[test]
fn attachment_is_visible_with_its_issue() {
    let world = world();
    let open = file(&world, "alice", Kind::Issue, 1, "hidden-name.txt", "x");
    let secret = file(&world, "alice", Kind::Issue, 2, "hidden-name.txt", "x");
    seen(
        &world,
        open,
        &[
            ("admin", 200),
            ("alice", 200),
            ("bob", 200),
            ("dave", 200),
            ("erin", 401),
        ],
    );
    seen(
        &world,
        secret,
        &[
            ("admin", 200),
            ("alice", 200),
            ("bob", 403),
            ("dave", 403),
            ("erin", 401),
        ],
    );
    world
        .as_user("alice")
        .put("/issues/1.json", json!({"issue": {"is_private": true}}))
        .assert_status(200);
    seen(
        &world,
        open,
        &[("admin", 200), ("alice", 200), ("bob", 403), ("dave", 403)],
    );
    get_anonymously(&world, open).assert_status(401);
    world.set(Setting::LoginRequired, "0");
    get_anonymously(&world, open).assert_status(401);
    world
        .as_user("alice")
        .put("/issues/1.json", json!({"issue": {"is_private": false}}))
        .assert_status(200);
    get_anonymously(&world, open).assert_status(200);
    world
        .anonymous()
        .get(&format!("/attachments/download/{open}"))
        .assert_status(200);
    for address in [
        "/attachments/99.json",
        "/attachments/99.xml",
        "/attachments/x.json",
        "/attachments/download/99",
    ] {
        world.as_user("alice").get(address).assert_status(404);
    }
    world
        .as_user("admin")
        .delete("/issues/2.json")
        .assert_status(200);
    seen(&world, secret, &[("admin", 404), ("bob", 404)]);
}

#[test]
fn upload_is_visible_to_its_author_only() {
    let world = world();
    upload(&world, "bob", "hidden-name.txt", "x");
    seen(
        &world,
        1,
        &[("bob", 200), ("admin", 200), ("alice", 403), ("dave", 403)],
    );
    world.set(Setting::LoginRequired, "0");
    world
        .anonymous()
        .get("/attachments/1.json")
        .assert_status(401);
}

fn permit_anonymous(world: &World, permission: &str, on: bool) {
    let kept = PermissionSet::matching(|known| on || known.name() != permission);
    world.write(move |db| roles::set_permissions(db, RoleId(1), kept));
}

#[test]
fn visibility_follows_the_container() {
    let world = world();
    let project = ProjectId(1);
    let author = user("alice");
    let now = world.app.clock.now();
    let ids = world.write(move |db| {
        let category = db
            .catalogue()
            .enumerations_of(EnumerationKind::DocumentCategory)
            .next()
            .unwrap()
            .id;
        let item = News {
            project,
            author,
            title: "t".to_owned(),
            created_on: now,
            ..News::default()
        };
        let document = Document {
            project,
            category,
            title: "t".to_owned(),
            description: None,
            created_on: now,
            ..Document::default()
        };
        let book = wiki::insert(db, project)?;
        let version = WikiVersion {
            version: 1,
            updated_on: now,
            text: "t".to_owned(),
            ..WikiVersion::default()
        };
        let page = WikiPage {
            wiki: book,
            title: "T".to_owned(),
            created_on: now,
            ..WikiPage::default()
        };
        let board = Board {
            project,
            name: "b".to_owned(),
            position: 1,
            ..Board::default()
        };
        let message = Message {
            board: boards::insert(db, &board)?,
            author: Some(author),
            subject: "s".to_owned(),
            created_on: now,
            updated_on: now,
            ..Message::default()
        };
        Ok([
            (
                ContainerType::Record(Kind::News),
                news::insert(db, &item)?,
                "view_news",
            ),
            (
                ContainerType::Record(Kind::Document),
                documents::insert(db, &document)?,
                "view_documents",
            ),
            (
                ContainerType::Record(Kind::WikiPage),
                wiki::insert_page(db, &page, &[version])?.0,
                "view_wiki_pages",
            ),
            (
                ContainerType::Record(Kind::Message),
                messages::insert(db, &message)?,
                "view_messages",
            ),
            (
                ContainerType::Record(Kind::Project),
                project.0,
                "view_files",
            ),
            (
                ContainerType::Version,
                insert_version(db, project, "1.0", now)?.0,
                "view_files",
            ),
        ])
    });
    for (container_type, record, permission) in ids {
        let id = file(
            &world,
            "alice",
            container_type,
            record,
            "hidden-name.txt",
            "x",
        );
        seen(
            &world,
            id,
            &[
                ("alice", 200),
                ("carol", 200),
                ("dave", 200),
                ("admin", 200),
            ],
        );
        // The role Non member loses this permission.
        permit_anonymous(&world, permission, false);
        seen(&world, id, &[("alice", 200), ("dave", 403), ("admin", 200)]);
        // Other permissions do not make a hidden record visible.
        let dave = world.as_user("dave");
        dave.put(
            &format!("/attachments/{id}.json"),
            json!({"attachment": {"description": "x"}}),
        )
        .assert_status(403);
        dave.delete(&format!("/attachments/{id}.json"))
            .assert_status(403);
        permit_anonymous(&world, permission, true);
        seen(&world, id, &[("dave", 200)]);
    }
}

#[test]
fn downloads_of_released_files_are_counted() {
    let world = world();
    let released = file(&world, "alice", Kind::Project, 1, "a.zip", "x");
    let other = file(&world, "alice", Kind::Issue, 1, "b", "x");
    for id in [released, released, other] {
        world
            .as_user("bob")
            .get(&format!("/attachments/download/{id}"))
            .assert_status(200);
    }
    world
        .as_user("bob")
        .with("Range", "bytes=0-0")
        .get(&format!("/attachments/download/{released}"))
        .assert_status(206);
    // Writes run in order, so the counts are stored once a later write is.
    world.write(|_| Ok(()));
    assert_eq!(
        (downloads(&world, released), downloads(&world, other)),
        (2, 0)
    );
}

fn downloads(world: &World, id: i64) -> i64 {
    let found = world
        .app
        .store
        .read::<_, StoreError>(|db| quarry::store::content::attachments::find(db, id.into()));
    found.unwrap().unwrap().downloads
}

#[test]
fn download_does_not_wait_for_writes() {
    let world = world();
    let id = file(&world, "alice", Kind::Project, 1, "a.zip", "content");
    let (start, has_begun) = channel();
    let (release, released) = channel::<()>();
    let store = Arc::clone(&world.app.store);
    let writer = std::thread::spawn(move || {
        store.write::<_, StoreError>(move |_| {
            start.send(()).unwrap();
            Ok(released.recv_timeout(TIMEOUT))
        })
    });
    has_begun.recv().unwrap();
    assert_eq!(
        world
            .as_user("bob")
            .get(&format!("/attachments/download/{id}"))
            .assert_status(200)
            .body,
        "content"
    );
    drop(release);
    assert_eq!(
        writer.join().unwrap().unwrap(),
        Err(RecvTimeoutError::Disconnected),
        "the download came before the write had ended"
    );
    world.write(|_| Ok(()));
    assert_eq!(downloads(&world, id), 1);
}

#[test]
fn attachment_without_content_is_not_found() {
    let world = world();
    let imported = file(&world, "bob", Kind::Issue, 1, "imported.txt", "imported");
    let gone = file(&world, "bob", Kind::Issue, 1, "gone.txt", "soon gone");
    let content = world.write(move |db| {
        let file = quarry::store::content::attachments::find(db, gone.into())?;
        Ok(file.and_then(|file| file.content).unwrap())
    });
    world.sql(&format!(
        "UPDATE attachments SET content_sha256 = NULL WHERE id = {imported}"
    ));
    lose_file(&world, &content);
    for id in [imported, gone] {
        for format in ["json", "xml"] {
            world
                .as_user("bob")
                .get(&format!("/attachments/{id}.{format}"))
                .assert_status(404);
        }
        world
            .as_user("bob")
            .get(&format!("/attachments/download/{id}"))
            .assert_status(404);
    }
    let body = json!({"attachment": {"description": "lost"}});
    world
        .as_user("bob")
        .put(&format!("/attachments/{gone}.json"), body)
        .assert_status(200);
}
