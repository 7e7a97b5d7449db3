//! How a search result looks outside (contract 8, part A).

use crate::domain::catalogue::Catalogue;
use crate::domain::kind::Kind;
use crate::store::found::{Found, Particulars};
use crate::wire::Fields;
use std::borrow::Cow;
use std::sync::Arc;

/// What stands around the results of an answer.
pub struct Around {
    /// Names of trackers, statuses and projects.
    pub catalogue: Arc<Catalogue>,
    /// The address of the service.
    pub base: String,
    /// Whether results have the whole text.
    pub with_description: bool,
    /// Whether results have what Redmine's do not have.
    pub with_extras: bool,
}

/// A record that was found, with what only a search knows of it.
pub struct Shown {
    /// The record.
    pub found: Found,
    /// HTML around the words.
    pub excerpt: String,
    /// Its score as a part of the best hit's; `None` by date.
    pub score: Option<f32>,
}

/// The fields of a result: Redmine's six, then ours.
pub fn result(w: &mut Fields, shown: &Shown, around: &Around) {
    let found = &shown.found;
    w.field("id", found.id);
    w.field("title", title(found, &around.catalogue));
    w.field("type", kind(found, &around.catalogue));
    w.field("url", format!("{}{}", around.base, path(found, &around.catalogue)));
    if around.with_description {
        w.field("description", description(found));
    }
    w.field("datetime", found.created_on);
    if around.with_extras {
        w.reference("project", found.project.0, project(found, &around.catalogue, |project| &project.name));
        w.field("excerpt", &shown.excerpt);
        w.maybe("score", shown.score.map(|score| (f64::from(score) * 1e4).round() / 1e4));
    }
}

/// The title, as Redmine words it.
pub fn title(found: &Found, catalogue: &Catalogue) -> String {
    let text = &found.title;
    match &found.particulars {
        Particulars::Issue { tracker, status } => {
            let tracker = catalogue.tracker(*tracker).map_or("", |tracker| &tracker.name);
            let status = catalogue.status(*status).map_or("", |status| &status.name);
            format!("{tracker} #{} ({status}): {text}", found.id)
        }
        Particulars::Changeset { repository, revision, .. } => {
            // Git's names are long; the numbers of other systems are shown whole.
            let short: String = if revision.len() == 40 { revision.chars().take(8).collect() } else { revision.clone() };
            let repository = if repository.is_empty() { String::new() } else { format!(" ({repository})") };
            format!("Revision {short}{repository}: {}", text.lines().next().unwrap_or_default())
        }
        Particulars::Message { board_name, .. } => format!("{board_name}: {text}"),
        Particulars::News { .. } | Particulars::None => match found.kind {
            Kind::Document => format!("Document: {text}"),
            Kind::WikiPage => format!("Wiki: {text}"),
            Kind::Project => format!("Project: {text}"),
            _ => text.clone(),
        },
    }
}

fn kind(found: &Found, catalogue: &Catalogue) -> &'static str {
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

fn project<'a>(found: &Found, catalogue: &'a Catalogue, name: impl Fn(&'a crate::domain::project::Project) -> &'a String) -> &'a str {
    catalogue.projects.get(&found.project).map_or("", |project| name(project))
}

/// The whole text; of a changeset what follows the first line.
fn description(found: &Found) -> Cow<'_, str> {
    match found.kind {
        Kind::Changeset => Cow::Borrowed(found.title.split_once('\n').map_or("", |(_, rest)| rest.trim())),
        _ => Cow::Borrowed(&found.text),
    }
}

/// A segment of a path, percent-encoded.
fn encoded(segment: &str) -> String {
    let mut out = String::with_capacity(segment.len());
    for byte in segment.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'(' | b')' | b'!' | b'*' | b'\'' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
