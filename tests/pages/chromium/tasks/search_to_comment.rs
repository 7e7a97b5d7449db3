//! From the home page to a saved comment without a pointer.

use super::super::driver::start;
use super::super::serve;
use super::{Counted, DOWN, ENTER, SAVE};
use quarry_world::complete_world::complete_world;

/// Maximum number of keys, apart from the words that are typed.
const MAX_KEYS: usize = 12;

#[test]
fn issue_is_searched_for_and_commented_on_by_keys() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/");
    chromium.script("if (document.activeElement) document.activeElement.blur()");
    let counted = Counted::new(&chromium);
    counted.press("/");
    chromium.insert("the pump leaks");
    chromium.wait_until(
        "the issue is suggested",
        "document.activeElement.getAttribute('aria-expanded') === 'true'",
    );
    counted.press(DOWN);
    counted.press(ENTER);
    chromium.wait_until("the issue is shown", "location.pathname === '/issues/1'");
    chromium.wait_until("its script is there", "document.readyState === 'complete'");
    counted.press("r");
    chromium.type_keys("Without a pointer");
    counted.press(SAVE);
    chromium.wait_until("the note is saved", "location.hash.startsWith('#note-')");
    assert!(chromium.text("main").contains("Without a pointer"));
    assert!(
        counted.keys.get() <= MAX_KEYS,
        "{} keys",
        counted.keys.get()
    );
    assert_eq!(counted.keys.get(), 5);

    // The question mark lists the keys.
    counted.press("?");
    assert!(
        chromium
            .text("dialog.keys")
            .contains("Comment on the issue")
    );
    chromium.click("dialog.keys button");
    chromium.wait_until("the list is closed", "!document.querySelector('dialog')");
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
