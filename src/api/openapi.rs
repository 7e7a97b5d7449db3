//! `GET /openapi`: the OpenAPI description of the REST API, from which clients can be generated
//! (not in Redmine).

use quarry_http::{Error, Reply, RequestContext};
use quarry_openapi as openapi;
use quarry_store::Read;

/// Returns the description, which is JSON in any format.
pub fn show(request: &RequestContext, _: &Read<'_>) -> Result<Reply, Error> {
    Ok(Reply::json(openapi::document(&request.base_url())))
}
