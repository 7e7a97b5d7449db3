//! Many write at once: nobody overwrites what he has not seen

use super::{page, put, world, write};
use crate::world::World;
use serde_json::{Value, json};
use std::sync::Barrier;

/// The answers to eight requests that are sent at the same moment, in the order of their status.
fn at_once(world: &World, path: &str, fields: impl Fn(usize) -> Value + Sync) -> Vec<(u16, usize)> {
    let start = Barrier::new(8);
    let mut answers: Vec<(u16, usize)> = std::thread::scope(|scope| {
        let writers = (0..8).map(|writer| {
            let (start, fields) = (&start, &fields);
            scope.spawn(move || {
                let login = if writer % 2 == 0 { "alice" } else { "bob" };
                start.wait();
                (put(world, login, path, fields(writer)).status, writer)
            })
        });
        writers.collect::<Vec<_>>().into_iter().map(|writer| writer.join().unwrap()).collect()
    });
    answers.sort_unstable();
    answers
}

fn statuses(answers: &[(u16, usize)]) -> Vec<u16> {
    answers.iter().map(|(status, _)| *status).collect()
}

#[test]
fn of_eight_who_saw_the_same_version_one_wins() {
    let world = world();
    write(&world, "open/wiki/Wiki", "start");
    for seen in 1..=10 {
        let answers = at_once(&world, "open/wiki/Wiki", |writer| json!({"text": format!("round {seen} by {writer}"), "version": seen}));
        assert_eq!(statuses(&answers), [200, 409, 409, 409, 409, 409, 409, 409]);
        let now = page(&world, "open/wiki/Wiki");
        assert_eq!(now["version"], seen + 1);
        assert_eq!(now["text"], format!("round {seen} by {}", answers[0].1));
    }
}

#[test]
fn of_eight_who_make_the_same_page_one_makes_it() {
    let world = world();
    for round in 0..10 {
        let path = format!("open/wiki/Page_{round}");
        let answers = at_once(&world, &path, |writer| json!({"text": format!("by {writer}")}));
        assert_eq!(statuses(&answers), [200, 200, 200, 200, 200, 200, 200, 201]);
        assert_eq!(page(&world, &path)["version"], 8, "every text is kept");
    }
}

#[test]
fn of_eight_who_want_the_page_to_be_new_one_makes_it() {
    let world = world();
    let answers = at_once(&world, "open/wiki/Wiki", |writer| json!({"text": format!("by {writer}"), "version": 0}));
    assert_eq!(statuses(&answers), [201, 409, 409, 409, 409, 409, 409, 409]);
    assert_eq!(page(&world, "open/wiki/Wiki")["text"], format!("by {}", answers[0].1));
}
