//! Saved replies of users and projects.

use quarry::domain::ids::{ProjectId, UserId};
use quarry::domain::issues::saved_reply::ReplyOwner;
use quarry::store::issues::saved_replies;
use quarry_world::browser::{Browser, form_field};
use quarry_world::{World, user};
use serde_json::json;

const NAME: &str = "saved_reply[name]";
const CONTENT: &str = "saved_reply[content]";

/// Saves a reply with the form at this address.
fn save(browser: &Browser<'_>, path: &str, name: &str, content: &str) -> u16 {
    let page = browser.get(path).assert_status(200);
    let fields = [(NAME, name), (CONTENT, content)];
    browser.submit(&page, path, &fields).status
}

/// Returns the id of the reply with this name.
fn id_of(world: &World, name: &str) -> i64 {
    let users = (1..=9).map(|id| ReplyOwner::User(UserId(id)));
    let projects = (1..=2).map(|id| ReplyOwner::Project(ProjectId(id)));
    let mut replies = users.chain(projects).flat_map(|owner| {
        world
            .app
            .read(|db| saved_replies::list_names(db, owner))
            .unwrap()
    });
    let (id, _) = replies.find(|reply| reply.1 == name).unwrap();
    id.0
}

#[test]
fn own_replies_are_created_changed_and_deleted() {
    let world = World::with_projects();
    let bob = Browser::logged_in(&world, "bob");
    bob.get("/my/replies")
        .assert_status(200)
        .assert_contains("You have no saved reply yet.");
    assert_eq!(
        save(&bob, "/my/replies/new", "Thanks", "Thank you, <all>"),
        303
    );
    let list = bob.get("/my/replies").assert_status(200);
    let id = id_of(&world, "Thanks");
    let edit = format!("/my/replies/{id}/edit");
    list.assert_contains("Thank you, &#60;all&#62;")
        .assert_contains(&format!("href=\"{edit}\""));
    assert_eq!(save(&bob, &edit, "Thanks a lot", "Thank you"), 303);
    bob.get("/my/replies").assert_contains("Thanks a lot");
    let delete = format!("/my/replies/{id}/delete");
    let page = bob.get(&delete).assert_status(200);
    bob.submit(&page, &delete, &[]).assert_status(303);
    bob.get("/my/replies").assert_contains("no saved reply");
}

#[test]
fn errors_stand_beside_the_fields_and_in_a_summary() {
    let world = World::with_projects();
    let bob = Browser::logged_in(&world, "bob");
    assert_eq!(save(&bob, "/my/replies/new", "Taken", "text"), 303);
    let page = bob.get("/my/replies/new");
    let long = "x".repeat(20_001);
    for (name, content, expected) in [
        ("", "kept text", "Name cannot be blank"),
        ("A", " ", "Text cannot be blank"),
        ("Taken", "kept text", "Name has already been taken"),
        (&"n".repeat(101), "kept text", "Name is too long"),
        ("B", &long, "Text is too long"),
    ] {
        let fields = [(NAME, name), (CONTENT, content)];
        let refused = bob
            .submit(&page, "/my/replies/new", &fields)
            .assert_status(422);
        assert!(
            refused.body.contains("<title>Error: New saved reply"),
            "{refused:?}"
        );
        let id = if expected.starts_with("Name") {
            NAME
        } else {
            CONTENT
        };
        refused
            .assert_contains(&format!("<a href=\"#{id}\">{expected}"))
            .assert_contains(content.trim());
    }
}

#[test]
fn number_of_replies_is_bounded() {
    let world = World::with_projects();
    world.sql(&format!(
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100)
         INSERT INTO saved_replies (user_id, name, content) SELECT {}, 'n' || x, 'text' FROM n",
        user("bob").0
    ));
    let bob = Browser::logged_in(&world, "bob");
    assert_eq!(save(&bob, "/my/replies/new", "One more", "text"), 422);
    let alice = Browser::logged_in(&world, "alice");
    assert_eq!(save(&alice, "/my/replies/new", "One more", "text"), 303);
}

