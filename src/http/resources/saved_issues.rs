//! The issues of a saved query on a page that is not the list of issues.

use crate::resources::text_filter::replace_texts;
use crate::resources::{filters, issue_list, project_scope};
use crate::{Error, RequestContext};
use quarry_domain::issues::issue::Issue;
use quarry_domain::query::columns;
use quarry_domain::query::filter::{Context, Predicate};
use quarry_domain::query::issues as query;
use quarry_domain::query::issues::{Condition, Field};
use quarry_domain::query::saved::SavedQuery;
use quarry_domain::values::id_set::IdSet;
use quarry_store::Read;
use quarry_store::issues::{IssueQuery, list_and_count};
use std::sync::Arc;

/// Returns the number of issues that the list with this query shows, and the first of them, at most
/// `limit`. The viewer must be allowed to use the query.
///
/// # Errors
/// As for the list, such as for a filter that has become invalid.
pub fn load(
    request: &RequestContext,
    db: &Read<'_>,
    saved: SavedQuery,
    limit: i64,
) -> Result<(i64, Vec<Arc<Issue>>), Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = saved.project;
    let fields = query::filter_fields(catalogue, viewer, project.is_some());
    let context = Context::new(viewer, catalogue, db.now());
    let saved = filters::resolve(saved, &fields, &context)?;
    let group = columns::group(catalogue, viewer, &saved.query.group_by);
    let is_open_by_default = saved.conditions.is_none();
    let mut conditions = saved.conditions.unwrap_or_default();
    conditions.extend(issue_list::group_condition(group));
    if is_open_by_default {
        conditions.push(Condition {
            field: Field::Status,
            predicate: Predicate::Open,
        });
    }
    let projects: Option<IdSet> = project.map(|root| {
        let subprojects = issue_list::subprojects(&conditions);
        project_scope::projects(catalogue, root, subprojects)
            .into_iter()
            .collect()
    });
    let texts = replace_texts(request, db, projects.as_ref(), &mut conditions)?;
    let order = issue_list::own_order(catalogue, viewer, &texts, Some(&saved.query));
    let order = columns::grouped(group, order);
    let visible = issue_list::visible(catalogue, viewer, project, &conditions);
    let query = IssueQuery {
        viewer,
        visible: &visible,
        project,
        conditions: &conditions,
        order: &order,
        offset: 0,
        limit,
    };
    Ok(list_and_count(db, &query)?)
}
