//! Creates issues by keys, with similar ones shown while the subject is typed.

use super::super::driver::start;
use super::super::serve;
use super::{Counted, SAVE};
use quarry_world::complete_world::complete_world;

const FOCUS: &str = "document.activeElement.name === 'issue[subject]'";

#[test]
fn issue_is_created_with_two_keys_from_anywhere_in_a_project() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/projects/secret/wiki");
    let counted = Counted::new(&chromium);
    counted.press("c");
    chromium.wait_until(
        "the subject has the focus",
        &format!("location.pathname === '/projects/secret/issues/new' && {FOCUS}"),
    );
    // The subject begins as the default template says.
    chromium.type_keys("The pump leaks again");
    chromium.wait_until(
        "similar issues are shown",
        "[...document.querySelectorAll('#similar a')].some(link => link.getAttribute('href') === '/issues/1')",
    );
    counted.press(SAVE);
    chromium.wait_until(
        "the issue is shown",
        "/^\\/issues\\/\\d+$/.test(location.pathname)",
    );
    assert!(
        chromium
            .text("main h1")
            .contains("Leak: The pump leaks again")
    );
    assert!(chromium.text("main").contains("Where does it leak?"));
    assert_eq!(counted.keys.get(), 2);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn choices_change_the_form_at_once_and_errors_take_the_focus() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/projects/secret/issues/new");
    let choose = |name: &str, value: &str| {
        chromium.script(&format!(
            "const field = document.querySelector('[name=\"{name}\"]'); window.old = true; field.value = '{value}'; field.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        ));
        chromium.wait_until(
            "the form is shown again",
            "!window.old && document.readyState === 'complete'",
        );
    };
    choose("template_id", "2");
    chromium.wait_until("the template is used", "document.querySelector('[name=\"issue[description]\"]').value === 'What does it sound like?'");
    choose("issue[tracker_id]", "2");
    chromium.wait_until(
        "its text is gone",
        "document.querySelector('[name=\"issue[description]\"]').value === ''",
    );
    assert_eq!(
        chromium.script("return document.activeElement.name"),
        "issue[tracker_id]"
    );
    // Leaving the page would ask nothing: nobody has typed.
    chromium.script("document.querySelector('[name=\"issue[subject]\"]').required = false");
    chromium.type_into("[name='issue[due_date]']", "01012020");
    chromium.click("main .end .primary");
    chromium.wait_until(
        "the form is refused",
        "document.title.startsWith('Error: New issue')",
    );
    chromium.wait_until(
        "the summary has the focus",
        "document.activeElement.id === 'errors'",
    );
    chromium.click("#errors a");
    chromium.wait_until("the field is reached", "location.hash.includes('subject')");
    chromium.resize(360);
    chromium.wait_until(
        "one column",
        "document.documentElement.scrollWidth <= 360 && document.querySelector('.new-issue .side').getBoundingClientRect().left < 40",
    );
    assert_eq!(chromium.faults(&["422"]), Vec::<String>::new());
}
