//! Goes anywhere and does anything by typing: Ctrl+K.

use super::super::driver::start;
use super::super::serve;
use super::{Counted, DOWN, ENTER, ESCAPE};
use quarry_world::complete_world::complete_world;

/// Control and K, and the release of Control.
const PALETTE: &str = "\u{e009}k\u{e000}";
/// The selected command.
const SELECTED: &str = "document.querySelector('dialog.palette [aria-selected=true]')";

#[test]
fn palette_leads_to_projects_and_does_what_the_page_offers() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/1");
    let counted = Counted::new(&chromium);
    // What is typed at once is kept, and Enter waits for the answer to it.
    counted.press(PALETTE);
    chromium.type_keys("change stat");
    counted.press(ENTER);
    // The page has the same link, which opens the form beside it.
    chromium.wait_until(
        "the form of the status is open",
        "document.querySelector('.popover [name*=status_id]')",
    );
    assert_eq!(counted.keys.get(), 2);
    chromium.type_keys(ESCAPE);
    counted.press(PALETTE);
    chromium.wait_until("a command is selected", SELECTED);
    let roles = chromium.script(
        "const field = document.querySelector('dialog.palette [name=q]'); \
         return [field.getAttribute('role'), document.getElementById(field.getAttribute('aria-controls')).getAttribute('role'), \
         document.getElementById(field.getAttribute('aria-activedescendant')).getAttribute('role')].join()",
    );
    assert_eq!(roles, "combobox,listbox,option");
    let first = chromium.script(&format!("return {SELECTED}.id"));
    chromium.type_keys(DOWN);
    chromium.wait_until(
        "the second command is selected",
        &format!("{SELECTED}.id !== '{}'", first.as_str().unwrap()),
    );
    chromium.type_keys("secret");
    chromium.wait_until(
        "the project is offered",
        "[...document.querySelectorAll('dialog.palette a')].some(link => link.pathname === '/projects/secret')",
    );
    // Escape closes it and gives the focus back.
    chromium.type_keys(ESCAPE);
    chromium.wait_until("it is closed", "!document.querySelector('dialog')");
    chromium.click("details.menu summary");
    chromium.click("a[data-palette]");
    chromium.wait_until("the menu opens it, too", SELECTED);
    chromium.type_keys("no such thing");
    chromium.type_keys(ENTER);
    chromium.wait_until(
        "the last line searches",
        "location.pathname.endsWith('/search') && /no(\\+|%20)such/.test(location.search)",
    );
    // As a page of its own it has the same keys.
    chromium.open("/palette?from=/projects/secret");
    chromium.insert("Roadmap");
    chromium.wait_until(
        "the commands are filtered",
        "/Roadmap/.test(document.querySelector('[aria-selected=true]').textContent)",
    );
    chromium.type_keys(ENTER);
    chromium.wait_for_path("/projects/secret/roadmap");
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
