//! `GET /issues/board`, `GET /projects/:id/issues/board`, and moves of their cards.

use quarry::domain::ids::{IssueId, ProjectId};
use quarry_world::browser::Browser;
use quarry_world::{World, insert_category, insert_version, user};
use regex::Regex;

pub const BOARD: &str = "/projects/open/issues/board";

/// Returns the ids of the cards of a column in their order.
pub fn cards(page: &str, value: &str) -> Vec<i64> {
    let start = page
        .find(&format!("data-value=\"{value}\""))
        .unwrap_or_else(|| panic!("no column {value}: {page}"));
    let column = &page[start..];
    let column = &column[..column.find("</section>").unwrap()];
    Regex::new("data-id=\"([0-9]+)\"")
        .unwrap()
        .captures_iter(column)
        .map(|found| found[1].parse().unwrap())
        .collect()
}

/// Moves a card and returns the message of the next page.
pub fn move_card(browser: &Browser<'_>, id: i64, fields: &[(&str, &str)]) -> String {
    let path = format!("/issues/{id}/move_card");
    let page = browser
        .get(&format!("{path}?columns=status&back={BOARD}"))
        .assert_status(200);
    let mut all = vec![("back", BOARD)];
    if !fields.iter().any(|(name, _)| *name == "columns") {
        all.push(("columns", "status"));
    }
    all.extend_from_slice(fields);
    let reply = browser.submit(&page, &path, &all).assert_status(303);
    assert_eq!(reply.location(), BOARD);
    browser.get(BOARD).assert_status(200).body
}

#[test]
fn board_shows_every_status_with_its_issues() {
    let world = World::with_projects();
    let new = world.issue("open").subject("Fresh").create();
    let closed = world.issue("open").subject("Finished").create();
    world.edit(closed, |issue| {
        issue.status = quarry::domain::ids::StatusId(5)
    });
    world.issue("secret").subject("Hidden").create();
    let bob = Browser::logged_in(&world, "dave");
    bob.get(&format!("{BOARD}?unfold=5")).assert_status(302);
    let page = bob.get(BOARD).assert_status(200).body;
    assert_eq!(
        (cards(&page, "1"), cards(&page, "5")),
        (vec![new], vec![closed])
    );
    assert!(
        page.contains("New <span class=\"count\">1</span>"),
        "{page}"
    );
    assert!(!page.contains("Hidden") && !page.contains("move_card"));
    // A filter by status holds.
    let open = bob
        .get(&format!("{BOARD}?status_id=o"))
        .assert_status(200)
        .body;
    assert!(open.contains("Fresh") && !open.contains("Finished"));
    let by_tracker = bob
        .get(&format!("{BOARD}?columns=tracker&status_id=*"))
        .body;
    assert_eq!(cards(&by_tracker, "1").len(), 2);
    for field in ["assigned_to", "fixed_version", "category", "priority"] {
        bob.get(&format!("{BOARD}?columns={field}"))
            .assert_status(200);
    }
    bob.get("/issues/board")
        .assert_status(200)
        .assert_contains("Fresh");
    bob.get("/projects/secret/issues/board").assert_status(404);
    bob.get(&format!("{BOARD}?due_date=soon"))
        .assert_status(422);
}

#[test]
fn columns_have_pages_of_their_own() {
    let world = World::with_projects();
    let ids: Vec<i64> = (0..45).map(|_| world.issue("open").create()).collect();
    let bob = Browser::logged_in(&world, "dave");
    let page = |pages: &str| {
        bob.get(&format!("{BOARD}?pages={pages}"))
            .assert_status(200)
            .body
    };
    let first = cards(&page(""), "1");
    let second = cards(&page("1:2"), "1");
    let third = cards(&page("1:3,5:7"), "1");
    let mut all: Vec<i64> = [first, second, third].concat();
    assert_eq!(all.len(), 45);
    all.sort_unstable();
    assert_eq!(all, ids);
    // Past the end there is the last page.
    assert_eq!(cards(&page("1:99"), "1").len(), 5);
    assert!(page("1:2").contains("pages=1%3A3") && page("x:y,,5").contains("pages=1%3A2"));
}

