//! What belongs to an issue: relations, subtasks, similar issues, changesets and watchers.

use crate::components::avatar::Person;
use crate::components::time::Moment;
use quarry_domain::access::permission::Permission;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::IssueId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::index_feed::search_record::{Details, SearchRecord};
use quarry_domain::issues::issue::Issue;
use quarry_domain::issues::relation::RelationType;
use quarry_http::resources::paths;
use quarry_http::resources::search::load_summaries;
use quarry_http::{Error, RequestContext};
use quarry_search::SimilarRequest;
use quarry_store::Read;
use quarry_store::content::watchers;
use quarry_store::index_feed::search_records;
use quarry_store::issues::{relations as stored_relations, subtasks};
use quarry_store::projects::changesets as stored_changesets;
use std::collections::HashMap;

/// Returns the relation as seen from the issue of the page.
pub fn label(kind: RelationType) -> &'static str {
    match kind {
        RelationType::Relates => "related to",
        RelationType::Duplicates => "duplicates",
        RelationType::Duplicated => "duplicated by",
        RelationType::Blocks => "blocks",
        RelationType::Blocked => "blocked by",
        RelationType::Precedes => "precedes",
        RelationType::Follows => "follows",
        RelationType::CopiedTo => "copied to",
        RelationType::CopiedFrom => "copied from",
    }
}

/// Maximum number of rows of each list.
const MAX_ROWS: usize = 100;

/// Maximum number of similar issues.
const MAX_SIMILAR: usize = 5;

/// Maximum indentation of subtasks.
const MAX_DEPTH: usize = 5;

/// A link to an issue.
pub struct IssueLink {
    /// The relation to the issue of the page, or its tracker.
    pub label: String,
    pub id: i64,
    pub subject: String,
    /// The name of its status.
    pub status: String,
    /// Whether the status is a closed one.
    pub is_closed: bool,
    /// The level below the issue of the page, 0 to 5.
    pub depth: usize,
}

/// A changeset that refers to the issue.
pub struct ChangesetRow {
    /// The revision, shortened.
    pub revision: String,
    /// Its address.
    pub path: String,
    /// The first line of its message.
    pub message: String,
    /// The committer, if known.
    pub author: Option<Person>,
    /// When it was committed.
    pub committed: Moment,
}

fn issue_link(
    catalogue: &Catalogue,
    record: &SearchRecord,
    label: Option<String>,
    depth: usize,
) -> IssueLink {
    let (tracker, status) = match record.details {
        Details::Issue {
            tracker, status, ..
        } => (catalogue.tracker(tracker), catalogue.status(status)),
        _ => (None, None),
    };
    IssueLink {
        label: label
            .unwrap_or_else(|| tracker.map_or(String::new(), |tracker| tracker.name.clone())),
        id: record.id,
        subject: record.title.clone(),
        status: status.map_or(String::new(), |status| status.name.clone()),
        is_closed: status.is_some_and(|status| status.is_closed),
        depth,
    }
}

/// Loads links to these issues, as far as the viewer may see them, in this order.
pub fn links(
    request: &RequestContext,
    db: &Read<'_>,
    ids: &[i64],
) -> Result<Vec<IssueLink>, Error> {
    let ids = &ids[..ids.len().min(MAX_ROWS)];
    let mut records = search_records::load(db, request.viewer(), Kind::Issue, ids)?;
    Ok(ids
        .iter()
        .filter_map(|id| Some(issue_link(db.catalogue(), &records.remove(id)?, None, 0)))
        .collect())
}

