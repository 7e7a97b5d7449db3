//! The page with what concerns the viewer.

use quarry::domain::accounts::preferences::Preferences;
use quarry::store::accounts::users;
use quarry_world::browser::Browser;
use quarry_world::complete_world::reindex;
use quarry_world::{DEVELOPER, MANAGER, REPORTER, Response, World, user};
use scraper::{Html, Selector};

#[test]
fn my_page_lists_own_open_issues_with_links_to_all_of_them() {
    let world = World::new();
    world
        .project("open")
        .member("alice", DEVELOPER)
        .member("bob", DEVELOPER)
        .create();
    let bob = user("bob").0;
    for n in 0..12 {
        world
            .issue("open")
            .subject(&format!("task {n}"))
            .field("assigned_to_id", bob)
            .create();
    }
    world
        .issue("open")
        .subject("late")
        .field("assigned_to_id", bob)
        .field("start_date", "2026-11-01")
        .field("due_date", "2026-11-02")
        .create();
    world
        .issue("open")
        .subject("later")
        .field("assigned_to_id", bob)
        .field("due_date", "2027-06-01")
        .create();
    let closed = world
        .issue("open")
        .subject("finished")
        .field("assigned_to_id", bob)
        .create();
    world
        .as_user("alice")
        .put(
            &format!("/issues/{closed}.json"),
            serde_json::json!({"issue": {"status_id": 5}}),
        )
        .assert_status(200);
    let page = Browser::logged_in(&world, "bob")
        .get("/my/page")
        .assert_status(200);
    let assigned = page
        .body
        .split_once("Assigned to me")
        .unwrap()
        .1
        .split("</section>")
        .next()
        .unwrap();
    assert_eq!(
        assigned.matches("class=\"subject\"").count(),
        10,
        "{assigned}"
    );
    assert!(
        assigned.contains("/issues?assigned_to_id=me&#38;sort=priority%3Adesc%2Cupdated_on%3Adesc"),
        "{assigned}"
    );
    let overdue = page
        .body
        .split_once("Overdue")
        .unwrap()
        .1
        .split("</section>")
        .next()
        .unwrap();
    assert!(
        overdue.contains("late")
            && overdue.contains("overdue since </span>2 Nov 2026")
            && !overdue.contains("later"),
        "{overdue}"
    );
    assert!(
        !page.body.contains("finished")
            && !page.body.contains("Due within a week")
            && page.body.contains("No open issue was reported by you."),
        "{page:?}"
    );
    let path = assigned
        .split("<a class=\"small\" href=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .replace("&#38;", "&");
    let all = Browser::logged_in(&world, "bob")
        .get(&path)
        .assert_status(200);
    assert!(
        all.body.contains("task 0") && !all.body.contains("finished"),
        "{all:?}"
    );
}

fn remove_carol_from_secret(world: &World) {
    world.write(|db| {
        let project = db
            .catalogue()
            .projects
            .values()
            .find(|project| project.identifier == "secret")
            .unwrap()
            .id;
        quarry::store::accounts::memberships::delete_roles(db, project, user("carol").into())
    });
}

#[test]
fn my_page_shows_nothing_that_became_hidden() {
    let world = World::new();
    world
        .project("secret")
        .private()
        .member("alice", DEVELOPER)
        .member("carol", REPORTER)
        .create();
    let issue = world.issue("secret").subject("whispered").create();
    let watcher = serde_json::json!({"user_id": user("carol").0});
    world
        .as_user("admin")
        .post(&format!("/issues/{issue}/watchers.json"), watcher)
        .assert_status(204);
    let browser = Browser::logged_in(&world, "carol");
    assert!(
        browser
            .get("/my/page")
            .assert_status(200)
            .body
            .contains("whispered")
    );
    remove_carol_from_secret(&world);
    let page = browser.get("/my/page").assert_status(200);
    assert!(
        !page.body.contains("whispered") && !page.body.contains("secret"),
        "{page:?}"
    );
}

#[test]
fn watch_buttons_lead_to_links_on_my_page_as_long_as_the_records_are_visible() {
    let world = World::new();
    world
        .project("secret")
        .private()
        .member("alice", MANAGER)
        .member("carol", REPORTER)
        .create();
    let alice = world.as_user("alice");
    alice
        .post(
            "/projects/secret/news.json",
            serde_json::json!({"news": {"title": "Release", "description": "is out"}}),
        )
        .assert_status(201);
    alice
        .post(
            "/projects/secret/boards.json",
            serde_json::json!({"board": {"name": "General", "description": "all else"}}),
        )
        .assert_status(201);
    alice
        .post(
            "/boards/1/topics.json",
            serde_json::json!({"message": {"subject": "Hello", "content": "there"}}),
        )
        .assert_status(201);
    alice
        .put(
            "/projects/secret/wiki/Start_here.json",
            serde_json::json!({"wiki_page": {"text": "Welcome"}}),
        )
        .assert_status(201);
    let browser = Browser::logged_in(&world, "carol");
    let paths = [
        ("/news/1", "News"),
        ("/projects/secret/news", "News of project"),
        ("/boards/1", "Forum"),
        ("/boards/1/topics/1", "Topic"),
        ("/projects/secret/wiki/Start_here", "Wiki page"),
        ("/projects/secret/wiki/index", "Wiki"),
    ];
    assert!(!browser.get("/my/page").body.contains("Also watched"));
    for (path, label) in paths {
        let page = browser.get(path).assert_status(200);
        assert!(
            page.body.contains("aria-pressed=\"false\"") && page.body.contains("> Watch<"),
            "{path}: {}",
            page.body
        );
        let watched = browser
            .submit(&page, &format!("{path}/watch"), &[("do", "watch")])
            .assert_status(303);
        assert!(
            watched.location().ends_with(path),
            "{path}: {}",
            watched.location()
        );
        let page = browser.get(path).assert_status(200);
        assert!(
            page.body.contains("You watch ") && page.body.contains("> Unwatch<"),
            "{path}: {}",
            page.body
        );
        let links = browser
            .get("/my/page")
            .assert_status(200)
            .body
            .split_once("Also watched")
            .unwrap()
            .1
            .to_owned();
        let link = links
            .split("<li>")
            .find(|link| link.contains(&format!("href=\"{path}\"")))
            .unwrap_or_else(|| panic!("{path}: {links}"));
        assert!(link.contains(&format!(">{label}<")), "{path}: {link}");
    }
    let page = browser.get("/boards/1").assert_status(200);
    browser
        .submit(&page, "/boards/1/watch", &[("do", "unwatch")])
        .assert_status(303);
    browser
        .submit(&page, "/boards/1/watch", &[("do", "stare")])
        .assert_status(400);
    assert!(!browser.get("/my/page").body.contains("href=\"/boards/1\""));
    let public = Browser::new(&world);
    assert!(!public.get("/projects").body.contains("/watch\""));
    remove_carol_from_secret(&world);
    assert!(
        !browser
            .get("/my/page")
            .assert_status(200)
            .body
            .contains("Also watched")
    );
    for (path, _) in paths {
        browser
            .submit(&page, &format!("{path}/watch"), &[("do", "watch")])
            .assert_status(404);
    }
}

#[test]
fn issues_that_were_looked_at_last_come_first_and_only_visible_ones() {
    let world = World::with_projects();
    let ids: Vec<i64> = (0..12).map(|_| world.issue("open").create()).collect();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/my/page").assert_status(200);
    assert!(!page.body.contains("Recently viewed"));
    for id in ids.iter().chain([&ids[0]]) {
        bob.get(&format!("/issues/{id}")).assert_status(200);
    }
    let recent = |browser: &Browser<'_>| -> Vec<i64> {
        let body = browser.get("/my/page").assert_status(200).body;
        let Some((_, rest)) = body.split_once("Recently viewed") else {
            return Vec::new();
        };
        let (section, _) = rest.split_once("</section>").unwrap();
        let links = section.split("class=\"number\"><a href=\"/issues/").skip(1);
        links
            .map(|link| link.split_once('"').unwrap().0.parse().unwrap())
            .collect()
    };
    let mut expected = vec![ids[0]];
    expected.extend(ids.iter().skip(3).rev());
    assert_eq!(recent(&bob), expected);
    // An issue that is hidden by now, and ids in a cookie of somebody else.
    world.sql(&format!(
        "UPDATE issues SET project_id = (SELECT id FROM projects WHERE identifier = 'secret') WHERE id = {}",
        ids[0]
    ));
    reindex(&world);
    assert_eq!(recent(&bob), expected[1..]);
    let cookie = bob.cookie("recent").unwrap();
    let alice = Browser::logged_in(&world, "alice");
    alice.set_cookie("recent", &cookie);
    assert_eq!(recent(&alice), [0i64; 0]);
    bob.set_cookie("recent", &format!("3.{0}.{1}.{0}", ids[2], ids[1]));
    assert_eq!(recent(&bob), [ids[2], ids[1]]);
    for hostile in ["", "3", "3.x..9999999999999999999999.-1", "3.1.1.1"] {
        bob.set_cookie("recent", hostile);
        bob.get("/my/page").assert_status(200);
    }
}

