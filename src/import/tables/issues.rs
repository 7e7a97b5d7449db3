//! Issues, their parents and their relations.

use crate::convert::{parse_boolean, parse_timestamp};
use crate::field::{ColumnType, FieldContext, optional, required, to_integer, with_default};
use crate::id_map::Statuses;
use crate::source::{Cell, Limit, Source, SourceError};
use crate::table_mapping::{Reindex, RowFilter, TableMapping, patch, rows};
use quarry_domain::index_feed::kind::Kind;
use quarry_store::Value;

/// Maximum number of statuses, trackers and enumerations that are looked at.
const MAX_ROWS: usize = 10_000;

pub const ALL: &[TableMapping] = &[
    rows(
        "issues",
        "issues",
        &[
            required("project_id", ColumnType::Ref("projects")),
            required("tracker_id", ColumnType::Ref("trackers")),
            required("status_id", ColumnType::Ref("issue_statuses")).or_default(default_status),
            required("priority_id", ColumnType::Ref("enumerations")).or_default(default_priority),
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

fn default_status(context: &FieldContext<'_>) -> Option<i64> {
    let tracker = context.row.integer("tracker_id");
    context.ids.default_status(tracker)
}

fn default_priority(context: &FieldContext<'_>) -> Option<i64> {
    context.ids.default_priority()
}

/// Returns the statuses of the source.
pub fn statuses(source: &mut Source) -> Result<Statuses, SourceError> {
    let mut statuses = Statuses::default();
    let mut positions = Vec::new();
    for [id, position, is_closed] in
        small_table(source, "issue_statuses", ["id", "position", "is_closed"])?
    {
        let Some(id) = to_integer(&id) else {
            continue;
        };
        positions.push((to_integer(&position), id));
        if parse_boolean(&is_closed) == Some(true) {
            statuses.closed.insert(id);
        }
    }
    positions.sort_unstable();
    statuses.ordered = positions.into_iter().map(|(_, id)| id).collect();
    for [tracker, status] in small_table(source, "trackers", ["id", "default_status_id"])? {
        let ids = to_integer(&tracker).zip(to_integer(&status));
        statuses.defaults.extend(ids);
    }
    Ok(statuses)
}

/// Returns the priorities of issues in the source, the default first.
pub fn priorities(source: &mut Source) -> Result<Vec<i64>, SourceError> {
    let columns = ["id", "type", "is_default", "position"];
    let mut priorities = Vec::new();
    for [id, kind, is_default, position] in small_table(source, "enumerations", columns)? {
        if let Some(id) = to_integer(&id)
            && kind == Cell::Text("IssuePriority".to_owned())
        {
            let is_other = parse_boolean(&is_default) != Some(true);
            priorities.push((is_other, to_integer(&position), id));
        }
    }
    priorities.sort_unstable();
    Ok(priorities.into_iter().map(|(_, _, id)| id).collect())
}

/// Returns columns of the first rows of a table; none if it lacks one of them.
fn small_table<const N: usize>(
    source: &mut Source,
    table: &str,
    columns: [&str; N],
) -> Result<Vec<[Cell; N]>, SourceError> {
    if !columns
        .iter()
        .all(|column| source.has_column(table, column))
    {
        return Ok(Vec::new());
    }
    let rows = source.page(table, &columns, "id", None, Limit::Rows(MAX_ROWS))?;
    let rows = rows.into_iter().filter_map(|cells| cells.try_into().ok());
    Ok(rows.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::convert_row;

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
