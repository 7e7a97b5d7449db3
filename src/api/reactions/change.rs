//! `POST` and `DELETE` of one's own reaction to a record (compatibility 13.8).

use super::target::TargetPath;
use crate::actions::reactions;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Adds one's own reaction: 204, also when there is one.
pub fn create<T: TargetPath>(request: &RequestContext) -> Result<Reply, Error> {
    let target = T::parse(request)?;
    let clock = Arc::clone(&request.app.clock);
    request.write(move |db, viewer| reactions::create(db, viewer, &target, clock.as_ref()))?;
    Ok(Reply::no_content())
}

/// Removes one's own reaction: 204, also when there is none.
pub fn delete<T: TargetPath>(request: &RequestContext) -> Result<Reply, Error> {
    let target = T::parse(request)?;
    request.write(move |db, viewer| reactions::delete(db, viewer, &target))?;
    Ok(Reply::no_content())
}
