//! Moves cards of a board with the pointer and with keys.

use super::super::driver::{Chromium, start};
use super::super::serve;
use super::Counted;
use quarry_world::World;
use serde_json::json;

const BOARD: &str = "/projects/open/issues/board";
/// Names of keys, as events have them.
const SPACE: &str = " ";
const RIGHT: &str = "ArrowRight";
const DOWN: &str = "ArrowDown";
const ESCAPE: &str = "Escape";

/// Presses a key in whatever has the focus. WebDriver types only into elements that take text.
fn press(chromium: &Chromium, key: &str) {
    for kind in ["rawKeyDown", "keyUp"] {
        chromium.devtools(
            "Input.dispatchKeyEvent",
            json!({ "type": kind, "key": key }),
        );
    }
}

/// The ids of the cards of a column, as an expression of the script.
fn cards(column: i64) -> String {
    format!(
        "[...document.querySelectorAll('.board-column[data-value=\"{column}\"] .board-card')].map(card => card.dataset.id).join()"
    )
}

/// Drags a card to a place: presses the button, moves in steps, releases it.
fn drag(chromium: &Chromium, card: i64, to: &str) {
    let center = |selector: &str| {
        let script = format!(
            "const box = document.querySelector('{selector}').getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]"
        );
        let center = chromium.script(&script);
        [center[0].as_f64().unwrap(), center[1].as_f64().unwrap()]
    };
    let mouse = |kind: &str, [x, y]: [f64; 2]| {
        chromium.devtools(
            "Input.dispatchMouseEvent",
            json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 }),
        );
    };
    let from = center(&format!(".board-card[data-id=\"{card}\"] .facts"));
    let target = center(to);
    mouse("mousePressed", from);
    for step in 1..=8 {
        let part = f64::from(step) / 8.0;
        mouse(
            "mouseMoved",
            [0, 1].map(|axis| from[axis] + (target[axis] - from[axis]) * part),
        );
    }
    mouse("mouseReleased", target);
}

#[test]
fn cards_are_moved_with_the_pointer_and_with_keys() {
    let world = World::with_projects();
    let [first, second] = ["Repair the pump", "Paint the door"]
        .map(|subject| world.issue("open").subject(subject).create());
    world.sql("DELETE FROM workflow_transitions WHERE new_status_id = 3");
    let served = serve(world);
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("bob", "bobbobbob");
    chromium.open(BOARD);
    let column = |value: i64, expected: &str| {
        let what = format!("the column {value} has {expected}");
        chromium.wait_until(&what, &format!("{} === '{expected}'", cards(value)));
    };
    column(1, &format!("{second},{first}"));
    // One drag moves a card to another column.
    drag(&chromium, first, ".board-column[data-value=\"2\"] h2");
    column(2, &first.to_string());
    chromium.wait_until(
        "the move is confirmed",
        "document.querySelector('.flash')?.textContent.includes('was moved to In Progress')",
    );
    // Three keys: lift, to the right, drop.
    let focus = |id: i64| {
        chromium.script(&format!(
            "document.querySelector('.board-card[data-id=\"{id}\"]').focus()"
        ));
    };
    let has_focus = |id: i64| {
        let condition = format!("document.activeElement.dataset.id === '{id}'");
        chromium.wait_until("the card has the focus", &condition);
    };
    has_focus(first);
    focus(second);
    for key in [SPACE, RIGHT, SPACE] {
        press(&chromium, key);
    }
    column(2, &format!("{second},{first}"));
    // Until a move is saved, no other begins.
    let is_saved = |id: i64| {
        let what = format!("the move of #{id} is saved");
        let status = "document.querySelector('#board-status').textContent";
        chromium.wait_until(&what, &format!("{status}.includes('#{id} was moved')"));
        has_focus(id);
    };
    is_saved(second);
    // The order is changed by keys, and kept.
    for key in [SPACE, DOWN, SPACE] {
        press(&chromium, key);
    }
    column(2, &format!("{first},{second}"));
    is_saved(second);
    chromium.open(BOARD);
    column(2, &format!("{first},{second}"));
    // A column that refuses the card says why, and does not get it.
    focus(second);
    press(&chromium, SPACE);
    chromium.wait_until(
        "the column says why",
        "document.querySelector('.board-column[data-value=\"3\"].refused .refusal')?.textContent.includes('no transition from In Progress to Resolved')",
    );
    press(&chromium, RIGHT);
    press(&chromium, SPACE);
    column(2, &format!("{first},{second}"));
    chromium.wait_until(
        "the refusal is announced",
        "document.querySelector('#board-status').textContent.startsWith('Not moved to Resolved')",
    );
    focus(second);
    press(&chromium, SPACE);
    press(&chromium, RIGHT);
    press(&chromium, ESCAPE);
    column(2, &format!("{first},{second}"));
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn card_goes_back_when_the_server_cannot_be_reached() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let served = serve(world);
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("bob", "bobbobbob");
    chromium.open(BOARD);
    let column = |value: i64, expected: &str| {
        let what = format!("the column {value} has {expected}");
        chromium.wait_until(&what, &format!("{} === '{expected}'", cards(value)));
    };
    let in_progress = ".board-column[data-value=\"2\"] h2";
    chromium.set_offline(true);
    drag(&chromium, id, in_progress);
    chromium.wait_for_failure();
    column(1, &id.to_string());
    assert_eq!(chromium.path(), BOARD);
    chromium.set_offline(false);
    drag(&chromium, id, in_progress);
    column(2, &id.to_string());
    let failed = "Failed to load resource: net::ERR_INTERNET_DISCONNECTED";
    assert_eq!(chromium.faults(&[failed]), Vec::<String>::new());
}

#[test]
fn card_is_moved_without_a_script_at_390_pixels() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let served = serve(world);
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("bob", "bobbobbob");
    chromium.disable_scripts(true);
    chromium.resize(390);
    chromium.open(BOARD);
    let counted = Counted::new(&chromium);
    counted.click(&format!(".board-card[data-id=\"{id}\"] .move"));
    counted.click("button[name=to][value=\"2\"]");
    assert_eq!(counted.clicks.get(), 2);
    chromium.wait_for_path(BOARD);
    assert!(chromium.text(".flash").contains("was moved to In Progress"));
}
