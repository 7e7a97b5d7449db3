//! Worlds to search in, and the random queries for them.

mod connections;
pub mod query;
pub mod random;
pub mod random_world;
pub mod words;

use crate::{World, user};
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