#[test]
fn card_is_moved_only_where_the_workflow_allows() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let bob = Browser::logged_in(&world, "bob");
    let page = move_card(&bob, id, &[("from", "1"), ("to", "2")]);
    assert!(
        page.contains("was moved to") && cards(&page, "2") == [id],
        "{page}"
    );
    // Somebody whose page is old does not undo it.
    let page = move_card(&bob, id, &[("from", "1"), ("to", "5")]);
    assert!(page.contains("somebody else has moved it to") && cards(&page, "2") == [id]);
    let page = move_card(&bob, id, &[("from", "2"), ("to", "999")]);
    assert!(
        page.contains("there is no such column for it") && cards(&page, "2") == [id],
        "{page}"
    );
    let path = format!("/issues/{id}/move_card");
    let form = bob.get(&path).assert_status(200);
    for fields in [
        [("columns", "nothing"), ("from", "2"), ("to", "1")],
        [("columns", "status"), ("from", "x"), ("to", "1")],
        [("columns", "status"), ("from", "2"), ("to", "")],
    ] {
        bob.submit(&form, &path, &fields).assert_status(422);
    }
    // Without the permission, and without seeing it.
    let dave = Browser::logged_in(&world, "dave");
    let offered = dave.get(&path).assert_status(200).body;
    assert!(offered.contains("you may not change it") && !offered.contains("name=\"to\""));
    let hidden = world.issue("secret").create();
    dave.get(&format!("/issues/{hidden}/move_card"))
        .assert_status(404);
    let form = dave.get(&path);
    dave.submit(
        &form,
        &format!("/issues/{hidden}/move_card"),
        &[("columns", "status"), ("from", "1"), ("to", "2")],
    )
    .assert_status(404);
}

#[test]
fn order_within_a_column_is_kept() {
    let world = World::with_projects();
    let [a, b, c, d] = [1, 2, 3, 4].map(|_| world.issue("open").create());
    let bob = Browser::logged_in(&world, "bob");
    // The newest first, until somebody orders them.
    assert_eq!(cards(&bob.get(BOARD).body, "1"), [d, c, b, a]);
    let place = |id: i64, above: &[i64]| {
        let above: Vec<String> = above.iter().map(i64::to_string).collect();
        let fields = [("from", "1"), ("to", "1"), ("above", &*above.join(","))];
        cards(&move_card(&bob, id, &fields), "1")
    };
    assert_eq!(place(a, &[d]), [d, a, c, b]);
    assert_eq!(place(b, &[]), [b, d, a, c]);
    // Halves the distance between two ranks until there is none left.
    for n in 0..30 {
        let (id, other) = if n % 2 == 0 { (c, d) } else { (d, c) };
        assert_eq!(place(id, &[b])[..2], [b, id], "{n}");
        assert_eq!(place(other, &[b])[..2], [b, other], "{n}");
    }
    // A new card follows those that were ordered.
    let e = world.issue("open").create();
    assert_eq!(cards(&bob.get(BOARD).body, "1").last(), Some(&e));
}

#[test]
fn lanes_divide_the_columns_by_another_field() {
    let world = World::with_projects();
    let mine = world.issue("open").create();
    let nobodys = world.issue("open").create();
    world.edit(mine, |issue| {
        issue.assignee = Some(quarry::domain::ids::PrincipalId(user("bob").0));
    });
    let path = format!("{BOARD}?lanes=assigned_to");
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get(&path).assert_status(200).body;
    let lane = |name: &str| {
        let heading = format!("data-label=\"{name}\"");
        let start = page.find(&heading).unwrap_or_else(|| panic!("{page}"));
        cards(&page[start..], "1")
    };
    assert_eq!(
        (lane("Nobody"), lane("bob Tester")),
        (vec![nobodys], vec![mine])
    );
    // Without issues there is no lane.
    assert!(!page.contains("data-label=\"alice Tester\""));
    // A card goes to another column and lane at once, or not at all.
    let path = format!("/issues/{nobodys}/move_card");
    let bobs = user("bob").0.to_string();
    let send = |to: &str, lane_from: &str| {
        let form = bob.get(&format!("{path}?lanes=assigned_to"));
        let fields = [
            ("columns", "status"),
            ("from", "1"),
            ("to", to),
            ("lanes", "assigned_to"),
            ("lane_from", lane_from),
            ("lane_to", &bobs),
            ("back", BOARD),
        ];
        bob.submit(&form, &path, &fields).assert_status(303);
        let issue = world.show_issue("bob", nobodys, "");
        (
            issue["status"]["id"].as_i64(),
            issue["assigned_to"]["id"].as_i64(),
        )
    };
    assert_eq!(send("999", "none"), (Some(1), None));
    assert_eq!(send("2", "5"), (Some(1), None));
    assert_eq!(send("2", "none"), (Some(2), Some(user("bob").0)));
    for parameters in ["lanes=nothing", "columns=subject"] {
        bob.get(&format!("{BOARD}?{parameters}"))
            .assert_status(422)
            .assert_contains("must be one of status, assigned_to");
    }
}

