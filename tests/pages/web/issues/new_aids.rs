//! What helps to write a new issue: prefilled addresses, similar issues, and the next one.

use quarry_world::World;
use quarry_world::browser::Browser;

const FORM: &str = "/projects/open/issues/new";

#[test]
fn create_and_continue_keeps_the_facts() {
    let world = World::with_projects();
    let parent = world.issue("open").create().to_string();
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get(FORM).assert_status(200);
    page.assert_contains("value=\"continue\">Create and continue");
    let page = alice.get(FORM);
    let fields = [
        ("issue[tracker_id]", "2"),
        ("issue[subject]", "The first"),
        ("issue[description]", "Only of the first"),
        ("issue[priority_id]", "3"),
        ("issue[parent_issue_id]", &parent),
        ("issue[start_date]", "2026-12-24"),
        ("do", "continue"),
    ];
    let created = alice
        .submit_files(&page, FORM, &fields, &[("a.txt", b"a")])
        .assert_status(303);
    assert_eq!(
        created.location(),
        format!(
            "{FORM}?issue%5Btracker_id%5D=2&issue%5Bpriority_id%5D=3&issue%5Bparent_issue_id%5D={parent}"
        )
    );
    let next = alice.get(created.location()).assert_status(200);
    assert!(!next.body.contains("The first") && !next.body.contains("a.txt"));
    next.assert_contains("was created.")
        .assert_contains(&format!("value=\"{parent}\""));

    // In the form for all projects, the project is kept too.
    let page = alice.get("/issues/new");
    let id = world.app.store.catalogue().unwrap().identifiers["secret"];
    let fields = [
        ("issue[project_id]", id.to_string()),
        ("issue[tracker_id]", "1".to_owned()),
        ("issue[subject]", "x".to_owned()),
        ("do", "continue".to_owned()),
    ];
    let fields: Vec<_> = fields.iter().map(|(a, b)| (*a, b.as_str())).collect();
    let created = alice.submit(&page, "/issues/new", &fields);
    assert_eq!(
        created.assert_status(303).location(),
        format!("/issues/new?issue%5Bproject_id%5D={id}&issue%5Btracker_id%5D=1")
    );
}

#[test]
fn addresses_fill_in_custom_fields_by_their_short_names() {
    let world = World::with_projects();
    world.sql(
        "INSERT INTO custom_fields (id, type, name, field_format, is_for_all, position, is_required)
         VALUES (3, 'IssueCustomField', 'Serial', 'string', 1, 1, 0);
         INSERT INTO custom_fields_trackers (custom_field_id, tracker_id) VALUES (3, 1)",
    );
    let alice = Browser::logged_in(&world, "alice");
    for query in [
        "issue[cf_3]=P-100",
        "issue[custom_field_values][3]=P-100",
        "issue[subject]=A&issue[cf_3]=P-100&issue[cf_x]=1&issue[cf_99]=2",
    ] {
        alice
            .get(&format!("{FORM}?{query}"))
            .assert_status(200)
            .assert_contains("value=\"P-100\"");
    }
    for query in ["issue[cf_3][][]=x", "issue[cf_3][a]=x", "issue=cf_3"] {
        alice.get(&format!("{FORM}?{query}")).assert_status(200);
    }
}

#[test]
fn similar_issues_are_shown_without_script_and_only_visible_ones() {
    let world = World::with_projects();
    let here = world
        .issue("open")
        .subject("Pump leaks oil at the stern gland")
        .create();
    let hidden = world
        .issue("secret")
        .subject("Pump leaks oil at the bow thruster")
        .create();
    // Waits for the index.
    assert_eq!(world.count_hits("alice", "pump"), 2);
    let send = |login: &str, subject: &str| {
        let browser = Browser::logged_in(&world, login);
        let page = browser.get(FORM).assert_status(200);
        let fields = [("issue[subject]", subject), ("do", "similar")];
        browser.submit(&page, FORM, &fields).assert_status(200)
    };
    let words = "The pump leaks oil at the gland";
    let of_alice = send("alice", words);
    for id in [here, hidden] {
        assert!(
            of_alice.body.contains(&format!("href=\"/issues/{id}\"")),
            "{of_alice:?}"
        );
    }
    let of_carol = send("carol", words);
    assert!(of_carol.body.contains(&format!("href=\"/issues/{here}\"")));
    assert!(!of_carol.body.contains("thruster"), "{of_carol:?}");
    of_carol.assert_contains(&format!("value=\"{words}\""));
    send("carol", "").assert_contains("No similar issues.");
    send("carol", &"x".repeat(100_000)).assert_contains("No similar issues.");
    send("carol", "\"( AND OR project: * \u{202e}").assert_contains("id=\"similar\"");
    // Nothing was created.
    assert_eq!(
        world
            .as_user("alice")
            .total_count("/issues.json?status_id=*"),
        2
    );
}

#[test]
fn refused_form_says_so_in_its_title_and_links_to_the_fields() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get(FORM);
    page.assert_contains("<title>New issue – open – ");
    let page = alice.get(FORM);
    assert!(!page.body.contains("id=\"errors\""), "{page:?}");
    let fields = [("issue[subject]", ""), ("issue[due_date]", "never")];
    let refused = alice.submit(&page, FORM, &fields).assert_status(422);
    refused.assert_contains("<title>Error: New issue – open – ");
    let refused = alice.submit(&page, FORM, &fields);
    for expected in [
        "id=\"errors\" role=\"alert\" tabindex=\"-1\" autofocus",
        "<a href=\"#issue[subject]\">Subject cannot be blank",
        "<a href=\"#issue[due_date]\">Due date is not a valid date",
    ] {
        assert!(refused.body.contains(expected), "{expected}: {refused:?}");
    }
}

#[test]
fn body_knows_the_form_for_a_new_issue_and_the_user() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    alice
        .get("/")
        .assert_contains("data-new-issue=\"/issues/new\"");
    alice
        .get("/projects/open")
        .assert_contains(&format!("data-new-issue=\"{FORM}\""));
    alice.get("/").assert_contains("<body data-user=\"2\"");
    world.sql("DELETE FROM role_permissions WHERE name = 'add_issues'");
    let page = alice.get("/projects/open");
    assert!(!page.body.contains("data-new-issue"), "{page:?}");
    world.set(
        quarry::domain::administration::setting::Setting::LoginRequired,
        "0",
    );
    let page = Browser::new(&world).get("/projects/open");
    assert!(page.body.contains("<body>"), "{page:?}");
}
