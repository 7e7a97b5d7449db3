//! Who is told of which event (docs/notices.md).

mod events;
pub mod oracle;
mod preferences;
mod random;
mod visibility;

use quarry::actions::notices::inbox::{self, InboxFilter};
use quarry::domain::access::viewer::Viewer;
use quarry::domain::content::activity::EventReference;
use quarry::domain::content::activity::EventType;
use quarry_world::{World, user};

/// Returns the events in the inbox of a user, oldest first.
fn events(world: &World, login: &str) -> Vec<EventReference> {
    let mut events: Vec<EventReference> = entries(world, login)
        .into_iter()
        .flat_map(|entry| entry.events)
        .map(|visible| visible.event.key.reference())
        .collect();
    events.sort_by_key(|event| (event.event_type, event.id, event.version));
    events
}

fn entries(world: &World, login: &str) -> Vec<inbox::InboxEntry> {
    let id = user(login);
    world
        .app
        .store
        .read(|db| {
            let viewer = Viewer::new(db.catalogue(), Some(id));
            inbox::list(db, &viewer, &InboxFilter::default())
        })
        .unwrap()
        .entries
}

/// Returns the names of the reasons of the only entry of a user; an empty text without entries.
fn reasons(world: &World, login: &str) -> String {
    let entries = entries(world, login);
    assert!(entries.len() <= 1, "{login}: {entries:?}");
    let names = entries
        .iter()
        .flat_map(|entry| entry.reasons.iter())
        .map(|reason| reason.name());
    names.collect::<Vec<_>>().join(" ")
}

/// Returns who was told of something, in the order of the ids.
fn told(world: &World) -> Vec<&'static str> {
    let all = ["admin", "alice", "bob", "carol", "dave"];
    let told = all
        .into_iter()
        .filter(|login| !entries(world, login).is_empty());
    told.collect()
}

/// Puts everything in all inboxes away.
fn clear(world: &World) {
    world.sql("DELETE FROM notices");
}

fn change(id: i64) -> EventReference {
    EventReference::new(EventType::IssueChange, id)
}

fn count_unread(world: &World, login: &str) -> usize {
    let id = user(login);
    world
        .app
        .store
        .read(|db| inbox::count_unread(db, &Viewer::new(db.catalogue(), Some(id))))
        .unwrap()
}
