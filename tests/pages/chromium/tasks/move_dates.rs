//! Dates of issues are moved in the calendar and in the Gantt chart.

use super::super::driver::{Chromium, start};
use super::super::serve;
use quarry_world::complete_world::complete_world;
use serde_json::json;

const CALENDAR: &str = "/issues/calendar?year=2026&month=11&status_id=*";
const GANTT: &str = "/issues/gantt?year=2026&month=11&months=1&status_id=*";
/// Shift, held until the end of the keys.
const SHIFT: &str = "\u{e008}";
const LEFT: &str = "\u{e012}";
const RIGHT: &str = "\u{e014}";
const DOWN: &str = "\u{e015}";

/// Opens the page as somebody, with issue 2 from 10 to 12 November; `None` without a browser.
fn open(login: &str, page: &str) -> Option<(super::super::Served, Chromium)> {
    let world = complete_world();
    let dates = json!({"issue": {"start_date": "2026-11-10", "due_date": "2026-11-12"}});
    world
        .as_user("alice")
        .put("/issues/2.json", dates)
        .assert_status(200);
    let served = serve(world);
    let chromium = start(&served.service.address)?;
    chromium.log_in(login, &login.repeat(2));
    chromium.open(page);
    chromium.wait_until(
        "issues can be moved",
        "document.querySelector('#dates [data-dates] a[aria-keyshortcuts]')",
    );
    Some((served, chromium))
}

#[track_caller]
fn wait_for_dates(chromium: &Chromium, start: &str, due: &str) {
    let shown = |name: &str, day: &str| {
        format!("document.querySelector('#dates [data-dates=\"2\"][data-{name}=\"{day}\"]')")
    };
    let both = format!("{} && {}", shown("start", start), shown("due", due));
    chromium.wait_until(&format!("{start} to {due}"), &both);
}

fn focus(chromium: &Chromium, item: &str) {
    chromium.script(&format!("document.querySelector({item:?}).focus()"));
}

#[test]
fn issues_move_to_other_days_of_the_calendar_by_dragging_and_by_keys() {
    let Some((_served, chromium)) = open("alice", CALENDAR) else {
        return;
    };
    let due = "#dates [data-dates='2'][data-due^='20'] a";
    focus(&chromium, due);
    chromium.type_keys(&format!("{SHIFT}{RIGHT}"));
    wait_for_dates(&chromium, "2026-11-10", "2026-11-13");
    let focused = "document.activeElement.pathname";
    chromium.wait_until(
        "the issue keeps the focus",
        &format!("{focused} === '/issues/2'"),
    );
    focus(&chromium, due);
    chromium.type_keys(&format!("{SHIFT}{DOWN}"));
    wait_for_dates(&chromium, "2026-11-10", "2026-11-20");
    chromium.script(
        "const item = document.querySelector('#dates [data-dates=\"2\"][data-start^=\"20\"]');
         const day = document.querySelector('#dates [data-day=\"2026-11-05\"]');
         const options = { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() };
         item.dispatchEvent(new DragEvent('dragstart', options));
         day.dispatchEvent(new DragEvent('dragover', options));
         day.dispatchEvent(new DragEvent('drop', options));
         item.dispatchEvent(new DragEvent('dragend', options));",
    );
    wait_for_dates(&chromium, "2026-11-05", "2026-11-20");
    chromium.open(CALENDAR);
    wait_for_dates(&chromium, "2026-11-05", "2026-11-20");
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn bars_of_the_gantt_chart_move_by_dragging_and_by_keys() {
    let Some((_served, chromium)) = open("alice", GANTT) else {
        return;
    };
    focus(&chromium, "#dates tr[data-dates='2'] a");
    chromium.type_keys(&format!("{SHIFT}{LEFT}"));
    wait_for_dates(&chromium, "2026-11-09", "2026-11-11");
    let drag = |from: &str, days: i64| {
        chromium.script(&format!(
            "const bar = document.querySelector('#dates g[data-dates=\"2\"]'), box = bar.querySelector('rect').getBoundingClientRect();
             const width = Number(document.getElementById('dates').dataset.dayWidth), x = {from}, y = box.top + 4;
             const send = (type, clientX) => bar.dispatchEvent(new PointerEvent(type, {{ bubbles: true, cancelable: true, clientX, clientY: y, pointerType: 'mouse' }}));
             send('pointerdown', x);
             send('pointermove', x + {days} * width);
             send('pointerup', x + {days} * width);"
        ));
    };
    drag("box.left + box.width / 2", 3);
    wait_for_dates(&chromium, "2026-11-12", "2026-11-14");
    drag("box.right - 2", 2);
    wait_for_dates(&chromium, "2026-11-12", "2026-11-16");
    drag("box.left + 2", -1);
    wait_for_dates(&chromium, "2026-11-11", "2026-11-16");
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn dates_that_the_form_would_refuse_stay_and_the_page_says_why() {
    let Some((_served, chromium)) = open("alice", CALENDAR) else {
        return;
    };
    focus(&chromium, "#dates [data-dates='2'][data-start^='20'] a");
    chromium.type_keys(&format!("{SHIFT}{DOWN}"));
    chromium.wait_until(
        "the reason",
        "document.querySelector('section.flash')?.textContent.includes('Due date must be greater than start date')",
    );
    wait_for_dates(&chromium, "2026-11-10", "2026-11-12");
}
