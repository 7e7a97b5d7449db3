//! `GET /enumerations/:name` (compatibility 11.3).

use super::{names, view};
use crate::domain::catalogue::Enumeration;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::wire::Fields;
use std::sync::Arc;

/// Returns the values of one enumeration, by position.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let names = names::from_path(request)?;
    let administration = request.includes_administration()?;
    let catalogue = Arc::clone(db.catalogue());
    let describe = move |w: &mut Fields, value: Enumeration| {
        view::enumeration(w, &value);
        if administration {
            view::administration(w, &value, &catalogue);
        }
    };
    let values = db.catalogue().enumerations_of(names.kind).cloned().collect();
    Ok(Reply::list(names.list, names.item, values, describe, Vec::new()))
}
