//! Scaling images does not delay other requests.

use super::{Server, read_to_end, status};
use quarry::config::{Limit, Limits};
use quarry_world::attachments::{bytes_file, tiny_bitmap};
use quarry_world::{MANAGER, REPORTER};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

/// Pixels of each side of the images.
const LENGTH: u32 = 2500;

fn get(server: &Server, path: &str, login: &str) -> TcpStream {
    server.send(&server.request("GET", path, login, ""))
}

#[test]
fn reads_and_cached_thumbnails_do_not_wait_for_image_scaling() {
    let server = Server::new(Limits::default().with(Limit::QueueTimeout, 0));
    let world = &server.world;
    world
        .project("open")
        .member("alice", MANAGER)
        .member("bob", REPORTER)
        .member("carol", REPORTER)
        .create();
    world.issue("open").create();
    let small = bytes_file(world, 1, "small.bmp", tiny_bitmap(100));
    let cached = format!("/attachments/thumbnail/{small}/50");
    assert_eq!(status(&read_to_end(get(&server, &cached, "dave"))), 200);
    // Three users ask for eight sizes of an image each.
    let requests: Vec<TcpStream> = (0..)
        .zip(["alice", "bob", "carol"])
        .flat_map(|(index, login)| {
            let image = bytes_file(world, 1, "large.bmp", tiny_bitmap(LENGTH - index));
            (1..=8)
                .map(move |step| {
                    (
                        format!("/attachments/thumbnail/{image}/{}", 50 * step),
                        login,
                    )
                })
                .collect::<Vec<_>>()
        })
        .map(|(path, login)| get(&server, &path, login))
        .collect();
    let total = requests.len();
    let done = AtomicUsize::new(0);
    let (finished, wait_for_one) = channel();
    std::thread::scope(|scope| {
        for request in requests {
            let done = &done;
            let finished = finished.clone();
            scope.spawn(move || {
                assert_eq!(status(&read_to_end(request)), 200);
                done.fetch_add(1, Ordering::SeqCst);
                finished.send(()).unwrap();
            });
        }
        // The others are waiting, or one of them is scaled.
        wait_for_one.recv().unwrap();
        for path in ["/issues.json?limit=5", &cached] {
            let before = done.load(Ordering::SeqCst);
            assert_eq!(status(&read_to_end(get(&server, path, "dave"))), 200);
            let meanwhile = done.load(Ordering::SeqCst) - before;
            assert!(
                meanwhile < total / 2,
                "{path} waited for {meanwhile} thumbnails of {total}"
            );
        }
    });
}
