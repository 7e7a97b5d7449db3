//! The buttons with reactions to issues, notes, news, comments and messages.

use quarry::domain::administration::setting::Setting;
use quarry_world::browser::Browser;
use quarry_world::reactions::world_with_records;
use quarry_world::user;
use serde_json::json;

/// The buttons: page, address of the record, name of the element that one comes back to, and what
/// the button names.
const BUTTONS: [(&str, &str, &str, &str); 6] = [
    ("/issues/1", "/issues/1", "description", "this issue"),
    ("/issues/1", "/journals/1", "note-1", "note 1"),
    ("/news/1", "/news/1", "text", "this news item"),
    ("/news/1", "/news/1/comments/1", "comment-1", "comment 1"),
    (
        "/boards/1/topics/1",
        "/messages/1",
        "message-1",
        "this message",
    ),
    (
        "/boards/1/topics/1",
        "/messages/2",
        "message-2",
        "this message",
    ),
];

/// Returns the thumb up of the record at this address, if the page has a button for it: that with the
/// number, or without any reactions that of the menu.
fn button(page: &str, path: &str) -> Option<String> {
    let form = format!("formaction=\"{path}/reactions?");
    let mut buttons = page.split(&form).skip(1);
    let button = buttons.find(|button| button.contains("content=thumbs_up"))?;
    Some(button.split("</button>").next().unwrap().to_owned())
}

#[test]
fn buttons_add_and_remove_reactions_and_lead_back_to_the_record() {
    let world = world_with_records("open");
    let bob = Browser::logged_in(&world, "bob");
    let carol = Browser::logged_in(&world, "carol");
    for (page, path, anchor, name) in BUTTONS {
        let before = carol
            .get(page)
            .assert_status(200)
            .assert_contains(&format!("id=\"{anchor}\""));
        let unpressed =
            button(&before.body, path).unwrap_or_else(|| panic!("{path}: {}", before.body));
        assert!(
            unpressed.contains("aria-pressed=\"false\" aria-label=\"Thumbs up\""),
            "{unpressed}"
        );
        assert!(
            before
                .body
                .contains(&format!("aria-label=\"React to {name}\"")),
            "{}",
            before.body
        );
        let react = |browser: &Browser<'_>, change: &str| {
            let page_body = browser.get(page).assert_status(200);
            let action = format!("{path}/reactions?anchor={anchor}&content=thumbs_up");
            browser
                .submit(&page_body, &action, &[("do", change), ("back_url", page)])
                .assert_status(303)
        };
        assert_eq!(react(&carol, "add").location(), format!("{page}#{anchor}"));
        react(&carol, "add");
        let pressed = button(&carol.get(page).body, path).unwrap();
        assert!(
            pressed.contains("value=\"remove\" aria-pressed=\"true\"")
                && pressed.contains(&format!("{name}: 1\"")),
            "{pressed}"
        );
        react(&bob, "add");
        let both = button(&carol.get(page).body, path).unwrap();
        assert!(
            both.contains(&format!("{name}: 2\" title=\""))
                && both.contains("carol")
                && both.contains("bob"),
            "{both}"
        );
        react(&carol, "remove");
        assert!(
            button(&carol.get(page).body, path)
                .unwrap()
                .contains(&format!("{name}: 1\""))
        );
    }
}

