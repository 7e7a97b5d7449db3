//! Sums over all issues of a list.

use super::columns;
use crate::issues::fields::hours;
use crate::queries;
use quarry_domain::query::sort;
use quarry_domain::query::sort::Column;
use quarry_http::resources::issue_list::IssueList;
use quarry_http::{Error, RequestContext};
use quarry_store::Read;

/// The sum of a column.
pub struct Total {
    pub label: String,
    /// The formatted sum.
    pub text: String,
}

/// Returns the sums that the request or the saved query names.
pub fn totals(
    request: &RequestContext,
    db: &Read<'_>,
    list: &IssueList,
) -> Result<Vec<Total>, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let names = queries::displayed_totals(request, catalogue, list.saved.as_ref());
    // The names are those of columns that the viewer may see.
    let summed = names.iter().filter_map(|name| sort::column(name, |_| true));
    summed
        .map(|column: Column| {
            let sum = list.sum(db, viewer, column)?;
            let text = match column {
                Column::Custom(_) => ((sum * 100.0).round() / 100.0).to_string(),
                _ => hours(sum),
            };
            Ok::<_, Error>(Total {
                label: columns::label(catalogue, column),
                text,
            })
        })
        .collect()
}
