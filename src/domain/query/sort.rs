//! The sort order of the issue list: `sort=column[:desc],…`, at most three columns (compatibility 6.3).

use super::criterion;
use crate::domain::ids::CustomFieldId;

/// A column by which issues can be sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is the column of its name")]
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
    DoneRatio,
    CreatedOn,
    ClosedOn,
    Private,
    LastUpdatedBy,
    Custom(CustomFieldId),
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
    ("done_ratio", Column::DoneRatio),
    ("created_on", Column::CreatedOn),
    ("closed_on", Column::ClosedOn),
    ("is_private", Column::Private),
    ("last_updated_by", Column::LastUpdatedBy),
];

/// One criterion.
pub type Criterion = criterion::Criterion<Column>;

/// Parses `sort`. Unknown columns are ignored, and any suffix but `:desc` is ascending. `is_sortable` tells whether the viewer can sort by
/// a custom field.
pub fn parse(text: &str, is_sortable: impl Fn(CustomFieldId) -> bool) -> Vec<Criterion> {
    let parts = text.split(',').map(|part| part.trim().split_once(':').unwrap_or((part.trim(), "")));
    criteria(parts, is_sortable)
}

/// Like [`parse`], for pairs of name and direction.
pub fn criteria<'t>(parts: impl Iterator<Item = (&'t str, &'t str)>, is_sortable: impl Fn(CustomFieldId) -> bool) -> Vec<Criterion> {
    criterion::criteria(parts, NAMES, |field| is_sortable(field).then_some(Column::Custom(field)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_three_known_columns_are_used() {
        let criteria = parse("nonsense,cf_2,status:desc,subject:up,cf_1:desc,id:desc,project", |field| field.0 == 1);
        let columns: Vec<_> = criteria.iter().map(|criterion| (criterion.column, criterion.descending)).collect();
        assert_eq!(columns, [(Column::Status, true), (Column::Subject, false), (Column::Custom(CustomFieldId(1)), true)]);
    }
}
