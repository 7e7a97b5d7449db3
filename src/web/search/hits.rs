//! The results of a page: rows, grouped by content type.

use super::form::label;
use crate::components::badge::Stage;
use crate::components::time::{Moment, relative};
use crate::prelude::*;
use quarry_domain::ids::JournalId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::index_feed::search_record::{Details, SearchRecord};
use quarry_http::resources::search::title;
use quarry_search::{SearchResult, TextField, insert_partial_results};
use quarry_store::issues::journals;
use std::collections::HashMap;

/// Results that follow each other under one heading.
pub struct Group {
    /// The content type with the number of its hits; `None` where types are mixed.
    pub heading: Option<(&'static str, i64)>,
    /// The results.
    pub rows: Vec<Row>,
}

/// A result.
pub struct Row {
    /// Its content type and id.
    pub key: (Kind, i64),
    /// The id of its project.
    project_id: ProjectId,
    /// The topic of a message.
    pub topic: Option<i64>,
    /// The name of its icon.
    pub icon: &'static str,
    /// What the icon shows, in words.
    pub icon_label: &'static str,
    /// The CSS class of the stage of an issue, empty for others.
    pub state: &'static str,
    /// The title as HTML with marks; empty where the record has none.
    pub title: String,
    /// The address of the record.
    pub path: String,
    /// The id of an issue with `#`, or a revision.
    pub number: String,
    /// The name of the project.
    pub project: String,
    /// Tracker or board.
    pub details: String,
    /// The status of an issue; empty for others.
    pub status: String,
    /// The assignee of an issue.
    pub assignee: Option<String>,
    /// The number of notes of an issue that the viewer may read.
    pub notes: usize,
    /// When an issue was changed, or another record was created.
    pub moment: Moment,
    /// That time relative to now, if it is recent.
    pub relative: Option<String>,
    /// The author or committer, if known.
    pub author: Option<String>,
    /// The note that the excerpt shows.
    journal: Option<JournalId>,
    /// Whose note it is and when it was written; the title leads to it.
    pub note: Option<MatchingNote>,
    /// The names of matching files as HTML with marks.
    pub files: Vec<String>,
    /// The number of further matches in the topic, and their address.
    pub more: Option<(i64, Option<String>)>,
    /// The excerpt as HTML with marks.
    pub excerpt: String,
    /// The words of the query that it lacks, if they were looked up.
    pub missing: Vec<String>,
}

/// A note in which words of the query were found.
pub struct MatchingNote {
    pub author: String,
    pub created: Moment,
}

/// Returns the title of a record without the prefix that the API adds: the page shows those facts
/// beside it.
pub fn title_parts<'f>(record: &'f SearchRecord, catalogue: &Catalogue) -> (String, &'f str) {
    (String::new(), title::parts(record, catalogue).1)
}

impl Row {
    /// Returns the row of a result.
    pub fn new(result: SearchResult, db: &Read<'_>) -> Row {
        let catalogue = db.catalogue();
        let journal = result.journal();
        let SearchResult {
            record,
            rendered,
            explanation,
            ..
        } = result;
        let words = explanation.into_iter().flat_map(|match_| match_.words);
        // The index knows more than the texts: the identifier of a project, the end of a long text.
        let missing = words
            .filter(|word| word.fields.is_empty() && word.score.is_none_or(|score| score <= 0.0))
            .map(|word| word.word)
            .collect();
        let (icon, icon_label, state) = icon(&record, catalogue);
        let author = record
            .author
            .and_then(|author| catalogue.principal_name(author.into()));
        let moment = match &record.details {
            Details::Issue { updated_on, .. } => *updated_on,
            _ => record.created_on,
        };
        let files = rendered.excerpt.passages.iter();
        let files = files
            .filter(|passage| passage.field == TextField::Attachments)
            .map(|passage| passage.html());
        Row {
            key: (record.kind, record.id),
            project_id: record.project,
            topic: match &record.details {
                Details::Message { topic, .. } => Some(topic.unwrap_or(record.id)),
                _ => None,
            },
            icon,
            icon_label,
            state,
            title: display_title(record.kind, rendered.title.html()),
            path: title::path(&record, catalogue),
            number: number(&record),
            project: catalogue
                .projects
                .get(&record.project)
                .map_or(String::new(), |project| project.name.clone()),
            details: details(&record, catalogue),
            status: status(&record, catalogue),
            assignee: assignee(&record, catalogue),
            notes: 0,
            moment: Moment::new(moment),
            relative: relative(moment, db.now()),
            author: author.or(committer(&record)).map(str::to_owned),
            journal,
            note: None,
            files: files.collect(),
            more: None,
            excerpt: rendered
                .excerpt
                .html_of(|field| field != TextField::Attachments),
            missing,
        }
    }
}

/// Returns the HTML of a title as people write it: titles of wiki pages are stored with underscores
/// for spaces.
fn display_title(kind: Kind, html: String) -> String {
    if kind == Kind::WikiPage {
        html.replace('_', " ")
    } else {
        html
    }
}

