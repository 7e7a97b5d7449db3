//! The page with what concerns the viewer.

use super::browser::Browser;
use crate::world::{DEVELOPER, REPORTER, World, user};
use quarry::domain::setting::Setting;

#[test]
fn my_page_lists_own_open_issues_with_links_to_all_of_them() {
    let world = World::new();
    world.project("open").member("alice", DEVELOPER).member("bob", DEVELOPER).create();
    let bob = user("bob").0;
    for n in 0..12 {
        world.issue("open").subject(&format!("task {n}")).field("assigned_to_id", bob).create();
    }
    world
        .issue("open")
        .subject("late")
        .field("assigned_to_id", bob)
        .field("start_date", "2026-11-01")
        .field("due_date", "2026-11-02")
        .create();
    world.issue("open").subject("later").field("assigned_to_id", bob).field("due_date", "2027-06-01").create();
    let closed = world.issue("open").subject("finished").field("assigned_to_id", bob).create();
    world.as_user("alice").put(&format!("/issues/{closed}.json"), serde_json::json!({"issue": {"status_id": 5}})).assert_status(200);
    let page = Browser::logged_in(&world, "bob").get("/my/page").assert_status(200);
    let assigned = page.body.split_once("Assigned to me").unwrap().1.split("</section>").next().unwrap();
    assert_eq!(assigned.matches("<li>").count(), 10, "{assigned}");
    assert!(assigned.contains("/issues?assigned_to_id=me&#38;sort=priority%3Adesc%2Cupdated_on%3Adesc"), "{assigned}");
    let due = page.body.split_once("Due within a week").unwrap().1.split("</section>").next().unwrap();
    assert!(due.contains("late") && due.contains("overdue since 2 Nov 2026") && !due.contains("later"), "{due}");
    assert!(!page.body.contains("finished") && page.body.contains("No open issue was reported by you."), "{page:?}");
    let path = assigned.split("<a class=\"small\" href=\"").nth(1).unwrap().split('"').next().unwrap().replace("&#38;", "&");
    let all = Browser::logged_in(&world, "bob").get(&path).assert_status(200);
    assert!(all.body.contains("task 0") && !all.body.contains("finished"), "{all:?}");
}

#[test]
fn my_page_shows_nothing_that_became_hidden() {
    let world = World::new();
    world.project("secret").private().member("alice", DEVELOPER).member("carol", REPORTER).create();
    let issue = world.issue("secret").subject("whispered").create();
    let watcher = serde_json::json!({"user_id": user("carol").0});
    world.as_user("admin").post(&format!("/issues/{issue}/watchers.json"), watcher).assert_status(204);
    let browser = Browser::logged_in(&world, "carol");
    assert!(browser.get("/my/page").assert_status(200).body.contains("whispered"));
    world.write(|db| {
        let project = db.catalogue().projects.values().find(|project| project.identifier == "secret").unwrap().id;
        quarry::store::roles::delete_member(db, project, user("carol").into())
    });
    let page = browser.get("/my/page").assert_status(200);
    assert!(!page.body.contains("whispered") && !page.body.contains("secret"), "{page:?}");
    world.set(Setting::LoginRequired, "0");
    Browser::new(&world).get("/my/page").assert_status(302);
}