#[test]
fn reactions_that_say_the_same_are_counted_together() {
    let world = world_with_records("open");
    let react = |login: &str, content: &str| {
        let body = json!({"reaction": {"content": content}});
        world
            .as_user(login)
            .post("/issues/1/reactions.json", body)
            .assert_status(204);
    };
    react("bob", "heart");
    react("carol", "heart");
    react("carol", "eyes");
    let carol = Browser::logged_in(&world, "carol");
    let page = carol.get("/issues/1").assert_status(200).body;
    let labels = [
        "aria-label=\"Heart for this issue: 2\"",
        "aria-label=\"Eyes for this issue: 1\"",
    ];
    let places = labels.map(|label| {
        page.find(label)
            .unwrap_or_else(|| panic!("{label}: {page}"))
    });
    assert!(places.is_sorted(), "{page}");
    assert!(!page.contains("Thumbs up for this issue"), "{page}");
    let page = carol.get("/issues/1");
    let remove = "/issues/1/reactions?anchor=description&content=heart";
    carol
        .submit(
            &page,
            remove,
            &[("do", "remove"), ("back_url", "/issues/1")],
        )
        .assert_status(303);
    let page = carol.get("/issues/1").assert_status(200).body;
    assert!(page.contains("Heart for this issue: 1") && page.contains("Eyes for this issue: 1"));
    carol
        .submit(
            &carol.get("/issues/1"),
            "/issues/1/reactions?content=dance",
            &[("do", "add")],
        )
        .assert_status(422)
        .assert_contains("thumbs_up, thumbs_down, laugh");
}

#[test]
fn anonymous_sees_the_number_of_reactions_without_a_button() {
    let world = world_with_records("open");
    world.set(Setting::LoginRequired, "0");
    let browser = Browser::new(&world);
    assert!(
        !browser
            .get("/issues/1")
            .assert_status(200)
            .body
            .contains("class=\"reaction-bar")
    );
    for (_, path, ..) in BUTTONS {
        world
            .as_user("bob")
            .post(&format!("{path}/reactions.json"), json!({}))
            .assert_status(204);
    }
    for (page, path, ..) in BUTTONS {
        let body = browser.get(page).assert_status(200).body;
        assert!(
            body.contains("<span class=\"reaction\" title=") && button(&body, path).is_none(),
            "{page}: {body}"
        );
    }
}

#[test]
fn reactions_that_are_disabled_or_in_closed_projects_have_no_buttons() {
    let world = world_with_records("open");
    let carol = Browser::logged_in(&world, "carol");
    world
        .as_user("bob")
        .post("/issues/1/reactions.json", json!({}))
        .assert_status(204);
    world
        .as_user("alice")
        .put("/projects/open/close.json", json!({}))
        .assert_status(204);
    let body = carol.get("/issues/1").assert_status(200).body;
    assert!(
        button(&body, "/issues/1").is_none() && body.contains("<span class=\"reaction\""),
        "{body}"
    );
    world
        .as_user("alice")
        .put("/projects/open/reopen.json", json!({}))
        .assert_status(204);
    world.set(Setting::ReactionsEnabled, "0");
    assert!(
        !carol
            .get("/issues/1")
            .assert_status(200)
            .body
            .contains("class=\"reaction-bar\"")
    );
}

#[test]
fn reacting_on_pages_reveals_no_hidden_record_and_leads_to_no_other_host() {
    let world = world_with_records("open");
    let secret = world.issue("secret").create();
    let carol = Browser::logged_in(&world, "carol");
    let page = carol.get("/issues/1");
    for path in [
        format!("/issues/{secret}"),
        "/issues/999".to_owned(),
        "/journals/999".to_owned(),
        "/messages/999".to_owned(),
    ] {
        carol
            .submit(&page, &format!("{path}/reactions"), &[("do", "add")])
            .assert_status(404);
    }
    let back = |url: &str, anchor: &str| {
        let path = format!("/issues/1/reactions?anchor={anchor}");
        carol
            .submit(&page, &path, &[("do", "add"), ("back_url", url)])
            .assert_status(303)
            .location()
            .to_owned()
    };
    assert_eq!(back("//evil.test/", "x"), "/#x");
    assert_eq!(back("/issues/1#else", "%0Aevil"), "/issues/1");
    carol
        .submit(&page, "/issues/1/reactions", &[("do", "dance")])
        .assert_status(400);
    carol
        .post("/issues/1/reactions", &[("do", "add")])
        .assert_status(403);
    let reactions = world
        .as_user("alice")
        .get("/issues/1/reactions.json")
        .assert_status(200)
        .array("/reactions");
    assert_eq!(
        reactions
            .iter()
            .map(|reaction| reaction["user"]["id"].clone())
            .collect::<Vec<_>>(),
        [user("carol").0]
    );
}
