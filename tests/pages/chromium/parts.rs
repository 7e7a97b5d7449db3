//! Buttons that replace a part of the page, without a new load of it.

use super::driver::{Chromium, start};
use super::serve;
use quarry_world::complete_world::complete_world;

/// The first cells of the rows of the list.
const ROWS: &str = "[...document.querySelectorAll('#list-1 tbody tr')].map(row => row.cells[0].textContent.trim()).join()";

/// Marks the page, so that a new load of it is noticed.
fn mark(chromium: &Chromium) {
    chromium.script("window.marker = true");
}

#[track_caller]
fn assert_not_loaded_again(chromium: &Chromium) {
    assert_eq!(chromium.script("return window.marker === true"), true);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn order_watch_and_reactions_change_in_place_and_keep_the_focus() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("admin", "adminadmin");
    chromium.open("/issue_statuses");
    mark(&chromium);
    let before = chromium.script(&format!("return {ROWS}"));
    let names: Vec<&str> = before.as_str().unwrap().split(',').collect();
    chromium.click("#list-1 tbody tr:first-child td.order button");
    let moved = format!("{ROWS}.startsWith('{},{}')", names[1], names[0]);
    chromium.wait_until("the first status is the second", &moved);
    let focus = "document.activeElement.dataset.focus";
    chromium.wait_until(
        "the button keeps the focus",
        &format!("{focus} === '/issue_statuses/1/edit down'"),
    );
    assert!(chromium.text("section.flash").contains("was saved"));
    assert_not_loaded_again(&chromium);

    chromium.open("/issues/1");
    mark(&chromium);
    let top = "Math.round(document.querySelector('#history').getBoundingClientRect().top)";
    chromium.script("window.scrollTo(0, 100)");
    let before = chromium.script(&format!("return {top}"));
    chromium.script("document.querySelector('#watch button').click()");
    chromium.wait_until(
        "the issue is watched",
        "document.querySelector('#watch button').textContent.includes('Unwatch')",
    );
    // The message above pushes nothing away.
    chromium.wait_until(
        "what was in view stays where it was",
        // Heights have halves of pixels, scroll positions of some screens have none.
        &format!("Math.abs({top} - {before}) <= 1"),
    );
    chromium.script(
        "const menu = document.querySelector('#reactions-description details');
         menu.open = true;
         menu.querySelector('[data-focus=heart]').click()",
    );
    let heart = "#reactions-description > button[aria-pressed=true]";
    chromium.wait_until(
        "the reaction is shown with its number, and has the focus",
        &format!(
            "document.activeElement.matches('{heart}') && document.querySelector('{heart}').textContent.includes('1')"
        ),
    );
    assert_not_loaded_again(&chromium);
}

#[test]
fn rows_are_dragged_to_their_place() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("admin", "adminadmin");
    chromium.open("/issue_statuses");
    mark(&chromium);
    let before = chromium.script(&format!("return {ROWS}"));
    let names: Vec<&str> = before.as_str().unwrap().split(',').collect();
    chromium.script(
        "const rows = document.querySelectorAll('#list-1 tbody tr'), cell = rows[0].querySelector('td.order'), last = rows[rows.length - 1];
         cell.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
         const transfer = new DataTransfer(), options = { bubbles: true, cancelable: true, dataTransfer: transfer };
         rows[0].dispatchEvent(new DragEvent('dragstart', options));
         last.dispatchEvent(new DragEvent('dragover', { ...options, clientY: last.getBoundingClientRect().bottom }));
         rows[0].dispatchEvent(new DragEvent('drop', options));
         rows[0].dispatchEvent(new DragEvent('dragend', options));",
    );
    let moved = format!("{ROWS}.endsWith('{}')", names[0]);
    chromium.wait_until("the first status is the last", &moved);
    chromium.wait_until(
        "the answer is shown",
        "document.querySelector('section.flash')",
    );
    assert_not_loaded_again(&chromium);
    chromium.open("/issue_statuses");
    chromium.wait_until("it is stored", &moved);
}
