//! The results of a page: rows, grouped by content type.

use super::form::label;
use crate::components::time::Moment;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::index_feed::search_record::{Details, SearchRecord};
use quarry_http::resources::search::title;
use quarry_search::{SearchResult, insert_partial_results};

/// Results that follow each other under one heading.
pub struct Group {
    /// The content type with the number of its hits; `None` where types are mixed.
    pub heading: Option<(&'static str, i64)>,
    /// The results.
    pub rows: Vec<Row>,
}

/// A result.
pub struct Row {
    /// Its content type.
    kind: Kind,
    /// The name of its icon.
    pub icon: &'static str,
    /// What the icon shows, in words.
    pub icon_label: &'static str,
    /// `open` or `closed` for issues, empty for others.
    pub state: &'static str,
    /// The title as HTML with marks; empty where the record has none.
    pub title: String,
    /// The address of the record.
    pub path: String,
    /// The id of an issue with `#`, or a revision.
    pub number: String,
    /// The name of the project.
    pub project: String,
    /// Tracker and status, or board.
    pub details: String,
    /// When it was created.
    pub created: Moment,
    /// The author or committer, if known.
    pub author: Option<String>,
    /// The excerpt as HTML with marks.
    pub excerpt: String,
    /// The words of the query that it lacks, if they were looked up.
    pub missing: Vec<String>,
}

/// Returns the title of a record without the prefix that the API adds: the page shows those facts
/// beside it.
pub fn title_parts<'f>(record: &'f SearchRecord, catalogue: &Catalogue) -> (String, &'f str) {
    (String::new(), title::parts(record, catalogue).1)
}

impl Row {
    /// Returns the row of a result.
    pub fn new(result: SearchResult, catalogue: &Catalogue) -> Row {
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
        let is_closed = matches!(&record.details, Details::Issue { status, .. } if catalogue.status(*status).is_some_and(|s| s.is_closed));
        let (icon, icon_label, state) = icon(&record, is_closed);
        let author = record
            .author
            .and_then(|author| catalogue.principal_name(author.into()));
        Row {
            kind: record.kind,
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
            created: Moment::new(record.created_on),
            author: author.or(committer(&record)).map(str::to_owned),
            excerpt: rendered.excerpt.html(),
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

/// Groups rows that follow each other by their content type, or puts all into one group.
pub fn group(rows: Vec<Row>, counts: &[(Kind, i64)], is_grouped: bool) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut last = None;
    for row in rows {
        let key = is_grouped.then_some(row.kind);
        match groups.last_mut().filter(|_| last == Some(key)) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group {
                heading: key.map(|kind| {
                    (
                        label(kind),
                        counts
                            .iter()
                            .find(|(kind, _)| *kind == row.kind)
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
        let kind = group.rows.first().map(|row| row.kind);
        let is_mixed = group.heading.is_none();
        let of_group = best.extract_if(.., |row| is_mixed || Some(row.kind) == kind);
        inserted += insert_partial_results(
            &mut group.rows,
            of_group.collect(),
            |one, other| one.path == other.path,
            |row| !row.missing.is_empty(),
        );
    }
    inserted
}

fn icon(record: &SearchRecord, is_closed: bool) -> (&'static str, &'static str, &'static str) {
    match record.kind {
        Kind::Issue if is_closed => ("done", "Closed issue", "closed"),
        Kind::Issue => ("open", "Open issue", "open"),
        Kind::News => ("news", "News", ""),
        Kind::Document => ("document", "Document", ""),
        Kind::Changeset => ("changeset", "Changeset", ""),
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
        Details::Issue { tracker, status } => {
            let tracker = catalogue
                .tracker(*tracker)
                .map_or("", |tracker| &tracker.name);
            let status = catalogue.status(*status).map_or("", |status| &status.name);
            format!("{tracker} · {status}")
        }
        Details::Message { board_name, .. } => board_name.clone(),
        _ => String::new(),
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
