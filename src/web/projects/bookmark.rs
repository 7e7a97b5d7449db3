//! `POST /projects/:id/bookmark`: sets the bookmark of a project (`bookmark=1`) or removes it
//! (`bookmark=0`).

use crate::actions::projects::{add_bookmark, remove_bookmark};
use crate::domain::text::parse_bool;
use crate::http::search::title::percent_encode;
use crate::http::{Error, Reply, RequestContext};
use crate::web::access;
use crate::web::frame::Flash;
use crate::web::local_path::local_path;
use crate::web::render::redirect_with;
use crate::wire::Input;

/// Changes the bookmark, and leads back to the page.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let field = |name: &str| {
        request
            .body
            .get(name)
            .and_then(Input::as_text)
            .unwrap_or_default()
    };
    let is_set = parse_bool(&field("bookmark")).filter(|_| !field("bookmark").is_empty());
    let is_set = is_set.ok_or_else(|| Error::invalid("bookmark must be 1 or 0"))?;
    let reference = request.path_param("id").to_owned();
    let written = request.write(move |db, viewer| match is_set {
        true => add_bookmark(db, viewer, &reference),
        false => remove_bookmark(db, viewer, &reference),
    });
    let name = access::found(request, written)?;
    let message = if is_set {
        format!("{name} is bookmarked.")
    } else {
        format!("The bookmark of {name} was removed.")
    };
    let back = field("back_url");
    let location = local_path(&back).map_or_else(
        || format!("/projects/{}", percent_encode(request.path_param("id"))),
        str::to_owned,
    );
    Ok(redirect_with(request, location, &Flash::notice(message)))
}
