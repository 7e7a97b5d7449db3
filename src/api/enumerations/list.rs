//! `GET /enumerations/:name` (compatibility 11.3).

use super::view::ViewContext;
use super::{names, view};
use crate::domain::catalogue::Enumeration;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::wire::Fields;

/// Returns the values of one enumeration, by position.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let names = names::from_path(request)?;
    let administration = request.includes_administration()?;
    let context = ViewContext::load(request, db, names)?;
    let describe = move |w: &mut Fields, value: Enumeration| {
        view::enumeration(w, &value, &context);
        if administration {
            view::administration(w, &value, &context);
        }
    };
    let values = db
        .catalogue()
        .enumerations_of(names.kind)
        .cloned()
        .collect();
    Ok(Reply::list(
        names.list,
        names.item,
        values,
        describe,
        Vec::new(),
    ))
}
