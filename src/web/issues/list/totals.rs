//! Sums over all issues of a list, and over those of a group.

use crate::prelude::*;
use crate::queries;
use quarry_domain::query::columns::Column;
use quarry_http::resources::issue_list::IssueList;
use quarry_http::resources::sentences::hours;

/// The sum of a column.
pub struct Total {
    pub label: String,
    /// The formatted sum.
    pub text: String,
}

impl Total {
    /// Returns the sum in words.
    pub fn new(catalogue: &Catalogue, column: Column, sum: f64) -> Total {
        let text = match column {
            Column::Custom(_) => ((sum * 100.0).round() / 100.0).to_string(),
            _ => hours(sum),
        };
        Total {
            label: column.label(catalogue),
            text,
        }
    }
}

/// Returns the columns that the request or the saved query sums.
pub fn summed(request: &RequestContext, catalogue: &Catalogue, list: &IssueList) -> Vec<Column> {
    let names = queries::displayed_totals(request, catalogue, list.saved.as_ref());
    let columns = names
        .iter()
        .filter_map(|name| Column::parse(catalogue, request.viewer(), name));
    columns.collect()
}

/// Returns the sums of these columns over all issues of the list.
pub fn totals(
    request: &RequestContext,
    db: &Read<'_>,
    list: &IssueList,
    summed: &[Column],
) -> Result<Vec<Total>, Error> {
    let sums = summed.iter().map(|column| {
        let sum = list.sum(db, request.viewer(), *column)?;
        Ok(Total::new(db.catalogue(), *column, sum))
    });
    sums.collect()
}
