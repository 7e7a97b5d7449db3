//! Pages of a wiki that do not exist, and the form that creates them.

mod change;
mod conflict;
mod edit;
mod export;
mod history;
mod index;

use quarry_world::browser::Browser;
use quarry_world::{Response, World};
use serde_json::{Value, json};

fn world() -> World {
    let world = World::with_projects();
    write(&world, "open/wiki/Installation_guide", "How to install");
    write(&world, "secret/wiki/Installation_of_kryptonite", "Hidden");
    world
}

/// Creates a page.
fn write(world: &World, path: &str, text: &str) {
    save(world, path, json!({"text": text})).assert_status(201);
}

/// Creates or updates a page.
fn save(world: &World, path: &str, page: Value) -> Response {
    world.as_user("alice").put(
        &format!("/projects/{path}.json"),
        json!({"wiki_page": page}),
    )
}

/// Returns a page as an administrator gets it.
fn stored(world: &World, path: &str) -> Value {
    let page = world
        .as_user("admin")
        .get(&format!(
            "/projects/{path}.json?include=attachments,protected"
        ))
        .assert_status(200);
    page.json()["wiki_page"].clone()
}

/// Returns the text of a page.
fn text(world: &World, path: &str) -> String {
    stored(world, path)["text"].as_str().unwrap().to_owned()
}

/// Sends the form of a page with a text and other fields, as a browser does: with the hidden fields
/// of the form.
fn send(browser: &Browser<'_>, form: &Response, path: &str, fields: &[(&str, &str)]) -> Response {
    let hidden: Vec<(&str, String)> = [
        "wiki_page[version]",
        "section",
        "section_hash",
        "former_parent",
    ]
    .into_iter()
    .filter_map(|name| Some((name, quarry_world::browser::field(form, name)?)))
    .collect();
    let mut all: Vec<(&str, &str)> = hidden
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    all.extend_from_slice(fields);
    browser.submit(form, path, &all)
}

#[test]
fn missing_page_leads_to_creating_it_and_to_similar_titles() {
    let world = world();
    let page = Browser::logged_in(&world, "alice")
        .get(
            "/projects/open/wiki/instalation guide"
                .replace(' ', "%20")
                .as_str(),
        )
        .assert_status(404);
    let page = page.assert_contains("This page does not exist.");
    let page = page.assert_contains(
        r#"<a class="btn primary" href="/projects/open/wiki/Instalation_guide/edit">Create it</a>"#,
    );
    let page = page.assert_contains(
        r#"<a href="/projects/open/wiki/Installation_guide">Installation guide</a>"#,
    );
    assert!(!page.body.contains("kryptonite"), "{page:?}");
    // Viewers who may not write see the same page without the button.
    world.sql("DELETE FROM role_permissions WHERE name = 'edit_wiki_pages' AND role_id = (SELECT id FROM roles WHERE name = 'Reporter')");
    let page = Browser::logged_in(&world, "carol")
        .get("/projects/open/wiki/Instalation_guide")
        .assert_status(404);
    let page = page.assert_contains("Similar titles");
    assert!(!page.body.contains("/edit\""), "{page:?}");
}

