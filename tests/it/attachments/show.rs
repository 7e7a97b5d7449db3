//! `GET /attachments/:id`: its form, and who sees it

use super::{file, upload, world};
use crate::waiting::PATIENCE;
use crate::world::{World, user};
use quarry::domain::attachment::Holder;
use quarry::domain::catalogue::EnumerationKind;
use quarry::domain::ids::{ProjectId, RoleId};
use quarry::domain::kind::Kind;
use quarry::domain::permission::PermissionSet;
use quarry::domain::setting::Setting;
use quarry::store::documents::NewDocument;
use quarry::store::messages::NewMessage;
use quarry::store::news::NewNews;
use quarry::store::wiki::{NewPage, NewVersion};
use quarry::store::{StoreError, documents, messages, news, roles, versions, wiki};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};

#[test]
fn a_file_is_described_in_both_formats() {
    let world = world();
    let id = file(&world, "bob", Kind::Issue, 1, "engine-log.txt", "engine log line\n");
    let wanted = format!(
        "{{\"attachment\":{{\"id\":{id},\"filename\":\"engine-log.txt\",\"filesize\":16,\"content_type\":\"text/plain\",\"description\":\"\",\
         \"content_url\":\"http://quarry.test/attachments/download/{id}/engine-log.txt\",\"author\":{{\"id\":3,\"name\":\"bob Tester\"}},\
         \"created_on\":\"2026-11-20T12:00:00Z\"}}}}"
    );
    let alice = world.as_user("alice");
    assert_eq!(alice.get(&format!("/attachments/{id}.json")).expect(200).body, wanted);
    let wanted = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><attachment><id>{id}</id><filename>engine-log.txt</filename><filesize>16</filesize>\
         <content_type>text/plain</content_type><description></description>\
         <content_url>http://quarry.test/attachments/download/{id}/engine-log.txt</content_url><author id=\"3\" name=\"bob Tester\"/>\
         <created_on>2026-11-20T12:00:00Z</created_on></attachment>"
    );
    assert_eq!(alice.get(&format!("/attachments/{id}.xml")).expect(200).body, wanted);
}

#[test]
fn a_picture_has_a_thumbnail_address() {
    let world = world();
    let id = file(&world, "bob", Kind::Issue, 1, "a%20%26%20b.PNG", "not really");
    let shown = world.as_user("bob").get(&format!("/attachments/{id}.json")).expect(200).json()["attachment"].clone();
    let names: Vec<&String> = shown.as_object().unwrap().keys().collect();
    let wanted = ["id", "filename", "filesize", "content_type", "description", "content_url", "thumbnail_url", "author", "created_on"];
    assert_eq!(names, wanted);
    assert_eq!(shown["content_url"], format!("http://quarry.test/attachments/download/{id}/a%20%26%20b.PNG"));
    assert_eq!(shown["thumbnail_url"], format!("http://quarry.test/attachments/thumbnail/{id}"));
    for address in [format!("/attachments/thumbnail/{id}"), format!("/attachments/thumbnail/{id}/100")] {
        let _ = world.as_user("bob").get(&address).expect(404);
    }
}

/// Who gets which status for a file.
#[track_caller]
fn seen(world: &World, id: i64, wanted: &[(&str, u16)]) {
    for (login, status) in wanted {
        for address in [format!("/attachments/{id}.json"), format!("/attachments/{id}.xml"), format!("/attachments/download/{id}")] {
            let answer = world.as_user(login).get(&address);
            assert_eq!(answer.status, *status, "{login} {address}: {answer:?}");
            assert!(*status == 200 || !answer.body.contains("hidden-name"), "{answer:?}");
        }
    }
}

#[test]
fn whoever_sees_the_issue_sees_its_files() {
    let world = world();
    let open = file(&world, "alice", Kind::Issue, 1, "hidden-name.txt", "x");
    let secret = file(&world, "alice", Kind::Issue, 2, "hidden-name.txt", "x");
    seen(&world, open, &[("admin", 200), ("alice", 200), ("bob", 200), ("dave", 200), ("erin", 401)]);
    seen(&world, secret, &[("admin", 200), ("alice", 200), ("bob", 403), ("dave", 403), ("erin", 401)]);
    let _ = world.as_user("alice").put("/issues/1.json", "{\"issue\":{\"is_private\":true}}").expect(200);
    seen(&world, open, &[("admin", 200), ("alice", 200), ("bob", 403), ("dave", 403)]);
    let anonymous = || world.anonymous().get(&format!("/attachments/{open}.json"));
    let _ = anonymous().expect(401);
    world.set(Setting::LoginRequired, "0");
    let _ = anonymous().expect(401);
    let _ = world.as_user("alice").put("/issues/1.json", "{\"issue\":{\"is_private\":false}}").expect(200);
    let _ = anonymous().expect(200);
    let _ = world.anonymous().get(&format!("/attachments/download/{open}")).expect(200);
    for address in ["/attachments/99.json", "/attachments/99.xml", "/attachments/x.json", "/attachments/download/99"] {
        let _ = world.as_user("alice").get(address).expect(404);
    }
    let _ = world.as_user("admin").delete("/issues/2.json").expect(200);
    seen(&world, secret, &[("admin", 404), ("bob", 404)]);
}

