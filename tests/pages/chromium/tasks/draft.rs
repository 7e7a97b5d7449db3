//! Text that was not saved comes back, for its user alone, until it is saved or discarded.

use super::super::driver::{Chromium, start};
use super::super::serve;
use super::SAVE;
use quarry_world::complete_world::complete_world;
use serde_json::json;

const HOSTILE: &str = "</textarea><script>alert(1)</script> \"'&";
const VALUE: &str = "document.querySelector('#update textarea').value";

/// Opens the page again, without the question whether to leave it.
fn reopen(chromium: &Chromium) {
    chromium.wait_until(
        "the draft is stored",
        "Object.keys(localStorage).some(key => key.startsWith('draft:'))",
    );
    chromium.script(
        "document.querySelectorAll('form').forEach(form => { delete form.dataset.changed; })",
    );
    chromium.open("/issues/1");
}

#[test]
fn draft_is_restored_and_goes_when_it_is_saved_or_discarded() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/1");
    chromium.type_into("#update textarea", HOSTILE);
    reopen(&chromium);
    assert_eq!(chromium.script(&format!("return {VALUE}")), HOSTILE);
    assert_eq!(
        chromium.text("#update .draft").replace('\n', " "),
        "Draft from just now restored · Discard"
    );

    // Discarded: gone now and later.
    chromium.click("#update .draft button");
    assert_eq!(chromium.script(&format!("return {VALUE}")), "");
    chromium.open("/issues/1");
    assert_eq!(chromium.script(&format!("return {VALUE}")), "");

    // Saved with the keys: gone.
    chromium.type_into("#update textarea", "A note");
    chromium.type_into("#update textarea", SAVE);
    chromium.wait_until("the note is saved", "location.hash.startsWith('#note-')");
    chromium.wait_until(
        "the draft is gone",
        "!Object.keys(localStorage).some(key => key.startsWith('draft:'))",
    );

    // Somebody else does not get it; logging out deletes it.
    chromium.type_into("#update textarea", "Of alice");
    reopen(&chromium);
    assert_eq!(chromium.script(&format!("return {VALUE}")), "Of alice");
    chromium.script("document.querySelector('form[action=\"/logout\"] button').click()");
    chromium.wait_until("alice is logged out", "!document.body.dataset.user");
    assert_eq!(
        chromium.script(
            "return Object.keys(localStorage).filter(key => key.startsWith('draft:')).length"
        ),
        0
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn draft_stays_until_the_server_confirms_that_it_is_saved() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/1");
    let description = chromium.text("#description");
    chromium.type_into("#update textarea", "Not lost");
    // Without a network the page stays.
    chromium.set_offline(true);
    chromium.type_into("#update textarea", SAVE);
    chromium.wait_for_failure();
    assert_eq!(chromium.script(&format!("return {VALUE}")), "Not lost");
    chromium.set_offline(false);
    // Sent after the session has ended, and then left alone: other pages do not delete it.
    let end_session = || {
        chromium.devtools("Network.clearBrowserCookies", json!({}));
    };
    end_session();
    chromium.type_into("#update textarea", SAVE);
    chromium.wait_until(
        "the login form has the comment",
        "document.querySelector('[name=posted_body]')",
    );
    chromium.log_in("alice", "alicealice");
    chromium.open("/projects");
    chromium.open("/issues/1");
    assert_eq!(chromium.script(&format!("return {VALUE}")), "Not lost");
    // Sent again after the login: only what was written is shown, and only that is saved.
    end_session();
    chromium.type_into("#update textarea", SAVE);
    chromium.type_into("main input[name=username]", "alice");
    chromium.type_into("main input[name=password]", "alicealice");
    chromium.click("main form button");
    chromium.wait_until(
        "the comment is shown",
        "document.querySelector('main form textarea')",
    );
    let shown = "[...document.querySelectorAll('main form textarea')].map(text => text.value)";
    assert_eq!(
        chromium.script(&format!("return {shown}")),
        json!(["Not lost"])
    );
    assert_eq!(chromium.text("main form .field label"), "Notes");
    chromium.click("main form .btn.primary");
    chromium.wait_until("the note is saved", "location.hash.startsWith('#note-')");
    let last = chromium.script("return document.querySelector(location.hash).innerText");
    let last = last.as_str().unwrap();
    assert!(
        last.contains("Not lost") && !last.contains("Description"),
        "{last}"
    );
    assert_eq!(chromium.text("#description"), description);
    chromium.open("/issues/1");
    assert_eq!(chromium.script(&format!("return {VALUE}")), "");
    chromium.faults(&[]);
}

#[test]
fn old_broken_and_foreign_drafts_are_not_restored() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/1");
    chromium.script(
        "const key = name => `draft:${name}:/issues/1:issue[notes]`, draft = (text, age) => JSON.stringify({ text, base: '', time: Date.now() - age });
        localStorage.setItem(key('3'), draft('of bob', 0));
        localStorage.setItem(key(document.body.dataset.user), draft('too old', 8 * 86400000));
        localStorage.setItem('draft:2:/issues/2:issue[notes]', 'no JSON');
        localStorage.setItem('draft:2:/issues/3:issue[notes]', '{\"text\":7,\"base\":null}');",
    );
    chromium.open("/issues/1");
    assert_eq!(chromium.script(&format!("return {VALUE}")), "");
    let keys =
        chromium.script("return Object.keys(localStorage).filter(key => key.startsWith('draft:'))");
    assert_eq!(keys.as_array().unwrap().len(), 1, "{keys}");
    chromium.open("/issues/2");
    assert_eq!(chromium.script(&format!("return {VALUE}")), "");
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
