//! Columns of closed statuses are folded, and unfolding them is kept.

use super::board::{BOARD, cards, move_card};
use quarry_world::World;
use quarry_world::browser::Browser;

#[test]
fn columns_of_closed_statuses_are_folded_until_somebody_unfolds_them() {
    let world = World::with_projects();
    let closed = world.issue("open").subject("Finished").create();
    world.edit(closed, |issue| {
        issue.status = quarry::domain::ids::StatusId(5)
    });
    let bob = Browser::logged_in(&world, "bob");
    let page = |path: &str| bob.get(path).assert_status(200).body;
    let folded = page(BOARD);
    assert!(
        folded.contains("Closed <span class=\"count\">1</span>") && !folded.contains("Finished"),
        "{folded}"
    );
    // A filter by status asks for the column, and other fields have none to fold.
    for query in ["status_id=c", "status_id=*", "columns=tracker&status_id=*"] {
        assert!(
            page(&format!("{BOARD}?{query}")).contains("Finished"),
            "{query}"
        );
    }
    bob.get(&format!("{BOARD}?lanes=tracker&unfold=5"))
        .assert_status(302)
        .assert_header("location", &format!("{BOARD}?lanes=tracker"));
    // It is kept, for this board and this browser.
    assert_eq!(cards(&page(BOARD), "5"), [closed]);
    assert_eq!(
        cards(&page(&format!("{BOARD}?lanes=tracker")), "5"),
        [closed]
    );
    assert!(
        !Browser::logged_in(&world, "bob")
            .get(BOARD)
            .body
            .contains("Finished")
    );
    for nonsense in [
        "x",
        "none",
        "99999999999999999999",
        "5%0d%0aX: y",
        "-1",
        "999",
    ] {
        bob.get(&format!("{BOARD}?unfold={}", nonsense.replace(' ', "%20")))
            .assert_status(302)
            .assert_header("location", BOARD);
    }
    bob.get(&format!("{BOARD}?fold=5")).assert_status(302);
    assert_eq!(cards(&page(BOARD), "5"), [0_i64; 0]);
    // A folded column takes cards.
    let id = world.issue("open").create();
    world.edit(id, |issue| issue.status = quarry::domain::ids::StatusId(2));
    let page = move_card(&bob, id, &[("from", "2"), ("to", "5")]);
    assert!(page.contains("was moved to"), "{page}");
}
