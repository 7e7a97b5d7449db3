//! Check boxes of a text are ticked where they stand.

use super::super::driver::{Chromium, start};
use super::super::serve;
use quarry_world::complete_world::complete_world;
use serde_json::json;
use std::time::{Duration, Instant};

/// Which boxes of the description are ticked.
const TICKED: &str =
    "[...document.querySelectorAll('#description .task input')].map(box => box.checked).join()";
const ENABLED: &str = "document.querySelectorAll('#description .task input:enabled').length === 3";

fn journals(chromium: &Chromium) -> i64 {
    let script = "return document.querySelectorAll('#history .entry').length";
    chromium.script(script).as_i64().unwrap()
}

#[test]
fn boxes_of_a_description_are_ticked_with_a_click_and_saved_together() {
    let world = complete_world();
    let text = "- [ ] one\n- [ ] two\n- [x] three";
    world
        .as_user("alice")
        .put("/issues/2.json", json!({"issue": {"description": text}}))
        .assert_status(200);
    let served = serve(world);
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/2");
    let before = journals(&chromium);
    chromium.wait_until("the boxes can be ticked", ENABLED);
    let old = chromium.script("return document.querySelector('[data-tasks]').dataset.fingerprint");
    chromium.click("#description .task:nth-child(1) input");
    chromium.click("#description .task:nth-child(2) input");
    let old = old.as_str().unwrap();
    let saved = format!("document.querySelector('[data-tasks]').dataset.fingerprint !== {old:?}");
    chromium.wait_until("the page shows the saved text", &saved);
    chromium.wait_until("its boxes can be ticked", ENABLED);
    let all = format!("{TICKED} === 'true,true,true'");
    chromium.wait_until("two more are ticked", &all);
    assert_eq!(journals(&chromium), before + 1);

    // What waits is sent when the page is left.
    chromium.click("#description .task:nth-child(3) input");
    let expected = json!("true,true,false");
    let deadline = Instant::now() + Duration::from_secs(20);
    let shown = loop {
        chromium.open("/projects");
        chromium.open("/issues/2");
        let shown = chromium.script(&format!("return {TICKED}"));
        if shown == expected || Instant::now() > deadline {
            break shown;
        }
    };
    assert_eq!(shown, expected);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
