//! The page of an issue: where a search for its number leads.

use crate::domain::ids::IssueId;
use crate::domain::visibility::{self, Facts};
use crate::http::{Ask, Error, Reply};
use crate::store::{Read, issues, journals};
use askama::Template;

#[derive(Template)]
#[template(path = "issue.html")]
struct Page<'a> {
    title: String,
    project: &'a str,
    status: &'a str,
    author: &'a str,
    description: &'a str,
    notes: Vec<Note<'a>>,
}

struct Note<'a> {
    author: &'a str,
    private: bool,
    text: String,
}

/// The issue with the notes that the viewer may read.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let (catalogue, id) = (db.catalogue(), ask.number::<IssueId>("id")?);
    let Some(issue) = issues::find(db, visibility::issues(ask.viewer()), id)? else {
        return Err(if issues::exists(db, id)? { Error::Forbidden } else { Error::NotFound });
    };
    let readable = visibility::notes(ask.viewer());
    let facts = |note: &journals::Note| Facts { project: issue.project, private: note.private, author: Some(note.author), assignee: None };
    let notes = journals::notes(db, &[id.0])?.into_iter().filter(|note| readable.admits(&facts(note)));
    let name = |user: crate::domain::ids::UserId| catalogue.principal_name(user.into()).unwrap_or_default();
    let tracker = catalogue.tracker(issue.tracker).map_or("", |tracker| &tracker.name);
    let page = Page {
        title: format!("{tracker} #{id}: {}", issue.subject),
        project: catalogue.projects.get(&issue.project).map_or("", |project| &project.name),
        status: catalogue.status(issue.status).map_or("", |status| &status.name),
        author: name(issue.author),
        description: issue.description.as_deref().unwrap_or_default(),
        notes: notes.map(|note| Note { author: name(note.author), private: note.private, text: note.text }).collect(),
    };
    super::page(&page)
}
