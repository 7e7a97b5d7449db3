//! People whom a query names.

use super::page;
use quarry_world::search::world;

#[test]
fn person_is_shown_with_true_counts() {
    let world = world();
    let shown = page(&world, "admin", "/search?q=alice");
    let links: Vec<(&str, bool)> = shown
        .people
        .iter()
        .map(|(label, count, _)| (label.as_str(), count.is_some()))
        .collect();
    assert_eq!(
        links,
        [("Profile", false), ("Written by", true), ("Assigned", true)]
    );
    for (count, path) in shown.counted_links() {
        assert_eq!(page(&world, "admin", &path).total, count, "{path}");
    }
    assert!(shown.people[1].1.unwrap() > 3);
    // Somebody else's counts are those of what he sees.
    let fewer = page(&world, "dave", "/search?q=alice");
    for (count, path) in fewer.counted_links() {
        assert_eq!(page(&world, "dave", &path).total, count, "{path}");
    }
    assert_eq!(fewer.people.len(), 3);
    assert!(fewer.people[1].1 < shown.people[1].1);
}

#[test]
fn person_whom_the_viewer_may_not_see_is_not_shown() {
    let world = world();
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    world.sql(
        "DELETE FROM member_roles WHERE member_id IN (SELECT id FROM members WHERE user_id = 3)",
    );
    world.sql("DELETE FROM members WHERE user_id = 3");
    for query in ["bob", "bob+tester", "BOB"] {
        let path = format!("/search?q={query}");
        assert!(page(&world, "dave", &path).people.is_empty(), "{query}");
        assert!(!page(&world, "admin", &path).people.is_empty(), "{query}");
    }
}

#[test]
fn locked_user_is_shown_to_administrators_alone() {
    let world = world();
    world.sql("UPDATE users SET status = 3 WHERE id = 3");
    assert!(page(&world, "alice", "/search?q=bob").people.is_empty());
    assert!(!page(&world, "admin", "/search?q=bob").people.is_empty());
}

#[test]
fn phrases_exclusions_and_parts_of_sentences_name_nobody() {
    let world = world();
    for query in [
        "%22bob%22",
        "-bob",
        "rocket+bob",
        "bo",
        "bob+OR+alice",
        "is:open",
    ] {
        let path = format!("/search?q={query}");
        assert!(page(&world, "admin", &path).people.is_empty(), "{query}");
    }
}
