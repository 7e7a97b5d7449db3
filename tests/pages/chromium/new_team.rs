//! A new team: the administrator creates a user and a project and adds the member, who then finds
//! the project.

use super::driver::{Chromium, start};
use super::serve;
use quarry_world::World;
use quarry_world::wait::{TIMEOUT, until};

const PASSWORD: &str = "tina likes boats";

/// Clicks the checkbox in the label with this text, unless it is on.
fn check(chromium: &Chromium, label: &str) {
    click_box(chromium, label, "input:not(:checked)");
}

/// Clicks the checkbox in the label with this text, unless it is off.
fn uncheck(chromium: &Chromium, label: &str) {
    click_box(chromium, label, "input:checked");
}

fn click_box(chromium: &Chromium, label: &str, selector: &str) {
    let find = format!(
        "[...document.querySelectorAll('main label')].find(label => label.textContent.includes('{label}'))"
    );
    chromium.wait_until(label, &find);
    chromium.script(&format!("{find}.querySelector('{selector}')?.click()"));
}

/// Submits the form in the page with its main button, and waits for the path to which it leads.
fn submit(chromium: &Chromium, path: &str) {
    chromium.click("main form.card .btn.primary");
    chromium.wait_for_path(path);
}

fn set_up_the_team(chromium: &Chromium, has_scripts: bool) {
    chromium.log_in("admin", "adminadmin");
    chromium.open("/users/new");
    for (name, text) in [
        ("login", "tina"),
        ("firstname", "Tina"),
        ("lastname", "Tar"),
        ("mail", "tina@example.org"),
    ] {
        chromium.type_into(&format!("input[name={name}]"), text);
    }
    for name in ["new_password", "new_password_confirmation"] {
        chromium.type_into(&format!("input[name={name}]"), PASSWORD);
    }
    uncheck(chromium, "Generate a password");
    uncheck(chromium, "Must change the password at the first login");
    chromium.click("main form.card .btn.primary");
    until(TIMEOUT, "the user is created", || {
        chromium.path().ends_with("/edit")
    });

    chromium.open("/projects");
    chromium.click("main a[href='/projects/new']");
    chromium.wait_for_path("/projects/new");
    chromium.type_into("input[name='project[name]']", "2026: Große Häfen");
    let identifier = "input[name='project[identifier]']";
    if has_scripts {
        let value = format!("document.querySelector(\"{identifier}\").value");
        chromium.wait_until(
            "an identifier is suggested",
            &format!("{value} === 'grosse-hafen'"),
        );
        // What somebody types stays.
        chromium.type_into(identifier, "-2");
        chromium.type_into("input[name='project[name]']", "!");
        chromium.wait_until("it is kept", &format!("{value} === 'grosse-hafen-2'"));
    } else {
        chromium.type_into(identifier, "grosse-hafen-2");
    }
    check(chromium, "Public");
    submit(chromium, "/projects/grosse-hafen-2/settings/members");
    assert!(chromium.text("main").contains("Nobody is a member yet."));

    chromium.click("main .empty a.btn");
    chromium.wait_for_path("/projects/grosse-hafen-2/memberships/new");
    check(chromium, "Tina Tar (tina)");
    check(chromium, "Developer");
    submit(chromium, "/projects/grosse-hafen-2/settings/members");
    let page = chromium.text("main");
    assert!(
        page.contains("Tina Tar") && page.contains("Developer"),
        "{page}"
    );
    chromium.open("/logout");
    chromium.click("main form button");
    until(TIMEOUT, "the session is over", || {
        chromium.path() != "/logout"
    });
}