#[test]
fn issue_due_in_seven_days_is_due_within_a_week_and_in_eight_is_not() {
    let world = World::with_projects();
    for (subject, due) in [("in seven", "2026-11-27"), ("in eight", "2026-11-28")] {
        world
            .issue("open")
            .subject(subject)
            .field("assigned_to_id", 3)
            .field("due_date", due)
            .create();
    }
    let page = Browser::logged_in(&world, "bob").get("/my/page").body;
    let (_, rest) = page.split_once("Due within a week").unwrap();
    let (section, _) = rest.split_once("</section>").unwrap();
    assert!(section.contains("in seven") && !section.contains("in eight"));
}

/// Returns the titles of the blocks in their order.
fn blocks(browser: &Browser<'_>) -> Vec<String> {
    let page = browser.get("/my/page").assert_status(200);
    let html = Html::parse_document(&page.body);
    let headings = Selector::parse(".block h2").unwrap();
    let headings = html.select(&headings);
    let texts = headings.map(|heading| heading.text().next().unwrap().trim().to_owned());
    texts.collect()
}

/// Sends the form of the blocks.
fn arrange(browser: &Browser<'_>, field: (&str, &str)) -> Response {
    let page = browser.get("/my/page/blocks").assert_status(200);
    browser.submit(&page, "/my/page/blocks", &[field])
}