#[test]
fn an_upload_is_its_authors() {
    let world = world();
    upload(&world, "bob", "hidden-name.txt", "x");
    seen(&world, 1, &[("bob", 200), ("admin", 200), ("alice", 403), ("dave", 403)]);
    world.set(Setting::LoginRequired, "0");
    let _ = world.anonymous().get("/attachments/1.json").expect(401);
}

#[test]
fn every_record_decides_about_its_files() {
    let world = world();
    let project = ProjectId(1);
    let (author, now) = (user("alice"), world.app.clock.now());
    let ids = world.write(move |db| {
        let category = db.catalogue().enumerations_of(EnumerationKind::DocumentCategory).next().unwrap().id;
        let item = NewNews { project, author, title: "t", summary: "", description: "", created_on: now };
        let document = NewDocument { project, category, title: "t", description: "", created_on: now };
        let book = wiki::insert(db, project)?;
        let version = NewVersion { version: 1, author: None, comments: None, updated_on: now, text: "t" };
        let page = NewPage { wiki: book, title: "T", parent: None, protected: false, created_on: now, versions: &[version] };
        let board = messages::insert_board(db, project, "b", "", 1)?;
        let message = NewMessage { board, parent: None, author: Some(author), subject: "s", content: "", created_on: now };
        Ok([
            (Holder::Record(Kind::News), news::insert(db, &item)?, "view_news"),
            (Holder::Record(Kind::Document), documents::insert(db, &document)?, "view_documents"),
            (Holder::Record(Kind::WikiPage), wiki::insert_page(db, &page)?, "view_wiki_pages"),
            (Holder::Record(Kind::Message), messages::insert(db, &message)?, "view_messages"),
            (Holder::Record(Kind::Project), project.0, "view_files"),
            (Holder::Version, versions::insert(db, project, "1.0", "open", None, now)?.0, "view_files"),
        ])
    });
    for (holder, record, permission) in ids {
        let id = file(&world, "alice", holder, record, "hidden-name.txt", "x");
        seen(&world, id, &[("alice", 200), ("carol", 200), ("dave", 200), ("admin", 200)]);
        // Non member loses the one permission.
        let without = |on: bool| {
            let kept = PermissionSet::matching(|known| on || known.name() != permission);
            world.write(move |db| roles::set_permissions(db, RoleId(1), kept));
        };
        without(false);
        seen(&world, id, &[("alice", 200), ("dave", 403), ("admin", 200)]);
        // Other permissions do not help with what cannot be seen.
        let dave = world.as_user("dave");
        let _ = dave.put(&format!("/attachments/{id}.json"), "{\"attachment\":{\"description\":\"x\"}}").expect(403);
        let _ = dave.delete(&format!("/attachments/{id}.json")).expect(403);
        without(true);
        seen(&world, id, &[("dave", 200)]);
    }
}

#[test]
fn downloads_of_released_files_are_counted() {
    let world = world();
    let (released, other) = (file(&world, "alice", Kind::Project, 1, "a.zip", "x"), file(&world, "alice", Kind::Issue, 1, "b", "x"));
    for id in [released, released, other] {
        let _ = world.as_user("bob").get(&format!("/attachments/download/{id}")).expect(200);
    }
    let _ = world.as_user("bob").with("Range", "bytes=0-0").get(&format!("/attachments/download/{released}")).expect(206);
    // Writes are done in their order, so the counts are there when another one is.
    world.write(|_| Ok(()));
    assert_eq!((downloads(&world, released), downloads(&world, other)), (2, 0));
}

fn downloads(world: &World, id: i64) -> i64 {
    let found = world.app.store.read::<_, StoreError>(|db| quarry::store::attachments::find(db, id.into()));
    found.unwrap().unwrap().downloads
}

#[test]
fn a_download_does_not_wait_for_writes() {
    let world = world();
    let id = file(&world, "alice", Kind::Project, 1, "a.zip", "content");
    let (begun, has_begun) = channel();
    let (release, released) = channel::<()>();
    let store = Arc::clone(&world.app.store);
    let writer = std::thread::spawn(move || {
        store.write::<_, StoreError>(move |_| {
            begun.send(()).unwrap();
            Ok(released.recv_timeout(PATIENCE))
        })
    });
    has_begun.recv().unwrap();
    assert_eq!(world.as_user("bob").get(&format!("/attachments/download/{id}")).expect(200).body, "content");
    drop(release);
    assert_eq!(writer.join().unwrap().unwrap(), Err(RecvTimeoutError::Disconnected), "the download came before the write had ended");
    world.write(|_| Ok(()));
    assert_eq!(downloads(&world, id), 1);
}
