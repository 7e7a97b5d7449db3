//! The sort order of a list: `sort=column[:desc],…`, at most three columns (compatibility 6.3).

use crate::ids::CustomFieldId;

/// One criterion of a sort order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Criterion<Column> {
    pub column: Column,
    /// Whether the order is descending.
    pub descending: bool,
}

/// Maximum number of criteria; further ones are ignored.
pub const MAX_CRITERIA: usize = 3;

/// Parses pairs of name and direction. Columns that are not in `names` are ignored, and any
/// direction but `desc` is ascending. `custom` returns the column of a custom field if the viewer
/// can sort by it.
pub fn criteria<'t, Column: Copy>(
    parts: impl Iterator<Item = (&'t str, &'t str)>,
    names: &[(&str, Column)],
    custom: impl Fn(CustomFieldId) -> Option<Column>,
) -> Vec<Criterion<Column>> {
    let found = parts.filter_map(|(name, direction)| {
        Some(Criterion {
            column: match name.strip_prefix("cf_") {
                Some(number) => number.parse().ok().map(CustomFieldId).and_then(&custom),
                None => names.iter().find(|row| row.0 == name).map(|row| row.1),
            }?,
            descending: direction == "desc",
        })
    });
    found.take(MAX_CRITERIA).collect()
}

/// Returns the criteria of a list that is grouped by `group`, if it is one of the columns in
/// `groups`: it comes first, in the direction that the criteria give it, or else in its default
/// direction (`true` is descending). `day` returns the column of the days of an instant: then the
/// groups are days, and within them the criteria apply.
pub fn grouped<Column: Copy + PartialEq>(
    group: Option<Column>,
    groups: &[(Column, bool)],
    day: impl Fn(Column) -> Option<Column>,
    mut criteria: Vec<Criterion<Column>>,
) -> Vec<Criterion<Column>> {
    let Some((column, default)) =
        group.and_then(|group| groups.iter().find(|(column, _)| *column == group).copied())
    else {
        return criteria;
    };
    let descending = criteria
        .iter()
        .find(|criterion| criterion.column == column)
        .map_or(default, |criterion| criterion.descending);
    let day = day(column);
    if day.is_none() {
        criteria.retain(|criterion| criterion.column != column);
    }
    criteria.insert(
        0,
        Criterion {
            column: day.unwrap_or(column),
            descending,
        },
    );
    criteria
}