#[test]
fn columns_say_when_they_have_more_issues_than_their_limit() {
    let world = World::with_projects();
    for _ in 0..3 {
        world.issue("open").create();
    }
    let path = "/projects/open/issues/board/limits?columns=status";
    let alice = Browser::logged_in(&world, "alice");
    let save = |fields: &[(&str, &str)]| {
        let form = alice.get(path).assert_status(200);
        alice.submit(&form, path, fields)
    };
    save(&[("board[limit_1]", "2"), ("board[limit_2]", "4")]).assert_status(303);
    let page = alice.get(BOARD).assert_status(200).body;
    assert!(
        page.contains("over the limit of 2") && page.contains(">limit 4<"),
        "{page}"
    );
    for (bad, message) in [
        ("0", "must be between 1 and 9999"),
        ("-1", "must be between 1 and 9999"),
        ("10000", "must be between 1 and 9999"),
        ("many", "is not a whole number"),
        ("99999999999999999999", "is not a whole number"),
    ] {
        save(&[("board[limit_1]", bad)])
            .assert_status(422)
            .assert_contains(message);
    }
    save(&[("board[limit_1]", "")]).assert_status(303);
    assert!(!alice.get(BOARD).body.contains("limit of"));
    // Those who may not edit the project see limits, and do not change them.
    let bob = Browser::logged_in(&world, "bob");
    bob.get(path).assert_status(403);
    let form = bob.get("/projects/open/issues/board");
    bob.submit(&form, path, &[("board[limit_1]", "1")])
        .assert_status(403);
    assert!(!bob.get(BOARD).body.contains("/limits"));
}

#[test]
fn of_parallel_moves_of_a_card_one_is_saved_and_the_others_are_told() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    world.sql("DELETE FROM workflow_transitions; INSERT INTO workflow_transitions (tracker_id, role_id, old_status_id, new_status_id, author, assignee) SELECT t.id, r.id, o.id, n.id, 0, 0 FROM trackers t, roles r, issue_statuses o, issue_statuses n WHERE o.id <> n.id AND r.id IN (3, 4)");
    let messages: Vec<String> = std::thread::scope(|scope| {
        let moves: Vec<_> = (0..6)
            .map(|number| {
                let world = &world;
                scope.spawn(move || {
                    let login = if number % 2 == 0 { "alice" } else { "bob" };
                    let browser = Browser::logged_in(world, login);
                    let to = (number % 5 + 2).to_string();
                    move_card(&browser, id, &[("from", "1"), ("to", &to)])
                })
            })
            .collect();
        moves.into_iter().map(|sent| sent.join().unwrap()).collect()
    });
    let count = |text: &str| messages.iter().filter(|page| page.contains(text)).count();
    // Two of them ask for the same column.
    let is_saved = count("was moved to");
    assert!((1..=2).contains(&is_saved), "{is_saved} moves were saved");
    assert_eq!(is_saved + count("somebody else has moved it to"), 6);
    let status = world.show_issue("alice", id, "journals");
    assert_eq!(status["journals"].as_array().unwrap().len(), 1, "{status}");
}

#[test]
fn long_addresses_do_not_multiply_on_the_page() {
    let world = World::with_projects();
    for _ in 0..20 {
        world.issue("open").create();
    }
    let bob = Browser::logged_in(&world, "bob");
    let size = |padding: usize| {
        let page = bob.get(&format!("{BOARD}?{}", "&".repeat(padding)));
        page.assert_status(200).body.len()
    };
    assert!(
        size(3_000) < size(10) + 40_000,
        "{} {}",
        size(3_000),
        size(10)
    );
    bob.get(&format!("{BOARD}?{}", "&".repeat(5_000)))
        .assert_status(422)
        .assert_contains("at most 4000 bytes");
}

#[test]
fn same_columns_are_shown_every_time() {
    let world = World::with_projects();
    for number in 0..30 {
        let id = world.issue("open").create();
        world.write(move |db| {
            let name = format!("Category {number:02}");
            let category = insert_category(db, ProjectId(1), &name, None)?;
            let mut issue = quarry::store::issues::find_any(db, IssueId(id))?.unwrap();
            issue.category = Some(category);
            quarry::store::issues::update(db, &issue)
        });
    }
    let bob = Browser::logged_in(&world, "bob");
    let labels = |path: &str| -> Vec<String> {
        let page = bob.get(path).assert_status(200).body;
        Regex::new("data-label=\"(Category [0-9]+)\"")
            .unwrap()
            .captures_iter(&page)
            .map(|found| found[1].to_owned())
            .collect()
    };
    // Without a project there are only the categories that issues have.
    for path in [
        "/issues/board?columns=category",
        "/issues/board?lanes=category",
    ] {
        let first = labels(path);
        let mut sorted = first.clone();
        sorted.sort();
        assert_eq!(first, sorted, "{path}");
        for _ in 0..3 {
            assert_eq!(labels(path), first, "{path}");
        }
    }
    assert_eq!(labels("/issues/board?columns=category")[0], "Category 00");
}

