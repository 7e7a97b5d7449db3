//! Adding and deleting relations on the page of an issue.

use quarry::domain::administration::setting::Setting;
use quarry_world::browser::Browser;
use quarry_world::{Response, World};

fn add(browser: &Browser<'_>, id: i64, fields: &[(&str, &str)]) -> Response {
    let path = format!("/issues/{id}/relations/new");
    let page = browser.get(&path).assert_status(200);
    browser.submit(&page, &path, fields)
}

fn relations(world: &World, id: i64) -> Vec<String> {
    let issue = world.show_issue("admin", id, "relations");
    let all = issue["relations"].as_array().cloned().unwrap_or_default();
    let text = |relation: &serde_json::Value| {
        format!(
            "{} {} {} {}",
            relation["issue_id"],
            relation["relation_type"],
            relation["issue_to_id"],
            relation["delay"]
        )
    };
    all.iter().map(text).collect()
}

#[test]
fn issue_is_related_by_number_or_by_words() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    world.issue("open").subject("The blue pump").create();
    world.issue("open").subject("The red pump").create();
    let bob = Browser::logged_in(&world, "bob");
    world.count_hits("bob", "pump");
    let saved = add(
        &bob,
        id,
        &[
            ("relation[issue_to_id]", "#2 The blue pump"),
            ("relation[relation_type]", "blocks"),
        ],
    )
    .assert_status(303);
    assert_eq!(saved.location(), "/issues/1");
    add(
        &bob,
        id,
        &[
            ("relation[issue_to_id]", "red"),
            ("relation[relation_type]", "precedes"),
            ("relation[delay]", "2"),
        ],
    )
    .assert_status(303);
    assert_eq!(
        relations(&world, id),
        ["1 \"blocks\" 2 null", "1 \"precedes\" 3 2"]
    );
    bob.get("/issues/1")
        .assert_contains("blocks")
        .assert_contains("The blue pump")
        .assert_contains("with a delay of 2 days");
}

#[test]
fn words_that_several_issues_have_lead_to_a_choice() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    for number in 0..12 {
        world
            .issue("open")
            .subject(&format!("Pump {number}"))
            .create();
    }
    let hidden = world.issue("secret").subject("Pump of the secret").create();
    let bob = Browser::logged_in(&world, "bob");
    world.count_hits("bob", "pump");
    let fields = [
        ("relation[issue_to_id]", "pump"),
        ("relation[relation_type]", "blocked"),
    ];
    let several = add(&bob, id, &fields)
        .assert_status(422)
        .assert_contains("value=\"blocked\" selected");
    assert_eq!(several.body.matches("type=\"radio\"").count(), 10);
    assert!(!several.body.contains("of the secret"), "{}", several.body);
    // The choice belongs to the words that it was offered for.
    let stale = [
        ("relation[issue_to_id]", "nothing of the kind"),
        ("chosen_issue", "3"),
        ("chosen_for", "pump"),
    ];
    add(&bob, id, &stale)
        .assert_status(422)
        .assert_contains("names no issue that you can see");
    let hidden = hidden.to_string();
    let forged = [
        ("relation[issue_to_id]", "pump"),
        ("chosen_issue", hidden.as_str()),
        ("chosen_for", "pump"),
    ];
    add(&bob, id, &forged)
        .assert_status(422)
        .assert_contains("names no issue that you can see");
    let chosen = [
        ("relation[issue_to_id]", "pump"),
        ("chosen_issue", "3"),
        ("chosen_for", "pump"),
    ];
    add(&bob, id, &chosen).assert_status(303);
    assert_eq!(relations(&world, id), ["1 \"relates\" 3 null"]);
}

#[test]
fn relation_that_is_not_possible_keeps_what_was_typed() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let child = world.issue("open").parent(id).create().to_string();
    let secret = world.issue("secret").create().to_string();
    let bob = Browser::logged_in(&world, "bob");
    add(&bob, id, &[("relation[issue_to_id]", &child)])
        .assert_status(422)
        .assert_contains("cannot be linked to one of its subtasks")
        .assert_contains(&format!("value=\"{child}\""));
    for (text, message) in [
        ("", "names no issue"),
        ("999", "names no issue"),
        (secret.as_str(), "names no issue"),
        ("1", "is invalid"),
    ] {
        add(&bob, id, &[("relation[issue_to_id]", text)])
            .assert_status(422)
            .assert_contains(message);
    }
    let delay = [
        ("relation[issue_to_id]", child.as_str()),
        ("relation[delay]", "x"),
    ];
    add(&bob, id, &delay)
        .assert_status(422)
        .assert_contains("Delay is not a number");
    let alice = Browser::logged_in(&world, "alice");
    world.set(Setting::CrossProjectIssueRelations, "0");
    add(&alice, id, &[("relation[issue_to_id]", &secret)])
        .assert_status(422)
        .assert_contains("doesn&#39;t belong to the same project");
}

#[test]
fn relation_is_deleted_by_those_who_manage_one_of_the_issues() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let secret = world.issue("secret").create().to_string();
    let other = world.issue("open").create().to_string();
    world.set(Setting::CrossProjectIssueRelations, "1");
    let alice = Browser::logged_in(&world, "alice");
    add(&alice, id, &[("relation[issue_to_id]", &secret)]).assert_status(303);
    add(&alice, id, &[("relation[issue_to_id]", &other)]).assert_status(303);
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/issues/1").assert_status(200);
    assert!(
        !page.body.contains("/relations/1/delete") && page.body.contains("/relations/2/delete"),
        "{}",
        page.body
    );
    for path in [
        "/issues/1/relations/1/delete",
        "/issues/1/relations/9/delete",
        "/issues/1/relations/x/delete",
        "/issues/2/relations/1/delete",
    ] {
        bob.submit(&page, path, &[]).assert_status(404);
    }
    let carol = Browser::logged_in(&world, "carol");
    let seen = carol.get("/issues/1").assert_status(200);
    assert!(!seen.body.contains("/delete\"") && !seen.body.contains("relations/new"));
    carol
        .submit(&seen, "/issues/1/relations/2/delete", &[])
        .assert_status(403);
    carol.get("/issues/1/relations/new").assert_status(403);
    bob.post("/issues/1/relations/2/delete", &[])
        .assert_status(403);
    // A relation is deleted below its own issues only.
    let third = world.issue("open").create();
    bob.submit(&page, &format!("/issues/{third}/relations/2/delete"), &[])
        .assert_status(404);
    bob.submit(&page, "/issues/3/relations/2/delete", &[])
        .assert_status(303);
    assert_eq!(relations(&world, id).len(), 1);
}
