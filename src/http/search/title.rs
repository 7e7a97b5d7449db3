//! What a search result is called, and where it is shown (contract 8).

use crate::domain::catalogue::Catalogue;
use crate::domain::kind::Kind;
use crate::domain::project::Project;
use crate::store::found::{Found, Particulars};

/// The title, as Redmine words it.
pub fn title(found: &Found, catalogue: &Catalogue) -> String {
    let (before, own) = parts(found, catalogue);
    before + own
}

/// The title, as Redmine words it: what stands before it, and what is the record's own.
pub fn parts<'f>(found: &'f Found, catalogue: &Catalogue) -> (String, &'f str) {
    let text = found.title.as_str();
    match &found.particulars {
        Particulars::Issue { tracker, status } => {
            let tracker = catalogue.tracker(*tracker).map_or("", |tracker| &tracker.name);
            let status = catalogue.status(*status).map_or("", |status| &status.name);
            (format!("{tracker} #{} ({status}): ", found.id), text)
        }
        Particulars::Changeset { repository, revision, .. } => {
            // Git's names are long; the numbers of other systems are shown whole.
            let short: String = if revision.len() == 40 { revision.chars().take(8).collect() } else { revision.clone() };
            let repository = if repository.is_empty() { String::new() } else { format!(" ({repository})") };
            (format!("Revision {short}{repository}: "), text.lines().next().unwrap_or_default())
        }
        Particulars::Message { board_name, .. } => (format!("{board_name}: "), text),
        Particulars::News { .. } | Particulars::None => match found.kind {
            Kind::Document => ("Document: ".to_owned(), text),
            Kind::WikiPage => ("Wiki: ".to_owned(), text),
            Kind::Project => ("Project: ".to_owned(), text),
            _ => (String::new(), text),
        },
    }
}

/// The type of a result, as Redmine names it.
pub fn kind(found: &Found, catalogue: &Catalogue) -> &'static str {
    match &found.particulars {
        Particulars::Issue { status, .. } if catalogue.status(*status).is_some_and(|status| status.is_closed) => "issue-closed",
        Particulars::Message { topic: Some(_), .. } => "reply",
        _ => match found.kind {
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

/// Where it is shown, without the address of the service.
pub fn path(found: &Found, catalogue: &Catalogue) -> String {
    let id = found.id;
    let project = project(found, catalogue, |project| &project.identifier);
    match &found.particulars {
        Particulars::Issue { .. } => format!("/issues/{id}"),
        Particulars::News { .. } => format!("/news/{id}"),
        Particulars::Changeset { repository, repository_id, revision } => {
            let repository = if repository.is_empty() { repository_id.to_string() } else { repository.clone() };
            format!("/projects/{project}/repository/{}/revisions/{}", encoded(&repository), encoded(revision))
        }
        Particulars::Message { board, topic: Some(topic), .. } => format!("/boards/{board}/topics/{topic}?r={id}#message-{id}"),
        Particulars::Message { board, topic: None, .. } => format!("/boards/{board}/topics/{id}"),
        Particulars::None => match found.kind {
            Kind::Document => format!("/documents/{id}"),
            Kind::WikiPage => format!("/projects/{project}/wiki/{}", encoded(&found.title)),
            _ => format!("/projects/{project}"),
        },
    }
}

fn project<'a>(found: &Found, catalogue: &'a Catalogue, name: impl Fn(&'a Project) -> &'a String) -> &'a str {
    catalogue.projects.get(&found.project).map_or("", |project| name(project))
}

/// A segment of a path, percent-encoded.
pub fn encoded(segment: &str) -> String {
    let mut out = String::with_capacity(segment.len());
    for byte in segment.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'(' | b')' | b'!' | b'*' | b'\'' => {
                out.push(char::from(byte))
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
