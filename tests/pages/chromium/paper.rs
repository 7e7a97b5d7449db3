//! Pages on paper.

use super::driver::start;
use super::serve;
use quarry_world::World;
use serde_json::json;

/// The width of a page of paper without its margins, in pixels of CSS.
const A4: u32 = 718;
/// The controls that show, each by its tag and text.
const CONTROLS: &str = "[...document.querySelectorAll('button, input, select, textarea, nav, summary, .btn')] \
    .filter(control => control.checkVisibility()).map(control => `${control.tagName} ${control.textContent.trim()}`)";
/// What is wider than the paper.
const CUT: &str = "[...document.querySelectorAll('main *')] \
    .filter(part => part.checkVisibility() && part.getBoundingClientRect().width > 0 && part.getBoundingClientRect().right > innerWidth + 1 && !part.matches('.visually-hidden, .visually-hidden *')) \
    .map(part => part.outerHTML.slice(0, 80))";

#[test]
fn issue_wiki_page_and_list_are_printed_whole_and_without_controls() {
    let world = World::with_projects();
    let long = "x".repeat(300);
    let text = format!("# Pumps\n\n```\n{long}\n```\n\n| a | {long} |\n|---|---|\n| 1 | 2 |\n");
    let subject = format!("Repair the pump of {}", &long[..180]);
    let issue = world.issue("open").subject(&subject).description(&text);
    issue.create();
    world
        .as_user("admin")
        .put(
            "/projects/open/wiki/Wiki.json",
            json!({"wiki_page": {"text": text}}),
        )
        .assert_status(201);
    let served = serve(world);
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("admin", "adminadmin");
    chromium.resize(A4);
    chromium.devtools("Emulation.setEmulatedMedia", json!({"media": "print"}));
    for path in [
        "/issues/1",
        "/projects/open/wiki/Wiki",
        "/projects/open/issues",
    ] {
        chromium.open(path);
        for (what, script) in [("controls", CONTROLS), ("cut", CUT)] {
            let found = chromium.script(&format!("return {script}"));
            assert_eq!(found, json!([]), "{path}: {what}");
        }
    }
}
