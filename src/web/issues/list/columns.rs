//! The columns of the list: those of the address or of the saved query in use, or the default ones.

use crate::queries;
use crate::queries::ListAddress;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::CustomFieldId;
use quarry_domain::query::associations::Association;
use quarry_domain::query::{columns, issues, sort};
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

/// What a column shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// A column by which the list can be sorted.
    Sortable(sort::Column),
    Files,
    Description,
    /// The latest note that the viewer may see.
    LastNotes,
    ParentSubject,
    Relations,
    Watchers,
    /// A custom field of an associated record.
    OfRecord(Association, CustomFieldId),
}

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
    let columns = names.iter().enumerate().filter_map(|(position, name)| {
        let (column, label) = column(request, catalogue, name)?;
        let is_needed = if is_default {
            !matches!(name.as_str(), "project" | "tracker")
        } else {
            position < COLUMNS_ON_NARROW_SCREENS || name == "subject"
        };
        let (path, descending) = sorting(address, list, name, column);
        Some(ListColumn {
            column,
            label,
            path,
            is_number: is_number(catalogue, column),
            is_optional: !is_needed,
            descending,
        })
    });
    columns.collect()
}

/// Returns the column with this name, and its label.
pub fn column(
    request: &RequestContext,
    catalogue: &Catalogue,
    name: &str,
) -> Option<(Column, String)> {
    if let Some(column) = sort::column(name, |id| {
        issues::custom_fields(catalogue, request.viewer()).any(|field| field.id == id)
    }) {
        return Some((Column::Sortable(column), label(catalogue, column)));
    }
    match name {
        "attachments" => unsortable(Column::Files, "Files"),
        "description" => unsortable(Column::Description, "Description"),
        "last_notes" => unsortable(Column::LastNotes, "Last note"),
        "parent.subject" => unsortable(Column::ParentSubject, "Parent task subject"),
        "relations" => unsortable(Column::Relations, "Related issues"),
        "watcher_users" => unsortable(Column::Watchers, "Watchers"),
        _ => of_record(request, catalogue, name),
    }
}

fn unsortable(column: Column, label: &str) -> Option<(Column, String)> {
    Some((column, label.to_owned()))
}

/// Returns the column of a custom field of an associated record, such as `project.cf_5`.
fn of_record(
    request: &RequestContext,
    catalogue: &Catalogue,
    name: &str,
) -> Option<(Column, String)> {
    let (record, id) = name
        .split_once(".cf_")
        .filter(|_| columns::is_column(catalogue, request.viewer(), name))?;
    let associations = [
        Association::Project,
        Association::Author,
        Association::Assignee,
        Association::Version,
    ];
    let association = associations
        .into_iter()
        .find(|association| association.names().0 == record)?;
    let field = catalogue
        .custom_fields
        .iter()
        .find(|field| field.id.to_string() == id)?;
    Some((
        Column::OfRecord(association, field.id),
        format!("{}'s {}", association.names().1, field.name),
    ))
}

/// Returns the name of a column on the page.
pub fn label(catalogue: &Catalogue, column: sort::Column) -> String {
    let label = match column {
        sort::Column::Id => "#",
        sort::Column::Project => "Project",
        sort::Column::Tracker => "Tracker",
        sort::Column::Parent => "Parent task",
        sort::Column::Status => "Status",
        sort::Column::Priority => "Priority",
        sort::Column::Subject => "Subject",
        sort::Column::Author => "Author",
        sort::Column::Assignee => "Assignee",
        sort::Column::UpdatedOn | sort::Column::UpdatedDay => "Updated",
        sort::Column::Category => "Category",
        sort::Column::Version => "Target version",
        sort::Column::StartDate => "Start date",
        sort::Column::DueDate => "Due date",
        sort::Column::EstimatedHours => "Estimated time",
        sort::Column::TotalEstimatedHours => "Total estimated time",
        sort::Column::SpentHours => "Spent time",
        sort::Column::TotalSpentHours => "Total spent time",
        sort::Column::DoneRatio => "% Done",
        sort::Column::CreatedOn | sort::Column::CreatedDay => "Created",
        sort::Column::ClosedOn | sort::Column::ClosedDay => "Closed",
        sort::Column::Private => "Private",
        sort::Column::LastUpdatedBy => "Last updated by",
        sort::Column::Custom(id) => {
            let field = catalogue.custom_fields.iter().find(|field| field.id == id);
            return field.map_or(String::new(), |field| field.name.clone());
        }
    };
    label.to_owned()
}

/// Returns the address that sorts by the column, and whether the list is sorted by it, descending
/// or not.
fn sorting(
    address: &ListAddress,
    list: &IssueList,
    name: &str,
    column: Column,
) -> (Option<String>, Option<bool>) {
    let Column::Sortable(column) = column else {
        return (None, None);
    };
    let first = list.order.get(usize::from(list.group.is_some()));
    let descending = first
        .filter(|criterion| criterion.column == column)
        .map(|criterion| criterion.descending);
    // Numbers and times start with the largest.
    let starts_descending = matches!(
        column,
        sort::Column::Id
            | sort::Column::Priority
            | sort::Column::UpdatedOn
            | sort::Column::CreatedOn
            | sort::Column::ClosedOn
    );
    let next = match descending {
        Some(true) => name.to_owned(),
        None if !starts_descending => name.to_owned(),
        _ => format!("{name}:desc"),
    };
    let path = address.with(&[("sort", Some(&next)), ("page", None), ("offset", None)]);
    (Some(path), descending)
}

fn is_number(catalogue: &Catalogue, column: Column) -> bool {
    match column {
        Column::Sortable(sort::Column::Custom(id)) => columns::is_numeric(catalogue, id),
        Column::Sortable(column) => matches!(
            column,
            sort::Column::Id
                | sort::Column::EstimatedHours
                | sort::Column::TotalEstimatedHours
                | sort::Column::SpentHours
                | sort::Column::TotalSpentHours
                | sort::Column::DoneRatio
        ),
        _ => false,
    }
}
