//! What belongs to an issue: relations, similar issues and changesets.

use crate::components::avatar::Person;
use crate::components::badge::Stage;
use crate::components::time::Moment;
use crate::prelude::*;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::index_feed::search_record::{Details, SearchRecord};
use quarry_domain::values::stable_sort::StableSort;
use quarry_http::resources::search::{current_visibility, load_summaries};
use quarry_search::SimilarRequest;
use quarry_store::index_feed::search_records;
use quarry_store::issues::relations as stored_relations;
use quarry_store::projects::changesets as stored_changesets;

/// Maximum number of rows of each list.
const MAX_ROWS: usize = 100;

/// Maximum number of similar issues.
const MAX_SIMILAR: usize = 5;

/// A link to an issue.
pub struct IssueLink {
    /// The relation to the issue of the page, or its tracker.
    pub label: String,
    pub id: i64,
    pub subject: String,
    /// The name of its status.
    pub status: String,
    /// How far the status is.
    pub stage: Stage,
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

fn issue_link(catalogue: &Catalogue, record: &SearchRecord, label: Option<String>) -> IssueLink {
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
        stage: status.map_or(Stage::First, |status| Stage::of(catalogue, status.id)),
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
        .filter_map(|id| Some(issue_link(db.catalogue(), &records.remove(id)?, None)))
        .collect())
}

/// A relation on the page of an issue.
pub struct RelationRow {
    pub issue: IssueLink,
    /// The working days between the issues, where they are set.
    pub delay: Option<i64>,
    /// The address that deletes it, if the viewer may do that.
    pub delete_path: Option<String>,
}

/// Loads the relations to issues that the viewer sees.
pub fn relations(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
) -> Result<Vec<RelationRow>, Error> {
    let viewer = request.viewer();
    let mut related = stored_relations::list_visible(db, viewer, &[issue.id.0])?;
    related.stable_sort_by_key(|relation| (relation.type_from(issue.id), relation.id));
    related.truncate(MAX_ROWS);
    let ids: Vec<i64> = related
        .iter()
        .map(|relation| relation.other_end(issue.id).0)
        .collect();
    let records = search_records::load(db, viewer, Kind::Issue, &ids)?;
    let may_write = viewer.author_id(db.catalogue()).is_some();
    let rows = related.iter().filter_map(|relation| {
        let record = records.get(&relation.other_end(issue.id).0)?;
        let manages = [issue.project, record.project]
            .into_iter()
            .any(|project| viewer.may(Permission::ManageIssueRelations, project));
        let path = paths::issue(issue.id);
        let label = relation.type_from(issue.id).label().to_owned();
        Some(RelationRow {
            issue: issue_link(db.catalogue(), record, Some(label)),
            delay: relation.delay.filter(|days| *days != 0),
            delete_path: (manages && may_write)
                .then(|| format!("{path}/relations/{}/delete", relation.id)),
        })
    });
    Ok(rows.collect())
}

/// Finds similar issues; none while the index is not ready.
pub fn similar(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
) -> Result<Vec<IssueLink>, Error> {
    let visibility = current_visibility(request, db)?;
    let similar = SimilarRequest {
        subject: &issue.subject,
        description: issue.description.as_deref().unwrap_or_default(),
        notes: &[],
        except: Some(issue.id),
        visibility: &visibility,
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
        .map(|(record, _)| issue_link(db.catalogue(), record, None))
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
        message: changeset.subject(),
        author: changeset
            .user
            .map(|user| Person::new(db.catalogue(), user.into())),
        committed: Moment::new(changeset.committed_on),
    });
    Ok(rows.collect())
}