/// Adds what the journals say about the issues among the rows: the number of notes, and the note that
/// the excerpt shows. Journals that the viewer may not read do not count, as on the page of the issue.
pub fn with_journals(
    request: &RequestContext,
    db: &Read<'_>,
    mut rows: Vec<Row>,
) -> Result<Vec<Row>, Error> {
    let issues: HashMap<i64, ProjectId> = rows
        .iter()
        .filter(|row| row.key.0 == Kind::Issue)
        .map(|row| (row.key.1, row.project_id))
        .collect();
    let journals = journals::readable_heads(db, request.viewer(), &issues)?;
    for row in rows.iter_mut().filter(|row| row.key.0 == Kind::Issue) {
        let heads = journals.get(&row.key.1).map_or(&[][..], Vec::as_slice);
        row.notes = heads.iter().filter(|head| head.has_note).count();
        let place = heads.iter().position(|head| Some(head.id) == row.journal);
        let Some((number, head)) = place.map(|place| (place + 1, &heads[place])) else {
            continue;
        };
        let author = db.catalogue().principal_name(head.author.into());
        row.path = format!("{}#note-{number}", row.path);
        row.note = Some(MatchingNote {
            author: author.unwrap_or("Anonymous").to_owned(),
            created: Moment::new(head.created_on),
        });
    }
    Ok(rows)
}

/// Groups rows that follow each other by their content type, or puts all into one group.
pub fn group(rows: Vec<Row>, counts: &[(Kind, i64)], is_grouped: bool) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut last = None;
    for row in rows {
        let key = is_grouped.then_some(row.key.0);
        match groups.last_mut().filter(|_| last == Some(key)) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group {
                heading: key.map(|kind| {
                    (
                        label(kind),
                        counts
                            .iter()
                            .find(|(kind, _)| *kind == row.key.0)
                            .map_or(0, |(_, count)| *count),
                    )
                }),
                rows: vec![row],
            }),
        }
        last = Some(key);
    }
    groups
}

/// Inserts results that lack a word into the groups of their types; those of other types are left
/// out. Returns how many were inserted.
pub fn insert_partial(groups: &mut [Group], mut best: Vec<Row>) -> usize {
    let mut inserted = 0;
    for group in groups {
        let kind = group.rows.first().map(|row| row.key.0);
        let is_mixed = group.heading.is_none();
        let of_group = best.extract_if(.., |row| is_mixed || Some(row.key.0) == kind);
        inserted += insert_partial_results(
            &mut group.rows,
            of_group.collect(),
            |one, other| one.key == other.key,
            |row| !row.missing.is_empty(),
        );
    }
    inserted
}

/// Returns the icon of a record, what it stands for, and the class of the state of an issue.
fn icon(
    record: &SearchRecord,
    catalogue: &Catalogue,
) -> (&'static str, &'static str, &'static str) {
    if let Details::Issue { status, .. } = &record.details {
        let stage = Stage::of(catalogue, *status);
        let label = match stage {
            Stage::Closed => "Closed issue",
            _ => "Open issue",
        };
        return (stage.icon(), label, stage.class());
    }
    match record.kind {
        Kind::Issue => ("issue", "Issue", ""),
        Kind::News => ("news", "News", ""),
        Kind::Document => ("document", "Document", ""),
        Kind::Changeset => ("changeset", "Commit", ""),
        Kind::WikiPage => ("wiki", "Wiki page", ""),
        Kind::Message if matches!(record.details, Details::Message { topic: Some(_), .. }) => {
            ("message", "Reply", "")
        }
        Kind::Message => ("message", "Topic", ""),
        Kind::Project => ("project", "Project", ""),
    }
}

fn number(record: &SearchRecord) -> String {
    match &record.details {
        Details::Issue { .. } => format!("#{}", record.id),
        // Git's hashes are shortened; revisions of other systems are not.
        Details::Changeset { revision, .. } if revision.len() == 40 => {
            revision.chars().take(8).collect()
        }
        Details::Changeset { revision, .. } => revision.clone(),
        _ => String::new(),
    }
}

fn details(record: &SearchRecord, catalogue: &Catalogue) -> String {
    match &record.details {
        Details::Issue { tracker, .. } => catalogue
            .tracker(*tracker)
            .map_or(String::new(), |tracker| tracker.name.clone()),
        Details::Message { board_name, .. } => board_name.clone(),
        _ => String::new(),
    }
}

fn status(record: &SearchRecord, catalogue: &Catalogue) -> String {
    match &record.details {
        Details::Issue { status, .. } => catalogue
            .status(*status)
            .map_or(String::new(), |status| status.name.clone()),
        _ => String::new(),
    }
}

fn assignee(record: &SearchRecord, catalogue: &Catalogue) -> Option<String> {
    match &record.details {
        Details::Issue { assignee, .. } => {
            let name = (*assignee).and_then(|assignee| catalogue.principal_name(assignee));
            name.map(str::to_owned)
        }
        _ => None,
    }
}

fn committer(record: &SearchRecord) -> Option<&str> {
    match &record.details {
        Details::Changeset { committer, .. } => {
            Some(committer.split('<').next().unwrap_or_default().trim())
                .filter(|name| !name.is_empty())
        }
        _ => None,
    }
}
