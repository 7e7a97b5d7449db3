//! `PUT /repositories/:id` (compatibility 13.3).

use super::fields;
use super::show::show;
use crate::actions::repositories;
use crate::http::{Error, Reply, RequestContext};

/// Updates a repository: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let change = fields::parse_change(request)?;
    request.write(move |db, viewer| repositories::update(db, viewer, id, &change))?;
    request.app.read(|db| show(request, db))
}