fn second_user_finds_the_project(has_scripts: bool) {
    let served = serve(World::new());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.disable_scripts(!has_scripts);
    set_up_the_team(&chromium, has_scripts);
    chromium.log_in("tina", PASSWORD);
    chromium.open("/");
    chromium.click("main a[href='/projects/grosse-hafen-2']");
    chromium.wait_for_path("/projects/grosse-hafen-2");
    assert!(chromium.text("h1").contains("Große Häfen"));
    chromium.open("/projects/grosse-hafen-2/settings/members");
    assert!(!chromium.text("main").contains("Add members"));
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

/// Invites somebody into a project, and lets them accept and comment on an issue.
fn invited_person_comments(has_scripts: bool) {
    let world = World::with_projects();
    let issue = world.issue("secret").subject("The pump leaks").create();
    let served = serve(world);
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.disable_scripts(!has_scripts);
    chromium.log_in("admin", "adminadmin");
    chromium.open("/users");
    chromium.click("main a[href='/invitations/new']");
    chromium.wait_for_path("/invitations/new");
    for (name, text) in [
        ("user[mail]", "tina@example.org"),
        ("user[firstname]", "Tina"),
        ("user[lastname]", "Tar"),
    ] {
        chromium.type_into(&format!("input[name='{name}']"), text);
    }
    chromium.click("select[name='membership[project_id]'] option:nth-child(3)");
    check(&chromium, "Developer");
    chromium.click("main form.card .btn.primary");
    chromium.wait_until(
        "the link is shown",
        "document.body.innerText.includes('/invitation?token=')",
    );
    let link = chromium.text("main dd code");
    chromium.open("/logout");
    chromium.click("main form button");
    until(TIMEOUT, "the session is over", || {
        chromium.path() != "/logout"
    });
    let path = &link[link.find("/invitation").unwrap()..];
    chromium.open(path);
    for name in ["password", "password_confirmation"] {
        chromium.type_into(&format!("input[name={name}]"), PASSWORD);
    }
    chromium.click("main form.card .btn.primary");
    chromium.wait_for_path("/");
    chromium.open(&format!("/issues/{issue}"));
    chromium.type_into("#update textarea", "I can mend it.");
    chromium.click("#update .actions button");
    chromium.wait_until(
        "the comment is shown",
        "document.querySelector('main').innerText.includes('I can mend it.')",
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn links_of_several_people_are_copied_with_and_without_a_clipboard() {
    let served = serve(World::with_projects());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("admin", "adminadmin");
    chromium.open("/invitations/several");
    let people = "ada.lovelace@example.org\nGrace Hopper <grace@example.org>";
    chromium.type_into("#people", people);
    chromium.click("main form.card .btn.primary");
    chromium.wait_until(
        "the links are shown",
        "document.getElementById('all-links')",
    );
    let link = chromium.text("td code");
    chromium.wait_until("buttons copy", "document.querySelector('.ready')");
    chromium.script("navigator.clipboard.writeText = async text => { window.copied = text; }");
    chromium.click("td [data-copy]");
    chromium.wait_until(
        "the link is copied",
        &format!("window.copied === '{link}' && document.activeElement.textContent === 'Copied'"),
    );
    // Without TLS there is no clipboard.
    chromium.script(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined }); \
         document.execCommand = () => { window.copied = document.activeElement.value; return true; }",
    );
    chromium.click("[data-copy=all-links]");
    chromium.wait_until(
        "all links are copied",
        "/^Ada Lovelace <ada.lovelace@example.org>: http.*\\nGrace Hopper <grace@example.org>: http/.test(window.copied)",
    );
    chromium.wait_until(
        "the button is as before",
        "document.querySelector('[data-copy=all-links]').textContent === 'Copy all'",
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn invited_person_comments_on_an_issue() {
    invited_person_comments(true);
}

#[test]
fn invited_person_comments_on_an_issue_without_scripts() {
    invited_person_comments(false);
}

#[test]
fn second_user_of_a_new_team_finds_the_project() {
    second_user_finds_the_project(true);
}

#[test]
fn second_user_of_a_new_team_finds_the_project_without_scripts() {
    second_user_finds_the_project(false);
}
