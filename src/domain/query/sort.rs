//! The order of the issue list: `sort=column[:desc],…`, at most three (contract 4.3).

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Criterion {
    /// By what.
    pub column: Column,
    /// Whether the largest comes first.
    pub descending: bool,
}

/// How many criteria count.
const MOST: usize = 3;

/// Reads `sort`; unknown columns are passed over, any suffix but `:desc` is ascending.
pub fn parse(text: &str) -> Vec<Criterion> {
    let criteria = text.split(',').filter_map(|part| {
        let (name, suffix) = part.trim().split_once(':').unwrap_or((part.trim(), ""));
        let column = NAMES.iter().find(|row| row.0 == name)?.1;
        Some(Criterion { column, descending: suffix == "desc" })
    });
    criteria.take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_known_columns_count() {
        let criteria = parse("nonsense,status:desc,subject:up,id:desc,project");
        let columns: Vec<_> = criteria.iter().map(|criterion| (criterion.column, criterion.descending)).collect();
        assert_eq!(columns, [(Column::Status, true), (Column::Subject, false), (Column::Id, true)]);
    }
}
