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

#[test]
fn comment_after_changes_in_place_changes_nothing_else() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("admin", "adminadmin");
    chromium.open("/issues/2");
    for (field, change) in [
        (
            "subject",
            "form.elements['issue[subject]'].value = 'Another subject'",
        ),
        (
            "description",
            "form.elements['issue[description]'].value = 'Another text'",
        ),
        (
            "due_date",
            "form.elements['issue[due_date]'].value = '2030-12-24'",
        ),
        (
            "is_private",
            "form.querySelector('[type=checkbox]').checked = true",
        ),
    ] {
        chromium.script(&format!(
            "openPopover(document.querySelector('main a[href$=\"field={field}\"]'))"
        ));
        chromium.wait_until(
            "the form is shown",
            "document.querySelector('.popover form')",
        );
        chromium.script(&format!(
            "const form = document.querySelector('.popover form'); {change}; form.requestSubmit()"
        ));
        chromium.wait_until("it is saved", "!document.querySelector('.popover')");
    }
    assert!(chromium.text("h1").contains("Another subject"));
    chromium.script("document.querySelector('#update textarea').focus()");
    chromium.type_keys("Only a note.");
    chromium.type_keys(SAVE);
    chromium.wait_until("the note is saved", "location.hash.startsWith('#note-')");
    let note = chromium.script("return document.querySelector(location.hash).textContent");
    let note = note.as_str().unwrap();
    assert!(note.contains("Only a note."), "{note}");
    for label in ["Subject", "Description", "Due date", "Private"] {
        assert!(!note.contains(label), "{label}: {note}");
    }
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