#[test]
fn moves_name_no_values_of_hidden_projects() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    world.write(|db| {
        let now = db.now();
        insert_version(db, ProjectId(2), "Secret version", now)?;
        insert_category(db, ProjectId(2), "Secret category", None).map(drop)
    });
    for login in ["dave", "bob", "alice"] {
        let browser = Browser::logged_in(&world, login);
        for field in ["fixed_version", "category"] {
            let message = |to: &str| {
                let page = move_card(
                    &browser,
                    id,
                    &[("columns", field), ("from", "none"), ("to", to)],
                );
                let start = page.find("class=\"flash\"").unwrap();
                page[start..start + 400].to_owned()
            };
            // Managers see the other project, but its values are not offered either.
            assert_eq!(message("1"), message("987"), "{login}");
            assert!(message("1").contains("there is no such column for it"));
        }
    }
}

#[test]
fn cards_that_one_may_not_change_get_no_rank() {
    let world = World::with_projects();
    let [a, b] = [1, 2].map(|_| world.issue("open").create());
    let own = world.issue("open").author("carol").create();
    world.sql("DELETE FROM role_permissions WHERE name = 'edit_issues' AND role_id = 5; INSERT INTO role_permissions (role_id, name, position) VALUES (5, 'edit_own_issues', 900); UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
    let carol = Browser::logged_in(&world, "carol");
    let above = format!("{a},{b}");
    move_card(
        &carol,
        own,
        &[("from", "1"), ("to", "1"), ("above", &above)],
    );
    let ranked = world.database().rows("SELECT issue_id FROM issue_ranks");
    let ranked: Vec<i64> = ranked.iter().map(|row| row.get(0)).collect();
    assert_eq!(ranked, [own]);
    // Without the permission, nothing is said to have moved.
    let page = move_card(&carol, a, &[("from", "1"), ("to", "1"), ("above", "")]);
    assert!(page.contains("you may not change it"), "{page}");
}

#[test]
fn cards_are_added_only_where_they_can_be_and_the_way_back_is_kept() {
    let world = World::with_projects();
    world.issue("open").subject("Fresh").create();
    world.sql(
        "INSERT INTO versions (id, project_id, name, status, created_on, updated_on) VALUES (90, 1, 'Old', 'closed', 0, 0); \
         UPDATE issues SET fixed_version_id = 90; UPDATE counters SET value = value + 1 WHERE name = 'catalogue'",
    );
    let bob = Browser::logged_in(&world, "bob");
    let values = |query: &str| {
        let page = bob.get(&format!("{BOARD}{query}")).assert_status(200).body;
        let form = Regex::new(r#"name="issue\[[a-z_]+_id\]" value="([0-9]*)""#).unwrap();
        form.captures_iter(&page)
            .map(|found| found[1].to_owned())
            .collect::<Vec<_>>()
    };
    // A new issue of the first tracker begins as the workflow says; nobody sees cards that a filter hides.
    assert!(values("").contains(&"1".to_owned()) && !values("").contains(&"5".to_owned()));
    assert_eq!(values("?columns=fixed_version"), [""]);
    assert_eq!(values("?set_filter=1&tracker_id=2"), [""; 0]);
    let catalogue = "UPDATE counters SET value = value + 1 WHERE name = 'catalogue'";
    world.sql(&format!(
        "UPDATE role_permissions SET name = 'add_issues_off' WHERE name = 'add_issues'; {catalogue}"
    ));
    assert!(values("").is_empty());
    world.sql(&format!(
        "UPDATE role_permissions SET name = 'add_issues' WHERE name = 'add_issues_off'; {catalogue}"
    ));
    // A refused card leads back to the board once it is corrected.
    let path = "/projects/open/issues/new";
    let page = bob.get(BOARD).assert_status(200);
    let refused = bob
        .submit(&page, path, &[("issue[subject]", ""), ("back_url", BOARD)])
        .assert_status(422);
    assert!(
        refused
            .body
            .contains(&format!("name=\"back_url\" value=\"{BOARD}\""))
    );
    let saved = bob.submit(
        &refused,
        path,
        &[("issue[subject]", "Now"), ("back_url", BOARD)],
    );
    assert_eq!(saved.assert_status(303).location(), BOARD);
    let outside = [("issue[subject]", "Away"), ("back_url", "//evil.test/")];
    let saved = bob.submit(&page, path, &outside).assert_status(303);
    assert!(saved.location().starts_with("/issues/"), "{saved:?}");
}
