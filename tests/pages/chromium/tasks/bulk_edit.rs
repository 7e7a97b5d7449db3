//! Changes several issues at once, and takes it back.

use super::super::driver::start;
use super::super::serve;
use super::Counted;
use quarry_world::complete_world::complete_world;

#[test]
fn several_issues_get_another_priority_and_it_is_taken_back() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("admin", "adminadmin");
    chromium.open("/issues?status_id=*");
    let all = Counted::new(&chromium);
    all.click_until(
        "[data-select-all]",
        "all rows are selected",
        "document.querySelectorAll('tbody input:not(:checked)').length === 0",
    );
    all.click("[data-select-all]");
    let counted = Counted::new(&chromium);
    counted.click("table.issues tbody tr:nth-child(1) input");
    counted.click_until(
        "table.issues tbody tr:nth-child(2) input",
        "the bar counts the selection",
        "document.querySelector('[data-count]').textContent === '2 issues selected'",
    );
    counted.click_until(
        "#bulk button[value=edit]",
        "the form is shown",
        "location.pathname === '/issues/bulk_edit'",
    );
    chromium.script(
        "const select = document.querySelector('[name=\"issue[priority_id]\"]'); \
         select.value = select.options[select.options.length - 1].value",
    );
    counted.click_until(
        "button[value=preview]",
        "the preview is shown",
        "document.querySelector('.bulk-preview')",
    );
    counted.click_until(
        "button[value=save]",
        "the result is shown",
        "location.pathname === '/issues/bulk_edit/result'",
    );
    assert_eq!(counted.clicks.get(), 5);
    counted.click_until(
        "form[action$=undo] button",
        "the issues are as before",
        "document.querySelector('section.flash').textContent.includes('The change of 2 issues was undone')",
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn one_field_of_twenty_issues_changes_with_four_clicks() {
    let world = complete_world();
    for _ in 0..20 {
        world.issue("open").create();
    }
    let served = serve(world);
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("admin", "adminadmin");
    chromium.open("/projects/open/issues?set_filter=1&sort=id:desc");
    let counted = Counted::new(&chromium);
    counted.click("table.issues tbody tr:nth-child(1) input");
    chromium.wait_until("the rows are ready", "lastSelected");
    chromium.script(
        "document.querySelector('table.issues tbody tr:nth-child(20) input') \
         .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: true }))",
    );
    counted.clicks.set(counted.clicks.get() + 1);
    chromium.wait_until(
        "twenty issues are selected",
        "document.querySelector('[data-count]').textContent === '20 issues selected'",
    );
    counted.click_until(
        "#bulk button[value=priority_id]",
        "the priorities are offered",
        "document.querySelector('.popover [role=option]')",
    );
    assert_eq!(chromium.text(".popover h2"), "Priority of 20 issues");
    counted.click_until(
        ".popover [role=option]:last-child",
        "the result is shown",
        "location.pathname === '/issues/bulk_edit/result' && document.querySelectorAll('main li').length === 20",
    );
    assert_eq!(counted.clicks.get(), 4);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
