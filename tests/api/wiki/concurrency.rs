//! Concurrent writes: nobody overwrites an unseen version

use super::{page, update, write};
use quarry_world::World;
use serde_json::{Value, json};
use std::sync::Barrier;

/// Sends eight requests at once and returns status and writer of each, sorted.
fn at_once(world: &World, path: &str, fields: impl Fn(usize) -> Value + Sync) -> Vec<(u16, usize)> {
    let start = Barrier::new(8);
    let mut responses: Vec<(u16, usize)> = std::thread::scope(|scope| {
        let writers = (0..8).map(|writer| {
            let start = &start;
            let fields = &fields;
            scope.spawn(move || {
                let login = if writer % 2 == 0 { "alice" } else { "bob" };
                start.wait();
                (update(world, login, path, fields(writer)).status, writer)
            })
        });
        writers
            .collect::<Vec<_>>()
            .into_iter()
            .map(|writer| writer.join().unwrap())
            .collect()
    });
    responses.sort_unstable();
    responses
}

fn statuses(responses: &[(u16, usize)]) -> Vec<u16> {
    responses.iter().map(|(status, _)| *status).collect()
}

#[test]
fn one_of_eight_updates_of_one_version_succeeds() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "start");
    for seen in 1..=10 {
        let responses = at_once(
            &world,
            "open/wiki/Wiki",
            |writer| json!({"text": format!("round {seen} by {writer}"), "version": seen}),
        );
        assert_eq!(
            statuses(&responses),
            [200, 409, 409, 409, 409, 409, 409, 409]
        );
        let now = page(&world, "open/wiki/Wiki");
        assert_eq!(now["version"], seen + 1);
        assert_eq!(now["text"], format!("round {seen} by {}", responses[0].1));
    }
}

#[test]
fn eight_concurrent_creates_create_one_page() {
    let world = World::with_projects();
    for round in 0..10 {
        let path = format!("open/wiki/Page_{round}");
        let responses = at_once(
            &world,
            &path,
            |writer| json!({"text": format!("by {writer}")}),
        );
        assert_eq!(
            statuses(&responses),
            [200, 200, 200, 200, 200, 200, 200, 201]
        );
        assert_eq!(page(&world, &path)["version"], 8, "every text is kept");
    }
}

#[test]
fn one_of_eight_creates_with_version_zero_succeeds() {
    let world = World::with_projects();
    let responses = at_once(
        &world,
        "open/wiki/Wiki",
        |writer| json!({"text": format!("by {writer}"), "version": 0}),
    );
    assert_eq!(
        statuses(&responses),
        [201, 409, 409, 409, 409, 409, 409, 409]
    );
    assert_eq!(
        page(&world, "open/wiki/Wiki")["text"],
        format!("by {}", responses[0].1)
    );
}
