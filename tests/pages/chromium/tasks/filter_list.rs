//! Filters a list by a field, and groups it.

use super::super::driver::start;
use super::super::serve;
use super::{Counted, DOWN, ENTER};
use quarry_world::complete_world::complete_world;

#[test]
fn list_is_filtered_by_priority_and_grouped() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues");
    let counted = Counted::new(&chromium);
    counted.click(".list-tools details:nth-of-type(1) summary");
    // A choice in the list of fields leads on at once.
    counted.click("#edit-filter option[value=priority_id]");
    chromium.wait_until(
        "the form of the filter is shown",
        "document.querySelector('#filter-form')",
    );
    counted.click("#filter-form input[type=checkbox]");
    counted.click_until(
        "#filter-form .primary",
        "the filter has a chip",
        "document.querySelector('.chip a.edit')",
    );
    assert_eq!(counted.clicks.get(), 4);
    let search = chromium.script("return location.search");
    let search = search.as_str().unwrap();
    assert!(search.contains("f[]=priority_id"), "{search}");
    // An operator without values hides them.
    chromium.open("/issues?edit_filter=assigned_to_id");
    chromium.script(
        "const select = document.querySelector('#filter-operator'); select.value = '!*'; \
         select.dispatchEvent(new Event('change', { bubbles: true }))",
    );
    chromium.wait_until(
        "the values are hidden",
        "document.querySelector('[data-for=values]').hidden",
    );
    // The box completes qualifiers and their values, without numbers of results.
    chromium.open("/issues?tracker_id=1");
    chromium.insert_into("form.filter-box input[name=q]", "status:");
    chromium.wait_until(
        "values are offered",
        "document.querySelector('.filter-box [role=option]')",
    );
    let options = chromium.script(
        "return [...document.querySelectorAll('.filter-box [role=option]')].map(option => option.textContent).join()",
    );
    assert!(
        !options.as_str().unwrap().contains("result"),
        "the list has other filters, too: {options}"
    );
    chromium.type_keys(DOWN);
    chromium.type_keys(ENTER);
    chromium.wait_until(
        "the value is in the box",
        "/^status:\\S+ $/.test(document.querySelector('.filter-box [name=q]').value)",
    );
    chromium.type_keys(ENTER);
    chromium.wait_until(
        "the list has both filters",
        "/tracker_id=1/.test(location.search) && /q=status/.test(location.search) \
         && document.querySelector('table.issues tbody tr')",
    );
    // The columns move in place.
    chromium.open("/issues?display=open");
    let first = "document.querySelector('.sortable li:nth-child(1) input').value";
    let second = chromium
        .script("return document.querySelector('.sortable li:nth-child(2) input').value")
        .as_str()
        .unwrap()
        .to_owned();
    chromium.click(".sortable li:nth-child(2) button");
    chromium.wait_until(
        "the second column is the first",
        &format!("{first} === '{second}'"),
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
