//! The confirmation that a form was saved, for browsers that keep a draft of what was typed in it.
//!
//! The script of the pages adds the field `draft` to a form with a draft when it is sent. Only the
//! answer to this request names the value again: what is kept stays when the request or its answer
//! is lost, and when a login comes in between (docs/pages.md, "Drafts").

use super::reply::Reply;
use crate::request::context::RequestContext;
use axum::http::StatusCode;
use quarry_wire::Input;

/// The name of the field.
const FIELD: &str = "draft";
/// The name of the cookie, which the script reads.
const COOKIE: &str = "saved_draft";
/// Maximum number of characters of a value.
const MAX_LENGTH: usize = 32;
/// For how many seconds the cookie is kept: as long as the script keeps drafts.
const MAX_AGE: u32 = 7 * 86_400;

/// Adds the confirmation to the reply of a form that was saved, which is a redirect.
pub(super) fn confirm(reply: Reply, request: &RequestContext) -> Reply {
    let draft = request.body.get(FIELD).and_then(Input::as_text);
    match draft {
        Some(draft) if reply.status == StatusCode::SEE_OTHER && is_valid(&draft) => reply
            .with_cookie(format!(
                "{COOKIE}={draft}; Path=/; Max-Age={MAX_AGE}; SameSite=Lax"
            )),
        _ => reply,
    }
}

fn is_valid(draft: &str) -> bool {
    (1..=MAX_LENGTH).contains(&draft.len())
        && draft.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
