//! Adding and removing watchers on the page of an issue.

use quarry_world::World;
use quarry_world::browser::Browser;

fn watchers(world: &World, id: i64) -> Vec<i64> {
    let issue = world.show_issue("admin", id, "watchers");
    let all = issue["watchers"].as_array().cloned().unwrap_or_default();
    all.iter()
        .map(|user| user["id"].as_i64().unwrap())
        .collect()
}

#[test]
fn watcher_is_added_by_name_or_from_the_list_and_removed() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let before = watchers(&world, id);
    let alice = Browser::logged_in(&world, "alice");
    let path = format!("/issues/{id}/watchers/new");
    let page = alice
        .get(&path)
        .assert_status(200)
        .assert_contains("bob Tester");
    assert!(!page.body.contains("erin"), "locked users cannot watch");
    alice
        .submit(&page, &path, &[("name", "carol")])
        .assert_status(303);
    alice
        .submit(&page, &path, &[("user_ids[]", "3"), ("user_ids[]", "5")])
        .assert_status(303);
    let mut expected = before.clone();
    expected.extend([4, 3, 5]);
    assert_eq!(watchers(&world, id), expected);
    let page = alice
        .get(&format!("/issues/{id}"))
        .assert_contains("carol Tester");
    alice
        .submit(&page, &format!("/issues/{id}/watchers/4/delete"), &[])
        .assert_status(303);
    assert!(!watchers(&world, id).contains(&4));
}

#[test]
fn name_of_several_or_of_nobody_adds_nobody() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let before = watchers(&world, id);
    let alice = Browser::logged_in(&world, "alice");
    let path = format!("/issues/{id}/watchers/new");
    let page = alice.get(&path).assert_status(200);
    alice
        .submit(&page, &path, &[("name", "tester")])
        .assert_status(422)
        .assert_contains("Several users or groups match.")
        .assert_contains("value=\"tester\"");
    alice
        .submit(&page, &path, &[("name", "zoe")])
        .assert_status(422)
        .assert_contains("No user or group that can be added has this name.");
    alice.submit(&page, &path, &[]).assert_status(422);
    // Those who cannot watch are passed over.
    alice
        .submit(
            &page,
            &path,
            &[
                ("user_ids[]", "6"),
                ("user_ids[]", "999"),
                ("user_ids[]", "x"),
            ],
        )
        .assert_status(422);
    assert_eq!(watchers(&world, id), before);
}

#[test]
fn search_narrows_the_list_keeps_the_chosen_and_adds_nobody() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let before = watchers(&world, id);
    let alice = Browser::logged_in(&world, "alice");
    let path = format!("/issues/{id}/watchers/new");
    let page = alice
        .get(&path)
        .assert_status(200)
        .assert_contains("data-narrows=\"user_ids[]\"");
    let fields = [
        ("name", "bo"),
        ("user_ids[]", "4"),
        ("user_ids[]", "999"),
        ("do", "search"),
    ];
    let found = alice.submit(&page, &path, &fields).assert_status(200);
    let found = found
        .assert_contains("value=\"4\" checked> carol Tester")
        .assert_contains("value=\"3\"> bob Tester");
    let (_, list) = found.body.split_once("<fieldset").unwrap();
    let (list, _) = list.split_once("</fieldset>").unwrap();
    assert!(!list.contains("dave") && !list.contains("999"), "{list}");
    let fields = [("name", "zoe"), ("do", "search")];
    alice
        .submit(&page, &path, &fields)
        .assert_status(200)
        .assert_contains("No user or group that can be added has this name.");
    assert_eq!(watchers(&world, id), before);
}

#[test]
fn watchers_are_shown_and_changed_with_permission_only() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    world
        .sql("INSERT INTO watchers (watchable_type, watchable_id, user_id) VALUES ('Issue', 1, 5)");
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get(&format!("/issues/{id}")).assert_status(200);
    assert!(
        !page.body.contains("dave Tester") && !page.body.contains("/watchers/"),
        "{}",
        page.body
    );
    bob.get(&format!("/issues/{id}/watchers/new"))
        .assert_status(403);
    for (path, status) in [
        (format!("/issues/{id}/watchers/new"), 403),
        (format!("/issues/{id}/watchers/5/delete"), 403),
    ] {
        bob.submit(&page, &path, &[("user_ids[]", "3")])
            .assert_status(status);
    }
    assert!(watchers(&world, id).contains(&5));
    // Users of other projects are hidden from those whose roles see members only.
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get(&format!("/issues/{id}")).assert_status(200);
    assert!(!page.body.contains("dave Tester"), "{}", page.body);
    let form = alice
        .get(&format!("/issues/{id}/watchers/new"))
        .assert_status(200);
    assert!(!form.body.contains("dave"), "{}", form.body);
    alice
        .submit(&page, &format!("/issues/{id}/watchers/5/delete"), &[])
        .assert_status(404);
}