#[test]
fn replies_of_others_look_missing_and_cannot_be_changed_or_inserted() {
    let world = World::with_projects();
    let issue = world.issue("open").create();
    let alice = Browser::logged_in(&world, "alice");
    assert_eq!(
        save(&alice, "/my/replies/new", "Private", "secret words"),
        303
    );
    assert_eq!(
        save(
            &alice,
            "/projects/secret/replies/new",
            "Hidden",
            "hidden words"
        ),
        303
    );
    let own = id_of(&world, "Private");
    let hidden = id_of(&world, "Hidden");
    for login in ["bob", "admin"] {
        let browser = Browser::logged_in(&world, login);
        let token = browser.get("/my/replies/new");
        for path in [
            format!("/my/replies/{own}/edit"),
            format!("/my/replies/{own}/delete"),
            format!("/replies/{own}/edit"),
            // A reply of a project is none of a user.
            format!("/my/replies/{hidden}/edit"),
        ] {
            browser.get(&path).assert_status(404);
            let fields = [(NAME, "taken over"), (CONTENT, "by others")];
            browser.submit(&token, &path, &fields).assert_status(404);
        }
    }
    let bob = Browser::logged_in(&world, "bob");
    bob.get(&format!("/replies/{hidden}/edit"))
        .assert_status(404);
    let path = format!("/issues/{issue}");
    let page = bob.get(&path).assert_status(200);
    assert!(!page.body.contains("name=\"reply_id\""), "{page:?}");
    for id in [own.to_string(), hidden.to_string(), "x".to_owned()] {
        let fields = [
            ("do", "reply"),
            ("reply_id", id.as_str()),
            ("issue[notes]", "mine"),
        ];
        let shown = bob.submit(&page, &path, &fields).assert_status(200);
        assert!(!shown.body.contains("words"), "{id}: {shown:?}");
        shown.assert_contains("mine</textarea>");
    }
    assert_eq!(id_of(&world, "Private"), own);
}

#[test]
fn replies_of_a_project_are_managed_by_those_who_may_edit_it() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let settings = "/projects/open/settings/replies";
    alice
        .get(settings)
        .assert_status(200)
        .assert_contains("The project has no saved reply yet.");
    let new = "/projects/open/replies/new";
    assert_eq!(save(&alice, new, "Steps", "Which steps?"), 303);
    alice.get(settings).assert_contains("Which steps?");
    let bob = Browser::logged_in(&world, "bob");
    let token = bob.get("/my/replies/new");
    bob.get(settings).assert_status(403);
    let fields = [(NAME, "A"), (CONTENT, "b")];
    bob.submit(&token, new, &fields).assert_status(403);
    let edit = format!("/replies/{}/edit", id_of(&world, "Steps"));
    bob.get(&edit).assert_status(403);
    bob.submit(&token, &edit, &fields).assert_status(403);
    Browser::new(&world).get(&edit).assert_status(302);
}

#[test]
fn reply_is_inserted_below_what_was_typed_without_script() {
    let world = World::with_projects();
    let issue = world.issue("open").create();
    let alice = Browser::logged_in(&world, "alice");
    assert_eq!(
        save(
            &alice,
            "/projects/open/replies/new",
            "Steps",
            "Which steps?"
        ),
        303
    );
    let bob = Browser::logged_in(&world, "bob");
    assert_eq!(save(&bob, "/my/replies/new", "Own", "Own text"), 303);
    let path = format!("/issues/{issue}");
    let page = bob.get(&path).assert_status(200);
    for name in ["Own", "Steps"] {
        assert!(
            page.body.contains(&format!("\">{name}</option>")),
            "{page:?}"
        );
    }
    let action = format!("{path}#update");
    let lock_version = form_field(&page, &action, "issue[lock_version]").unwrap();
    let reply = id_of(&world, "Steps").to_string();
    let fields = [
        ("issue[lock_version]", lock_version.as_str()),
        ("issue[notes]", "Hello\n"),
        ("issue[status_id]", "2"),
        ("do", "reply"),
        ("reply_id", &reply),
    ];
    let shown = bob.submit(&page, &path, &fields).assert_status(200);
    assert!(
        shown.body.contains("Hello\n\nWhich steps?</textarea>"),
        "{shown:?}"
    );
    // Nothing is saved yet.
    let stored = world.show_issue("bob", issue, "journals");
    assert_eq!(stored["journals"], json!([]));
    assert_eq!(stored["status"]["id"], 1);
}
