//! `DELETE /issues/:id`, `DELETE /issues?ids[]=` (spec, "Issues"; contract 4.5).

use crate::actions;
use crate::actions::issues::Spent;
use crate::domain::ids::IssueId;
use crate::http::{Ask, Error, Reply};
use crate::wire::Input;
use std::sync::Arc;

/// How many issues one request may delete.
const MOST: usize = 1000;

/// Deletes an issue and everything below it: 200 without a body.
pub fn delete(ask: &Ask) -> Result<Reply, Error> {
    let id: IssueId = ask.number("id")?;
    remove(ask, vec![id])
}

/// Deletes several issues: all of them or none; 200 without a body.
pub fn delete_several(ask: &Ask) -> Result<Reply, Error> {
    let texts: Vec<String> = match ask.query.get("ids") {
        Some(Input::List(items)) => items.iter().filter_map(Input::as_text).map(|text| text.into_owned()).collect(),
        Some(other) => other.as_text().into_iter().flat_map(|text| text.split(',').map(str::to_owned).collect::<Vec<_>>()).collect(),
        None => Vec::new(),
    };
    let ids: Option<Vec<IssueId>> = texts.iter().map(|text| text.trim().parse().ok().map(IssueId)).collect();
    let mut ids = ids.ok_or(Error::NotFound)?;
    ids.sort_unstable();
    ids.dedup();
    match ids.len() {
        0 => Err(Error::NotFound),
        1..=MOST => remove(ask, ids),
        _ => Err(Error::invalid(format!("ids has more than {MOST} values"))),
    }
}

fn remove(ask: &Ask, ids: Vec<IssueId>) -> Result<Reply, Error> {
    let said = |name: &str| ask.parameter(name).or_else(|| ask.body.get(name).and_then(Input::as_text)).map(|text| text.into_owned());
    let spent = match said("todo").as_deref() {
        None | Some("" | "destroy") => Spent::Removed,
        Some("nullify") => Spent::Kept,
        Some("reassign") => Spent::Moved(IssueId(said("reassign_to_id").and_then(|text| text.trim().parse().ok()).unwrap_or(0))),
        Some(_) => return Err(Error::invalid("todo must be destroy, nullify or reassign")),
    };
    let clock = Arc::clone(&ask.app.clock);
    ask.change(move |db, viewer| actions::issues::remove(db, viewer, &ids, spent, clock.as_ref()))?;
    Ok(Reply::done())
}
