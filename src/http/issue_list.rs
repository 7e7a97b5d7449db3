//! The issues that a request lists, for the API and for pages (compatibility 6.3).

use crate::domain::catalogue::Catalogue;
use crate::domain::ids::{CustomFieldId, ProjectId};
use crate::domain::issue::Issue;
use crate::domain::permission::Permission;
use crate::domain::query::filter::{Context, Predicate};
use crate::domain::query::issues::{self as query, Condition, Field};
use crate::domain::query::sort::{self, Criterion};
use crate::domain::visibility;
use crate::http::filters::{self, Saved};
use crate::http::{Error, Pagination, RequestContext, project_scope};
use crate::store::issues::IssueQuery;
use crate::store::{Read, issues};
use std::sync::Arc;

/// Parameters that are not filters.
pub const NON_FILTER_PARAMETERS: &[&str] = &["project_id", "offset", "limit", "page", "sort", "include", "nometa", "query_id"];

/// A page of issues.
pub struct IssuePage {
    /// The issues.
    pub issues: Vec<Arc<Issue>>,
    /// Total number of matching issues.
    pub total: i64,
    /// The requested part of the list.
    pub pagination: Pagination,
    /// The project of the request; `None` for all projects.
    pub project: Option<ProjectId>,
    /// The order.
    pub order: Vec<Criterion>,
    /// The `Warning` about unknown parameters.
    pub warning: Option<String>,
}

/// Loads a page of the matching issues that the viewer can see; only open ones, unless the request filters by status.
pub fn load(request: &RequestContext, db: &Read<'_>) -> Result<IssuePage, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let (pagination, viewer) = (Pagination::from_query(&request.query), request.viewer());
    if !viewer.may_somewhere(Permission::ViewIssues) {
        return Err(Error::Forbidden);
    }
    let root = project_scope::project(request, &catalogue, Permission::ViewIssues)?;
    let subtree = root.map(|root| catalogue.subtree(root));
    let available = query::filter_fields(&catalogue, viewer, subtree.as_deref());
    let context = Context::new(viewer, &catalogue, request.app.clock.today());
    let saved = filters::saved(request, db, "IssueQuery", root, &available, &context)?;
    let filters = filters::parse(request, &available, NON_FILTER_PARAMETERS, &context)?;
    let order = order(request, &catalogue, saved.as_ref());
    let has_default_filter = !filters.is_long_form && saved.as_ref().is_none_or(|saved| saved.conditions.is_none());
    let mut conditions: Vec<Condition> = saved.and_then(|saved| saved.conditions).into_iter().flatten().chain(filters.conditions).collect();
    if has_default_filter && conditions.iter().all(|condition| condition.field != Field::Status) {
        conditions.push(Condition { field: Field::Status, predicate: Predicate::Open });
    }
    let all = visibility::issues(viewer);
    let subprojects = conditions.iter().filter(|condition| condition.field == Field::Subproject).map(|condition| &condition.predicate);
    let visible = match root {
        Some(root) => all.within_projects(Arc::new(project_scope::projects(&catalogue, root, subprojects).into_iter().collect())),
        None => all.clone(),
    };
    let query = IssueQuery {
        viewer,
        visible: &visible,
        conditions: &conditions,
        order: &order,
        offset: pagination.offset,
        limit: pagination.limit,
    };
    let (total, issues) = issues::list_and_count(db, &query)?;
    Ok(IssuePage { issues, total, pagination, project: root, order, warning: filters.warning })
}

/// Returns the requested order, or that of the saved query.
fn order(request: &RequestContext, catalogue: &Catalogue, saved: Option<&Saved<Field>>) -> Vec<Criterion> {
    let is_available = |id: CustomFieldId| query::custom_fields(catalogue, request.viewer()).any(|field| field.id == id);
    let criteria = match (request.query_param("sort").filter(|text| !text.trim().is_empty()), saved) {
        (Some(text), _) => sort::parse(&text, is_available),
        (None, Some(saved)) => {
            sort::criteria(saved.order.iter().map(|(name, direction)| (name.as_str(), direction.as_str())), is_available)
        }
        (None, None) => Vec::new(),
    };
    sort::grouped(&filters::group_by(request, saved), criteria, is_available)
}
