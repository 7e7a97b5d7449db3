//! Lists of issues and their views: the bar of views, keys, the bar of selected rows, new cards.

use super::driver::{Chromium, start};
use super::serve;
use quarry_world::World;
use serde_json::Value;

/// The views of the issues of a project.
const VIEWS: [&str; 4] = ["", "/board", "/calendar", "/gantt"];

/// Returns the left and the top edge, and the height, of an element.
fn place(chromium: &Chromium, selector: &str) -> Value {
    chromium.script(&format!(
        "const box = document.querySelector('{selector}').getBoundingClientRect(); return [box.left, box.top, box.height]"
    ))
}

#[test]
fn views_are_chosen_at_the_same_place_and_rows_begin_near_the_top() {
    let world = World::with_projects();
    world.issue("open").subject("Repair the pump").create();
    let served = serve(world);
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("bob", "bobbobbob");
    for (width, first_row) in [(1280, 262.0), (390, 390.0)] {
        chromium.resize(width);
        let places = VIEWS.map(|view| {
            chromium.open(&format!("/projects/open/issues{view}"));
            place(&chromium, "nav.segments")
        });
        assert!(places.iter().all(|at| *at == places[0]), "{places:?}");
        assert!(places[0][2].as_f64().unwrap() <= 34.0, "{places:?}");
        chromium.open("/projects/open/issues");
        let row = place(&chromium, "table.issues tbody tr");
        assert!(row[1].as_f64().unwrap() <= first_row, "{width}: {row}");
    }
}

#[test]
fn bar_of_selected_rows_appears_with_them_and_keys_select_and_edit() {
    let world = World::with_projects();
    for subject in ["Repair the pump", "Paint the door", "Oil the hinge"] {
        world.issue("open").subject(subject).create();
    }
    let served = serve(world);
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("bob", "bobbobbob");
    chromium.open("/projects/open/issues?sort=id");
    let shows_bar = |is_shown: bool| {
        let script = "getComputedStyle(document.querySelector('#bulk')).display === 'flex'";
        chromium.wait_until("the bar changes", &format!("({script}) === {is_shown}"));
    };
    let has_focus = |subject: &str| {
        let script = format!("document.activeElement.textContent === '{subject}'");
        chromium.wait_until(&format!("{subject} has the focus"), &script);
    };
    shows_bar(false);
    let top = place(&chromium, "table.issues tbody tr");
    chromium.type_keys("j");
    has_focus("Repair the pump");
    chromium.type_keys("jjj");
    has_focus("Oil the hinge");
    chromium.type_keys("k");
    has_focus("Paint the door");
    chromium.type_keys("x");
    shows_bar(true);
    assert_eq!(place(&chromium, "table.issues tbody tr"), top);
    assert_eq!(chromium.text("#bulk [data-count]"), "1 issue selected");
    chromium.click("#bulk [type=reset]");
    shows_bar(false);
    // Without a selection, the row with the focus is edited.
    chromium.script("document.querySelector('table.issues tr:nth-child(3) td.subject a').focus()");
    chromium.type_keys("e");
    chromium.wait_until(
        "the form is shown",
        "location.href.includes('/issues/bulk_edit?ids=3&')",
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn card_is_added_at_the_end_of_its_column_and_the_message_moves_nothing() {
    let world = World::with_projects();
    world
        .issue("open")
        .subject("Repair the pump")
        .field("assigned_to_id", 3)
        .create();
    let served = serve(world);
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("bob", "bobbobbob");
    let board = "/projects/open/issues/board?columns=assigned_to";
    chromium.open(board);
    let top = place(&chromium, "#board");
    let column = ".board-column:has(.board-card)";
    chromium.click(&format!("{column} .new-card summary"));
    chromium.wait_until(
        "the subject has the focus",
        "document.activeElement.name === 'issue[subject]'",
    );
    chromium.type_keys("Paint the door");
    chromium.click(&format!("{column} .new-card button"));
    chromium.wait_until(
        "the card is in its column",
        &format!("document.querySelectorAll('{column} .board-card').length === 2"),
    );
    assert_eq!(chromium.path(), board);
    assert!(chromium.text("section.flash").contains("was created"));
    assert_eq!(place(&chromium, "#board")[1], top[1]);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn facts_are_changed_in_their_cells_and_from_the_menu_of_a_row() {
    let world = World::with_projects();
    for subject in ["Repair the pump", "Paint the door"] {
        world.issue("open").subject(subject).create();
    }
    let served = serve(world);
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("admin", "adminadmin");
    chromium.open("/projects/open/issues?sort=id");
    chromium.script("window.marker = true");
    let row = |id: i64| format!("document.querySelector('#issue-{id}')");
    // A double click opens the choice of the cell; the selection of the row is kept.
    chromium.click("#issue-1 .select input");
    chromium.script(
        "document.querySelector('#issue-1 td.priority').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))",
    );
    chromium.wait_until(
        "the choice is open",
        "document.querySelector('.popover form')",
    );
    chromium.type_keys("Urgent");
    chromium.type_keys("\u{e007}");
    chromium.wait_until(
        "the cell has the priority",
        &format!(
            "{}.querySelector('td.priority').textContent.trim() === 'Urgent'",
            row(1)
        ),
    );
    chromium.wait_until(
        "the choice is closed",
        "!document.querySelector('.popover')",
    );
    assert_eq!(
        chromium.script("return document.querySelector('#issue-1 .select input').checked"),
        true
    );
    // The menu of the row logs time; a row that the list does not have any more goes.
    chromium.script("document.querySelector('#issue-1 td.subject a').focus()");
    chromium.type_keys("m");
    chromium.wait_until("the menu is open", "document.querySelector('.row-menu')");
    let items = chromium.text(".row-menu");
    assert!(
        items.contains("Log time") && items.contains("Status"),
        "{items}"
    );
    chromium.click(".row-menu button:nth-child(4)");
    chromium.wait_until(
        "the choice is open",
        "document.querySelector('.popover form')",
    );
    chromium.type_keys("Closed");
    chromium.type_keys("\u{e007}");
    chromium.wait_until("the row is gone", &format!("!{}", row(1)));
    chromium.wait_until(
        "its neighbour has the focus",
        "document.activeElement.closest('#issue-2')",
    );
    assert_eq!(chromium.script("return window.marker === true"), true);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
