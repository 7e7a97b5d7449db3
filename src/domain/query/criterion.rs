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

/// Splits `column[:direction],…` into pairs of name and direction.
pub fn split(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split(',').map(|part| {
        let part = part.trim();
        part.split_once(':').unwrap_or((part, ""))
    })
}

/// Returns the id of the custom field whose column is called `cf_ID`.
pub(super) fn custom_field_id(name: &str) -> Option<CustomFieldId> {
    name.strip_prefix("cf_")?.parse().ok().map(CustomFieldId)
}

/// Parses pairs of name and direction. Names without a column are ignored, and any direction but
/// `desc` is ascending.
pub fn criteria<'t, Column>(
    parts: impl Iterator<Item = (&'t str, &'t str)>,
    column: impl Fn(&str) -> Option<Column>,
) -> Vec<Criterion<Column>> {
    let found = parts.filter_map(|(name, direction)| {
        Some(Criterion {
            column: column(name)?,
            descending: direction == "desc",
        })
    });
    found.take(MAX_CRITERIA).collect()
}

/// Returns the criteria of a list that is grouped by `column`: it comes first, in the direction that
/// the criteria give it, or else descending if `is_descending`. `day` is the column of the days of an
/// instant: then the groups are days, and within them the criteria apply.
pub fn grouped<Column: Copy + PartialEq>(
    column: Column,
    is_descending: bool,
    day: Option<Column>,
    mut criteria: Vec<Criterion<Column>>,
) -> Vec<Criterion<Column>> {
    let descending = criteria
        .iter()
        .find(|criterion| criterion.column == column)
        .map_or(is_descending, |criterion| criterion.descending);
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
