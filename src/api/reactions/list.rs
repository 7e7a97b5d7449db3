//! `GET` of the reactions to a record (compatibility 13.8).

use super::target::TargetPath;
use crate::actions::reactions;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::Read;
use crate::store::reactions::Reaction;
use crate::wire::Fields;
use std::sync::Arc;

/// Returns a page of the reactions, oldest first.
pub fn list<T: TargetPath>(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let reactions = reactions::list(db, request.viewer(), &T::parse(request)?)?;
    let pagination = Pagination::from_query(&request.query);
    let (page, total) = pagination.slice(reactions);
    let catalogue = Arc::clone(db.catalogue());
    let meta = pagination.meta(total, page.len());
    let describe = move |w: &mut Fields, reaction: Reaction| {
        w.reference(
            "user",
            reaction.user.0,
            catalogue
                .principal_name(reaction.user.into())
                .unwrap_or_default(),
        );
        w.field("created_on", reaction.created_on);
    };
    Ok(Reply::list("reactions", "reaction", page, describe, meta))
}
