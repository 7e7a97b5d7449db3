//! Templates of issues.

use quarry::domain::ids::ProjectId;
use quarry::domain::issues::template::IssueTemplate;
use quarry::store::issues::templates;
use quarry_world::browser::Browser;
use quarry_world::{Response, World};

const NEW: &str = "/projects/open/issue_templates/new";
const FORM: &str = "/projects/open/issues/new";

/// Creates a template with the form.
fn create(browser: &Browser<'_>, tracker: &str, name: &str, texts: [&str; 2], is_default: &str) {
    let page = browser.get(NEW).assert_status(200);
    let fields = [
        ("issue_template[tracker_id]", tracker),
        ("issue_template[name]", name),
        ("issue_template[subject]", texts[0]),
        ("issue_template[description]", texts[1]),
        ("issue_template[is_default]", is_default),
    ];
    browser.submit(&page, NEW, &fields).assert_status(303);
}

fn all(world: &World) -> Vec<IssueTemplate> {
    let projects = (1..=2).map(ProjectId);
    let all = projects.map(|project| world.app.read(|db| templates::list(db, project)).unwrap());
    all.flatten().collect()
}

fn id_of(world: &World, name: &str) -> String {
    let all = all(world);
    let template = all.iter().find(|template| template.name == name);
    template.unwrap().id.to_string()
}

/// Returns the subject and the description in the form for a new issue.
fn texts(page: &Response) -> (String, String) {
    let description = page
        .body
        .split_once("name=\"issue[description]\"")
        .and_then(|(_, rest)| rest.split_once(">\n"))
        .and_then(|(_, rest)| rest.split_once("</textarea>"))
        .unwrap_or_else(|| panic!("{page:?}"))
        .0;
    let subject = page
        .body
        .split_once("name=\"issue[subject]\"")
        .and_then(|(_, rest)| rest.split_once("value=\""))
        .and_then(|(_, rest)| rest.split_once('"'))
        .unwrap_or_else(|| panic!("{page:?}"))
        .0;
    pair(subject, description)
}

fn pair(subject: &str, description: &str) -> (String, String) {
    (subject.to_owned(), description.to_owned())
}

#[test]
fn default_template_fills_an_empty_form_and_a_chosen_one_is_added() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    create(&alice, "1", "Crash", ["Crash: ", "Steps:"], "1");
    create(&alice, "1", "Other", ["", "What else?"], "0");
    create(&alice, "2", "Wish", ["Wish: ", "As a sailor"], "1");
    let carol = Browser::logged_in(&world, "carol");
    let page = carol.get(FORM).assert_status(200);
    assert_eq!(texts(&page), pair("Crash: ", "Steps:"));
    assert!(page.body.contains(">Other</option>") && !page.body.contains(">Wish</option>"));

    // Prefilled texts stay.
    let filled = carol.get(&format!("{FORM}?issue[subject]=A&issue[description]=B"));
    assert_eq!(texts(&filled), pair("A", "B"));
    let chosen = carol.get(&format!("{FORM}?template_id={}", id_of(&world, "Other")));
    assert_eq!(texts(&chosen), pair("", "What else?"));

    // Another tracker replaces the text of the template before, and nothing else.
    let send = |subject: &str, description: &str, more: &[(&str, &str)]| {
        let mut fields = vec![
            ("issue[subject]", subject),
            ("issue[description]", description),
        ];
        fields.extend_from_slice(more);
        texts(&carol.submit(&page, FORM, &fields).assert_status(200))
    };
    let refresh = [("issue[tracker_id]", "2"), ("do", "refresh")];
    assert_eq!(
        send("Crash: ", "Steps:", &refresh),
        pair("Wish: ", "As a sailor")
    );
    assert_eq!(send("Typed", "Typed", &refresh), pair("Typed", "Typed"));
    let without = [("issue[tracker_id]", "3"), ("do", "refresh")];
    assert_eq!(send("Crash: ", "Steps:", &without), pair("", ""));
    let other = id_of(&world, "Crash");
    let choose = [("do", "template"), ("template_id", other.as_str())];
    assert_eq!(
        send("Typed", "Typed", &choose),
        pair("Crash: Typed", "Typed\n\nSteps:")
    );
    assert_eq!(send("", "What else?", &choose), pair("Crash: ", "Steps:"));
    let unknown = [("do", "template"), ("template_id", "999")];
    assert_eq!(send("A", "B", &unknown), pair("A", "B"));

    // What was refused is shown as it was typed.
    let fields = [("issue[subject]", ""), ("issue[description]", "")];
    let refused = carol.submit(&page, FORM, &fields).assert_status(422);
    assert_eq!(texts(&refused), pair("", ""));
}

