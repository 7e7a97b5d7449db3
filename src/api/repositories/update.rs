//! `PUT /repositories/:id` (compatibility 13.3).

use super::show::show;
use crate::actions::repositories::{self, RepositoryChange};
use crate::http::{BodyFields, Error, Reply, RequestContext};

/// Updates a repository: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let mut body = BodyFields::from_body(request, "repository")?;
    let change = RepositoryChange {
        identifier: body.text("identifier", "Identifier").map(|text| text.trim().to_owned()),
        url: body.text("url", "URL").map(|text| text.trim().to_owned()),
        is_default: body.boolean("is_default", "Is default").value().copied(),
    };
    body.check()?;
    request.write(move |db, viewer| repositories::update(db, viewer, id, &change))?;
    request.app.read(|db| show(request, db))
}
