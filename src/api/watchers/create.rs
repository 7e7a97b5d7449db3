//! `POST` to the watchers of a record (compatibility 6.7 and 13.6).

use super::target::TargetPath;
use crate::actions::watchers;
use crate::domain::ids::PrincipalId;
use crate::http::{Error, Reply, RequestContext};
use crate::wire::Input;

/// Maximum number of watchers in one request.
const MAX_WATCHERS: usize = 1000;

/// Adds watchers: 204, also for users who watch already and for users who are ignored.
pub fn create<T: TargetPath>(request: &RequestContext) -> Result<Reply, Error> {
    let target = T::parse(request)?;
    let users = parse(&request.body)?;
    request.write(move |db, viewer| watchers::create(db, viewer, &target, &users))?;
    Ok(Reply::no_content())
}

/// Parses `user_id`, or `user_id` and `user_ids` in the object `watcher`. Values that are not ids
/// are ignored, and so is `user_ids` outside the object, as observed.
fn parse(body: &Input) -> Result<Vec<PrincipalId>, Error> {
    let single = [body.get("user_id"), body.at(&["watcher", "user_id"])]
        .into_iter()
        .flatten();
    let several = body.at(&["watcher", "user_ids"]);
    let listed = several
        .and_then(Input::as_list)
        .unwrap_or_default()
        .iter()
        .chain(several.filter(|value| value.as_list().is_none()));
    let values: Vec<&Input> = single.chain(listed).collect();
    if values.len() > MAX_WATCHERS {
        return Err(Error::invalid(format!(
            "Watchers are too many (maximum is {MAX_WATCHERS} in one request)"
        )));
    }
    let id = |value: &Input| {
        value
            .as_text()
            .and_then(|text| text.trim().parse().ok())
            .map(PrincipalId)
    };
    Ok(values.into_iter().filter_map(id).collect())
}
