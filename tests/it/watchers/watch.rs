//! `POST /issues/:id/watchers`, `DELETE /issues/:id/watchers/:user_id` (contract 4.7)

use super::world;
use crate::world::World;
use axum::http::Method;
use quarry::store::users;

fn watchers(world: &World, issue: i64) -> Vec<i64> {
    let answer = world.as_user("alice").get(&format!("/issues/{issue}.json?include=watchers")).expect(200).json();
    answer["issue"]["watchers"].as_array().unwrap().iter().map(|watcher| watcher["id"].as_i64().unwrap()).collect()
}

#[test]
fn somebody_watches_and_then_no_longer() {
    let world = world();
    let id = world.issue("open", "");
    let before = watchers(&world, id);
    let group = world.app.clock.now();
    let group = world.write(move |db| users::insert_group(db, None, "Crew", &[], group)).0;
    let post = |body: &str| world.as_user("alice").post(&format!("/issues/{id}/watchers.json"), body).expect(204);
    assert_eq!(post("{\"user_id\":5}").body, "");
    let _ = post("{\"user_id\":5}");
    let _ = post(&format!("{{\"watcher\":{{\"user_ids\":[3,\"4\",{group}]}}}}"));
    for nobody in ["{}", "{\"user_id\":999}", "{\"user_id\":6}", "{\"user_id\":\"x\"}", "{\"user_id\":{}}", "{\"user_ids\":[1]}", "[]"] {
        let _ = post(nobody);
    }
    assert_eq!(watchers(&world, id), [before, vec![5, 3, 4, group]].concat());
    let delete = |user: i64, format: &str| world.as_user("alice").delete(&format!("/issues/{id}/watchers/{user}.{format}"));
    for format in ["json", "xml"] {
        assert_eq!(delete(5, format).expect(204).body, "");
    }
    let _ = delete(999, "json").expect(404);
    assert!(!watchers(&world, id).contains(&5));
    let path = format!("/issues/{id}/watchers.xml");
    let _ = world.as_user("alice").send(Method::POST, &path, Some("application/xml"), b"<user_id>5</user_id>".to_vec()).expect(204);
    assert!(watchers(&world, id).contains(&5));
    let _ = world.as_user("alice").post(&format!("/issues/{id}/watchers.json"), "{").expect(400);
    let _ = world.as_user("alice").get(&format!("/issues/{id}/watchers.json")).expect(404);
}

#[test]
fn too_many_at_once_are_refused() {
    let world = world();
    let id = world.issue("open", "");
    let many = (1..=1001).map(|id| id.to_string()).collect::<Vec<_>>().join(",");
    let body = format!("{{\"watcher\":{{\"user_ids\":[{many}]}}}}");
    let _ = world.as_user("alice").post(&format!("/issues/{id}/watchers.json"), &body).expect(422);
}

#[test]
fn rights_decide_and_nothing_is_said_of_what_is_hidden() {
    let world = world();
    let (id, hidden) = (world.issue("open", ""), world.issue("secret", ""));
    let said =
        |login: &str, issue: i64| world.as_user(login).post(&format!("/issues/{issue}/watchers.json"), "{\"user_id\":3}").expect(403).body;
    for login in ["bob", "carol", "dave"] {
        assert_eq!(said(login, hidden), said(login, 9999));
        let _ = said(login, id);
        for issue in [id, hidden, 9999] {
            let _ = world.as_user(login).delete(&format!("/issues/{issue}/watchers/3.json")).expect(403);
        }
    }
    let _ = world.as_user("alice").post("/issues/9999/watchers.json", "{}").expect(403);
    let _ = world.anonymous().post(&format!("/issues/{id}/watchers.json"), "{\"user_id\":3}").expect(401);
    let _ = world.anonymous().delete(&format!("/issues/{id}/watchers/3.json")).expect(401);
    let seen = world.as_user("bob").get(&format!("/issues/{id}.json?include=watchers")).expect(200).json();
    assert!(seen["issue"].get("watchers").is_none(), "{seen}");
}

#[test]
fn whom_the_asker_may_not_know_of_cannot_be_made_a_watcher() {
    let world = world();
    let id = world.issue("open", "");
    let before = watchers(&world, id);
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    let _ = world.as_user("alice").post(&format!("/issues/{id}/watchers.json"), "{\"watcher\":{\"user_ids\":[3,5]}}").expect(204);
    assert_eq!(watchers(&world, id), [before, vec![3]].concat(), "bob is a member, dave of nothing");
}
