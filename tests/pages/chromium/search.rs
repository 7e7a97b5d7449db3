//! The scripts of the search page.

use super::driver::{Chromium, start};
use super::serve;
use quarry_world::complete_world::complete_world;

const DOWN: &str = "\u{E015}";
const ENTER: &str = "\u{E007}";

fn recent(chromium: &Chromium) -> i64 {
    let searches = "Object.keys(localStorage).filter(key => key.startsWith('quarry-searches-'))";
    chromium
        .script(&format!("return {searches}.length"))
        .as_i64()
        .unwrap()
}

#[test]
fn keys_move_through_results_and_qualifiers_are_completed() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/search?q=pump");
    for (key, at) in [("j", 0), ("j", 1), ("k", 0)] {
        chromium.type_keys(key);
        let links = "[...document.querySelectorAll('.hits h3 a')]";
        let focus = format!("{links}.indexOf(document.activeElement) === {at}");
        chromium.wait_until("the result has the focus", &focus);
    }
    chromium.type_keys("o");
    chromium.wait_until("it is opened", "location.pathname !== '/search'");

    // Values of a qualifier with the number of results of this query.
    chromium.open("/search");
    chromium.insert_into("form.search-form input[name=q]", "pump is:");
    let first = "document.querySelector('.search-form [role=option]')";
    chromium.wait_until(
        "values are offered",
        &format!("{first} && {first}.textContent.startsWith('is:')"),
    );
    chromium.type_keys(DOWN);
    chromium.type_keys(ENTER);
    chromium.wait_until(
        "the value is in the query",
        "/^pump is:(open|closed) $/.test(document.querySelector('.search-form input[name=q]').value)",
    );
    chromium.type_keys(ENTER);
    chromium.wait_until("results are shown", "document.querySelector('.hits')");
    // An option acts at once.
    chromium.click("input[name=open_issues]");
    chromium.wait_until(
        "closed issues are hidden",
        "location.search.includes('open_issues=1')",
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn recent_searches_are_kept_by_user_until_they_log_out() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    for query in ["pump", "leaks", "pump"] {
        chromium.open(&format!("/search?q={query}"));
    }
    chromium.open("/search");
    let shown = "[...document.querySelectorAll('#recent li')].map(item => item.textContent).join()";
    chromium.wait_until(
        "the last search is the first",
        &format!("{shown} === 'pump,leaks'"),
    );
    chromium.click("#recent button");
    chromium.wait_until("they are gone", "document.getElementById('recent').hidden");
    assert_eq!(recent(&chromium), 0);
    chromium.open("/search?q=pump");
    chromium.wait_until("it is kept", "localStorage.length > 0");
    chromium.open("/logout");
    chromium.click("main form button");
    chromium.wait_until(
        "the session is over",
        "document.querySelector('a[href^=\"/login\"], input[name=username]')",
    );
    assert_eq!(recent(&chromium), 0);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn facets_are_a_sheet_on_narrow_screens() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/search?q=pump");
    let is_shown = "document.getElementById('facets').checkVisibility()";
    chromium.resize(1280);
    chromium.wait_until("facets are beside the results", is_shown);
    chromium.resize(360);
    chromium.wait_until("facets are hidden", &format!("!{is_shown}"));
    chromium.click("button[popovertarget=facets]");
    chromium.wait_until("the sheet is open", is_shown);
    let overflow = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    assert_eq!(chromium.script(&format!("return {overflow}")), false);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
