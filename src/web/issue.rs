//! The page of an issue: where a search for its number leads.

use crate::actions::issues;
use crate::domain::ids::IssueId;
use crate::http::{Ask, Error, Reply};
use crate::store::{Read, journals};
use askama::Template;
use std::collections::HashMap;

#[derive(Template)]
#[template(path = "issue.html")]
struct Page<'a> {
    title: String,
    project: &'a str,
    status: &'a str,
    author: &'a str,
    description: &'a str,
    notes: Vec<Note<'a>>,
    is_complete: bool,
}

struct Note<'a> {
    author: &'a str,
    private: bool,
    text: String,
}

/// The issue with the notes that the viewer may read.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let (catalogue, id) = (db.catalogue(), ask.number::<IssueId>("id")?);
    let issue = issues::find(db, ask.viewer(), id)?;
    let readable = journals::readable(db, ask.viewer(), &HashMap::from([(id.0, issue.project)]))?;
    let name = |user: crate::domain::ids::UserId| catalogue.principal_name(user.into()).unwrap_or_default();
    let tracker = catalogue.tracker(issue.tracker).map_or("", |tracker| &tracker.name);
    let page = Page {
        title: format!("{tracker} #{id}: {}", issue.subject),
        project: catalogue.projects.get(&issue.project).map_or("", |project| &project.name),
        status: catalogue.status(issue.status).map_or("", |status| &status.name),
        author: name(issue.author),
        description: issue.description.as_deref().unwrap_or_default(),
        notes: readable.notes.into_iter().map(|note| Note { author: name(note.author), private: note.private, text: note.text }).collect(),
        is_complete: readable.is_complete,
    };
    super::page(&page)
}
