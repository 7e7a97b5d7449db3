//! A world with one record of every type, for tests that visit every page. The ids are fixed;
//! the list of pages, `tests/pages/web/pages.rs`, uses them.

use crate::attachments::file;
use crate::{DEVELOPER, MANAGER, REPORTER, World, user};
use quarry::actions::accounts::pictures::{self, Picture};
use quarry::domain::access::viewer::Viewer;
use quarry::domain::accounts::oauth::Scopes;
use quarry::domain::content::attachment::ContainerType;
use quarry::domain::index_feed::kind::Kind;
use quarry::store::index_feed::indexed_records;
use quarry::store::transaction::changes;
use std::io::Cursor;

const RECORDS: &str = include_str!("records.sql");
/// The files, whose ids are 1, 2, …: container, id of the container, name, content.
const FILES: [(ContainerType, i64, &str, &str); 9] = [
    (
        ContainerType::Record(Kind::Issue),
        1,
        "notes.txt",
        "Twelve turns of the valve.\n",
    ),
    (
        ContainerType::Record(Kind::Issue),
        1,
        "pump.svg",
        "<svg xmlns='http://www.w3.org/2000/svg'><script>window.pwned = 'svg'</script></svg>",
    ),
    (
        ContainerType::Record(Kind::Issue),
        1,
        "pump.png",
        "not really a picture",
    ),
    (ContainerType::Record(Kind::Project), 1, "plan.pdf", "%PDF"),
    (ContainerType::Version, 1, "release.zip", "PK"),
    (
        ContainerType::Record(Kind::News),
        1,
        "route.csv",
        "a,b\n1,2\n",
    ),
    (
        ContainerType::Record(Kind::Document),
        1,
        "manual.html",
        "<script>window.pwned = 'html'</script>",
    ),
    (
        ContainerType::Record(Kind::WikiPage),
        1,
        "ship.patch",
        "--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\n",
    ),
    (
        ContainerType::Record(Kind::Message),
        1,
        "seal.rs",
        "fn main() {}\n",
    ),
];

/// A picture to upload, which bob has: a red pixel.
pub const PICTURE: &[u8] =
    b"GIF89a\x01\0\x01\0\x80\0\0\xc8\0\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";

/// Creates the world. alice manages `secret` (1) and `open` (2), bob is a developer of `secret`,
/// carol a reporter of `open`.
pub fn complete_world() -> World {
    let world = World::new();
    world
        .project("secret")
        .private()
        .member("alice", MANAGER)
        .member("bob", DEVELOPER)
        .create();
    world
        .project("open")
        .member("alice", MANAGER)
        .member("carol", REPORTER)
        .create();
    world.sql(&RECORDS.replace("ALL_SCOPES", &Scopes::all().to_string()));
    let bob = user("bob");
    let picture = Picture::new(Cursor::new(PICTURE)).unwrap();
    let set = world.app.store.write(move |db| {
        let viewer = Viewer::new(db.catalogue(), Some(bob));
        pictures::set(db, &viewer, bob, &picture)
    });
    set.unwrap();
    for (container, id, name, content) in FILES {
        file(&world, "alice", container, id, name, content);
    }
    reindex(&world);
    world
}

/// Records a change of every record, after SQL has changed their texts.
pub fn reindex(world: &World) {
    world.write(|db| {
        for kind in Kind::ALL {
            let mut last = 0;
            loop {
                // A page of long texts has fewer records.
                let page = indexed_records::load_page(db, kind, last, 10_000)?;
                let Some(record) = page.last() else { break };
                last = record.id;
                for record in &page {
                    changes::record(db, kind, record.id)?;
                }
            }
        }
        Ok(())
    });
}
