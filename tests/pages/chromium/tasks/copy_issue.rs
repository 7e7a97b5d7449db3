//! Copies an issue.

use super::super::driver::start;
use super::super::serve;
use super::Counted;
use quarry_world::complete_world::complete_world;

#[test]
fn issue_is_copied_in_three_clicks() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/1");
    let counted = Counted::new(&chromium);
    counted.click("#title details.menu summary");
    counted.click_until(
        "#title details.menu a[href$='/copy']",
        "the form is shown",
        "location.pathname === '/issues/1/copy'",
    );
    counted.click_until(
        "main .actions .primary",
        "the copy is shown",
        "document.querySelector('section.flash')",
    );
    assert_eq!(counted.clicks.get(), 3);
    assert!(chromium.text("section.flash").contains("is a copy of #1"));
    assert!(chromium.text("h1").contains("The pump leaks"));
    assert!(chromium.text("#relations").contains("copied from"));
    assert!(chromium.text("#subtasks").contains("Order a pump"));
    assert!(chromium.text("#files").contains("notes.txt"));
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
