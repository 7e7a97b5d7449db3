//! Changes a fact of an issue where it stands.

use super::super::driver::start;
use super::super::serve;
use super::{Counted, ENTER, ESCAPE};
use quarry_world::complete_world::complete_world;

/// A value other than the current one.
const CHOICE: &str = ".popover [role=option]:not(.current), .popover .days .btn, .popover .switch input[type=checkbox]";
/// The last value of the list.
const LAST: &str = ".popover [role=option]:last-child";
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
    chromium.script(
        "document.body.style.minHeight = '2000px'; scrollTo(0, 60); \
         document.querySelector('#description').isKept = true",
    );
    let top = "return document.querySelector('#description .prose').getBoundingClientRect().top";
    let before = chromium.script(top);
    let counted = Counted::new(&chromium);
    counted.click_until(
        "#fact-priority_id",
        "the search of the list has the focus",
        "document.activeElement.matches('.popover input[type=search][role=combobox]')",
    );
    counted.click_until(LAST, "the form is closed", CLOSED);
    assert_eq!(counted.clicks.get(), 2);
    assert!(chromium.text("#fact-priority_id").contains("Immediate"));
    assert!(chromium.text("#history").contains("set Priority"));
    assert_eq!(chromium.script(top), before);
    assert_eq!(
        chromium.script("return document.activeElement.id"),
        "fact-priority_id"
    );
    // Only what has changed is replaced.
    assert_eq!(
        chromium.script("return document.querySelector('#description').isKept"),
        true
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
fn each_fact_of_an_issue_changes_in_two_clicks() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/2");
    chromium.click("#more-facts > summary");
    // What was opened once stays open.
    chromium.open("/issues/2");
    let facts = chromium.script(
        "return [...document.querySelectorAll('#facts a[data-popover]')].map(link => link.id).join(' ')",
    );
    let mut changed = Vec::new();
    for fact in facts.as_str().unwrap().split(' ') {
        let counted = Counted::new(&chromium);
        let value = format!("return document.querySelector('#{fact}').closest('dd').textContent");
        let before = chromium.script(&value);
        counted.click_until(&format!("#{fact}"), "the form is shown", OPENED);
        let has_choice = chromium.script(&format!("return !!document.querySelector({CHOICE:?})"));
        if has_choice == false {
            // Numbers and texts are typed and saved with Enter.
            chromium.type_keys(ESCAPE);
            chromium.wait_until("the form is closed", CLOSED);
            continue;
        }
        counted.click_until(CHOICE, "the form is closed", CLOSED);
        assert_eq!(counted.clicks.get(), 2);
        assert_ne!(chromium.script(&value), before, "{fact}");
        changed.push(fact.trim_start_matches("fact-").to_owned());
    }
    for name in [
        "status_id",
        "assigned_to_id",
        "priority_id",
        "due_date",
        "done_ratio",
    ] {
        assert!(
            changed.iter().any(|fact| fact == name),
            "{name}: {changed:?}"
        );
    }
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn keys_change_facts_and_assign_the_issue() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/2");
    for (key, fact) in [("s", "status_id"), ("p", "priority_id")] {
        let counted = Counted::new(&chromium);
        counted.press(key);
        chromium.wait_until("the form is shown", OPENED);
        let second = chromium.text(".popover [role=option]:nth-child(2) > span");
        counted.press("2");
        chromium.wait_until("the form is closed", CLOSED);
        assert_eq!(counted.keys.get(), 2);
        let shown = chromium.text(&format!("#fact-{fact}"));
        assert!(shown.starts_with(&second), "{second:?} {shown:?}");
    }
    for key in ["a", "v"] {
        chromium.type_keys(key);
        chromium.wait_until("the form is shown", OPENED);
        chromium.type_keys(ESCAPE);
        chromium.wait_until("the form is closed", CLOSED);
    }
    // A few letters find a value, Enter saves it.
    chromium.type_keys("a");
    chromium.wait_until("the form is shown", OPENED);
    chromium.type_keys("nobo");
    chromium.wait_until(
        "one value is left",
        "document.querySelectorAll('.popover [role=option]').length === 1",
    );
    chromium.type_keys(ENTER);
    chromium.wait_until("the form is closed", CLOSED);
    assert!(chromium.text("#fact-assigned_to_id").contains("Nobody"));
    chromium.type_keys("i");
    chromium.wait_until(
        "the issue is assigned",
        "document.querySelector('#fact-assigned_to_id').textContent.includes('alice')",
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn click_beside_the_value_of_a_fact_changes_it_and_its_page_has_a_link() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/1");
    chromium.click(".fact:has(#fact-status_id) > dt");
    chromium.wait_until("the form is shown", OPENED);
    chromium.type_keys(ESCAPE);
    chromium.wait_until("the form is closed", CLOSED);
    chromium.type_keys("i");
    chromium.wait_until(
        "the issue is assigned",
        "document.querySelector('#fact-assigned_to_id').textContent.includes('alice')",
    );
    chromium.click("#fact-assigned_to_id");
    chromium.wait_until("the form is shown", OPENED);
    chromium.type_keys(ESCAPE);
    chromium.wait_until("the form is closed", CLOSED);
    chromium.click("#fact-assigned_to_id + a");
    chromium.wait_until(
        "the person is shown",
        "location.pathname.startsWith('/users/')",
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn facts_of_a_row_change_by_its_keys_and_by_a_double_click() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues?set_filter=1&sort=id&status_id=*");
    chromium.script("document.querySelector('#issue-2 td.subject a').focus()");
    let counted = Counted::new(&chromium);
    counted.press("p");
    chromium.wait_until("the form is shown", OPENED);
    let second = chromium.text(".popover [role=option]:nth-child(2) > span");
    counted.press("2");
    chromium.wait_until("the form is closed", CLOSED);
    assert_eq!(counted.keys.get(), 2);
    assert_eq!(chromium.path(), "/issues?set_filter=1&sort=id&status_id=*");
    assert_eq!(
        chromium.script("return document.activeElement.getAttribute('href')"),
        "/issues/2"
    );
    chromium.script(
        "document.querySelector('#issue-2 td.nowrap').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))",
    );
    chromium.wait_until("the form is shown", OPENED);
    let status = chromium.text(".popover [role=option]:not(.current) > span");
    chromium.click(".popover [role=option]:not(.current)");
    chromium.wait_until("the form is closed", CLOSED);
    chromium.wait_until(
        "the cell has the status",
        &format!("document.querySelector('#issue-2 td.nowrap').textContent.includes('{status}')"),
    );
    chromium.open("/issues/2");
    assert!(chromium.text("#fact-priority_id").starts_with(&second));
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
    chromium.set_offline(true);
    chromium.click(LAST);
    chromium.wait_for_failure();
    chromium.set_offline(false);
    chromium.click(LAST);
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
    chromium.type_keys("\u{E015}\u{E00C}");
    chromium.wait_until("the form is closed", CLOSED);
    assert_eq!(
        chromium.script("return document.activeElement.id"),
        "fact-status_id"
    );
    chromium.click("#edit-subject");
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
    chromium.script("document.querySelector('#more-facts').open = true");
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
