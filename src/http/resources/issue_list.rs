//! The issues that a request lists, for the API and for pages (compatibility 6.3).

use crate::resources::export::load_first;
use crate::resources::filters;
use crate::resources::project_scope;
use crate::resources::text_filter::{TextFilter, replace_texts};
use crate::{Error, Pagination, RequestContext};
use quarry_domain::access::permission::Permission;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::access::visible::Visible;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::ProjectId;
use quarry_domain::issues::issue::Issue;
use quarry_domain::query::columns;
use quarry_domain::query::columns::{Column, Criterion};
use quarry_domain::query::filter::{Context, FilterField, Predicate};
use quarry_domain::query::issues as query;
use quarry_domain::query::issues::{Condition, Field};
use quarry_domain::query::saved::{QueryKind, SavedQuery};
use quarry_domain::values::id_set::IdSet;
use quarry_search::sort_of;
use quarry_store::issues::{DateRange, IssueQuery};
use quarry_store::{Read, StoreError, issues};
use std::sync::Arc;

/// Parameters that are not filters.
pub const NON_FILTER_PARAMETERS: &[&str] = &[
    "project_id",
    "offset",
    "limit",
    "page",
    "sort",
    "include",
    "nometa",
    "query_id",
    "tz",
];

/// A list of issues, as a request and the saved query in it describe it.
pub struct IssueList {
    /// The project of the request; `None` for all projects.
    pub project: Option<ProjectId>,
    /// The fields by which the viewer can filter the list.
    pub fields: Vec<FilterField<Field>>,
    /// The context for keywords and relative dates.
    pub context: Context,
    /// The saved query in use.
    pub saved: Option<SavedQuery>,
    /// Whether only open issues are shown because neither the request nor the saved query has a
    /// filter by status.
    pub has_default_filter: bool,
    /// The conditions, which must all match. Texts are replaced by the issues that they find.
    pub conditions: Vec<Condition>,
    /// The texts, in the language of the search.
    pub texts: Vec<TextFilter>,
    /// The order. The column of the groups comes first.
    pub order: Vec<Criterion>,
    /// The column that groups the list.
    pub group: Option<Column>,
    /// The requested part of the list.
    pub pagination: Pagination,
    /// The `Warning` about unknown parameters, or about a text.
    pub warning: Option<String>,
    visible: Visible,
}

/// Why a list cannot be parsed.
enum Failure {
    /// A text cannot be searched for.
    Search(Error),
    /// Something else.
    Other(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Other(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Other(error.into())
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        match failure {
            Failure::Search(error) | Failure::Other(error) => error,
        }
    }
}

/// What happens to the texts among the filters of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Texts {
    Searched,
    LeftOut,
}

/// A page of issues.
pub struct IssuePage {
    pub issues: Vec<Arc<Issue>>,
    /// Total number of matching issues.
    pub total: i64,
    /// The requested part of the list.
    pub pagination: Pagination,
    /// The `Warning` about unknown parameters, or about a text.
    pub warning: Option<String>,
}

/// Loads a page of the matching issues that the viewer can see; only open ones, unless the request
/// filters by status.
pub fn load(request: &RequestContext, db: &Read<'_>) -> Result<IssuePage, Error> {
    let list = IssueList::parse(request, db)?;
    let (total, issues) = list.load(db, request.viewer())?;
    Ok(IssuePage {
        issues,
        total,
        pagination: list.pagination,
        warning: list.warning,
    })
}

impl IssueList {
    /// Parses the parameters of a list, loads the saved query that they name, and searches for the
    /// text among the filters.
    pub fn parse(request: &RequestContext, db: &Read<'_>) -> Result<IssueList, Error> {
        Ok(IssueList::parse_with(request, db, Texts::Searched)?)
    }

    /// Parses the parameters of a list, for a page that has a box for the text: if that cannot be
    /// searched for, returns the list without it, and the error.
    pub fn parse_for_page(
        request: &RequestContext,
        db: &Read<'_>,
    ) -> Result<(IssueList, Option<Error>), Error> {
        match IssueList::parse_with(request, db, Texts::Searched) {
            Ok(list) => Ok((list, None)),
            Err(Failure::Search(error)) if error.status().as_u16() != 500 => {
                let list = IssueList::parse_with(request, db, Texts::LeftOut)?;
                Ok((list, Some(error)))
            }
            Err(failure) => Err(failure.into()),
        }
    }

