//! Users find what they may view, at once after permissions change.

use super::{search, total};
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::ProjectId;
use quarry::domain::projects::module::{Module, ModuleSet};
use quarry::domain::projects::project::ProjectStatus;
use quarry::store::accounts::memberships;
use quarry::store::projects;
use quarry_world::search::world;
use quarry_world::{REPORTER, World, user};
use serde_json::json;

#[test]
fn hidden_records_are_not_found_counted_or_suggested() {
    let world = world();
    assert_eq!(total(&world, "alice", "q=kryptonite"), 1);
    for login in ["bob", "carol", "dave"] {
        assert_eq!(total(&world, login, "q=kryptonite"), 0, "{login}");
        assert_eq!(total(&world, login, "q=secret"), 0, "{login}");
    }
    world
        .as_user("dave")
        .get("/projects/secret/search.json?q=kryptonite")
        .assert_status(403);
    world
        .as_user("dave")
        .get("/projects/missing/search.json?q=x")
        .assert_status(404);
    world
        .anonymous()
        .get("/search.json?q=rocket")
        .assert_status(401);
    world.set(Setting::LoginRequired, "0");
    world
        .anonymous()
        .get("/search.json?q=kryptonite+rocket&all_words=0")
        .assert_status(200)
        .assert_json_path("/total_count", 7);
}

fn add_private_note(world: &World, login: &str, text: &str) {
    let body = json!({"issue": {"notes": text, "private_notes": true}});
    world
        .as_user(login)
        .put("/issues/1.json", &body)
        .assert_status(200);
}

fn finders(world: &World, word: &str) -> [i64; 5] {
    ["admin", "alice", "bob", "carol", "dave"]
        .map(|login| total(world, login, &format!("q={word}")))
}

fn excerpt(world: &World, login: &str) -> String {
    search(world, login, "q=tank+plutonium&all_words=0")["results"][0]["excerpt"].to_string()
}

#[test]
fn private_notes_are_found_by_permitted_users_only() {
    let world = world();
    add_private_note(&world, "alice", "mentions plutonium");
    assert_eq!(finders(&world, "plutonium"), [1, 1, 1, 0, 0]);
    assert_eq!(finders(&world, "plutonium+tank"), [1, 1, 1, 0, 0]);
    assert!(
        excerpt(&world, "bob").contains("plutonium")
            && !excerpt(&world, "carol").contains("plutonium")
    );
    // Users without the permission still read their own notes.
    add_private_note(&world, "bob", "bobs uranium");
    world.write(|db| memberships::delete_roles(db, ProjectId(1), user("bob").into()));
    assert_eq!(finders(&world, "uranium"), [1, 1, 1, 0, 0]);
    assert_eq!(finders(&world, "plutonium"), [1, 1, 0, 0, 0]);
}

#[test]
fn permission_changes_apply_to_the_next_search() {
    let world = world();
    assert_eq!(total(&world, "carol", "q=kryptonite"), 0);
    let now = world.app.clock.now();
    world.write(move |db| {
        memberships::insert(db, ProjectId(2), user("carol").into(), &[REPORTER], now)
    });
    assert_eq!(total(&world, "carol", "q=kryptonite"), 1);
    world.write(|db| {
        projects::set_modules(
            db,
            ProjectId(2),
            Module::ALL
                .iter()
                .copied()
                .filter(|m| *m != Module::IssueTracking)
                .collect::<ModuleSet>(),
        )
    });
    assert_eq!(total(&world, "carol", "q=kryptonite"), 0);
    assert_eq!(total(&world, "admin", "q=kryptonite"), 0);
    world
        .write(|db| projects::set_modules(db, ProjectId(2), Module::ALL.iter().copied().collect()));
    world.write(|db| projects::set_status(db, ProjectId(2), ProjectStatus::Archived));
    assert_eq!(total(&world, "admin", "q=kryptonite"), 0);
    world.write(|db| projects::set_status(db, ProjectId(2), ProjectStatus::Closed));
    assert_eq!(total(&world, "carol", "q=kryptonite"), 1);
}
