//! The issues that a user viewed most recently. A cookie holds their ids and the id of the user, so
//! another user of the same browser does not see them.

use crate::frame::cookies;
use crate::prelude::*;

const COOKIE: &str = "recent";
/// How long they are remembered, in seconds.
const MAX_AGE: u32 = 30 * 24 * 3600;
/// Maximum number of issues.
const MAX_ISSUES: usize = 10;

/// Returns the ids, the last one first. The issues may be gone or hidden by now.
pub fn ids(request: &RequestContext) -> Vec<IssueId> {
    let (Some(user), Some(value)) = (request.viewer().user, request.cookie(COOKIE)) else {
        return Vec::new();
    };
    let mut parts = value.split('.');
    if parts.next() != Some(user.to_string().as_str()) {
        return Vec::new();
    }
    let mut ids: Vec<IssueId> = Vec::new();
    for id in parts.filter_map(|id| id.parse().ok()).map(IssueId) {
        if !ids.contains(&id) && ids.len() < MAX_ISSUES {
            ids.push(id);
        }
    }
    ids
}

/// Remembers that the viewer has looked at an issue.
pub fn remember(request: &RequestContext, reply: Reply, id: IssueId) -> Reply {
    let Some(user) = request.viewer().user else {
        return reply;
    };
    let before = ids(request);
    if before.first() == Some(&id) {
        return reply;
    }
    let others = before.into_iter().filter(|other| *other != id);
    let mut value = format!("{user}.{id}");
    for other in others.take(MAX_ISSUES - 1) {
        value.push_str(&format!(".{other}"));
    }
    reply.with_cookie(cookies::set(request, COOKIE, &value, MAX_AGE))
}
