//! `DELETE /issues/:id`, `DELETE /issues?ids[]=` (compatibility 6.5).

use crate::actions;
use crate::actions::issues::SpentTime;
use crate::domain::ids::IssueId;
use crate::http::{Error, Reply, RequestContext};
use crate::wire::Input;
use std::sync::Arc;

/// Maximum number of issues in one request.
const MAX_ISSUES: usize = 1000;

/// Deletes an issue and its subtasks: 200 without a body.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    delete_issues(request, vec![id])
}

/// Deletes several issues: all of them or none; 200 without a body.
pub fn delete_several(request: &RequestContext) -> Result<Reply, Error> {
    let texts: Vec<String> = match request.query.get("ids") {
        Some(Input::List(items)) => items
            .iter()
            .filter_map(Input::as_text)
            .map(|text| text.into_owned())
            .collect(),
        Some(value) => value
            .as_text()
            .into_iter()
            .flat_map(|text| text.split(',').map(str::to_owned).collect::<Vec<_>>())
            .collect(),
        None => Vec::new(),
    };
    let ids: Option<Vec<IssueId>> = texts
        .iter()
        .map(|text| text.trim().parse().ok().map(IssueId))
        .collect();
    let mut ids = ids.ok_or(Error::NotFound)?;
    ids.sort_unstable();
    ids.dedup();
    match ids.len() {
        0 => Err(Error::NotFound),
        1..=MAX_ISSUES => delete_issues(request, ids),
        _ => Err(Error::invalid(format!(
            "ids has more than {MAX_ISSUES} values"
        ))),
    }
}

fn delete_issues(request: &RequestContext, ids: Vec<IssueId>) -> Result<Reply, Error> {
    let param = |name: &str| {
        request
            .query_param(name)
            .or_else(|| request.body.get(name).and_then(Input::as_text))
            .map(|text| text.into_owned())
    };
    let spent = match param("todo").as_deref() {
        None | Some("" | "destroy") => SpentTime::Delete,
        Some("nullify") => SpentTime::Keep,
        Some("reassign") => SpentTime::Reassign(IssueId(
            param("reassign_to_id")
                .and_then(|text| text.trim().parse().ok())
                .unwrap_or(0),
        )),
        Some(_) => return Err(Error::invalid("todo must be destroy, nullify or reassign")),
    };
    let clock = Arc::clone(&request.app.clock);
    request.write(move |db, viewer| {
        actions::issues::delete(db, viewer, &ids, spent, clock.as_ref())
    })?;
    Ok(Reply::ok())
}
