//! Saves a filtered list as a query, and uses it.

use super::super::driver::start;
use super::super::serve;
use super::Counted;
use quarry_world::complete_world::complete_world;

#[test]
fn filtered_list_is_saved_as_a_query() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues?tracker_id=1&sort=subject");
    let counted = Counted::new(&chromium);
    counted.click(".title-row a[href*='/queries/new']");
    chromium.wait_for_path("/queries/new?tracker_id=1&sort=subject");
    chromium.type_into("[name='query[name]']", "Bugs by subject");
    counted.click("main .primary");
    chromium.wait_until(
        "the list is shown with the query",
        "location.pathname === '/issues' && location.search.startsWith('?query_id=')",
    );
    assert_eq!(counted.clicks.get(), 2);
    assert!(chromium.text(".chips").contains("Bugs by subject"));
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
