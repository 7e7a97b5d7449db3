//! What people do in a browser all day.

use super::driver::{Chromium, start};
use super::serve;
use quarry_world::complete_world::complete_world;
use serde_json::Value;

const DOWN: &str = "\u{E015}";
const UP: &str = "\u{E013}";
const ENTER: &str = "\u{E007}";
const ESCAPE: &str = "\u{E00C}";

fn assert_no_faults(chromium: &Chromium) {
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn person_logs_in_searches_reads_and_logs_out() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    // A link in a mail leads to the issue after the login.
    chromium.open("/issues/1");
    assert!(
        chromium.path().starts_with("/login?back_url="),
        "{}",
        chromium.path()
    );
    chromium.type_into("main input[name=username]", "alice");
    chromium.type_into("main input[name=password]", "alicealice");
    chromium.type_keys(ENTER);
    chromium.wait_for_path("/issues/1");
    assert!(chromium.text("h1").contains("The pump leaks"));

    // The slash leads to the search box; the arrow keys choose a suggestion.
    chromium.open("/projects");
    chromium.type_keys("/");
    chromium.wait_until(
        "the search box has the focus",
        "document.activeElement.name === 'q'",
    );
    chromium.insert("pump");
    chromium.wait_until(
        "titles are suggested",
        "document.querySelectorAll('[role=option]').length >= 3",
    );
    let selected = "document.querySelector('[role=option][aria-selected=true]')";
    chromium.type_keys(DOWN);
    chromium.wait_until(
        "the first one is selected",
        &format!("{selected} === document.querySelectorAll('[role=option]')[0]"),
    );
    chromium.type_keys(DOWN);
    chromium.type_keys(UP);
    let announced = "document.activeElement.getAttribute('aria-activedescendant')";
    chromium.wait_until(
        "the selection is announced",
        &format!("{announced} === {selected}.id"),
    );
    let title = chromium.script(&format!("return {selected}.firstChild.textContent"));
    chromium.type_keys(ENTER);
    chromium.wait_until(
        "its page is shown",
        "!location.pathname.startsWith('/projects') || location.pathname.length > 10",
    );
    let page = chromium.script("return document.body.textContent");
    let words = title
        .as_str()
        .unwrap()
        .rsplit(": ")
        .next()
        .unwrap()
        .replace('_', " ");
    assert!(page.as_str().unwrap().contains(&words), "{title} in {page}");

    // Back; Escape closes the suggestions, and Enter searches.
    chromium.back();
    chromium.wait_for_path("/projects");
    chromium.open("/");
    chromium.insert_into("form.search-form input[name=q]", "leaks");
    chromium.wait_until(
        "titles are suggested",
        "document.querySelector('[role=option]')",
    );
    chromium.type_keys(ESCAPE);
    chromium.wait_until(
        "they are gone",
        "document.querySelector('[role=listbox]').hidden",
    );
    chromium.type_keys(ENTER);
    chromium.wait_until(
        "results are shown",
        "location.pathname === '/search' && document.querySelector('main a[href^=\"/issues/1\"]')",
    );
    chromium.click("main a[href^=\"/issues/1\"]");
    chromium.wait_until("the issue is shown", "location.pathname === '/issues/1'");
    chromium.back();
    chromium.wait_until(
        "the results are there again",
        "location.pathname === '/search' && document.querySelector('main a[href^=\"/issues/1\"]')",
    );
    // A number leads to the issue.
    chromium.open("/search?q=%232");
    chromium.wait_for_path("/issues/2");
    assert_no_faults(&chromium);

    chromium.open("/logout");
    chromium.click("main form button");
    chromium.wait_until(
        "the session is over",
        "document.querySelector('a[href^=\"/login\"], input[name=username]')",
    );
    chromium.open("/issues/1");
    assert!(chromium.path().starts_with("/login"), "{}", chromium.path());
    assert_no_faults(&chromium);
}

#[test]
fn names_of_themes_do_not_break_with_wide_fonts() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    for width in [1280, 360] {
        chromium.resize(width);
        chromium.open("/my/page");
        chromium.script("document.body.style.letterSpacing = '1.5px'");
        chromium.click("details.menu summary");
        let heights = "[...document.querySelectorAll('form.themes button')].map(button => button.clientHeight)";
        let one_line = "document.querySelector('details.menu[open] > div > a').clientHeight";
        let broken = chromium.script(&format!(
            "return {heights}.filter(height => height > {one_line} + 1).length"
        ));
        assert_eq!(broken, 0, "at {width} px");
        let overflow = chromium.script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        assert_eq!(overflow, 0, "at {width} px");
    }
}

fn background(chromium: &Chromium) -> Value {
    chromium.script("return getComputedStyle(document.body).backgroundColor")
}

#[test]
fn theme_is_kept_and_menu_works_with_the_keyboard() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.prefer_theme("light");
    let light = background(&chromium);
    chromium.click("details.menu summary");
    chromium.click("form.themes button[value=dark]");
    chromium.wait_until(
        "the theme changes at once",
        "document.documentElement.dataset.theme === 'dark'",
    );
    let dark = background(&chromium);
    assert_ne!(light, dark);
    chromium.wait_until(
        "the choice is stored",
        "document.querySelector('form.themes button[value=dark]').getAttribute('aria-pressed') === 'true'",
    );
    quarry_world::wait::until(quarry_world::wait::TIMEOUT, "the theme is kept", || {
        chromium.open("/issues/1");
        background(&chromium) == dark
    });
    chromium.click("details.menu summary");
    chromium.type_keys(ESCAPE);
    chromium.wait_until(
        "the menu is closed",
        "!document.querySelector('details.menu').open",
    );
    chromium.wait_until(
        "the focus is on its button",
        "document.activeElement.matches('details.menu summary')",
    );
    assert_no_faults(&chromium);
}
