//! Sees what changed, how far a version is, and when issues are due: by mouse and by keys, with a
//! script on a wide screen and without one at 390 pixels.

use super::super::driver::{Chromium, start};
use super::super::serve;
use super::{Counted, ENTER};
use quarry_world::complete_world::complete_world;

const PROJECT: &str = "/projects/secret";

/// The links that lead from the project to each page, with the path and a text of the page.
const TASKS: [(&[&str], &str, &str); 5] = [
    (
        &[".project-bar a[href$='/activity']"],
        "/projects/secret/activity",
        "The pump leaks",
    ),
    (
        &[".project-bar a[href$='/roadmap']"],
        "/projects/secret/roadmap",
        "Release one",
    ),
    (
        &[
            ".project-bar a[href$='/issues']",
            ".segments a[href*='/board']",
        ],
        "/projects/secret/issues/board",
        "The pump leaks",
    ),
    (
        &[
            ".project-bar a[href$='/issues']",
            ".segments a[href*='/calendar']",
        ],
        "/projects/secret/issues/calendar",
        "Calendar",
    ),
    (
        &[
            ".project-bar a[href$='/issues']",
            ".segments a[href*='/gantt']",
        ],
        "/projects/secret/issues/gantt",
        "Gantt",
    ),
];

/// Takes each way, with `follow` for each link.
fn take_all(chromium: &Chromium, follow: impl Fn(&str)) {
    for (links, path, text) in TASKS {
        chromium.open(PROJECT);
        for link in links {
            let before = chromium.path();
            follow(link);
            chromium.wait_until(
                "another page is shown",
                &format!("location.pathname + location.search !== '{before}'"),
            );
        }
        let shown = chromium.path();
        assert!(shown.starts_with(path), "{shown} instead of {path}");
        assert!(chromium.text("main").contains(text), "{path}");
    }
}

#[test]
fn activity_roadmap_board_calendar_and_chart_are_one_or_two_clicks_away() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    let counted = Counted::new(&chromium);
    take_all(&chromium, |link| counted.click(link));
    assert_eq!(counted.clicks.get(), 2 + 3 * 2);
    let counted = Counted::new(&chromium);
    take_all(&chromium, |link| {
        chromium.script(&format!("document.querySelector(\"{link}\").focus()"));
        counted.press(ENTER);
    });
    assert_eq!(counted.keys.get(), 2 + 3 * 2);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
    chromium.disable_scripts(true);
    chromium.resize(390);
    take_all(&chromium, |link| chromium.click(link));
}