#[test]
fn blocks_are_chosen_ordered_and_reset() {
    let world = World::with_projects();
    let bob = Browser::logged_in(&world, "bob");
    assert_eq!(blocks(&bob), ["Assigned to me", "Reported by me"]);
    arrange(&bob, ("remove", "issuesassignedtome")).assert_status(303);
    assert_eq!(blocks(&bob), ["Reported by me"]);
    arrange(&bob, ("add", "issuesassignedtome")).assert_status(303);
    assert_eq!(blocks(&bob), ["Reported by me", "Assigned to me"]);
    let page = bob.get("/my/page/blocks").assert_status(200);
    let to_start = [("position", "1")];
    bob.submit(&page, "/my/page/blocks/issuesassignedtome", &to_start)
        .assert_status(303);
    assert_eq!(blocks(&bob), ["Assigned to me", "Reported by me"]);
    arrange(&bob, ("remove", "issuesreportedbyme")).assert_status(303);
    arrange(&bob, ("reset", "1")).assert_status(303);
    assert_eq!(blocks(&bob), ["Assigned to me", "Reported by me"]);
    for (unknown, status) in [
        ("calendar", 422),
        ("query-x", 422),
        ("", 422),
        ("query-999", 404),
    ] {
        arrange(&bob, ("add", unknown)).assert_status(status);
    }
    // The preferences of a user who had none keep their defaults.
    let preferences = world.write(|db| users::preferences(db, user("bob")));
    assert_eq!(preferences, Preferences::default());
}