    fn parse_with(
        request: &RequestContext,
        db: &Read<'_>,
        texts: Texts,
    ) -> Result<IssueList, Failure> {
        let catalogue = db.catalogue();
        let viewer = request.viewer();
        if !viewer.may_somewhere(Permission::ViewIssues) {
            return Err(Error::Forbidden.into());
        }
        let root = project_scope::project(request, catalogue, Permission::ViewIssues)?;
        let fields = query::filter_fields(catalogue, viewer, root.is_some());
        let context = Context::new(viewer, catalogue, db.now());
        let saved = filters::saved(request, db, QueryKind::Issues, root, &fields, &context)?;
        let filters = filters::parse(request, &fields, NON_FILTER_PARAMETERS, &context)?;
        let group = filters::group_by(request, saved.as_ref());
        let group = columns::group(catalogue, viewer, &group);
        let is_open_by_default = !filters.is_long_form
            && saved
                .as_ref()
                .is_none_or(|saved| saved.conditions.is_none());
        let (saved_conditions, saved) =
            saved.map_or((None, None), |saved| (saved.conditions, Some(saved.query)));
        let mut conditions: Vec<Condition> = saved_conditions
            .into_iter()
            .flatten()
            .chain(filters.conditions)
            .collect();
        conditions.extend(group_condition(group));
        if texts == Texts::LeftOut {
            conditions.retain(|condition| condition.field != Field::Search);
        }
        // A list with a text has what the search finds, open or not.
        let has_default_filter = is_open_by_default
            && conditions
                .iter()
                .all(|condition| !matches!(condition.field, Field::Status | Field::Search));
        if has_default_filter {
            conditions.push(Condition {
                field: Field::Status,
                predicate: Predicate::Open,
            });
        }
        let projects: Option<IdSet> = root.map(|root| {
            let projects = project_scope::projects(catalogue, root, subprojects(&conditions));
            projects.into_iter().collect()
        });
        let texts = replace_texts(request, db, projects.as_ref(), &mut conditions)
            .map_err(Failure::Search)?;
        let order = order(request, catalogue, &texts, saved.as_ref());
        let order = columns::grouped(group, order);
        Ok(IssueList {
            project: root,
            visible: visible(catalogue, viewer, root, &conditions),
            group,
            pagination: Pagination::from_query(&request.query),
            warning: warning(filters.warning, &texts),
            texts,
            fields,
            context,
            saved,
            has_default_filter,
            conditions,
            order,
        })
    }

    /// Lists issues of all statuses, if only the default filter leaves out closed ones.
    /// Returns whether there was one.
    pub fn remove_default_filter(&mut self) -> bool {
        let has_default_filter = self.has_default_filter;
        if has_default_filter {
            let conditions = &mut self.conditions;
            conditions.retain(|condition| condition.field != Field::Status);
            self.has_default_filter = false;
        }
        has_default_filter
    }

    /// Returns the project of the request with those of its subprojects whose issues are listed;
    /// `None` for all projects.
    pub fn projects(&self, catalogue: &Catalogue) -> Option<Vec<ProjectId>> {
        self.project
            .map(|root| project_scope::projects(catalogue, root, subprojects(&self.conditions)))
    }

    /// Returns the number of matching issues, and those of the page.
    pub fn load(&self, db: &Read<'_>, viewer: &Viewer) -> Result<(i64, Vec<Arc<Issue>>), Error> {
        Ok(issues::list_and_count(
            db,
            &self.query(viewer, &self.conditions),
        )?)
    }

    /// Returns the first of the matching issues, in the order of the list, at most `limit`.
    pub fn load_first(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        limit: i64,
    ) -> Result<Vec<Arc<Issue>>, Error> {
        load_first(limit, |offset, limit| {
            let query = IssueQuery {
                offset,
                limit,
                ..self.query(viewer, &self.conditions)
            };
            Ok(issues::list(db, &query)?)
        })
    }