#[test]
fn tracker_has_one_default_template() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    create(&alice, "1", "First", ["", "first"], "1");
    create(&alice, "2", "Second", ["", "second"], "1");
    create(&alice, "1", "Third", ["", "third"], "1");
    let list = alice.get("/projects/open/settings/templates");
    assert_eq!(list.body.matches(">yes<").count(), 2, "{list:?}");
    assert_eq!(texts(&alice.get(FORM)).1, "third");
    let path = format!("/issue_templates/{}/delete", id_of(&world, "Third"));
    let page = alice.get(&path).assert_status(200);
    alice.submit(&page, &path, &[]).assert_status(303);
    assert_eq!(texts(&alice.get(FORM)).1, "");
}

#[test]
fn invalid_templates_are_refused_with_what_was_typed() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    create(&alice, "1", "Taken", ["", "text"], "0");
    let page = alice.get(NEW);
    let long = "x".repeat(20_001);
    for (tracker, name, subject, description, expected) in [
        ("1", "", "", "kept", "Name cannot be blank"),
        ("1", "Taken", "", "kept", "Name has already been taken"),
        ("1", "A", " ", " ", "Description cannot be blank"),
        ("99", "A", "", "kept", "Tracker is not included in the list"),
        ("1", "A", &"s".repeat(101), "kept", "Subject is too long"),
        ("1", "A", "", &long, "Description is too long"),
    ] {
        let fields = [
            ("issue_template[tracker_id]", tracker),
            ("issue_template[name]", name),
            ("issue_template[subject]", subject),
            ("issue_template[description]", description),
        ];
        let refused = alice.submit(&page, NEW, &fields).assert_status(422);
        refused
            .assert_contains(expected)
            .assert_contains(description.trim());
    }
    // The same name is free for another tracker.
    create(&alice, "2", "Taken", ["", "text"], "0");
}

#[test]
fn templates_of_other_projects_are_neither_shown_nor_changed() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let path = "/projects/secret/issue_templates/new";
    let page = alice.get(path).assert_status(200);
    let fields = [
        ("issue_template[tracker_id]", "1"),
        ("issue_template[name]", "Hidden"),
        ("issue_template[description]", "secret words"),
        ("issue_template[is_default]", "1"),
    ];
    alice.submit(&page, path, &fields).assert_status(303);
    let id = id_of(&world, "Hidden");
    let bob = Browser::logged_in(&world, "bob");
    for path in [
        FORM.to_owned(),
        format!("{FORM}?template_id={id}"),
        format!("/issues/new?template_id={id}&issue[project_id]=secret"),
    ] {
        let page = bob.get(&path).assert_status(200);
        assert!(!page.body.contains("secret words"), "{path}: {page:?}");
    }
    let token = bob.get(FORM);
    for end in ["edit", "delete"] {
        let path = format!("/issue_templates/{id}/{end}");
        bob.get(&path).assert_status(404);
        bob.submit(&token, &path, &fields).assert_status(404);
    }
    bob.get("/projects/secret/settings/templates")
        .assert_status(404);
    bob.get("/projects/open/settings/templates")
        .assert_status(403);
    bob.submit(&token, NEW, &fields).assert_status(403);
    assert_eq!(id_of(&world, "Hidden"), id);
}

#[test]
fn templates_go_with_their_tracker() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    create(&alice, "3", "Help", ["", "text"], "1");
    world.sql("DELETE FROM project_trackers WHERE tracker_id = 3");
    world.sql("DELETE FROM workflow_transitions WHERE tracker_id = 3");
    world.sql("DELETE FROM trackers WHERE id = 3");
    assert_eq!(all(&world), []);
}