/// Loads the related issues.
pub fn relations(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
) -> Result<Vec<IssueLink>, Error> {
    let mut related = stored_relations::list_visible(db, request.viewer(), &[issue.id.0])?;
    related.sort_by_key(|relation| (relation.type_from(issue.id), relation.id));
    related.truncate(MAX_ROWS);
    let ids: Vec<i64> = related
        .iter()
        .map(|relation| relation.other_end(issue.id).0)
        .collect();
    let records = search_records::load(db, request.viewer(), Kind::Issue, &ids)?;
    let rows = related.iter().filter_map(|relation| {
        let record = records.get(&relation.other_end(issue.id).0)?;
        Some(issue_link(
            db.catalogue(),
            record,
            Some(label(relation.type_from(issue.id)).to_owned()),
            0,
        ))
    });
    Ok(rows.collect())
}

/// Loads the subtasks as a tree, depth first.
pub fn subtasks(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
) -> Result<Vec<IssueLink>, Error> {
    let mut children: HashMap<IssueId, Vec<IssueId>> = HashMap::new();
    for task in subtasks::list(db, request.viewer(), issue.id)? {
        children.entry(task.parent).or_default().push(task.id);
    }
    let mut ordered = Vec::new();
    let mut stack: Vec<(IssueId, usize)> = children
        .remove(&issue.id)
        .unwrap_or_default()
        .into_iter()
        .rev()
        .map(|id| (id, 0))
        .collect();
    while let Some((id, depth)) = stack.pop().filter(|_| ordered.len() < MAX_ROWS) {
        ordered.push((id.0, depth));
        stack.extend(
            children
                .remove(&id)
                .unwrap_or_default()
                .into_iter()
                .rev()
                .map(|id| (id, (depth + 1).min(MAX_DEPTH))),
        );
    }
    let ids: Vec<i64> = ordered.iter().map(|(id, _)| *id).collect();
    let records = search_records::load(db, request.viewer(), Kind::Issue, &ids)?;
    Ok(ordered
        .into_iter()
        .filter_map(|(id, depth)| Some(issue_link(db.catalogue(), records.get(&id)?, None, depth)))
        .collect())
}

/// Finds similar issues; none while the index is not ready.
pub fn similar(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
) -> Result<Vec<IssueLink>, Error> {
    let similar = SimilarRequest {
        subject: &issue.subject,
        description: issue.description.as_deref().unwrap_or_default(),
        notes: &[],
        except: Some(issue.id),
        visibility: &request.viewer_context.visibility,
        projects: None,
        closed: None,
        written: issue.created_on,
        limit: MAX_SIMILAR,
    };
    let Ok(hits) = request.app.search.similar(&similar) else {
        return Ok(Vec::new());
    };
    let page = load_summaries(request, db, &hits)?;
    Ok(page
        .results
        .iter()
        .map(|(record, _)| issue_link(db.catalogue(), record, None, 0))
        .collect())
}

/// Loads the changesets that refer to the issue.
pub fn changesets(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
) -> Result<Vec<ChangesetRow>, Error> {
    let mut changesets = stored_changesets::list_by_issue(db, request.viewer(), issue.id)?;
    changesets.truncate(MAX_ROWS);
    let project = db
        .catalogue()
        .projects
        .get(&issue.project)
        .map_or("", |project| project.identifier.as_str());
    let rows = changesets.into_iter().map(|changeset| ChangesetRow {
        path: paths::changeset(project, None, &changeset.revision),
        revision: changeset.revision.chars().take(8).collect(),
        message: changeset
            .comments
            .lines()
            .next()
            .unwrap_or_default()
            .chars()
            .take(200)
            .collect(),
        author: changeset
            .user
            .map(|user| Person::new(db.catalogue(), user.into())),
        committed: Moment::new(changeset.committed_on),
    });
    Ok(rows.collect())
}

/// Loads the watchers, if the viewer may see them.
pub fn watchers(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
) -> Result<Vec<Person>, Error> {
    if !request
        .viewer()
        .may(Permission::ViewIssueWatchers, issue.project)
    {
        return Ok(Vec::new());
    }
    let watchers = watchers::list(db, issue.id.into())?;
    Ok(watchers
        .into_iter()
        .take(MAX_ROWS)
        .map(|id| Person::new(db.catalogue(), id))
        .collect())
}
