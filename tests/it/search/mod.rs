//! `GET /search`, `GET /projects/:id/search` (docs/search.md; compatibility 2.3 and 10)

mod alternatives;
mod compounds;
mod corrections;
mod during_writes;
mod files;
mod hidden;
mod highlights;
mod language;
mod limits;
pub mod reference;
mod scripts;
mod suggest;

use crate::world::{DEVELOPER, MANAGER, REPORTER, Response, World, user};
use quarry::domain::attachment::{Attachment, Container};
use quarry::domain::board::Board;
use quarry::domain::changeset::Changeset;
use quarry::domain::document::Document;
use quarry::domain::ids::{EnumerationId, ProjectId};
use quarry::domain::kind::Kind;
use quarry::domain::message::Message;
use quarry::domain::module::{Module, ModuleSet};
use quarry::domain::news::News;
use quarry::domain::project::ProjectStatus;
use quarry::domain::repository::Repository;
use quarry::domain::setting::Setting;
use quarry::domain::wiki::{WikiPage, WikiVersion};
use quarry::store::attachments;
use quarry::store::boards;
use quarry::store::documents;
use quarry::store::messages;
use quarry::store::news;
use quarry::store::wiki;
use quarry::store::{changesets, repositories};
use quarry::store::{memberships, projects};
use serde_json::json;

/// A world with one record of each type in the open project and a private issue, all with the word
/// rocket.
pub fn world() -> World {
    let world = World::new();
    let open = world
        .project("open")
        .member("alice", MANAGER)
        .member("bob", DEVELOPER)
        .member("carol", REPORTER)
        .create();
    world
        .project("secret")
        .private()
        .member("alice", MANAGER)
        .create();
    fill(&world, open);
    let alice = world.as_user("alice");
    for (project, subject, description) in [
        ("open", "Rocket leaks", "The tank drips <b>fuel</b>"),
        ("secret", "Hidden rocket", "kryptonite"),
    ] {
        let issue = json!({"project_id": project, "subject": subject, "description": description});
        alice
            .post("/issues.json", json!({ "issue": issue }))
            .assert_status(201);
    }
    world
}

fn fill(world: &World, project: ProjectId) {
    let now = world.app.clock.now();
    world.write(move |db| {
        let author = user("alice");
        news::insert(
            db,
            &News {
                project,
                author,
                title: "Rocket news".to_owned(),
                summary: Some("short".to_owned()),
                description: "long".to_owned(),
                created_on: now,
                ..News::default()
            },
        )?;
        let category = EnumerationId(6);
        documents::insert(
            db,
            &Document {
                project,
                category,
                title: "Plan".to_owned(),
                description: Some("of a rocket".to_owned()),
                created_on: now,
                ..Document::default()
            },
        )?;
        let main = Repository {
            project,
            identifier: "main".to_owned(),
            scm: "Git".to_owned(),
            is_default: true,
            ..Repository::default()
        };
        let repository = repositories::insert(db, &main)?;
        let revision = "abc1230000000000000000000000000000000002";
        let comments = "Fix the rocket\n\nand its launch pad";
        let changeset = Changeset {
            repository,
            revision: revision.to_owned(),
            committer: "a".to_owned(),
            committed_on: now,
            comments: comments.to_owned(),
            ..Changeset::default()
        };
        changesets::insert(db, &changeset)?;
        let wiki = wiki::insert(db, project)?;
        let old = WikiVersion {
            version: 1,
            updated_on: now,
            text: "obsolete zeppelin".to_owned(),
            ..WikiVersion::default()
        };
        let new = WikiVersion {
            version: 2,
            updated_on: now,
            text: "h1. Rocket\n\nHow to *fly*".to_owned(),
            ..WikiVersion::default()
        };
        let page = WikiPage {
            wiki,
            title: "Flying_high".to_owned(),
            created_on: now,
            ..WikiPage::default()
        };
        wiki::insert_page(db, &page, &[old, new])?;
        let board = Board {
            project,
            name: "General".to_owned(),
            position: 1,
            ..Board::default()
        };
        let board = boards::insert(db, &board)?;
        let topic = Message {
            board,
            author: Some(author),
            subject: "Rockets?".to_owned(),
            content: "what".to_owned(),
            created_on: now,
            updated_on: now,
            ..Message::default()
        };
        let topic_id = messages::insert(db, &topic)?;
        let reply = Message {
            topic: Some(topic_id),
            subject: "Re: Rockets?".to_owned(),
            content: "yes, a rocket".to_owned(),
            ..topic
        };
        messages::insert(db, &reply)?;
        let file = Attachment {
            container: Some(Container {
                container_type: Kind::News.into(),
                id: 1,
            }),
            filename: "blueprint.pdf".to_owned(),
            description: Some("drawn by hand".to_owned()),
            content_type: "application/pdf".to_owned(),
            filesize: 1,
            author,
            created_on: now,
            ..Attachment::default()
        };
        attachments::insert(db, &file).map(drop)
    });
}

