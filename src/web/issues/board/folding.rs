//! Folded columns: those of closed statuses show their number alone, until somebody unfolds them. A
//! cookie below the path of the board has the unfolded ones.

use super::columns::{parse_value, value_text};
use crate::frame::cookies;
use crate::prelude::*;
use crate::queries::ListAddress;
use quarry_domain::ids::StatusId;
use quarry_domain::query::board::BoardField;
use std::collections::BTreeSet;

const COOKIE: &str = "unfolded";
/// How long unfolding is kept, in seconds.
const MAX_AGE: u32 = 365 * 24 * 3600;
/// The parameters that fold and unfold the column of a status.
const FOLD: &str = "fold";
const UNFOLD: &str = "unfold";

/// Which columns of a board are folded.
pub struct Folding {
    /// The statuses of the columns that are unfolded; `None` if no column can be folded.
    unfolded: Option<BTreeSet<i64>>,
}

/// The link that folds or unfolds a column.
pub struct FoldLink {
    pub path: String,
    pub is_folded: bool,
}

impl Folding {
    /// Returns what is folded in a board by this field. With a filter by status nothing is: its
    /// columns were asked for.
    pub fn new(request: &RequestContext, field: BoardField, is_filtered: bool) -> Folding {
        let can_fold = field == BoardField::Status && !is_filtered;
        Folding {
            unfolded: can_fold.then(|| unfolded(request)),
        }
    }

    /// Returns the link of a column; `None` if it is never folded.
    pub fn link(
        &self,
        catalogue: &Catalogue,
        address: &ListAddress,
        column: Option<i64>,
    ) -> Option<FoldLink> {
        let unfolded = self.unfolded.as_ref()?;
        let status = catalogue.status(StatusId(column?))?;
        let is_folded = status.is_closed && !unfolded.contains(&status.id.0);
        let name = if is_folded { UNFOLD } else { FOLD };
        status.is_closed.then(|| FoldLink {
            path: address.with(&[(name, Some(&value_text(column)))]),
            is_folded,
        })
    }
}

fn unfolded(request: &RequestContext) -> BTreeSet<i64> {
    let value = request.cookie(COOKIE).unwrap_or_default();
    value.split('.').filter_map(|id| id.parse().ok()).collect()
}

/// Folds or unfolds the column that the address names, and leads to the board without that
/// parameter; `None` if it names none.
pub fn change(request: &RequestContext, catalogue: &Catalogue, path: &str) -> Option<Reply> {
    let fold = request.query_param(FOLD);
    let unfold = request.query_param(UNFOLD);
    if fold.is_none() && unfold.is_none() {
        return None;
    }
    let status = |text: Option<String>| parse_value(&text.unwrap_or_default()).flatten();
    let mut ids = unfolded(request);
    ids.extend(status(unfold.map(Into::into)));
    if let Some(id) = status(fold.map(Into::into)) {
        ids.remove(&id);
    }
    // What the browser sent may be anything.
    ids.retain(|id| catalogue.status(StatusId(*id)).is_some());
    let value: Vec<String> = ids.iter().map(ToString::to_string).collect();
    let address = ListAddress::new(request).with(&[(FOLD, None), (UNFOLD, None)]);
    let address = if address == "?" { "" } else { &address };
    let cookie = cookies::set_below(request, path, COOKIE, &value.join("."), MAX_AGE);
    Some(Reply::redirect(format!("{path}{address}")).with_cookie(cookie))
}
