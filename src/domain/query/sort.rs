//! The sort order of the issue list: `sort=column[:desc],…`, at most three columns (compatibility
//! 6.3).

use super::criterion;
use crate::ids::CustomFieldId;

pub use criterion::MAX_CRITERIA;

/// A column by which issues can be sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    Id,
    Project,
    Tracker,
    Parent,
    Status,
    Priority,
    Subject,
    Author,
    Assignee,
    UpdatedOn,
    Category,
    Version,
    StartDate,
    DueDate,
    EstimatedHours,
    TotalEstimatedHours,
    SpentHours,
    TotalSpentHours,
    DoneRatio,
    CreatedOn,
    ClosedOn,
    Private,
    LastUpdatedBy,
    Custom(CustomFieldId),
    /// The day of the creation, for the viewer. Days are for groups only.
    CreatedDay,
    UpdatedDay,
    ClosedDay,
}

const NAMES: &[(&str, Column)] = &[
    ("id", Column::Id),
    ("project", Column::Project),
    ("tracker", Column::Tracker),
    ("parent", Column::Parent),
    ("status", Column::Status),
    ("priority", Column::Priority),
    ("subject", Column::Subject),
    ("author", Column::Author),
    ("assigned_to", Column::Assignee),
    ("updated_on", Column::UpdatedOn),
    ("category", Column::Category),
    ("fixed_version", Column::Version),
    ("start_date", Column::StartDate),
    ("due_date", Column::DueDate),
    ("estimated_hours", Column::EstimatedHours),
    ("total_estimated_hours", Column::TotalEstimatedHours),
    ("spent_hours", Column::SpentHours),
    ("total_spent_hours", Column::TotalSpentHours),
    ("done_ratio", Column::DoneRatio),
    ("created_on", Column::CreatedOn),
    ("closed_on", Column::ClosedOn),
    ("is_private", Column::Private),
    ("last_updated_by", Column::LastUpdatedBy),
];

/// Returns the names of all columns by which the list can be sorted, except custom fields.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

/// The columns by which a list can be grouped, each with whether its groups are in descending order
/// by default.
const GROUPS: &[(Column, bool)] = &[
    (Column::Project, false),
    (Column::Tracker, false),
    (Column::Status, false),
    (Column::Priority, true),
    (Column::Author, false),
    (Column::Assignee, false),
    (Column::Category, false),
    (Column::Version, false),
    (Column::StartDate, false),
    (Column::DueDate, false),
    (Column::DoneRatio, false),
    (Column::CreatedOn, true),
    (Column::UpdatedOn, true),
    (Column::ClosedOn, true),
    (Column::Private, false),
];

/// One criterion.
pub type Criterion = criterion::Criterion<Column>;

/// Parses `sort`. Unknown columns are ignored, and any suffix but `:desc` is ascending.
/// `is_sortable` tells whether the viewer can sort by a custom field.
pub fn parse(text: &str, is_sortable: impl Fn(CustomFieldId) -> bool) -> Vec<Criterion> {
    let parts = text
        .split(',')
        .map(|part| part.trim().split_once(':').unwrap_or((part.trim(), "")));
    criteria(parts, is_sortable)
}

/// Like [`parse`], for pairs of name and direction.
pub fn criteria<'t>(
    parts: impl Iterator<Item = (&'t str, &'t str)>,
    is_sortable: impl Fn(CustomFieldId) -> bool,
) -> Vec<Criterion> {
    criterion::criteria(parts, NAMES, |field| {
        is_sortable(field).then_some(Column::Custom(field))
    })
}

/// Returns the criteria of a list that is grouped by the column with this name: it leads the order,
/// in the direction that the criteria or else the column have. A column that makes no groups is
/// ignored.
pub fn grouped(
    name: &str,
    criteria: Vec<Criterion>,
    is_sortable: impl Fn(CustomFieldId) -> bool,
) -> Vec<Criterion> {
    let group = column(name, is_sortable);
    match group {
        Some(custom @ Column::Custom(_)) => {
            criterion::grouped(group, &[(custom, false)], day, criteria)
        }
        _ => criterion::grouped(group, GROUPS, day, criteria),
    }
}