fn search(world: &World, login: &str, query: &str) -> serde_json::Value {
    world
        .as_user(login)
        .get(&format!("/search.json?{query}"))
        .assert_status(200)
        .json()
}

fn titles(response: &serde_json::Value) -> Vec<String> {
    response["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["title"].as_str().unwrap().to_owned())
        .collect()
}

fn total(world: &World, login: &str, query: &str) -> i64 {
    let response = search(world, login, query);
    let total = response["total_count"].as_i64().unwrap();
    assert_eq!(total, titles(&response).len() as i64, "{response}");
    assert_eq!(
        total,
        response["counts"]
            .as_object()
            .unwrap()
            .values()
            .map(|count| count.as_i64().unwrap())
            .sum::<i64>()
    );
    total
}

#[test]
fn every_type_is_found_in_redmines_format() {
    let world = world();
    let response = search(&world, "dave", "q=rocket&sort=date&limit=100");
    let mut seen: Vec<(String, String, String)> = response["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            let text = |name: &str| {
                result[name]
                    .as_str()
                    .unwrap()
                    .replace("http://quarry.test", "")
            };
            (text("type"), text("title"), text("url"))
        })
        .collect();
    seen.sort();
    let expected = [
        (
            "changeset",
            "Revision abc12300 (main): Fix the rocket",
            "/projects/open/repository/main/revisions/abc1230000000000000000000000000000000002",
        ),
        ("document", "Document: Plan", "/documents/1"),
        ("issue", "Bug #1 (New): Rocket leaks", "/issues/1"),
        ("message", "General: Rockets?", "/boards/1/topics/1"),
        ("news", "Rocket news", "/news/1"),
        (
            "reply",
            "General: Re: Rockets?",
            "/boards/1/topics/1?r=2#message-2",
        ),
        (
            "wiki-page",
            "Wiki: Flying_high",
            "/projects/open/wiki/Flying_high",
        ),
    ];
    let expected =
        expected.map(|(kind, title, url)| (kind.to_owned(), title.to_owned(), url.to_owned()));
    assert_eq!(seen, expected);
    assert_eq!(response["counts"]["messages"], 2);
    assert_eq!(
        titles(&search(&world, "dave", "q=open&projects=1")),
        ["Project: open"]
    );
}

#[test]
fn results_list_redmines_fields_first() {
    let world = world();
    let response = search(&world, "dave", "q=tank+leak");
    let result = &response["results"][0];
    let names: Vec<&String> = result.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        [
            "id",
            "title",
            "type",
            "url",
            "description",
            "datetime",
            "project",
            "excerpt",
            "score",
            "title_html",
            "highlights"
        ]
    );
    assert_eq!(result["description"], "The tank drips <b>fuel</b>");
    let excerpt = result["excerpt"].as_str().unwrap();
    assert!(
        excerpt.contains("<mark>tank</mark>") && !excerpt.contains("<b>"),
        "{excerpt}"
    );
    assert_eq!(result["score"], 1.0);
    assert_eq!(result["project"]["name"], "open");
    assert!(
        search(&world, "dave", "q=tank&description=0")["results"][0]
            .get("description")
            .is_none()
    );
    world.set(Setting::RedmineCompatibility, "1");
    let response = search(&world, "dave", "q=tank");
    let names: Vec<&String> = response["results"][0].as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        ["id", "title", "type", "url", "description", "datetime"]
    );
    assert!(response.get("counts").is_none());
}

