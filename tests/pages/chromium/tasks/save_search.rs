//! Saves a search, and opens it again.

use super::super::driver::start;
use super::super::serve;
use super::Counted;
use quarry_world::complete_world::complete_world;

#[test]
fn search_is_saved_and_opened_again() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/search?q=pump&sort=date");
    let counted = Counted::new(&chromium);
    counted.click_until(
        "#save-search",
        "the form is open",
        "document.querySelector('.popover [name=\"query[name]\"]') === document.activeElement",
    );
    chromium.type_into("[name='query[name]']", "Newest pumps");
    counted.click_until(
        ".popover .primary",
        "the search is shown with its name",
        "location.search.startsWith('?q=pump&sort=date&query_id=')",
    );
    assert_eq!((counted.clicks.get(), counted.keys.get()), (2, 0));
    assert!(chromium.text(".saved-search").contains("Newest pumps"));
    chromium.open("/search");
    let counted = Counted::new(&chromium);
    counted.click_until(
        "[aria-labelledby=saved] li:first-child a",
        "the results are shown",
        "location.search.startsWith('?q=pump&sort=date&query_id=') && document.querySelector('.hits')",
    );
    assert_eq!(counted.clicks.get(), 1);
    // The form keeps the saved search, which can be updated with another one.
    counted.click_until(
        "[name=open_issues]",
        "the search has changed",
        "location.search.includes('open_issues=1') && document.querySelector('.saved-search form button')",
    );
    counted.click_until(
        ".saved-search form button",
        "the saved search is updated",
        "!document.querySelector('.saved-search form') && document.querySelector('.notice').textContent.includes('was updated')",
    );
    assert_eq!(counted.clicks.get(), 3);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
