//! Text that was not saved comes back, for its user alone, until it is saved or discarded.

use super::super::driver::{Chromium, start};
use super::super::serve;
use super::SAVE;
use quarry_world::complete_world::complete_world;

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