#[test]
fn xml_has_the_same_results() {
    let world = world();
    let xml = world
        .as_user("dave")
        .get("/search.xml?q=tank")
        .assert_status(200)
        .body;
    assert!(
        xml.contains("<results total_count=\"1\" offset=\"0\" limit=\"25\" counts_issues=\"1\""),
        "{xml}"
    );
    assert!(
        xml.contains("<result><id>1</id><title>Bug #1 (New): Rocket leaks</title><type>issue</type><url>http://quarry.test/issues/1</url>"),
        "{xml}"
    );
}

#[test]
fn written_records_are_found_by_the_next_search() {
    let world = world();
    for n in 0..30 {
        let word = format!("fresh{n}of");
        let body = json!({"issue": {"project_id": "open", "subject": word}});
        world
            .as_user("carol")
            .post("/issues.json", &body)
            .assert_status(201);
        let found = world
            .as_user("carol")
            .without_waiting()
            .get(&format!("/search.json?q={word}"))
            .assert_status(200)
            .json();
        assert_eq!(found["total_count"], 1, "{word}");
        assert_eq!(total(&world, "dave", &format!("q={word}")), 1, "{word}");
    }
}

#[test]
fn hidden_records_are_not_found_counted_or_suggested() {
    let world = world();
    assert_eq!(total(&world, "alice", "q=kryptonite"), 1);
    for login in ["bob", "carol", "dave"] {
        assert_eq!(total(&world, login, "q=kryptonite"), 0, "{login}");
        assert_eq!(total(&world, login, "q=secret"), 0, "{login}");
    }
    world
        .as_user("dave")
        .get("/projects/secret/search.json?q=kryptonite")
        .assert_status(403);
    world
        .as_user("dave")
        .get("/projects/missing/search.json?q=x")
        .assert_status(404);
    world
        .anonymous()
        .get("/search.json?q=rocket")
        .assert_status(401);
    world.set(Setting::LoginRequired, "0");
    world
        .anonymous()
        .get("/search.json?q=kryptonite+rocket&all_words=0")
        .assert_status(200)
        .assert_json_path("/total_count", 7);
}

#[test]
fn private_notes_are_found_by_permitted_users_only() {
    let world = world();
    let note = |login: &str, text: &str| {
        let body = json!({"issue": {"notes": text, "private_notes": true}});
        world
            .as_user(login)
            .put("/issues/1.json", &body)
            .assert_status(200);
    };
    note("alice", "mentions plutonium");
    let finders = |word: &str| {
        ["admin", "alice", "bob", "carol", "dave"]
            .map(|login| total(&world, login, &format!("q={word}")))
    };
    assert_eq!(finders("plutonium"), [1, 1, 1, 0, 0]);
    assert_eq!(finders("plutonium+tank"), [1, 1, 1, 0, 0]);
    let excerpt = |login: &str| {
        search(&world, login, "q=tank+plutonium&all_words=0")["results"][0]["excerpt"].to_string()
    };
    assert!(excerpt("bob").contains("plutonium") && !excerpt("carol").contains("plutonium"));
    // Users without the permission still read their own notes.
    note("bob", "bobs uranium");
    world.write(|db| memberships::delete_roles(db, ProjectId(1), user("bob").into()));
    assert_eq!(finders("uranium"), [1, 1, 1, 0, 0]);
    assert_eq!(finders("plutonium"), [1, 1, 0, 0, 0]);
}

