//! The columns of the list: those of the address or of the saved query in use, or the default ones.

use crate::queries;
use crate::queries::ListAddress;
use quarry_domain::access::permission::Permission;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::query::columns::Column;
use quarry_http::RequestContext;
use quarry_http::resources::issue_list::IssueList;

/// The default columns. The project is left out where all issues are of one.
const DEFAULT: [&str; 8] = [
    "id",
    "project",
    "tracker",
    "status",
    "priority",
    "subject",
    "assigned_to",
    "updated_on",
];

/// Number of requested columns that narrow screens show.
const COLUMNS_ON_NARROW_SCREENS: usize = 6;

/// A column of the list.
pub struct ListColumn {
    pub column: Column,
    /// The heading.
    pub label: String,
    /// The address of the list sorted by it; `None` if the list cannot be sorted by it.
    pub path: Option<String>,
    /// Whether it holds numbers.
    pub is_number: bool,
    /// Whether it is left out on narrow screens.
    pub is_optional: bool,
    /// The direction if the list is sorted by it.
    pub descending: Option<bool>,
    /// The name of its field in the form that changes it; `None` if there is none.
    pub field: Option<String>,
}

/// Returns the names of the default columns, without the id.
pub fn default_names(with_project: bool) -> Vec<String> {
    let names = DEFAULT[1..].iter();
    let names = names.filter(|name| with_project || **name != "project");
    names.map(|name| (*name).to_owned()).collect()
}

/// Returns the names of the columns of the list. The first one is the id.
pub fn names(
    request: &RequestContext,
    catalogue: &Catalogue,
    list: &IssueList,
    with_project: bool,
) -> Vec<String> {
    let chosen = queries::displayed_columns(request, catalogue, list.saved.as_ref());
    let rest = if chosen.is_empty() {
        default_names(with_project)
    } else {
        chosen
    };
    let rest = rest.into_iter().filter(|name| name != "id");
    std::iter::once("id".to_owned()).chain(rest).collect()
}

/// Returns the columns of the list. The first one is the id.
pub fn columns(
    request: &RequestContext,
    catalogue: &Catalogue,
    list: &IssueList,
    address: &ListAddress,
    with_project: bool,
) -> Vec<ListColumn> {
    let names = names(request, catalogue, list, with_project);
    let is_default = names[1..] == default_names(with_project);
    let viewer = request.viewer();
    let may = |permission| viewer.may_somewhere(permission);
    let may_edit = may(Permission::EditIssues) || may(Permission::EditOwnIssues);
    let columns = names.iter().enumerate().filter_map(|(position, name)| {
        let column = Column::parse(catalogue, viewer, name)?;
        let is_needed = if is_default {
            !matches!(column, Column::Project | Column::Tracker)
        } else {
            position < COLUMNS_ON_NARROW_SCREENS || column == Column::Subject
        };
        let (path, descending) = sorting(address, list, column);
        Some(ListColumn {
            column,
            label: column.label(catalogue),
            path,
            is_number: column.is_number(catalogue),
            is_optional: !is_needed,
            descending,
            field: field(column, name).filter(|_| may_edit),
        })
    });
    columns.collect()
}

/// Returns the address that sorts by the column, and whether the list is sorted by it, descending
/// or not.
fn sorting(
    address: &ListAddress,
    list: &IssueList,
    column: Column,
) -> (Option<String>, Option<bool>) {
    if !column.is_sortable() {
        return (None, None);
    }
    let first = list.order.get(usize::from(list.group.is_some()));
    let descending = first
        .filter(|criterion| criterion.column == column)
        .map(|criterion| criterion.descending);
    let name = column.name();
    let next = match descending {
        Some(true) => name.into_owned(),
        None if !column.starts_descending() => name.into_owned(),
        _ => format!("{name}:desc"),
    };
    let path = address.with(&[("sort", Some(&next)), ("page", None), ("offset", None)]);
    (Some(path), descending)
}

/// Returns the name of the field of a column in the form of an issue.
fn field(column: Column, name: &str) -> Option<String> {
    match column {
        Column::Tracker
        | Column::Status
        | Column::Priority
        | Column::Assignee
        | Column::Category
        | Column::Version => Some(format!("{name}_id")),
        Column::Parent => Some("parent_issue_id".to_owned()),
        Column::Subject
        | Column::StartDate
        | Column::DueDate
        | Column::EstimatedHours
        | Column::DoneRatio
        | Column::Private
        | Column::Custom(_) => Some(name.to_owned()),
        _ => None,
    }
}
