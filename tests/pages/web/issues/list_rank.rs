//! Lists sorted by rank, the order by hand: `sort=rank` and `POST /issues/rank`.

use quarry_world::World;
use quarry_world::browser::Browser;

const PATH: &str = "/issues?set_filter=1&sort=rank&limit=2";
const SMALL: &str = "set_filter=1&sort=rank&limit=2";

/// Returns the issues of a list in their order.
fn rows(page: &str) -> Vec<i64> {
    let rows = page.split("<tr id=\"issue-").skip(1);
    rows.map(|row| row.split('"').next().unwrap().parse().unwrap())
        .collect()
}

/// Returns all issues in the order of the API, by rank.
fn all(world: &World) -> Vec<i64> {
    let path = "/issues.json?sort=rank&status_id=*";
    let list = world.as_user("bob").get(path).assert_status(200).json();
    list["issues"]
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| issue["id"].as_i64().unwrap())
        .collect()
}

/// Moves an issue to a place on the page of a list, and returns the page that follows.
fn place(browser: &Browser<'_>, parameters: &str, issue: i64, position: &str) -> String {
    let form = browser.get(PATH);
    let issue = issue.to_string();
    let back = format!("/issues?{parameters}");
    let fields = [
        ("issue_id", &*issue),
        ("position", position),
        ("back", &*back),
    ];
    let path = format!("/issues/rank?{parameters}");
    let reply = browser.submit(&form, &path, &fields).assert_status(303);
    assert_eq!(reply.location(), back);
    browser.get(&back).assert_status(200).body
}

#[test]
fn issues_are_placed_by_their_number_on_the_page() {
    let world = World::with_projects();
    let [a, b, c, d, e] = [1, 2, 3, 4, 5].map(|_| world.issue("open").create());
    let bob = Browser::logged_in(&world, "bob");
    assert_eq!(
        all(&world),
        [e, d, c, b, a],
        "the newest first without ranks"
    );
    assert_eq!(rows(&place(&bob, SMALL, a, "1")), [a, e]);
    assert_eq!(all(&world), [a, e, d, c, b]);
    // Places are counted on the page; those before and behind it are on other pages.
    let second = format!("{SMALL}&page=2");
    assert_eq!(rows(&place(&bob, &second, d, "0")), [e, c]);
    assert_eq!(all(&world), [a, d, e, c, b]);
    assert_eq!(rows(&place(&bob, &second, e, "3")), [c, b]);
    assert_eq!(all(&world), [a, d, c, b, e]);
    assert_eq!(rows(&place(&bob, SMALL, a, "2")), [d, a]);
    // A new issue comes last, and nothing else of an issue has changed.
    let new = world.issue("open").create();
    assert_eq!(all(&world), [d, a, c, b, e, new]);
    let issue = world.show_issue("bob", d, "journals");
    assert_eq!(issue["journals"].as_array().unwrap().len(), 0);
    assert_eq!(issue["updated_on"], issue["created_on"]);
}

#[test]
fn rows_have_the_places_that_there_are() {
    let world = World::with_projects();
    let [a, b, c] = [1, 2, 3].map(|_| world.issue("open").create());
    let bob = Browser::logged_in(&world, "bob");
    let buttons = |path: &str, issue: i64| {
        let page = bob.get(path).assert_status(200).body;
        ["up", "down"].map(|way| page.contains(&format!("data-focus=\"{issue} {way}\"")))
    };
    let second = format!("{PATH}&page=2");
    assert_eq!(buttons(PATH, c), [false, true]);
    assert_eq!(buttons(PATH, b), [true, true]);
    assert_eq!(buttons(&second, a), [true, false]);
    // Other orders, and groups, leave no place to choose.
    for other in [
        "sort=rank:desc",
        "sort=id,rank",
        "sort=rank&group_by=status",
    ] {
        let path = format!("/issues?set_filter=1&{other}");
        assert_eq!(buttons(&path, b), [false, false], "{other}");
    }
    let display = bob.get(PATH).body;
    assert!(display.contains("<option value=\"rank\" selected>Rank (order by hand)</option>"));
    assert!(!display.contains("name=\"display[c][]\"\n                value=\"rank\""));
}

#[test]
fn order_is_changed_only_by_those_who_may_edit_the_issue() {
    let world = World::with_projects();
    let [a, b] = [1, 2].map(|_| world.issue("open").create());
    let hidden = world.issue("secret").create();
    let dave = Browser::logged_in(&world, "dave");
    assert!(
        !dave
            .get(PATH)
            .assert_status(200)
            .body
            .contains("td class=\"order\"")
    );
    let page = place(&dave, SMALL, a, "1");
    assert_eq!(rows(&page), [b, a]);
    let form = dave.get(PATH);
    let send = |path: &str, fields: &[(&str, &str)], status: u16| {
        dave.submit(&form, path, fields).assert_status(status)
    };
    let by_rank = format!("/issues/rank?{SMALL}");
    let hidden = hidden.to_string();
    let id = a.to_string();
    for missing in [&*hidden, "999999"] {
        send(&by_rank, &[("issue_id", missing), ("position", "1")], 404);
    }
    for (path, fields, name) in [
        (
            &*by_rank,
            [("issue_id", "x"), ("position", "1")],
            "issue_id",
        ),
        (
            &*by_rank,
            [("issue_id", &*id), ("position", "")],
            "position",
        ),
        (
            "/issues/rank",
            [("issue_id", &*id), ("position", "1")],
            "sort",
        ),
    ] {
        let page = send(path, &fields, 422).body;
        assert!(page.contains(&format!("{name} must be")), "{page}");
    }
    let path = format!("{by_rank}&project_id=secret");
    send(&path, &[("issue_id", &id), ("position", "1")], 403);
    assert_eq!(all(&world), [b, a]);
    let ranked = world.database().rows("SELECT issue_id FROM issue_ranks");
    assert!(ranked.is_empty());
}

#[test]
fn issues_far_behind_are_placed_once_the_first_ones_have_a_rank() {
    let world = World::with_projects();
    let mut ids: Vec<i64> = (0..104).map(|_| world.issue("open").create()).collect();
    ids.reverse();
    let bob = Browser::logged_in(&world, "bob");
    let last = "set_filter=1&sort=rank&limit=100&page=2";
    let page = place(&bob, last, ids[103], "3");
    assert_eq!(rows(&page), ids[100..], "it stays where it was");
    let reason = format!("#{} was not moved: the first 100 places", ids[103]);
    assert!(page.contains(&reason), "{page}");
    place(&bob, "set_filter=1&sort=rank&limit=100", ids[99], "99");
    ids.swap(98, 99);
    let page = place(&bob, last, ids[103], "3");
    ids.swap(102, 103);
    assert_eq!(rows(&page), ids[100..]);
}
