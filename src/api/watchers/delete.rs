//! `DELETE` of a watcher of a record (compatibility 6.7 and 13.6).

use super::target::TargetPath;
use crate::actions::watchers;
use crate::domain::ids::PrincipalId;
use crate::http::{Error, Reply, RequestContext};

/// Removes a watcher: 204, also for a user who does not watch.
pub fn delete<T: TargetPath>(request: &RequestContext) -> Result<Reply, Error> {
    let target = T::parse(request)?;
    let watcher: PrincipalId = request.id_param("user_id")?;
    request.write(move |db, viewer| watchers::delete(db, viewer, &target, watcher))?;
    Ok(Reply::no_content())
}