#[test]
fn permission_changes_apply_to_the_next_search() {
    let world = world();
    assert_eq!(total(&world, "carol", "q=kryptonite"), 0);
    let now = world.app.clock.now();
    world.write(move |db| {
        memberships::insert(db, ProjectId(2), user("carol").into(), &[REPORTER], now)
    });
    assert_eq!(total(&world, "carol", "q=kryptonite"), 1);
    world.write(|db| {
        projects::set_modules(
            db,
            ProjectId(2),
            Module::ALL
                .iter()
                .copied()
                .filter(|m| *m != Module::IssueTracking)
                .collect::<ModuleSet>(),
        )
    });
    assert_eq!(total(&world, "carol", "q=kryptonite"), 0);
    assert_eq!(total(&world, "admin", "q=kryptonite"), 0);
    world
        .write(|db| projects::set_modules(db, ProjectId(2), Module::ALL.iter().copied().collect()));
    world.write(|db| projects::set_status(db, ProjectId(2), ProjectStatus::Archived));
    assert_eq!(total(&world, "admin", "q=kryptonite"), 0);
    world.write(|db| projects::set_status(db, ProjectId(2), ProjectStatus::Closed));
    assert_eq!(total(&world, "carol", "q=kryptonite"), 1);
}

#[test]
fn words_phrases_and_options() {
    let world = world();
    assert_eq!(total(&world, "dave", "q=rockets+leaking"), 1, "stems");
    assert_eq!(total(&world, "dave", "q=tank+zebra"), 0);
    assert_eq!(total(&world, "dave", "q=tank+zebra&all_words=0"), 1);
    assert_eq!(
        total(&world, "dave", "q=tank+zebra&all_words="),
        1,
        "blank is off"
    );
    assert_eq!(total(&world, "dave", "q=%22launch+pad%22"), 1);
    assert_eq!(total(&world, "dave", "q=%22pad+launch%22"), 0);
    assert_eq!(
        total(&world, "dave", "q=%22launch+pad"),
        1,
        "an open quote reaches to the end"
    );
    assert_eq!(total(&world, "dave", "q=fuel"), 1);
    assert_eq!(total(&world, "dave", "q=fuel&titles_only=1"), 0);
    assert_eq!(total(&world, "dave", "q=fuel&titles_only=0"), 1);
    assert_eq!(
        total(&world, "dave", "q=zeppelin"),
        0,
        "old versions of wiki pages are not searched"
    );
    assert_eq!(
        total(&world, "dave", "q=rocket&news=1&documents=1&issues=0"),
        2
    );
}

#[test]
fn words_may_be_spread_over_issue_and_notes() {
    let world = world();
    world
        .as_user("carol")
        .put(
            "/issues/1.json",
            json!({"issue": {"notes": "the gasket is worn"}}),
        )
        .assert_status(200);
    assert_eq!(total(&world, "dave", "q=leaks+fuel+gasket"), 1);
}

#[test]
fn attachments_are_matched_on_request() {
    let world = world();
    assert_eq!(total(&world, "dave", "q=blueprint"), 0);
    assert_eq!(total(&world, "dave", "q=blueprint.pdf&attachments=1"), 1);
    assert_eq!(total(&world, "dave", "q=blueprint+rocket&attachments=1"), 1);
    assert_eq!(total(&world, "dave", "q=rocket&attachments=only"), 0);
    assert_eq!(total(&world, "dave", "q=hand&attachments=only"), 1);
}

#[test]
fn open_issues_does_not_filter_other_types() {
    let world = world();
    world
        .as_user("alice")
        .put("/issues/1.json", json!({"issue": {"status_id": 5}}))
        .assert_status(200);
    assert_eq!(total(&world, "dave", "q=rocket"), 7);
    assert_eq!(total(&world, "dave", "q=rocket&open_issues=1"), 6);
    assert_eq!(
        search(&world, "dave", "q=tank")["results"][0]["type"],
        "issue-closed"
    );
}

