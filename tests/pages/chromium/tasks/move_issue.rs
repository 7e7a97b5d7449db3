//! Moves an issue to another project.

use super::super::driver::start;
use super::super::serve;
use super::Counted;
use quarry_world::complete_world::complete_world;

#[test]
fn issue_moves_after_a_look_at_what_is_lost() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("admin", "adminadmin");
    chromium.open("/issues/2");
    let counted = Counted::new(&chromium);
    counted.click("#title details.menu summary");
    counted.click_until(
        "#title details.menu a[href$='/move']",
        "the projects are shown",
        "location.pathname === '/issues/2/move'",
    );
    counted.click_until(
        "main form button",
        "the effects are shown",
        "document.querySelector('main ul.bullets')",
    );
    assert!(chromium.text("main").contains("Target version Release one"));
    counted.click_until(
        "form[method=post] .primary",
        "the issue is shown",
        "location.pathname === '/issues/2'",
    );
    assert_eq!(counted.clicks.get(), 4);
    assert!(!chromium.text("#facts").contains("Secret project"));
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
