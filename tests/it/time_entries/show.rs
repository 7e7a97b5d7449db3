//! `GET /time_entries/:id`

use super::{logged, world};
use crate::world::REPORTER;

#[test]
fn who_may_see_the_project_s_time_sees_the_entry() {
    let world = world();
    logged(&world, "bob", "\"project_id\":1,\"hours\":1");
    logged(&world, "alice", "\"project_id\":2,\"hours\":1");
    for login in ["admin", "alice", "bob", "carol"] {
        let _ = world.as_user(login).get("/time_entries/1.xml").expect(200);
    }
    for login in ["dave", "bob"] {
        let _ = world.as_user(login).get("/time_entries/2.json").expect(403);
    }
    let _ = world.anonymous().get("/time_entries/1.json").expect(401);
    let _ = world.as_user("erin").get("/time_entries/1.json").expect(401);
    for path in ["/time_entries/99.json", "/time_entries/abc.json", "/time_entries/0.xml", "/time_entries/99999999999999999999.json"] {
        let _ = world.as_user("alice").get(path).expect(404);
    }
    let body = world.as_user("dave").get("/time_entries/2.json").expect(403).body;
    assert!(!body.contains("secret"), "{body}");
    world.sql("UPDATE projects SET status = 5 WHERE id = 1");
    let _ = world.as_user("carol").get("/time_entries/1.json").expect(200);
    world.sql("UPDATE projects SET status = 9 WHERE id = 1");
    let _ = world.as_user("admin").get("/time_entries/1.json").expect(403);
    world.sql("UPDATE projects SET status = 1 WHERE id = 1; DELETE FROM enabled_modules WHERE name = 'time_tracking'");
    let _ = world.as_user("admin").get("/time_entries/1.json").expect(403);
}

#[test]
fn who_sees_only_own_time_sees_no_other_by_its_number() {
    let world = world();
    world.sql(&format!("UPDATE roles SET time_entries_visibility = 'own' WHERE id = {REPORTER}"));
    logged(&world, "bob", "\"project_id\":1,\"hours\":1");
    logged(&world, "carol", "\"project_id\":1,\"hours\":1");
    let _ = world.as_user("carol").get("/time_entries/1.json").expect(403);
    let _ = world.as_user("carol").get("/time_entries/2.json").expect(200);
    // The time that alice enters for her is hers as well.
    logged(&world, "alice", "\"project_id\":1,\"hours\":1,\"user_id\":4");
    let _ = world.as_user("carol").get("/time_entries/3.json").expect(200);
    // A second role that shows all shows all.
    world.sql("INSERT INTO member_roles (member_id, role_id) SELECT id, 4 FROM members WHERE user_id = 4");
    let _ = world.as_user("carol").get("/time_entries/1.json").expect(200);
}
