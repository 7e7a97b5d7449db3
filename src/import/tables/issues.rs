//! Issues, their parents and their relations.

use crate::convert::{parse_boolean, parse_timestamp};
use crate::field::{ColumnType, FieldContext, optional, required, to_integer, with_default};
use crate::source::{Limit, Source, SourceError};
use crate::table_mapping::{Reindex, RowFilter, TableMapping, patch, rows};
use quarry_domain::index_feed::kind::Kind;
use quarry_store::Value;
use std::collections::HashSet;

/// Maximum number of statuses.
const MAX_STATUSES: usize = 10_000;

pub const ALL: &[TableMapping] = &[
    rows(
        "issues",
        "issues",
        &[
            required("project_id", ColumnType::Ref("projects")),
            required("tracker_id", ColumnType::Ref("trackers")),
            required("status_id", ColumnType::Ref("issue_statuses")),
            required("priority_id", ColumnType::Ref("enumerations")),
            required("author_id", ColumnType::Ref("users")),
            optional("assigned_to_id", ColumnType::Ref("users")),
            optional("category_id", ColumnType::Ref("issue_categories")),
            optional("fixed_version_id", ColumnType::Ref("versions")),
            with_default("is_private", ColumnType::Boolean, 0),
            with_default("done_ratio", ColumnType::Integer, 0),
            optional("estimated_hours", ColumnType::Float),
            optional("start_date", ColumnType::Date),
            optional("due_date", ColumnType::Date),
            with_default("created_on", ColumnType::Timestamp, 0),
            with_default("updated_on", ColumnType::Timestamp, 0),
            optional("closed_on", ColumnType::Custom(closed_on)).also_reads(&["status_id"]),
            with_default("lock_version", ColumnType::Integer, 0),
            required("subject", ColumnType::Text),
            optional("description", ColumnType::Text),
        ],
    )
    .reindexes(Reindex::Own(Kind::Issue)),
    patch(
        "issues (parent)",
        "issues",
        "id",
        "issues",
        &[optional("parent_id", ColumnType::Ref("issues"))],
    )
    .filter(RowFilter::NotNull("parent_id")),
    rows(
        "issue_relations",
        "issue_relations",
        &[
            required("issue_from_id", ColumnType::Ref("issues")),
            required("issue_to_id", ColumnType::Ref("issues")),
            required("relation_type", ColumnType::Text),
            optional("delay", ColumnType::Integer),
        ],
    ),
];

/// Returns when a closed issue was closed. Redmine keeps the time when the issue is reopened; here
/// an open issue has none (compatibility 6.6).
fn closed_on(context: &FieldContext<'_>) -> Result<Value, String> {
    let is_closed = context
        .row
        .integer("status_id")
        .is_some_and(|status| context.ids.is_closed(status));
    let text = context.row.text("closed_on")?;
    if !is_closed || text.is_empty() {
        return Ok(Value::Null);
    }
    parse_timestamp(&text)
        .map(Value::Int)
        .ok_or_else(|| format!("is {text:?}, not a date and time"))
}

/// Returns the statuses of the source in which issues are closed.
pub fn closed_statuses(source: &mut Source) -> Result<HashSet<i64>, SourceError> {
    let columns = ["id", "is_closed"];
    if !columns
        .iter()
        .all(|column| source.has_column("issue_statuses", column))
    {
        return Ok(HashSet::new());
    }
    let rows = source.page(
        "issue_statuses",
        &columns,
        "id",
        None,
        Limit::Rows(MAX_STATUSES),
    )?;
    let closed = rows
        .iter()
        .filter(|cells| parse_boolean(&cells[1]) == Some(true));
    Ok(closed.filter_map(|cells| to_integer(&cells[0])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::convert_row;
    use crate::source::Cell;

    #[test]
    fn open_issues_have_no_time_of_closing() {
        let row = [
            ("closed_on", Cell::Text("2024-01-01 00:00:00".to_owned())),
            ("status_id", Cell::Int(1)),
        ];
        assert_eq!(convert_row(closed_on, &row), Ok(Value::Null));
        assert_eq!(
            convert_row(
                closed_on,
                &[("closed_on", Cell::Null), ("status_id", Cell::Int(5))]
            ),
            Ok(Value::Null)
        );
    }
}