#[test]
fn scope_limits_the_projects() {
    let world = world();
    let below = world.project("below").member("bob", DEVELOPER).create();
    world.write(move |db| projects::insert_bookmark(db, user("dave"), below));
    world
        .as_user("bob")
        .post(
            "/issues.json",
            json!({"issue": {"project_id": "below", "subject": "Small rocket"}}),
        )
        .assert_status(201);
    assert_eq!(total(&world, "dave", "q=rocket"), 8);
    assert_eq!(total(&world, "dave", "q=rocket&scope=all"), 8);
    assert_eq!(total(&world, "dave", "q=rocket&scope=bookmarks"), 1);
    assert_eq!(total(&world, "dave", "q=rocket&scope=my_projects"), 0);
    assert_eq!(total(&world, "carol", "q=rocket&scope=my_projects"), 7);
    assert_eq!(total(&world, "carol", "q=rocket&scope=nonsense"), 8);
    let within = |path: &str| {
        world
            .as_user("dave")
            .get(path)
            .assert_status(200)
            .integer("/total_count")
    };
    assert_eq!(within("/projects/below/search.json?q=rocket"), 1);
    assert_eq!(within("/projects/open/search.json?q=rocket&scope=all"), 8);
    assert_eq!(
        within("/projects/open/search.json?q=rocket&scope=subprojects"),
        7
    );
    assert_eq!(within("/search.json?q=rocket&id=below"), 1);
    assert_eq!(
        within("/projects/open/search.json?q=open"),
        0,
        "inside a project, projects are not searched"
    );
    world.write(|db| {
        projects::set_modules(
            db,
            ProjectId(1),
            [Module::IssueTracking, Module::News].into_iter().collect(),
        )
    });
    let left = world
        .as_user("dave")
        .get("/projects/open/search.json?q=rocket&wiki_pages=1")
        .assert_status(200)
        .json();
    let counted: Vec<&String> = left["counts"].as_object().unwrap().keys().collect();
    assert_eq!(
        counted,
        ["issues", "news"],
        "types that cannot be seen there are dropped"
    );
}

#[test]
fn issue_id_redirects_to_the_issue() {
    let world = world();
    let get = |login: &str, path: &str| world.as_user(login).get(path);
    assert_eq!(
        get("dave", "/search.json?q=1")
            .assert_status(302)
            .location(),
        "/issues/1.json"
    );
    assert_eq!(
        get("dave", "/search.xml?q=%231")
            .assert_status(302)
            .location(),
        "/issues/1.xml"
    );
    assert_eq!(
        get("dave", "/search?q=1").assert_status(302).location(),
        "/issues/1"
    );
    for hidden in ["2", "999", "99999999999999999999", "%23"] {
        assert_eq!(
            get("dave", &format!("/search.json?q={hidden}"))
                .assert_status(200)
                .json()["total_count"],
            0,
            "{hidden}"
        );
    }
    // The redirect does not repeat an API key in the query.
    for key in ["key", "k%65y"] {
        let response = world
            .anonymous()
            .get(&format!("/search.json?q=1&{key}={}", world.key("dave")))
            .assert_status(302);
        assert_eq!(response.location(), "/issues/1.json");
    }
    world.set(Setting::RedmineCompatibility, "1");
    get("dave", "/search.json?q=1").assert_status(200);
    get("dave", "/search?q=1").assert_status(302);
}