/// Returns the column of the days of an instant.
fn day(column: Column) -> Option<Column> {
    match column {
        Column::CreatedOn => Some(Column::CreatedDay),
        Column::UpdatedOn => Some(Column::UpdatedDay),
        Column::ClosedOn => Some(Column::ClosedDay),
        _ => None,
    }
}

/// Returns the custom field by which a list is grouped, if the column with this name is one.
pub fn group_field(
    name: &str,
    is_sortable: impl Fn(CustomFieldId) -> bool,
) -> Option<CustomFieldId> {
    match parse(name, is_sortable).first()?.column {
        Column::Custom(field) => Some(field),
        _ => None,
    }
}

/// Returns the column with this name by which the list can be grouped.
pub fn group(name: &str, is_visible: impl Fn(CustomFieldId) -> bool) -> Option<Column> {
    column(name, is_visible).filter(|column| {
        matches!(column, Column::Custom(_)) || GROUPS.iter().any(|(group, _)| group == column)
    })
}

/// Returns the column with this name by which the list can be sorted.
pub fn column(name: &str, is_sortable: impl Fn(CustomFieldId) -> bool) -> Option<Column> {
    criteria(std::iter::once((name, "")), is_sortable)
        .first()
        .map(|criterion| criterion.column)
}

/// Whether the list can be sorted by the column with this name.
pub fn is_sortable(name: &str, is_sortable: impl Fn(CustomFieldId) -> bool) -> bool {
    column(name, is_sortable).is_some()
}

/// Whether the list can be grouped by the column with this name.
pub fn is_groupable(name: &str, is_visible: impl Fn(CustomFieldId) -> bool) -> bool {
    group(name, is_visible).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_three_known_columns_are_used() {
        let criteria = parse(
            "nonsense,cf_2,status:desc,subject:up,cf_1:desc,id:desc,project",
            |field| field.0 == 1,
        );
        let columns: Vec<_> = criteria
            .iter()
            .map(|criterion| (criterion.column, criterion.descending))
            .collect();
        assert_eq!(
            columns,
            [
                (Column::Status, true),
                (Column::Subject, false),
                (Column::Custom(CustomFieldId(1)), true)
            ]
        );
    }

    #[test]
    fn group_leads_the_order() {
        assert_eq!(
            grouped_columns("tracker", "subject"),
            [(Column::Tracker, false), (Column::Subject, false)]
        );
        assert_eq!(grouped_columns("priority", ""), [(Column::Priority, true),]);
        let four = [
            (Column::Status, true),
            (Column::Subject, false),
            (Column::Id, false),
        ];
        assert_eq!(grouped_columns("status", "subject,status:desc,id"), four);
        assert_eq!(
            grouped_columns("updated_on", "subject"),
            [(Column::UpdatedDay, true), (Column::Subject, false)],
            "groups are days"
        );
        let within_days = [
            (Column::ClosedDay, false),
            (Column::Id, true),
            (Column::ClosedOn, false),
        ];
        assert_eq!(
            grouped_columns("closed_on", "id:desc,closed_on"),
            within_days
        );
        assert_eq!(
            grouped_columns("subject", "id:desc"),
            [(Column::Id, true)],
            "subjects make no groups"
        );
        assert_eq!(grouped_columns("nonsense", "id:desc"), [(Column::Id, true)]);
    }

    fn grouped_columns(group: &str, sort: &str) -> Vec<(Column, bool)> {
        let criteria = grouped(group, parse(sort, |_| false), |_| false);
        criteria
            .iter()
            .map(|criterion| (criterion.column, criterion.descending))
            .collect::<Vec<_>>()
    }
}
