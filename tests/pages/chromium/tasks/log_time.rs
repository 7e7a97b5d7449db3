//! Logs time on an issue.

use super::super::driver::start;
use super::super::serve;
use super::Counted;
use quarry_world::complete_world::complete_world;

#[test]
fn time_is_logged_with_two_clicks_the_hours_and_the_activity() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/2");
    let counted = Counted::new(&chromium);
    counted.click_until(
        "#fact-spent_hours",
        "the form is shown",
        "document.querySelector('.popover form') && document.activeElement.name === 'time_entry[hours]'",
    );
    for key in ["1", ":", "3", "0"] {
        counted.press(key);
    }
    chromium.script("document.querySelector('.popover select').selectedIndex = 1");
    counted.click_until(
        ".popover .primary",
        "the time is shown",
        "!document.querySelector('.popover') && document.querySelector('#fact-spent_hours').closest('dd').textContent.includes('1.5 h')",
    );
    assert_eq!(counted.clicks.get(), 2);
    assert_eq!(counted.keys.get(), 4);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
