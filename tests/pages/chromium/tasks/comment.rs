//! Comments on an issue: status and assignee beside the text, a saved reply, one key to save.

use super::super::driver::start;
use super::super::serve;
use super::{Counted, SAVE};
use quarry_world::complete_world::complete_world;

#[test]
fn comment_with_a_saved_reply_and_a_new_status_takes_four_actions() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/1");
    let counted = Counted::new(&chromium);
    counted.press("r");
    chromium.type_keys("Thanks. ");
    counted.click("#reply_id option[value='2']");
    chromium.wait_until(
        "the reply is inserted",
        "document.querySelector('#update textarea').value === 'Thanks. Which seal is it?'",
    );
    counted.click("#update .comment-columns [name='issue[status_id]'] option[value='2']");
    chromium.script("document.querySelector('#update textarea').focus()");
    counted.press(SAVE);
    chromium.wait_until("the note is saved", "location.hash.startsWith('#note-')");
    assert_eq!((counted.keys.get(), counted.clicks.get()), (2, 2));
    let text = chromium.text("main");
    assert!(text.contains("Thanks. Which seal is it?"), "{text}");
    assert!(text.contains("In Progress"), "{text}");
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
