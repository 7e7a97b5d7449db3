//! `GET /users/:id`

use crate::world::{DEVELOPER, MANAGER, REPORTER, World, user};
use quarry::store::{roles, users};

/// Carol sees the project `open`, and `below`, which has the members of `above`, which she does not see. No role shows all users.
#[test]
fn members_through_a_group_and_from_the_project_above_are_known() {
    let world = World::new();
    let open = world.project("open", true, &[("carol", REPORTER)]);
    let above = world.project("above", false, &[("dave", DEVELOPER)]);
    let below = world.project("below", true, &[]);
    let now = world.app.clock.now();
    world.write(move |db| {
        let group = users::insert_group(db, None, "Quality", &[user("bob")], now)?;
        roles::add_member(db, open, group, &[DEVELOPER], now)?;
        roles::add_member(db, above, user("alice").into(), &[MANAGER], now)
    });
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    let seen = || ["bob", "alice", "dave"].map(|login| world.as_user("carol").get(&format!("/users/{}.json", user(login).0)).status);
    assert_eq!(seen(), [200, 404, 404]);
    world.sql(&format!("UPDATE projects SET parent_id = {above}, inherit_members = 1 WHERE id = {below}"));
    assert_eq!(seen(), [200, 200, 200]);
    world.sql(&format!("UPDATE projects SET inherit_members = 0 WHERE id = {below}"));
    assert_eq!(seen(), [200, 404, 404]);
}
