//! `DELETE /attachments/:id` (contract 9).

use crate::actions::attachments;
use crate::domain::ids::AttachmentId;
use crate::http::{Ask, Error, Reply};
use crate::store::contents;
use std::sync::Arc;

/// Takes a file away: 200 without a body. Its content goes with it, unless another file has the same.
pub fn delete(ask: &Ask) -> Result<Reply, Error> {
    let id: AttachmentId = ask.number("id")?;
    let clock = Arc::clone(&ask.app.clock);
    let file = ask.change(move |db, viewer| attachments::remove(db, viewer, id, clock.as_ref()))?;
    if let Err(error) = contents::remove_unused(&ask.app.store, file.content.into_iter().collect()) {
        // The file is gone for everybody; what is left on disk is tidied away later.
        tracing::warn!(error = %error, "the content of a file that was taken away could not be removed");
    }
    Ok(Reply::done())
}
