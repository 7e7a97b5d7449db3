//! Writes, compares and renames wiki pages.

use super::super::driver::{Chromium, start};
use super::super::{Served, serve};
use super::Counted;
use quarry_world::complete_world::complete_world;
use serde_json::json;

const PAGE: &str = "/projects/secret/wiki/Wiki";

/// Opens a page as alice; `None` without a browser.
fn open(served: &Served, path: &str) -> Option<Chromium> {
    let chromium = start(&served.service.address)?;
    chromium.log_in("alice", "alicealice");
    chromium.open(path);
    Some(chromium)
}

fn wait_for_focus(chromium: &Chromium, name: &str) {
    chromium.wait_until(
        &format!("{name} has the focus"),
        &format!("document.activeElement.name === '{name}'"),
    );
}

#[test]
fn page_is_created_with_two_clicks() {
    let served = serve(complete_world());
    let Some(chromium) = open(&served, PAGE) else {
        return;
    };
    let counted = Counted::new(&chromium);
    counted.click(".title-row a[href*='/wiki/new']");
    wait_for_focus(&chromium, "wiki_page[title]");
    chromium.type_keys("Bilge pump");
    chromium.type_into("[name='wiki_page[text]']", "It leaks, see [[Wiki]].");
    counted.click("main .primary");
    chromium.wait_for_path("/projects/secret/wiki/Bilge_pump");
    assert_eq!(counted.clicks.get(), 2);
    // It stands below the page from which it was created.
    assert!(chromium.text(".factbox").contains("Parent\nWiki"));
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn page_and_section_are_edited_with_two_clicks() {
    let served = serve(complete_world());
    let Some(chromium) = open(&served, PAGE) else {
        return;
    };
    let counted = Counted::new(&chromium);
    counted.click(".title-row a[href$='/edit']");
    wait_for_focus(&chromium, "wiki_page[text]");
    chromium.type_keys("Above it all. ");
    counted.click("main .primary");
    chromium.wait_for_path(PAGE);
    assert_eq!(counted.clicks.get(), 2);
    assert!(chromium.text("article").contains("Above it all."));
    counted.click("article h3 .edit-section");
    wait_for_focus(&chromium, "wiki_page[text]");
    let text = chromium.script("return document.activeElement.value");
    let text = text.as_str().unwrap().to_owned();
    assert!(
        text.starts_with("## Engine room") && !text.contains("# Ship"),
        "{text}"
    );
    counted.click_until(
        "[data-mode=preview]",
        "the preview is shown",
        "document.querySelector('.editor-preview h3')",
    );
    counted.click("main .primary");
    chromium.wait_for_path(PAGE);
    assert_eq!(counted.clicks.get(), 5);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn conflict_shows_both_texts_and_is_merged_in_the_form() {
    let served = serve(complete_world());
    let Some(chromium) = open(&served, &format!("{PAGE}/edit")) else {
        return;
    };
    wait_for_focus(&chromium, "wiki_page[text]");
    let saved = chromium.script_with_callback(
        "const done = arguments[arguments.length - 1]; \
         fetch(arguments[0], { method: 'PUT', body: JSON.stringify({ wiki_page: { text: 'Of somebody else' } }), \
           headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': document.querySelector('[name=authenticity_token]').value } }) \
           .then(response => done(response.status))",
        vec![json!(format!("{PAGE}.json"))],
    );
    assert!(saved == 200 || saved == 204, "{saved}");
    chromium.type_keys("Mine. ");
    let counted = Counted::new(&chromium);
    counted.click_until(
        "main .primary",
        "the conflict is shown",
        "document.querySelector('.diff')",
    );
    assert!(chromium.text(".diff").contains("Of somebody else"));
    chromium.script("document.querySelector('[name=\"wiki_page[text]\"]').value = 'Of both'");
    counted.click("main .primary");
    chromium.wait_for_path(PAGE);
    assert_eq!(counted.clicks.get(), 2);
    assert!(chromium.text("article").contains("Of both"));
    assert_eq!(chromium.faults(&["409"]), Vec::<String>::new());
}

#[test]
fn two_versions_are_compared_with_two_clicks() {
    let served = serve(complete_world());
    let Some(chromium) = open(&served, PAGE) else {
        return;
    };
    let counted = Counted::new(&chromium);
    counted.click(".factbox a[href$='/history']");
    chromium.wait_for_path(&format!("{PAGE}/history"));
    counted.click("main .title-row button");
    chromium.wait_for_path(&format!("{PAGE}/diff?version=2&version_from=1"));
    assert_eq!(counted.clicks.get(), 2);
    assert!(chromium.text("ins").contains("{{toc}}"));
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn page_is_renamed_with_three_clicks() {
    let served = serve(complete_world());
    let Some(chromium) = open(&served, PAGE) else {
        return;
    };
    let counted = Counted::new(&chromium);
    counted.click(".title-row .menu summary");
    counted.click(".title-row .menu a[href$='/rename']");
    wait_for_focus(&chromium, "wiki_page[title]");
    chromium.script("document.activeElement.select()");
    chromium.type_keys("Ship");
    counted.click("main .primary");
    chromium.wait_for_path("/projects/secret/wiki/Ship");
    assert_eq!(counted.clicks.get(), 3);
    chromium.open(PAGE);
    chromium.wait_for_path("/projects/secret/wiki/Ship");
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
