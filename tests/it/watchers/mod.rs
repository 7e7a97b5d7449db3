mod watch;

use crate::world::{DEVELOPER, MANAGER, REPORTER, World};

/// An open project and a private one; alice manages both, bob develops and carol reports in the open one.
fn world() -> World {
    let world = World::new();
    world.project("open", true, &[("alice", MANAGER), ("bob", DEVELOPER), ("carol", REPORTER)]);
    world.project("secret", false, &[("alice", MANAGER)]);
    world
}
