//! Pages while scripts are switched off.

use super::driver::start;
use super::serve;
use quarry_world::complete_world::complete_world;
use quarry_world::wait::{TIMEOUT, until};

#[test]
fn login_search_reading_and_logout_need_no_scripts() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.disable_scripts(true);
    chromium.log_in("alice", "alicealice");
    chromium.open("/projects");
    // The script would have made it a combobox.
    assert_eq!(
        chromium
            .script("return document.querySelector('form.search-box input').getAttribute('role')"),
        serde_json::Value::Null
    );
    chromium.type_into("form.search-box input[name=q]", "leaks\u{E007}");
    until(TIMEOUT, "results are shown", || {
        chromium.path().starts_with("/search?")
    });
    chromium.click("main a[href^=\"/issues/1\"]");
    until(TIMEOUT, "the issue is shown", || {
        chromium.path().starts_with("/issues/1")
    });
    assert!(chromium.text("h1").contains("The pump leaks"));
    for (path, text) in [
        ("/projects/secret", "Secret project"),
        ("/projects/secret/wiki", "Wiki"),
        ("/projects/secret/wiki/Wiki/history", "Wiki"),
        ("/news/1", "We set sail"),
        ("/documents/1", "Manual of the pump"),
        ("/boards/1/topics/1", "Which seal?"),
        ("/projects/secret/repository/revisions/12", "Revision 12"),
        ("/versions/1", "Release one"),
        ("/issues?status_id=*", "Issues"),
    ] {
        chromium.open(path);
        let heading = chromium.text("h1");
        assert!(heading.contains(text), "{path}: {heading}");
    }
    chromium.click("details.menu summary");
    chromium.click("form.themes button[value=dark]");
    until(TIMEOUT, "the theme is set", || {
        chromium.script("return document.documentElement.dataset.theme") == "dark"
    });
    chromium.click("details.menu summary");
    chromium.click("form[action='/logout'] button");
    until(TIMEOUT, "the session is over", || {
        chromium.open("/issues/1");
        chromium.path().starts_with("/login")
    });
}
