//! Titles, types and paths of search results (compatibility 10).

use crate::resources::paths;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::index_feed::search_record::{Details, SearchRecord};
use quarry_domain::projects::project::Project;

/// Returns the title with the prefix that Redmine adds.
pub fn title(record: &SearchRecord, catalogue: &Catalogue) -> String {
    let (before, own) = parts(record, catalogue);
    before + own
}

/// Returns the two parts of the title: the prefix that Redmine adds, and the title of the record
/// itself.
pub fn parts<'f>(record: &'f SearchRecord, catalogue: &Catalogue) -> (String, &'f str) {
    let text = record.title.as_str();
    match &record.details {
        Details::Issue {
            tracker, status, ..
        } => {
            let tracker = catalogue
                .tracker(*tracker)
                .map_or("", |tracker| &tracker.name);
            let status = catalogue.status(*status).map_or("", |status| &status.name);
            (format!("{tracker} #{} ({status}): ", record.id), text)
        }
        Details::Changeset {
            repository,
            revision,
            ..
        } => {
            // Git's hashes are shortened; revisions of other systems are not.
            let short: String = if revision.len() == 40 {
                revision.chars().take(8).collect()
            } else {
                revision.clone()
            };
            let repository = if repository.is_empty() {
                String::new()
            } else {
                format!(" ({repository})")
            };
            (
                format!("Revision {short}{repository}: "),
                text.lines().next().unwrap_or_default(),
            )
        }
        Details::Message { board_name, .. } => (format!("{board_name}: "), text),
        Details::News { .. } | Details::None => match record.kind {
            Kind::Document => ("Document: ".to_owned(), text),
            Kind::WikiPage => ("Wiki: ".to_owned(), text),
            Kind::Project => ("Project: ".to_owned(), text),
            _ => (String::new(), text),
        },
    }
}

/// Returns the type of a result, as Redmine names it.
pub fn kind(record: &SearchRecord, catalogue: &Catalogue) -> &'static str {
    match &record.details {
        Details::Issue { status, .. }
            if catalogue
                .status(*status)
                .is_some_and(|status| status.is_closed) =>
        {
            "issue-closed"
        }
        Details::Message { topic: Some(_), .. } => "reply",
        _ => match record.kind {
            Kind::Issue => "issue",
            Kind::News => "news",
            Kind::Document => "document",
            Kind::Changeset => "changeset",
            Kind::WikiPage => "wiki-page",
            Kind::Message => "message",
            Kind::Project => "project",
        },
    }
}

/// Returns the path of the record, without the URL of the service.
pub fn path(record: &SearchRecord, catalogue: &Catalogue) -> String {
    let id = record.id;
    let project = project(record, catalogue, |project| &project.identifier);
    match &record.details {
        Details::Issue { .. } => paths::issue(id),
        Details::News { .. } => paths::news(id),
        Details::Changeset {
            repository,
            repository_id,
            revision,
            ..
        } => {
            let repository = if repository.is_empty() {
                repository_id.to_string()
            } else {
                repository.clone()
            };
            paths::changeset(project, Some(&repository), revision)
        }
        Details::Message {
            board,
            topic: Some(topic),
            ..
        } => paths::reply(board, topic, id),
        Details::Message {
            board, topic: None, ..
        } => paths::topic(board, id),
        Details::None => match record.kind {
            Kind::Document => paths::document(id),
            Kind::WikiPage => paths::wiki_page(project, &record.title),
            _ => paths::project_by_identifier(project),
        },
    }
}

fn project<'a>(
    record: &SearchRecord,
    catalogue: &'a Catalogue,
    name: impl Fn(&'a Project) -> &'a String,
) -> &'a str {
    catalogue
        .projects
        .get(&record.project)
        .map_or("", |project| name(project))
}
