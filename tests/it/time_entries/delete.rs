//! `DELETE /time_entries/:id`

use super::{field, ids, logged, world};
use crate::world::MANAGER;
use quarry::domain::custom_field::Customized;
use quarry::store::custom_fields;

#[test]
fn it_takes_the_permission_to_edit_or_that_the_time_is_one_s_own() {
    let world = world();
    for _ in 0..2 {
        logged(&world, "bob", "\"project_id\":1,\"hours\":1");
    }
    logged(&world, "alice", "\"project_id\":2,\"hours\":1");
    let delete = |login: &str, id: i64| world.as_user(login).delete(&format!("/time_entries/{id}.json"));
    let _ = world.anonymous().delete("/time_entries/1.json").expect(401);
    for login in ["carol", "dave"] {
        let _ = delete(login, 1).expect(403);
    }
    let _ = delete("bob", 3).expect(403);
    assert_eq!(delete("bob", 1).expect(200).body, "", "one's own (spec)");
    let _ = delete("bob", 1).expect(404);
    let _ = world.as_user("alice").delete("/time_entries/2.xml").expect(200);
    let _ = delete("alice", 99).expect(404);
    let _ = world.as_user("alice").delete("/time_entries/abc.json").expect(404);
    assert_eq!(ids(&world, "alice", ""), [3]);
}

#[test]
fn own_time_stays_where_nothing_can_be_changed_or_one_is_no_longer() {
    let world = world();
    logged(&world, "bob", "\"project_id\":1,\"hours\":1");
    let delete = || world.as_user("bob").delete("/time_entries/1.json").status;
    world.sql("UPDATE projects SET status = 5 WHERE id = 1");
    assert_eq!(delete(), 403);
    world.sql("UPDATE projects SET status = 1, is_public = 0 WHERE id = 1; DELETE FROM member_roles WHERE role_id = 4");
    assert_eq!(delete(), 403, "no longer a member of a private project");
    world.sql("UPDATE projects SET is_public = 1 WHERE id = 1; DELETE FROM enabled_modules WHERE name = 'time_tracking'");
    assert_eq!(delete(), 403);
    world.sql("INSERT INTO enabled_modules (project_id, name) VALUES (1, 'time_tracking')");
    assert_eq!(delete(), 200);
}

#[test]
fn who_sees_only_own_time_deletes_no_other() {
    let world = world();
    logged(&world, "bob", "\"project_id\":1,\"hours\":1");
    world.sql(&format!("UPDATE roles SET time_entries_visibility = 'own' WHERE id = {MANAGER}"));
    let _ = world.as_user("alice").delete("/time_entries/1.json").expect(403);
}

#[test]
fn values_of_custom_fields_go_along() {
    let world = world();
    field(&world, 1, "Billable", "bool", "default_value = '1'");
    let issue = world.issue("open", "");
    let left = || world.app.store.read(|db| custom_fields::values(db, Customized::TimeEntry, &[1, 2])).unwrap().len();
    logged(&world, "bob", "\"project_id\":1,\"hours\":1");
    logged(&world, "bob", &format!("\"issue_id\":{issue},\"hours\":1"));
    assert_eq!(left(), 2);
    let _ = world.as_user("bob").delete("/time_entries/1.json").expect(200);
    assert_eq!(left(), 1);
    let _ = world.as_user("alice").delete(&format!("/issues/{issue}.json")).expect(200);
    assert_eq!(left(), 0);
}
