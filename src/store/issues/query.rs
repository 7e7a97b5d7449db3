//! A query for a page of issues, and its conditions as SQL.

use crate::Read;
use crate::lists::filter;
use crate::lists::filter::FilterContext;
use crate::lists::visibility;
use crate::lists::visibility::Columns;
use crate::transaction::sql::Sql;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visible::Visible;
use quarry_domain::ids::ProjectId;
use quarry_domain::query::columns::Criterion;
use quarry_domain::query::issues::Condition;
use std::borrow::Cow;

/// A query for one page of issues.
pub struct IssueQuery<'a> {
    /// The user that the list is for.
    pub viewer: &'a Viewer,
    /// The issues that the viewer may see, or those of them in some projects.
    pub visible: &'a Visible,
    /// The project whose list it is; `None` for all projects.
    pub project: Option<ProjectId>,
    /// Conditions that all must match.
    pub conditions: &'a [Condition],
    /// The sort criteria.
    pub order: &'a [Criterion],
    /// How many matches to skip.
    pub offset: i64,
    /// Maximum number of issues to return.
    pub limit: i64,
}

impl<'a> IssueQuery<'a> {
    /// Returns what the filters and the order of the query depend on.
    pub(super) fn filter_context(&self, db: &'a Read<'_>) -> FilterContext<'a> {
        FilterContext {
            viewer: self.viewer,
            catalogue: db.catalogue(),
            project: self.project,
        }
    }
}

/// Adds the visibility of the viewer over these columns, and the conditions.
pub fn push_conditions(db: &Read<'_>, sql: &mut Sql, query: &IssueQuery<'_>, columns: Columns) {
    let context = query.filter_context(db);
    visibility::push_visible(sql, &without_full_project_lists(query.visible, db), columns);
    for condition in query.conditions {
        sql.push(" AND ");
        filter::issues::push_condition(sql, condition, context);
    }
}

/// Replaces every list of all projects by `Everything`: a list costs SQLite a table.
pub(super) fn without_full_project_lists<'v>(
    visible: &'v Visible,
    db: &Read<'_>,
) -> Cow<'v, Visible> {
    match visible {
        Visible::InProjects(projects) if db.catalogue().is_all_projects(projects) => {
            Cow::Owned(Visible::Everything)
        }
        Visible::Any(parts) => Cow::Owned(Visible::Any(simplify(parts, db))),
        Visible::All(parts) => Cow::Owned(Visible::All(simplify(parts, db))),
        _ => Cow::Borrowed(visible),
    }
}

fn simplify(parts: &[Visible], db: &Read<'_>) -> Vec<Visible> {
    parts
        .iter()
        .map(|part| without_full_project_lists(part, db).into_owned())
        .collect()
}
