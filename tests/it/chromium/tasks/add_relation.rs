//! Relates two issues.

use super::super::driver::start;
use super::super::serve;
use super::Counted;
use crate::web::complete_world::complete_world;

#[test]
fn issue_is_related_with_keys_and_the_relation_deleted_with_a_click() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("admin", "adminadmin");
    chromium.open("/issues/2");
    let counted = Counted::new(&chromium);
    counted.click_until(
        "#add-relation",
        "the form is shown",
        "document.querySelector('.popover select') === document.activeElement",
    );
    chromium.script("document.querySelector('.popover select').value = 'blocks'");
    chromium.type_keys("\u{E004}");
    chromium.type_keys("pump leaks");
    chromium.wait_until(
        "the issue is suggested",
        "document.querySelector('.popover .suggestions li')",
    );
    chromium.type_keys("\u{E015}");
    chromium.type_keys("\u{E007}");
    chromium.wait_until(
        "the issue is filled in",
        "document.querySelector('.popover input[data-suggest]').value.startsWith('#1 ')",
    );
    assert_eq!(chromium.path(), "/issues/2");
    chromium.type_keys("\u{E007}");
    chromium.wait_until(
        "the answer is shown",
        "!document.querySelector('.popover') || document.querySelector('.popover .error')",
    );
    // The other one is its parent, which cannot be blocked; a stranger can.
    assert!(chromium.text(".popover").contains("subtasks"));
    chromium.script("document.querySelector('.popover input[data-suggest]').value = '4'");
    counted.click_until(
        ".popover .primary",
        "the form is closed",
        "!document.querySelector('.popover')",
    );
    assert_eq!(counted.clicks.get(), 2);
    assert!(chromium.text("#relations").contains("The open pump"));
    assert!(chromium.text("#history").contains("added relation blocks"));
    chromium.script(
        "document.querySelectorAll('#relations button').forEach(button => { button.dataset.test = button.getAttribute('aria-label'); })",
    );
    chromium.click("#relations button[data-test$='#4']");
    chromium.wait_until(
        "the relation is deleted",
        "!document.querySelector('#relations').textContent.includes('The open pump')",
    );
    assert!(chromium.text("#history").contains("removed relation blocks"));
    assert_eq!(chromium.path(), "/issues/2");
    assert_eq!(chromium.faults(&["422"]), Vec::<String>::new());
}
