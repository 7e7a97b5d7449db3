//! Changing many issues: `/issues/bulk_edit`, its preview and its result, `/issues/bulk_copy`,
//! `/issues/bulk_delete`, and `/issues/bulk`, to which a list sends its selection.
//!
//! Invariant: issues that the viewer may not see, or with which the viewer may not do this, are
//! treated as if they did not exist.

mod copy;
mod delete;
mod edit;
mod fields;
mod form;
mod phrases;
mod result;
mod selection;

use crate::access;
use crate::components::pager::with_params;
use crate::frame::Flash;
use crate::frame::render::redirect_with;
use crate::issues::change::edit_field::FIELD;
use crate::prelude::*;
use axum::routing::post;
use phrases::issues;
use quarry_actions::content::watchers::{WatchTarget, set_watching};
use quarry_actions::issues::bulk::BulkAction;
use selection::{ALL, BACK, Selection, back, ids, join_ids};

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/issues/bulk", post(write_handler(choose)))
        .route(
            "/issues/bulk_edit",
            get(issue_list_handler(edit::show)).post(write_handler(edit::save)),
        )
        .route("/issues/bulk_edit/result", get(read_handler(result::show)))
        .route("/issues/bulk_edit/undo", post(write_handler(result::undo)))
        .route(
            "/issues/bulk_copy",
            get(issue_list_handler(copy::show)).post(write_handler(copy::save)),
        )
        .route(
            "/issues/bulk_delete",
            get(issue_list_handler(delete::confirm)).post(write_handler(delete::delete).deleting()),
        )
}

/// `POST /issues/bulk`: leads on to the form for the selected issues, or for their `field`, or watches them. With `all=1`
/// these are all issues of the list that the query string describes.
fn choose(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    let ids = ids(request);
    let all = crate::form::field(request, ALL) == "1";
    if ids.is_empty() && !all {
        let flash = Flash::error("Select issues first.");
        return Ok(redirect_with(request, back(request), &flash));
    }
    let path = match crate::form::field(request, "do").as_str() {
        "watch" => return watch(request),
        "copy" => "/issues/bulk_copy",
        "delete" => "/issues/bulk_delete",
        _ => "/issues/bulk_edit",
    };
    let back = back(request);
    let field = crate::form::field(request, FIELD);
    let field = Some(&*field).filter(|name| !name.is_empty());
    let parameters = if all {
        let parameters = [(ALL, Some("1")), (FIELD, field), (BACK, Some(&*back))];
        with_params(request, &parameters)
    } else {
        let field = field.map(|name| format!("&{FIELD}={}", paths::encode(name)));
        let back = paths::encode(&back);
        let field = field.unwrap_or_default();
        format!("?ids={}{field}&{BACK}={back}", join_ids(&ids))
    };
    Ok(Reply::see_other(format!("{path}{parameters}")))
}

/// Adds the viewer to the watchers of the selected issues.
fn watch(request: &RequestContext) -> Result<Reply, Error> {
    let selected = request
        .app
        .read(|db| Selection::load(request, db, BulkAction::Watch));
    let ids = access::found(request, selected)?.ids();
    let count = request.write(move |db, viewer| -> Result<usize, ActionError> {
        let mut count = 0;
        for id in ids {
            match set_watching(db, viewer, &WatchTarget::Issue(id), true) {
                Ok(()) => count += 1,
                Err(ActionError::NotFound | ActionError::Forbidden) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(count)
    })?;
    let flash = Flash::notice(format!("You are now watching {}.", issues(count)));
    Ok(redirect_with(request, back(request), &flash))
}
