//! `POST /issues/:id/watchers` (contract 4.7).

use crate::actions::watchers;
use crate::domain::ids::{IssueId, PrincipalId};
use crate::http::{Ask, Error, Reply};
use crate::wire::Input;

/// How many watchers one request can name.
const MOST: usize = 1000;

/// Makes somebody a watcher: 204, also for who is one already and for who is passed over.
pub fn create(ask: &Ask) -> Result<Reply, Error> {
    let id: IssueId = ask.number("id")?;
    let wanted = wanted(&ask.body)?;
    ask.change(move |db, viewer| watchers::create(db, viewer, id, &wanted))?;
    Ok(Reply::nothing())
}

/// `user_id`, or `user_id` and `user_ids` in the object `watcher`. What is no number is nobody's. `user_ids` without that object
/// says nothing, as observed.
fn wanted(body: &Input) -> Result<Vec<PrincipalId>, Error> {
    let alone = [body.get("user_id"), body.at(&["watcher", "user_id"])].into_iter().flatten();
    let many = body.at(&["watcher", "user_ids"]);
    let listed = many.and_then(Input::as_list).unwrap_or_default().iter().chain(many.filter(|many| many.as_list().is_none()));
    let said: Vec<&Input> = alone.chain(listed).collect();
    if said.len() > MOST {
        return Err(Error::invalid(format!("Watchers are too many (maximum is {MOST} in one request)")));
    }
    let number = |said: &Input| said.as_text().and_then(|text| text.trim().parse().ok()).map(PrincipalId);
    Ok(said.into_iter().filter_map(number).collect())
}
