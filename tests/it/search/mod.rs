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
mod options;
mod permissions;
pub mod reference;
mod results;
mod scripts;
mod stale;
mod suggest;

use crate::world::{World, user};
use quarry::domain::content::attachment::{Attachment, Container};
use quarry::domain::content::board::Board;
use quarry::domain::content::document::Document;
use quarry::domain::content::message::Message;
use quarry::domain::content::news::News;
use quarry::domain::content::wiki::{WikiPage, WikiVersion};
use quarry::domain::ids::{EnumerationId, ProjectId};
use quarry::domain::index_feed::kind::Kind;
use quarry::domain::projects::changeset::Changeset;
use quarry::domain::projects::repository::Repository;
use quarry::store::content::attachments;
use quarry::store::content::boards;
use quarry::store::content::documents;
use quarry::store::content::messages;
use quarry::store::content::news;
use quarry::store::content::wiki;
use quarry::store::projects::{changesets, repositories};
use serde_json::json;

/// A world with one record of each type in the open project and a private issue, all with the word
/// rocket.
pub fn world() -> World {
    let world = World::with_projects();
    fill(&world, ProjectId(1));
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

/// Searches as a client does, without waiting for the index first. The service waits for it up to two
/// seconds; results with a warning that they may lack recent changes are searched again.
fn fresh_results(world: &World, login: &str, query: &str) -> serde_json::Value {
    let client = world.as_user(login).without_waiting();
    let search = || {
        let response = client.get(&format!("/search.json?{query}"));
        response.assert_status(200)
    };
    let mut response = search();
    for _ in 0..20 {
        if response.header("warning").is_empty() {
            break;
        }
        response = search();
    }
    response.json()
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
fn written_records_are_found_by_the_next_search() {
    let world = world();
    for n in 0..30 {
        let word = format!("fresh{n}of");
        let body = json!({"issue": {"project_id": "open", "subject": word}});
        world
            .as_user("carol")
            .post("/issues.json", &body)
            .assert_status(201);
        let found = fresh_results(&world, "carol", &format!("q={word}"));
        assert_eq!(found["total_count"], 1, "{word}");
        assert_eq!(total(&world, "dave", &format!("q={word}")), 1, "{word}");
    }
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