    /// Returns how many of the matching issues are in the period, and the first of them by date, at
    /// most `limit`, without their descriptions.
    pub fn load_period(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        period: DateRange,
        limit: i64,
    ) -> Result<(i64, Vec<Issue>), Error> {
        let query = IssueQuery {
            offset: 0,
            limit,
            ..self.query(viewer, &self.conditions)
        };
        Ok(issues::list_period(db, &query, period)?)
    }

    /// Returns how many of the matching issues also match this condition.
    pub fn count_matching(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        condition: Condition,
    ) -> Result<i64, Error> {
        let conditions: Vec<Condition> =
            self.conditions.iter().cloned().chain([condition]).collect();
        Ok(issues::count(db, &self.query(viewer, &conditions))?)
    }

    /// Returns the sum of a column over all matching issues.
    pub fn sum(&self, db: &Read<'_>, viewer: &Viewer, column: Column) -> Result<f64, Error> {
        Ok(issues::sum(
            db,
            &self.query(viewer, &self.conditions),
            column,
        )?)
    }

    /// Returns the sum of a column over those of the matching issues that also match this condition.
    pub fn sum_matching(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        column: Column,
        condition: Condition,
    ) -> Result<f64, Error> {
        let conditions: Vec<Condition> =
            self.conditions.iter().cloned().chain([condition]).collect();
        Ok(issues::sum(db, &self.query(viewer, &conditions), column)?)
    }

    /// Returns the query for these conditions.
    pub(super) fn query<'a>(
        &'a self,
        viewer: &'a Viewer,
        conditions: &'a [Condition],
    ) -> IssueQuery<'a> {
        let Pagination { offset, limit, .. } = self.pagination;
        IssueQuery {
            viewer,
            visible: &self.visible,
            project: self.project,
            conditions,
            order: &self.order,
            offset,
            limit,
        }
    }
}

/// Returns the issues that the viewer may see in the scope of a list.
pub(super) fn visible(
    catalogue: &Catalogue,
    viewer: &Viewer,
    root: Option<ProjectId>,
    conditions: &[Condition],
) -> Visible {
    let all = visibility::issues(viewer);
    project_scope::visible(catalogue, all, root, subprojects(conditions))
}

/// Returns the conditions that select subprojects.
pub(super) fn subprojects(conditions: &[Condition]) -> impl Iterator<Item = &Predicate> {
    conditions
        .iter()
        .filter(|condition| condition.field == Field::Subproject)
        .map(|condition| &condition.predicate)
}

/// Returns the `Warning` about unknown parameters and about texts.
fn warning(parameters: Option<String>, texts: &[TextFilter]) -> Option<String> {
    let texts = texts.iter().flat_map(TextFilter::warnings);
    let all: Vec<String> = parameters.into_iter().chain(texts).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// Returns the requested order, or else that of a text, or that of the saved query.
fn order(
    request: &RequestContext,
    catalogue: &Catalogue,
    texts: &[TextFilter],
    saved: Option<&SavedQuery>,
) -> Vec<Criterion> {
    let viewer = request.viewer();
    match filters::requested_order(request) {
        Some(order) => columns::parse_order(catalogue, viewer, &order),
        None => own_order(catalogue, viewer, texts, saved),
    }
}

/// Returns the order of a text, or that of the saved query.
pub(super) fn own_order(
    catalogue: &Catalogue,
    viewer: &Viewer,
    texts: &[TextFilter],
    saved: Option<&SavedQuery>,
) -> Vec<Criterion> {
    let mut sorts = texts.iter().rev().filter_map(|text| sort_of(&text.text));
    if let Some(sort) = sorts.next() {
        let column = sort.column().into_iter();
        let column =
            column.map(|(name, is_descending)| (name, if is_descending { "desc" } else { "asc" }));
        return columns::order(catalogue, viewer, column);
    }
    let saved = saved.into_iter().flat_map(|query| &query.order);
    let saved = saved.map(|(name, direction)| (name.as_str(), direction.as_str()));
    columns::order(catalogue, viewer, saved)
}

/// Returns the condition of a list that is grouped by a custom field: it has only the issues with
/// that field (compatibility 6.3).
pub(super) fn group_condition(group: Option<Column>) -> Option<Condition> {
    match group? {
        Column::Custom(id) => Some(Condition {
            field: Field::Custom(id),
            predicate: Predicate::Available,
        }),
        _ => None,
    }
}