#[test]
fn saved_query_is_a_block_for_those_who_may_use_it() {
    let world = World::with_projects();
    world
        .issue("open")
        .subject("loud")
        .field("priority_id", 3)
        .create();
    world.issue("open").subject("quiet").create();
    let save = |login: &str, name: &str| {
        let filters =
            serde_json::json!([{"field": "priority_id", "operator": "=", "values": ["3"]}]);
        let query = serde_json::json!({"query": {"name": name, "filters": filters}});
        let created = world.as_user(login).post("/queries.json", query);
        created.assert_status(201).json()["query"]["id"].to_string()
    };
    let own = save("bob", "Loud ones");
    let others = save("alice", "Hers");
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/my/page/blocks").assert_status(200);
    assert!(page.body.contains("Loud ones") && !page.body.contains("Hers"));
    arrange(&bob, ("add", &format!("query-{others}"))).assert_status(404);
    arrange(&bob, ("add", &format!("query-{own}"))).assert_status(303);
    assert_eq!(blocks(&bob).last().unwrap(), "Loud ones");
    let page = bob.get("/my/page").assert_status(200).body;
    let (_, section) = page.split_once(">Loud ones <").unwrap();
    let (section, _) = section.split_once("</section>").unwrap();
    assert!(
        section.contains("loud") && !section.contains("quiet"),
        "{section}"
    );
    // The query is gone, and so is its block.
    world
        .as_user("bob")
        .delete(&format!("/queries/{own}.json"))
        .assert_status(200);
    assert!(!blocks(&bob).contains(&"Loud ones".to_owned()));
}

#[test]
fn layout_from_redmine_is_shown_and_unknown_blocks_are_kept() {
    let world = World::with_projects();
    let query = serde_json::json!({"query": {"name": "Open ones"}});
    let created = world.as_user("bob").post("/queries.json", query);
    let id = created.assert_status(201).json()["query"]["id"].to_string();
    let stored = serde_json::json!({
        "comments_sorting": "desc",
        "my_page_layout": {"left": ["issuesreportedbyme", "calendar"], "top": ["issuequery"], "right": ["issuesassignedtome"]},
        "my_page_settings": {"issuequery": {"query_id": id}, "calendar": {"x": "1"}},
    });
    world.sql(&format!(
        "UPDATE users SET preferences_json = '{stored}' WHERE id = {}",
        user("bob").0
    ));
    let bob = Browser::logged_in(&world, "bob");
    assert_eq!(
        blocks(&bob),
        ["Open ones", "Reported by me", "Assigned to me"]
    );
    arrange(&bob, ("remove", "issuesreportedbyme")).assert_status(303);
    assert_eq!(blocks(&bob), ["Open ones", "Assigned to me"]);
    let text: String = world
        .database()
        .value("SELECT preferences_json FROM users WHERE login = 'bob'");
    let kept: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        kept["my_page_layout"]["left"],
        serde_json::json!(["calendar"])
    );
    assert_eq!(kept["my_page_settings"]["calendar"]["x"], "1");
    assert_eq!(kept["comments_sorting"], "desc");
}

#[test]
fn query_that_is_private_for_a_while_keeps_its_place_and_its_settings() {
    let world = World::with_projects();
    let query = serde_json::json!({"query": {"name": "Shared ones", "visibility": "public"}});
    let created = world.as_user("admin").post("/queries.json", query);
    let id = created.assert_status(201).json()["query"]["id"].to_string();
    let bob = Browser::logged_in(&world, "bob");
    arrange(&bob, ("add", &format!("query-{id}"))).assert_status(303);
    let set_visibility = |visibility: &str| {
        let change = serde_json::json!({"query": {"visibility": visibility}});
        let path = format!("/queries/{id}.json");
        let response = world.as_user("admin").put(&path, change);
        assert!(matches!(response.status, 200 | 204), "{response:?}");
    };
    set_visibility("private");
    assert!(!blocks(&bob).contains(&"Shared ones".to_owned()));
    let path = "/my/page/blocks/issuesrecent";
    let page = bob.get("/my/page/blocks").assert_status(200);
    bob.submit(&page, path, &[("position", "1")])
        .assert_status(303);
    set_visibility("public");
    let shown = blocks(&bob);
    assert_eq!(shown.last().unwrap(), "Shared ones", "{shown:?}");
}