#[test]
fn groups_are_sorted_by_best_hit_and_paginated() {
    let world = world();
    for n in 0..5 {
        let body = json!({"issue": {"project_id": "open", "subject": format!("rocket {n}")}});
        world
            .as_user("carol")
            .post("/issues.json", &body)
            .assert_status(201);
    }
    let whole = titles(&search(&world, "dave", "q=rocket&limit=100"));
    let kinds: Vec<String> = search(&world, "dave", "q=rocket&limit=100")["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(group)
        .collect();
    let mut seen: Vec<String> = kinds.clone();
    seen.dedup();
    let mut unique = seen.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(
        seen.len(),
        unique.len(),
        "each type stands together: {kinds:?}"
    );
    let mut paged = Vec::new();
    for offset in (0..12).step_by(5) {
        paged.extend(titles(&search(
            &world,
            "dave",
            &format!("q=rocket&limit=5&offset={offset}"),
        )));
    }
    assert_eq!(paged, whole);
    let past = search(&world, "dave", "q=rocket&offset=100000");
    assert_eq!(
        (
            past["total_count"].as_i64(),
            past["results"].as_array().unwrap().len()
        ),
        (Some(12), 0)
    );
    let mut mixed = titles(&search(&world, "dave", "q=rocket&limit=100&sort=relevance"));
    let mut whole = whole;
    mixed.sort();
    whole.sort();
    assert_eq!(mixed, whole);
}

fn group(result: &serde_json::Value) -> String {
    let kind = result["type"].as_str().unwrap();
    if kind == "reply" {
        "message".to_owned()
    } else {
        kind.trim_end_matches("-closed").to_owned()
    }
}

#[test]
fn blank_and_unusual_queries() {
    let world = world();
    for blank in [
        "", "q=", "q=+++", "q=%00%01", "q=%22%22", "q=%22", "q=...", "q=*",
    ] {
        let response = search(&world, "dave", blank);
        assert_eq!(
            (
                response["total_count"].as_i64(),
                response["results"].as_array().map(Vec::len)
            ),
            (Some(0), Some(0)),
            "{blank}"
        );
    }
    for odd in [
        "q=a%22b%22c",
        "q=(+)+OR+AND+%5B+TO+%7D",
        "q=title:rocket",
        "q=-rocket",
        "q=ro%00cket",
        "q=%F0%9F%9A%80",
        "q=rocket~2%5E3",
    ] {
        search(&world, "dave", odd);
    }
    let rejected = |query: &str| -> Response {
        world
            .as_user("dave")
            .get(&format!("/search.json?{query}"))
            .assert_status(422)
    };
    assert_eq!(
        rejected(&format!("q={}", "x".repeat(10 * 1024)))
            .errors()
            .len(),
        1
    );
    assert_eq!(
        rejected(&format!("q={}", "ab+".repeat(3000)))
            .errors()
            .len(),
        1
    );
    let lenient = world
        .as_user("dave")
        .get("/search.json?q=rocket&wiki=1")
        .assert_status(200);
    assert!(lenient.header("warning").contains("wiki"), "{lenient:?}");
    assert_eq!(
        rejected("q=x&wiki_page=1&strict=1").errors(),
        ["Unknown parameter wiki_page; did you mean wiki_pages?"]
    );
    assert_eq!(
        rejected("q=x&issues=maybe&sort=size&attachments=some")
            .errors()
            .len(),
        3
    );
}

#[test]
fn browsers_get_an_html_page() {
    let world = world();
    let page = world
        .as_user("dave")
        .with("Accept", "text/html")
        .get("/search?q=fuel")
        .assert_status(200);
    assert_eq!(page.content_type(), "text/html; charset=utf-8");
    assert!(
        page.body.contains("<a href=\"/issues/1\">Rocket leaks</a>"),
        "{}",
        page.body
    );
    assert!(
        page.body.contains("<mark>fuel</mark>") && !page.body.contains("<b>fuel"),
        "{}",
        page.body
    );
    let issue = world
        .as_user("dave")
        .get("/issues/1")
        .assert_status(200)
        .body;
    assert!(issue.contains("The tank drips <b>fuel</b>"), "{issue}");
    let home = world.as_user("dave").get("/").assert_status(200).body;
    assert!(home.contains("open") && !home.contains("secret"), "{home}");
    world.as_user("dave").get("/issues/2").assert_status(404);
}
