//! `GET /openapi`: the OpenAPI description of the REST API, from which clients can be generated
//! (not in Redmine).

use axum::routing::get;
use quarry_http::{Error, Reply, RequestContext, Routes, read_handler};
use quarry_openapi as openapi;
use quarry_store::Read;

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route("/openapi", get(read_handler(show).open()))
}

/// Returns the description, which is JSON in any format.
fn show(request: &RequestContext, _: &Read<'_>) -> Result<Reply, Error> {
    Ok(Reply::json(openapi::document(&request.base_url())))
}
