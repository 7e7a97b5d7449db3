//! Relates two issues.

use super::super::driver::start;
use super::super::serve;
use super::Counted;
use quarry_world::complete_world::complete_world;

#[test]
fn issue_is_related_with_keys_and_the_relation_deleted_with_a_click() {
    let world = complete_world();
    world.issue("secret").subject("A spare valve").create();
    let served = serve(world);
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
    chromium.insert("pump leaks");
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
    chromium.script("document.querySelector('.popover input[data-suggest]').value = 'spare valve'");
    counted.click_until(
        ".popover .primary",
        "the form is closed",
        "!document.querySelector('.popover')",
    );
    assert_eq!(counted.clicks.get(), 2);
    assert!(chromium.text("#relations").contains("A spare valve"));
    assert!(chromium.text("#history").contains("added relation blocks"));
    chromium.click("#relations button[aria-label$='#5']");
    chromium.wait_until(
        "the relation is deleted",
        "!document.querySelector('#relations').textContent.includes('A spare valve')",
    );
    assert!(
        chromium
            .text("#history")
            .contains("removed relation blocks")
    );
    assert_eq!(chromium.path(), "/issues/2");
    assert_eq!(chromium.faults(&["422"]), Vec::<String>::new());
}