#[test]
fn missing_start_page_leads_to_creating_it() {
    let world = World::with_projects();
    for path in ["/projects/open/wiki", "/projects/open/wiki/Wiki"] {
        let page = Browser::logged_in(&world, "alice")
            .get(path)
            .assert_status(404);
        page.assert_contains(r#"href="/projects/open/wiki/Wiki/edit""#);
    }
    Browser::logged_in(&world, "alice")
        .get("/projects/open/wiki")
        .assert_status(404)
        .assert_contains("This wiki has no start page yet.");
}

#[test]
fn hidden_wikis_look_like_missing_projects() {
    let world = world();
    for login in ["bob", "carol"] {
        let browser = Browser::logged_in(&world, login);
        for path in [
            "wiki",
            "wiki/Nothing",
            "wiki/Installation_of_kryptonite",
            "wiki/Nothing/edit",
        ] {
            let hidden = browser
                .get(&format!("/projects/secret/{path}"))
                .assert_status(404)
                .without_tokens();
            let missing = browser
                .get(&format!("/projects/nowhere/{path}"))
                .assert_status(404)
                .without_tokens();
            assert_eq!(
                hidden.replace("secret", "NAME"),
                missing.replace("nowhere", "NAME"),
                "{path} for {login}"
            );
        }
    }
    // A page that does not exist, or a version of one, is an ordinary 404.
    let page = Browser::logged_in(&world, "alice")
        .get("/projects/open/wiki/Nothing/7")
        .assert_status(404);
    assert!(!page.body.contains("/edit\""), "{page:?}");
    Browser::logged_in(&world, "alice")
        .get("/projects/open/wiki/Nothing/history")
        .assert_status(404);
}

#[test]
fn page_is_created_under_the_title_of_the_address() {
    let world = world();
    let browser = Browser::logged_in(&world, "alice");
    let form = browser
        .get("/projects/open/wiki/New_page/edit")
        .assert_status(200);
    let fields = [
        ("wiki_page[text]", "First text"),
        ("wiki_page[comments]", "Begun"),
        ("wiki_page[title]", "Other"),
        ("wiki_page[is_start_page]", "1"),
    ];
    let saved = browser
        .submit(&form, "/projects/open/wiki/New_page/edit", &fields)
        .assert_status(303);
    assert_eq!(saved.location(), "/projects/open/wiki/New_page");
    browser
        .get(saved.location())
        .assert_status(200)
        .assert_contains("First text");
    let stored = world
        .as_user("alice")
        .get("/projects/open/wiki/New_page.json")
        .assert_status(200)
        .json();
    assert_eq!(
        (
            &stored["wiki_page"]["version"],
            &stored["wiki_page"]["comments"]
        ),
        (&json!(1), &json!("Begun"))
    );
    world
        .as_user("alice")
        .get("/projects/open/wiki/Other.json")
        .assert_status(404);
}

#[test]
fn form_keeps_the_input_and_does_not_overwrite_an_existing_page() {
    let world = world();
    let browser = Browser::logged_in(&world, "alice");
    let form = browser
        .get("/projects/open/wiki/New_page/edit")
        .assert_status(200);
    let send = |text: &str, comment: &str| {
        browser.submit(
            &form,
            "/projects/open/wiki/New_page/edit",
            &[("wiki_page[text]", text), ("wiki_page[comments]", comment)],
        )
    };
    send(" ", "Why")
        .assert_status(422)
        .assert_contains("cannot be blank")
        .assert_contains("value=\"Why\"");
    send("Text", &"x".repeat(1025))
        .assert_status(422)
        .assert_contains("Comment is too long");
    write(&world, "open/wiki/New_page", "Of somebody else");
    send("My <b> text", "")
        .assert_status(409)
        .assert_contains("My &#60;b&#62; text")
        .assert_contains("created this page meanwhile")
        .assert_contains("Of somebody else");
    browser
        .get("/projects/open/wiki/New_page")
        .assert_status(200)
        .assert_contains("Of somebody else");
}

#[test]
fn creating_needs_the_token_and_the_permission() {
    let world = world();
    let fields = [("wiki_page[text]", "Text")];
    let alice = Browser::logged_in(&world, "alice");
    let form = alice
        .get("/projects/open/wiki/New_page/edit")
        .assert_status(200);
    alice
        .post("/projects/open/wiki/New_page/edit", &fields)
        .assert_status(403);
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/projects/open").assert_status(200);
    bob.submit(&page, "/projects/secret/wiki/New_page/edit", &fields)
        .assert_status(404);
    // The permission is taken away while the form is open.
    world.sql("DELETE FROM role_permissions WHERE name = 'edit_wiki_pages'");
    alice
        .get("/projects/open/wiki/New_page/edit")
        .assert_status(403);
    alice
        .submit(&form, "/projects/open/wiki/New_page/edit", &fields)
        .assert_status(403);
    world
        .as_user("admin")
        .get("/projects/open/wiki/New_page.json")
        .assert_status(404);
}

#[test]
fn titles_of_which_nothing_is_seen_have_no_form() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/my/account");
    for title in ["_", "%20", ".", "%7C%2C%3B%3A"] {
        let path = format!("/projects/open/wiki/{title}/edit");
        let _ = alice.get(&path).assert_status(404);
        let _ = alice
            .submit(&page, &path, &[("wiki_page[text]", "text")])
            .assert_status(404);
    }
}
