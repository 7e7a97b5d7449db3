//! A tour of an administrator: project, version, module, role, workflow, tracker and custom field,
//! with the mouse.

use super::driver::{Chromium, start};
use super::serve;
use quarry_world::World;

/// Clicks the checkbox in the label with this text.
fn check(chromium: &Chromium, label: &str) {
    let find = format!(
        "[...document.querySelectorAll('main label')].find(label => label.textContent.trim() === '{label}')"
    );
    chromium.wait_until(label, &find);
    chromium.script(&format!("{find}.querySelector('input').click()"));
}

/// Follows the link with this text in the main part or in the navigation at the side.
fn follow(chromium: &Chromium, label: &str) {
    let find = format!(
        "[...document.querySelectorAll('main a')].find(link => link.textContent.trim() === '{label}')"
    );
    chromium.wait_until(label, &find);
    chromium.script(&format!("{find}.click()"));
}

/// Sends the form with its main button, and waits until the page has this text.
fn submit(chromium: &Chromium, text: &str) {
    chromium.click("main form .btn.primary");
    chromium.wait_until(text, &format!("document.body.innerText.includes('{text}')"));
}

fn fill(chromium: &Chromium, name: &str, text: &str) {
    chromium.type_into(&format!("main [name='{name}']"), text);
}

fn set_up_a_project(chromium: &Chromium) {
    chromium.open("/projects");
    follow(chromium, "New project");
    chromium.wait_for_path("/projects/new");
    fill(chromium, "project[name]", "Harbour");
    if chromium
        .script("return document.querySelector(\"[name='project[identifier]']\").value === ''")
        == true
    {
        fill(chromium, "project[identifier]", "harbour");
    }
    submit(chromium, "The project Harbour was created.");
    follow(chromium, "Versions");
    chromium.wait_for_path("/projects/harbour/settings/versions");
    follow(chromium, "New version");
    chromium.wait_for_path("/projects/harbour/versions/new");
    fill(chromium, "version[name]", "Spring");
    submit(chromium, "The version was created.");
    follow(chromium, "Categories");
    chromium.wait_for_path("/projects/harbour/settings/categories");
    follow(chromium, "New category");
    chromium.wait_for_path("/projects/harbour/issue_categories/new");
    fill(chromium, "issue_category[name]", "Cranes");
    submit(chromium, "The category was created.");
    follow(chromium, "Modules");
    chromium.wait_for_path("/projects/harbour/settings/modules");
    check(chromium, "Calendar");
    submit(chromium, "The project was saved.");
}

fn set_up_rights(chromium: &Chromium) {
    chromium.open("/admin");
    follow(chromium, "Roles");
    chromium.wait_for_path("/roles");
    follow(chromium, "New role");
    chromium.wait_for_path("/roles/new");
    fill(chromium, "role[name]", "Operator");
    check(chromium, "View issues");
    submit(chromium, "The role was created.");
    follow(chromium, "All permissions");
    chromium.wait_for_path("/roles/permissions");
    let cell = "input[aria-label='Create issues: Operator']";
    chromium.script(&format!("document.querySelector(\"{cell}\").click()"));
    submit(chromium, "Permissions were changed");
    chromium.wait_until(
        "the permission is given",
        &format!("document.querySelector(\"{cell}\").checked"),
    );
    follow(chromium, "Workflow");
    chromium.wait_for_path("/workflows");
    chromium.script("document.querySelector(\"main a[aria-label^='Operator, Bug']\").click()");
    let step = "input[aria-label='New: Closed']";
    chromium.wait_until("the matrix", &format!("document.querySelector(\"{step}\")"));
    chromium.script(&format!("document.querySelector(\"{step}\").click()"));
    submit(chromium, "Effect on existing issues");
    submit(chromium, "One workflow was changed.");
    follow(chromium, "Groups");
    chromium.wait_for_path("/groups");
    follow(chromium, "New group");
    chromium.wait_for_path("/groups/new");
    fill(chromium, "group[name]", "Crew");
    submit(chromium, "Crew");
}

fn set_up_tracking(chromium: &Chromium) {
    follow(chromium, "Trackers");
    chromium.wait_for_path("/trackers");
    follow(chromium, "New tracker");
    chromium.wait_for_path("/trackers/new");
    fill(chromium, "tracker[name]", "Incident");
    submit(chromium, "The tracker was created.");
    follow(chromium, "Custom fields");
    chromium.wait_for_path("/custom_fields");
    chromium.open("/custom_fields/new?type=IssueCustomField&custom_field%5Bfield_format%5D=string");
    fill(chromium, "custom_field[name]", "Ship");
    submit(chromium, "was created.");
    chromium.wait_until("the field", "document.body.innerText.includes('Ship')");
}

fn administer(has_scripts: bool) {
    let served = serve(World::new());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.disable_scripts(!has_scripts);
    chromium.log_in("admin", "adminadmin");
    set_up_a_project(&chromium);
    set_up_rights(&chromium);
    set_up_tracking(&chromium);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn installation_is_administered_with_the_mouse() {
    administer(true);
}

#[test]
fn installation_is_administered_without_scripts() {
    administer(false);
}
