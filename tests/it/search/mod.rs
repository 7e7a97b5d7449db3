//! `GET /search`, `GET /projects/:id/search` (spec, "Content search"; contract 8 and part A)

mod bounds;
mod busy;
mod files;
mod hidden;
mod highlights;
mod language;
mod scripts;
mod slow;
mod suggest;

use crate::world::{Answer, DEVELOPER, MANAGER, REPORTER, World, user};
use quarry::domain::ids::{EnumerationId, ProjectId};
use quarry::domain::kind::Kind;
use quarry::domain::module::{Module, ModuleSet};
use quarry::domain::project::ProjectStatus;
use quarry::domain::setting::Setting;
use quarry::store::attachments::{self, NewAttachment};
use quarry::store::documents::{self, NewDocument};
use quarry::store::messages::{self, NewMessage};
use quarry::store::news::{self, NewNews};
use quarry::store::repositories::{self, NewChangeset};
use quarry::store::wiki::{self, NewPage, NewVersion};
use quarry::store::{projects, roles};

/// One record of each type in an open project, an issue in a private one, each with the word rocket.
fn world() -> World {
    let world = World::new();
    let open = world.project("open", true, &[("alice", MANAGER), ("bob", DEVELOPER), ("carol", REPORTER)]);
    world.project("secret", false, &[("alice", MANAGER)]);
    fill(&world, open);
    let alice = world.as_user("alice");
    let _ = alice
        .post("/issues.json", r#"{"issue":{"project_id":"open","subject":"Rocket leaks","description":"The tank drips <b>fuel</b>"}}"#);
    let _ = alice.post("/issues.json", r#"{"issue":{"project_id":"secret","subject":"Hidden rocket","description":"kryptonite"}}"#);
    world
}

fn fill(world: &World, project: ProjectId) {
    let now = world.app.clock.now();
    world.write(move |db| {
        let author = user("alice");
        news::insert(db, &NewNews { project, author, title: "Rocket news", summary: "short", description: "long", created_on: now })?;
        let category = EnumerationId(6);
        documents::insert(db, &NewDocument { project, category, title: "Plan", description: "of a rocket", created_on: now })?;
        let repository = repositories::insert(db, project, "main", "Git", true)?;
        let revision = "abc1230000000000000000000000000000000002";
        let comments = "Fix the rocket\n\nand its launch pad";
        let changeset = NewChangeset { repository, revision, committer: "a", user: None, committed_on: now, comments };
        repositories::insert_changeset(db, &changeset)?;
        let wiki = wiki::insert(db, project)?;
        let old = NewVersion { version: 1, author: None, comments: None, updated_on: now, text: "obsolete zeppelin" };
        let new = NewVersion { version: 2, author: None, comments: None, updated_on: now, text: "h1. Rocket\n\nHow to *fly*" };
        let page = NewPage { wiki, title: "Flying_high", parent: None, protected: false, created_on: now, versions: &[old, new] };
        wiki::insert_page(db, &page)?;
        let board = messages::insert_board(db, project, "General", "", 1)?;
        let say = |parent, subject, content| NewMessage { board, parent, author: Some(author), subject, content, created_on: now };
        let topic = messages::insert(db, &say(None, "Rockets?", "what"))?;
        messages::insert(db, &say(Some(topic), "Re: Rockets?", "yes, a rocket"))?;
        let file = NewAttachment {
            kind: Kind::News,
            container: 1,
            filename: "blueprint.pdf",
            description: "drawn by hand",
            content_type: "application/pdf",
            filesize: 1,
            author,
            created_on: now,
        };
        attachments::insert(db, &file).map(drop)
    });
}

fn search(world: &World, login: &str, query: &str) -> serde_json::Value {
    world.as_user(login).get(&format!("/search.json?{query}")).expect(200).json()
}

fn titles(answer: &serde_json::Value) -> Vec<String> {
    answer["results"].as_array().unwrap().iter().map(|result| result["title"].as_str().unwrap().to_owned()).collect()
}

fn total(world: &World, login: &str, query: &str) -> i64 {
    let answer = search(world, login, query);
    let total = answer["total_count"].as_i64().unwrap();
    assert_eq!(total, titles(&answer).len() as i64, "{answer}");
    assert_eq!(total, answer["counts"].as_object().unwrap().values().map(|count| count.as_i64().unwrap()).sum::<i64>());
    total
}

#[test]
fn every_type_is_found_and_looks_as_clients_expect() {
    let world = world();
    let answer = search(&world, "dave", "q=rocket&sort=date&limit=100");
    let mut seen: Vec<(String, String, String)> = answer["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            let text = |name: &str| result[name].as_str().unwrap().replace("http://quarry.test", "");
            (text("type"), text("title"), text("url"))
        })
        .collect();
    seen.sort();
    let wanted = [
        (
            "changeset",
            "Revision abc12300 (main): Fix the rocket",
            "/projects/open/repository/main/revisions/abc1230000000000000000000000000000000002",
        ),
        ("document", "Document: Plan", "/documents/1"),
        ("issue", "Bug #1 (New): Rocket leaks", "/issues/1"),
        ("message", "General: Rockets?", "/boards/1/topics/1"),
        ("news", "Rocket news", "/news/1"),
        ("reply", "General: Re: Rockets?", "/boards/1/topics/1?r=2#message-2"),
        ("wiki-page", "Wiki: Flying_high", "/projects/open/wiki/Flying_high"),
    ];
    let wanted = wanted.map(|(kind, title, url)| (kind.to_owned(), title.to_owned(), url.to_owned()));
    assert_eq!(seen, wanted);
    assert_eq!(answer["counts"]["messages"], 2);
    assert_eq!(titles(&search(&world, "dave", "q=open&projects=1")), ["Project: open"]);
}

#[test]
fn results_have_redmines_fields_then_ours() {
    let world = world();
    let answer = search(&world, "dave", "q=tank+leak");
    let result = &answer["results"][0];
    let names: Vec<&String> = result.as_object().unwrap().keys().collect();
    assert_eq!(names, ["id", "title", "type", "url", "description", "datetime", "project", "excerpt", "score", "title_html", "highlights"]);
    assert_eq!(result["description"], "The tank drips <b>fuel</b>");
    let excerpt = result["excerpt"].as_str().unwrap();
    assert!(excerpt.contains("<mark>tank</mark>") && !excerpt.contains("<b>"), "{excerpt}");
    assert_eq!((result["score"].as_f64(), result["project"]["name"].as_str()), (Some(1.0), Some("open")));
    assert!(search(&world, "dave", "q=tank&description=0")["results"][0].get("description").is_none());
    world.set(Setting::RedmineCompatibility, "1");
    let answer = search(&world, "dave", "q=tank");
    let names: Vec<&String> = answer["results"][0].as_object().unwrap().keys().collect();
    assert_eq!(names, ["id", "title", "type", "url", "description", "datetime"]);
    assert!(answer.get("counts").is_none());
}

#[test]
fn xml_says_the_same() {
    let world = world();
    let xml = world.as_user("dave").get("/search.xml?q=tank").expect(200).body;
    assert!(xml.contains("<results total_count=\"1\" offset=\"0\" limit=\"25\" counts_issues=\"1\""), "{xml}");
    assert!(
        xml.contains("<result><id>1</id><title>Bug #1 (New): Rocket leaks</title><type>issue</type><url>http://quarry.test/issues/1</url>"),
        "{xml}"
    );
}

#[test]
fn what_was_answered_is_found_by_the_next_search() {
    let world = world();
    for n in 0..30 {
        let word = format!("unheard{n}of");
        let body = format!(r#"{{"issue":{{"project_id":"open","subject":"{word}"}}}}"#);
        let _ = world.as_user("carol").post("/issues.json", &body).expect(201);
        let found = world.as_user("carol").impatient().get(&format!("/search.json?q={word}")).expect(200).json();
        assert_eq!(found["total_count"], 1, "{word}");
        assert_eq!(total(&world, "dave", &format!("q={word}")), 1, "{word}");
    }
}

#[test]
fn hidden_things_are_not_found_counted_or_hinted_at() {
    let world = world();
    assert_eq!(total(&world, "alice", "q=kryptonite"), 1);
    for login in ["bob", "carol", "dave"] {
        assert_eq!(total(&world, login, "q=kryptonite"), 0, "{login}");
        assert_eq!(total(&world, login, "q=secret"), 0, "{login}");
    }
    let _ = world.as_user("dave").get("/projects/secret/search.json?q=kryptonite").expect(403);
    let _ = world.as_user("dave").get("/projects/missing/search.json?q=x").expect(404);
    let _ = world.anonymous().get("/search.json?q=rocket").expect(401);
    world.set(Setting::LoginRequired, "0");
    assert_eq!(world.anonymous().get("/search.json?q=kryptonite+rocket&all_words=0").expect(200).json()["total_count"], 7);
}

#[test]
fn private_notes_are_found_by_those_alone_who_may_read_them() {
    let world = world();
    let note = |login: &str, text: &str| {
        let body = format!(r#"{{"issue":{{"notes":"{text}","private_notes":true}}}}"#);
        let _ = world.as_user(login).put("/issues/1.json", &body).expect(200);
    };
    note("alice", "mentions plutonium");
    let finders = |word: &str| ["admin", "alice", "bob", "carol", "dave"].map(|login| total(&world, login, &format!("q={word}")));
    assert_eq!(finders("plutonium"), [1, 1, 1, 0, 0]);
    assert_eq!(finders("plutonium+tank"), [1, 1, 1, 0, 0]);
    let excerpt = |login: &str| search(&world, login, "q=tank+plutonium&all_words=0")["results"][0]["excerpt"].to_string();
    assert!(excerpt("bob").contains("plutonium") && !excerpt("carol").contains("plutonium"));
    // Whoever loses the right still reads what is their own.
    note("bob", "bobs uranium");
    world.write(|db| roles::remove_member(db, ProjectId(1), user("bob").into()));
    assert_eq!(finders("uranium"), [1, 1, 1, 0, 0]);
    assert_eq!(finders("plutonium"), [1, 1, 0, 0, 0]);
}

#[test]
fn a_change_of_rights_is_seen_by_the_next_search() {
    let world = world();
    assert_eq!(total(&world, "carol", "q=kryptonite"), 0);
    let now = world.app.clock.now();
    world.write(move |db| roles::add_member(db, ProjectId(2), user("carol").into(), &[REPORTER], now));
    assert_eq!(total(&world, "carol", "q=kryptonite"), 1);
    world.write(|db| {
        projects::set_modules(db, ProjectId(2), Module::ALL.iter().copied().filter(|m| *m != Module::IssueTracking).collect::<ModuleSet>())
    });
    assert_eq!(total(&world, "carol", "q=kryptonite"), 0);
    assert_eq!(total(&world, "admin", "q=kryptonite"), 0);
    world.write(|db| projects::set_modules(db, ProjectId(2), Module::ALL.iter().copied().collect()));
    world.write(|db| projects::set_status(db, ProjectId(2), ProjectStatus::Archived));
    assert_eq!(total(&world, "admin", "q=kryptonite"), 0);
    world.write(|db| projects::set_status(db, ProjectId(2), ProjectStatus::Closed));
    assert_eq!(total(&world, "carol", "q=kryptonite"), 1);
}

#[test]
fn words_phrases_and_switches() {
    let world = world();
    assert_eq!(total(&world, "dave", "q=rockets+leaking"), 1, "stems");
    assert_eq!(total(&world, "dave", "q=tank+zebra"), 0);
    assert_eq!(total(&world, "dave", "q=tank+zebra&all_words=0"), 1);
    assert_eq!(total(&world, "dave", "q=tank+zebra&all_words="), 1, "blank is off");
    assert_eq!(total(&world, "dave", "q=%22launch+pad%22"), 1);
    assert_eq!(total(&world, "dave", "q=%22pad+launch%22"), 0);
    assert_eq!(total(&world, "dave", "q=%22launch+pad"), 1, "an open quote reaches to the end");
    assert_eq!(total(&world, "dave", "q=fuel"), 1);
    assert_eq!(total(&world, "dave", "q=fuel&titles_only=1"), 0);
    assert_eq!(total(&world, "dave", "q=fuel&titles_only=0"), 1);
    assert_eq!(total(&world, "dave", "q=zeppelin"), 0, "old versions of wiki pages are not searched");
    assert_eq!(total(&world, "dave", "q=rocket&news=1&documents=1&issues=0"), 2);
}

#[test]
fn words_may_be_spread_over_an_issue_and_its_notes() {
    let world = world();
    let _ = world.as_user("carol").put("/issues/1.json", r#"{"issue":{"notes":"the gasket is worn"}}"#).expect(200);
    assert_eq!(total(&world, "dave", "q=leaks+fuel+gasket"), 1);
}

#[test]
fn attachments_are_matched_when_asked_for() {
    let world = world();
    assert_eq!(total(&world, "dave", "q=blueprint"), 0);
    assert_eq!(total(&world, "dave", "q=blueprint.pdf&attachments=1"), 1);
    assert_eq!(total(&world, "dave", "q=blueprint+rocket&attachments=1"), 1);
    assert_eq!(total(&world, "dave", "q=rocket&attachments=only"), 0);
    assert_eq!(total(&world, "dave", "q=hand&attachments=only"), 1);
}

#[test]
fn open_issues_leaves_other_types_alone() {
    let world = world();
    let _ = world.as_user("alice").put("/issues/1.json", r#"{"issue":{"status_id":5}}"#).expect(200);
    assert_eq!(total(&world, "dave", "q=rocket"), 7);
    assert_eq!(total(&world, "dave", "q=rocket&open_issues=1"), 6);
    assert_eq!(search(&world, "dave", "q=tank")["results"][0]["type"], "issue-closed");
}

#[test]
fn scopes() {
    let world = world();
    let below = world.project("below", true, &[("bob", DEVELOPER)]);
    world.write(move |db| projects::bookmark(db, user("dave"), below));
    let _ = world.as_user("bob").post("/issues.json", r#"{"issue":{"project_id":"below","subject":"Small rocket"}}"#).expect(201);
    assert_eq!(total(&world, "dave", "q=rocket"), 8);
    assert_eq!(total(&world, "dave", "q=rocket&scope=all"), 8);
    assert_eq!(total(&world, "dave", "q=rocket&scope=bookmarks"), 1);
    assert_eq!(total(&world, "dave", "q=rocket&scope=my_projects"), 0);
    assert_eq!(total(&world, "carol", "q=rocket&scope=my_projects"), 7);
    assert_eq!(total(&world, "carol", "q=rocket&scope=nonsense"), 8);
    let within = |path: &str| world.as_user("dave").get(path).expect(200).json()["total_count"].as_i64().unwrap();
    assert_eq!(within("/projects/below/search.json?q=rocket"), 1);
    assert_eq!(within("/projects/open/search.json?q=rocket&scope=all"), 8);
    assert_eq!(within("/projects/open/search.json?q=rocket&scope=subprojects"), 7);
    assert_eq!(within("/search.json?q=rocket&id=below"), 1);
    assert_eq!(within("/projects/open/search.json?q=open"), 0, "inside a project, projects are not searched");
    world.write(|db| projects::set_modules(db, ProjectId(1), [Module::IssueTracking, Module::News].into_iter().collect()));
    let left = world.as_user("dave").get("/projects/open/search.json?q=rocket&wiki_pages=1").expect(200).json();
    let counted: Vec<&String> = left["counts"].as_object().unwrap().keys().collect();
    assert_eq!(counted, ["issues", "news"], "types that cannot be seen there are dropped");
}

#[test]
fn a_number_leads_to_its_issue() {
    let world = world();
    let get = |login: &str, path: &str| world.as_user(login).get(path);
    assert_eq!(get("dave", "/search.json?q=1").expect(302).location, "/issues/1.json");
    assert_eq!(get("dave", "/search.xml?q=%231").expect(302).location, "/issues/1.xml");
    assert_eq!(get("dave", "/search?q=1").expect(302).location, "/issues/1");
    for hidden in ["2", "999", "99999999999999999999", "%23"] {
        assert_eq!(get("dave", &format!("/search.json?q={hidden}")).expect(200).json()["total_count"], 0, "{hidden}");
    }
    // An API key in the query does not come back.
    for key in ["key", "k%65y"] {
        let answer = world.anonymous().get(&format!("/search.json?q=1&{key}={}", world.key("dave"))).expect(302);
        assert_eq!(answer.location, "/issues/1.json");
    }
    world.set(Setting::RedmineCompatibility, "1");
    let _ = get("dave", "/search.json?q=1").expect(200);
    let _ = get("dave", "/search?q=1").expect(302);
}

#[test]
fn groups_come_in_the_order_of_their_best_hit_and_pages_run_through() {
    let world = world();
    for n in 0..5 {
        let body = format!(r#"{{"issue":{{"project_id":"open","subject":"rocket {n}"}}}}"#);
        let _ = world.as_user("carol").post("/issues.json", &body).expect(201);
    }
    let whole = titles(&search(&world, "dave", "q=rocket&limit=100"));
    let kinds: Vec<String> = search(&world, "dave", "q=rocket&limit=100")["results"].as_array().unwrap().iter().map(group).collect();
    let mut seen: Vec<String> = kinds.clone();
    seen.dedup();
    let mut unique = seen.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(seen.len(), unique.len(), "each type stands together: {kinds:?}");
    let mut paged = Vec::new();
    for offset in (0..12).step_by(5) {
        paged.extend(titles(&search(&world, "dave", &format!("q=rocket&limit=5&offset={offset}"))));
    }
    assert_eq!(paged, whole);
    let past = search(&world, "dave", "q=rocket&offset=100000");
    assert_eq!((past["total_count"].as_i64(), past["results"].as_array().unwrap().len()), (Some(12), 0));
    let mut mixed = titles(&search(&world, "dave", "q=rocket&limit=100&sort=relevance"));
    let mut whole = whole;
    mixed.sort();
    whole.sort();
    assert_eq!(mixed, whole);
}

fn group(result: &serde_json::Value) -> String {
    let kind = result["type"].as_str().unwrap();
    if kind == "reply" { "message".to_owned() } else { kind.trim_end_matches("-closed").to_owned() }
}

#[test]
fn blank_and_odd_questions() {
    let world = world();
    for blank in ["", "q=", "q=+++", "q=%00%01", "q=%22%22", "q=%22", "q=...", "q=*"] {
        let answer = search(&world, "dave", blank);
        assert_eq!((answer["total_count"].as_i64(), answer["results"].as_array().map(Vec::len)), (Some(0), Some(0)), "{blank}");
    }
    for odd in ["q=a%22b%22c", "q=(+)+OR+AND+%5B+TO+%7D", "q=title:rocket", "q=-rocket", "q=ro%00cket", "q=%F0%9F%9A%80", "q=rocket~2%5E3"]
    {
        let _ = search(&world, "dave", odd);
    }
    let refused = |query: &str| -> Answer { world.as_user("dave").get(&format!("/search.json?{query}")).expect(422) };
    assert_eq!(refused(&format!("q={}", "x".repeat(10 * 1024))).errors().len(), 1);
    assert_eq!(refused(&format!("q={}", "ab+".repeat(3000))).errors().len(), 1);
    let lenient = world.as_user("dave").get("/search.json?q=rocket&wiki=1").expect(200);
    assert!(lenient.warning.contains("wiki"), "{lenient:?}");
    assert_eq!(refused("q=x&wiki_page=1&strict=1").errors(), ["Unknown parameter wiki_page; did you mean wiki_pages?"]);
    assert_eq!(refused("q=x&issues=maybe&sort=size&attachments=some").errors().len(), 3);
}

#[test]
fn people_get_a_page() {
    let world = world();
    let page = world.as_user("dave").with("Accept", "text/html").get("/search?q=fuel").expect(200);
    assert_eq!(page.content_type, "text/html; charset=utf-8");
    assert!(page.body.contains("<a href=\"/issues/1\">Bug #1 (New): Rocket leaks</a>"), "{}", page.body);
    assert!(page.body.contains("<mark>fuel</mark>") && !page.body.contains("<b>fuel"), "{}", page.body);
    let issue = world.as_user("dave").get("/issues/1").expect(200).body;
    assert!(issue.contains("The tank drips &#60;b&#62;fuel"), "{issue}");
    let home = world.as_user("dave").get("/").expect(200).body;
    assert!(home.contains("open") && !home.contains("secret"), "{home}");
    let _ = world.as_user("dave").get("/issues/2").expect(403);
}
