//! Deletes an issue.

use super::super::driver::start;
use super::super::serve;
use super::Counted;
use quarry_world::complete_world::complete_world;

#[test]
fn issue_is_deleted_after_a_confirmation() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/1");
    let counted = Counted::new(&chromium);
    counted.click("#title details.menu summary");
    counted.click_until(
        "#title details.menu a[href$='/delete']",
        "the confirmation is shown",
        "location.pathname === '/issues/1/delete'",
    );
    assert!(chromium.text("main").contains("1 subtask"));
    assert!(chromium.text("main").contains("1.5 h in all"));
    counted.click_until(
        "main .danger",
        "the list is shown",
        "location.pathname === '/projects/secret/issues'",
    );
    assert_eq!(counted.clicks.get(), 3);
    assert!(
        chromium
            .text("section.flash")
            .contains("Issue #1 was deleted.")
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
