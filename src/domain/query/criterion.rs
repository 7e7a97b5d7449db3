//! The order of a list: `sort=column[:desc],…`, at most three (compatibility 6.3).

use crate::domain::ids::CustomFieldId;

/// One criterion of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Criterion<Column> {
    /// By what.
    pub column: Column,
    /// Whether the largest comes first.
    pub descending: bool,
}

/// How many criteria count.
const MAX_CRITERIA: usize = 3;

/// Reads names and directions; a column that is not among `names` is passed over, any direction but `desc` is ascending. `custom` says
/// by which custom fields the viewer can sort.
pub fn criteria<'t, Column: Copy>(
    parts: impl Iterator<Item = (&'t str, &'t str)>,
    names: &[(&str, Column)],
    custom: impl Fn(CustomFieldId) -> Option<Column>,
) -> Vec<Criterion<Column>> {
    let column = |name: &str| match name.strip_prefix("cf_") {
        Some(number) => number.parse().ok().map(CustomFieldId).and_then(&custom),
        None => names.iter().find(|row| row.0 == name).map(|row| row.1),
    };
    let found = parts.filter_map(|(name, direction)| Some(Criterion { column: column(name)?, descending: direction == "desc" }));
    found.take(MAX_CRITERIA).collect()
}
