//! `GET /openapi`: the OpenAPI description of the REST API, from which clients can be generated
//! (not in Redmine).

use crate::prelude::*;
use quarry_openapi as openapi;

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route("/openapi", get(read_handler(show).open()))
}

/// Returns the description, which is JSON in any format.
fn show(request: &RequestContext, _: &Read<'_>) -> Result<Reply, Error> {
    Ok(Reply::json(openapi::document(&request.base_url())))
}
