//! Changing many issues: `/issues/bulk_edit`, its preview and its result, `/issues/bulk_delete`, and
//! `/issues/bulk`, to which a list sends its selection.
//!
//! Invariant: issues that the viewer may not see or edit are treated as if they did not exist.

mod delete;
mod edit;
mod fields;
mod selection;

use crate::frame::{Flash, FlashKind};
use crate::render::redirect_with;
use axum::routing::{get, post};
use quarry_actions::ActionError;
use quarry_actions::watchers::{WatchTarget, set_watching};
use quarry_http::{Error, Reply, RequestContext, Routes, read_handler, write_handler};
use selection::{ids, joined};

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/issues/bulk", post(write_handler(choose)))
        .route(
            "/issues/bulk_edit",
            get(read_handler(edit::show)).post(write_handler(edit::save)),
        )
        .route("/issues/bulk_edit/result", get(read_handler(edit::result)))
        .route("/issues/bulk_edit/undo", post(write_handler(edit::undo)))
        .route(
            "/issues/bulk_delete",
            get(read_handler(delete::confirm)).post(write_handler(delete::delete).deleting()),
        )
}

/// `POST /issues/bulk`: leads on to the form for the selected issues, or watches them.
fn choose(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    let ids = ids(request);
    if ids.is_empty() {
        let flash = Flash {
            kind: FlashKind::Error,
            text: "Select issues first.".to_owned(),
        };
        return Ok(redirect_with(request, "/issues".to_owned(), &flash));
    }
    let selected = joined(&ids);
    match crate::form::field(request, "do").as_str() {
        "delete" => Ok(Reply::see_other(format!(
            "/issues/bulk_delete?ids={selected}"
        ))),
        "watch" => {
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
            let flash = Flash::notice(format!("You watch {}.", issues(count)));
            let list = format!("/issues?status_id=*&issue_id={selected}");
            Ok(redirect_with(request, list, &flash))
        }
        _ => Ok(Reply::see_other(format!(
            "/issues/bulk_edit?ids={selected}"
        ))),
    }
}

/// Returns a number of issues in words.
fn issues(count: usize) -> String {
    match count {
        1 => "1 issue".to_owned(),
        count => format!("{count} issues"),
    }
}
