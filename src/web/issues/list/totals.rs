//! Sums over all issues of a list.

use super::columns;
use crate::domain::access::permission::Permission;
use crate::domain::query::sort::{self, Column};
use crate::http::resources::issue_list::IssueList;
use crate::http::{Error, RequestContext};
use crate::store::Read;
use crate::web::issues::fields::hours;
use crate::web::queries as requested;

/// A sum: the name of the column, and the amount.
pub struct Total {
    /// The name of the column.
    pub label: String,
    /// The amount.
    pub text: String,
}

/// Returns the sums that the request or the saved query names. Spent time is summed for those who
/// may see some.
pub fn totals(
    request: &RequestContext,
    db: &Read<'_>,
    list: &IssueList,
) -> Result<Vec<Total>, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let names = requested::displayed_totals(request, catalogue, list.saved.as_ref());
    let columns = names.iter().filter_map(|name| sort::column(name, |_| true));
    columns
        .filter(|column| {
            *column != Column::SpentHours || viewer.may_somewhere(Permission::ViewTimeEntries)
        })
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
