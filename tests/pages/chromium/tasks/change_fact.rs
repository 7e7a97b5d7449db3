//! Changes a fact of an issue where it stands.

use super::super::driver::{Chromium, start};
use super::super::serve;
use super::Counted;
use quarry_world::complete_world::complete_world;

fn choose_last(chromium: &Chromium) {
    chromium.script(
        "const select = document.querySelector('.popover select'); \
         select.value = select.options[select.options.length - 1].value",
    );
}

const OPENED: &str = "document.querySelector('.popover form') && document.querySelector('.popover').contains(document.activeElement)";
const CLOSED: &str = "!document.querySelector('.popover')";

#[test]
fn fact_changes_in_two_clicks_without_leaving_the_place() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/2");
    chromium.script("scrollTo(0, 120)");
    let counted = Counted::new(&chromium);
    counted.click_until("#fact-priority_id", "the form is shown", OPENED);
    choose_last(&chromium);
    counted.click_until(".popover .primary", "the form is closed", CLOSED);
    assert_eq!(counted.clicks.get(), 2);
    assert!(chromium.text("#fact-priority_id").contains("Immediate"));
    assert!(chromium.text("#history").contains("set Priority"));
    assert_eq!(chromium.script("return scrollY"), 120);
    assert_eq!(
        chromium.script("return document.activeElement.id"),
        "fact-priority_id"
    );
    // The comment box has the new value, too, and can be sent without a conflict.
    assert_eq!(
        chromium.script(
            "const select = document.querySelector('#update [name=\"issue[priority_id]\"]'); \
             return select.selectedOptions[0].text"
        ),
        "Immediate"
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn form_of_a_fact_stays_when_the_server_cannot_be_reached() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/2");
    chromium.set_offline(true);
    chromium.click("#fact-priority_id");
    chromium.wait_for_failure();
    chromium.set_offline(false);
    chromium.click("#fact-priority_id");
    chromium.wait_until("the form is shown", OPENED);
    choose_last(&chromium);
    chromium.set_offline(true);
    chromium.click(".popover .primary");
    chromium.wait_for_failure();
    chromium.set_offline(false);
    chromium.click(".popover .primary");
    chromium.wait_until("the form is closed", CLOSED);
    assert!(chromium.text("#fact-priority_id").contains("Immediate"));
    let failed = "Failed to load resource: net::ERR_INTERNET_DISCONNECTED";
    assert_eq!(chromium.faults(&[failed]), Vec::<String>::new());
}

#[test]
fn escape_leaves_the_fact_as_it_is_and_returns_the_focus() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/1");
    chromium.script("document.querySelector('#fact-status_id').focus()");
    chromium.type_keys("\u{E007}");
    chromium.wait_until("the form is shown", OPENED);
    choose_last(&chromium);
    chromium.type_keys("\u{E00C}");
    chromium.wait_until("the form is closed", CLOSED);
    assert_eq!(
        chromium.script("return document.activeElement.id"),
        "fact-status_id"
    );
    chromium.click("#fact-status_id");
    chromium.wait_until("the form is shown", OPENED);
    chromium.click(".popover .actions a");
    chromium.wait_until("the form is closed", CLOSED);
    assert!(chromium.text("#fact-status_id").contains("New"));
    assert_eq!(chromium.path(), "/issues/1");
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn invalid_value_and_conflict_are_shown_beside_the_fact() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/1");
    chromium.click("#fact-estimated_hours");
    chromium.wait_until("the form is shown", OPENED);
    chromium.script(
        "document.querySelector('.popover [name=\"issue[estimated_hours]\"]').value = 'long'",
    );
    chromium.click(".popover .primary");
    chromium.wait_until(
        "the message is shown",
        "document.querySelector('.popover .error')",
    );
    assert!(chromium.text(".popover .error").contains("Estimated time"));
    chromium.script(
        "fetch('/issues/1/edit?field=estimated_hours').then(page => page.text()).then(text => { \
           const form = new DOMParser().parseFromString(text, 'text/html').querySelector('main form'); \
           form.querySelector('[name=\"issue[estimated_hours]\"]').value = '9'; \
           return fetch('/issues/1', { method: 'POST', body: new URLSearchParams(new FormData(form)) }); \
         }).then(() => { window.isSaved = true; })",
    );
    chromium.wait_until("another one has saved", "window.isSaved");
    chromium
        .script("document.querySelector('.popover [name=\"issue[estimated_hours]\"]').value = '5'");
    chromium.click(".popover .primary");
    chromium.wait_until(
        "the conflict is shown",
        "document.querySelector('.popover .saved')",
    );
    assert!(chromium.text(".popover .saved").contains('9'));
    chromium.click(".popover .primary");
    chromium.wait_until("the form is closed", CLOSED);
    assert!(chromium.text("#fact-estimated_hours").contains("5 h"));
    assert_eq!(chromium.faults(&["422", "409"]), Vec::<String>::new());
}

#[test]
fn half_written_comment_survives_the_change_of_a_fact() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/1");
    chromium.type_into("#update textarea[name='issue[notes]']", "Half a sentence");
    chromium.script("scrollTo(0, 0)");
    chromium.click("#edit-subject");
    chromium.wait_until("the form is shown", OPENED);
    chromium.type_keys(" badly\u{E007}");
    chromium.wait_until("the form is closed", CLOSED);
    assert!(chromium.text("h1").contains("badly"));
    assert_eq!(
        chromium.script("return document.querySelector('#update textarea').value"),
        "Half a sentence"
    );
    chromium.click("#update .primary");
    chromium.wait_until(
        "the comment is saved",
        "document.querySelector('#history').textContent.includes('Half a sentence')",
    );
    assert!(chromium.text("h1").contains("badly"));
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
