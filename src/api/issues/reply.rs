//! The response with a single issue. A long history is streamed in parts, because an issue may have
//! thousands of long notes.

use super::include::Included;
use super::view::{self, ViewContext};
use crate::actions::journals;
use crate::api::journals::view::journal;
use crate::domain::ids::JournalId;
use crate::domain::issue::Issue;
use crate::http::{ChunkStream, Error, Reply, RequestContext};
use crate::wire::{self, Fields};
use std::sync::Arc;

/// Returns 200 with the issue and the included data.
pub fn issue(
    request: &RequestContext,
    issue: Issue,
    view_context: ViewContext,
    included: Included,
) -> Reply {
    let Some(parts) = included.history_parts() else {
        return Reply::object("issue", move |w| {
            write_issue(w, &issue, &view_context, &included)
        });
    };
    let app = Arc::clone(&request.app);
    let viewer_context = Arc::clone(&request.viewer_context);
    let parts: Vec<Vec<JournalId>> = parts.to_vec();
    let mut parts = parts.into_iter();
    Reply::stream(move |format| {
        let (head, tail) = wire::split_object(format, "issue", |w| {
            write_issue(w, &issue, &view_context, &included)
        });
        let mut is_first = true;
        let next = move || -> Result<Option<String>, Error> {
            for ids in parts.by_ref() {
                let (entries, catalogue) = app.read(|db| -> Result<_, Error> {
                    Ok((
                        journals::list_by_ids(db, &viewer_context.viewer, &issue, &ids)?,
                        Arc::clone(db.catalogue()),
                    ))
                })?;
                if !entries.is_empty() {
                    let chunk = wire::items(format, "journal", is_first, &entries, |w, entry| {
                        journal(w, entry, &catalogue)
                    });
                    is_first = false;
                    return Ok(Some(chunk));
                }
            }
            Ok(None)
        };
        ChunkStream {
            head,
            next: Box::new(next),
            tail,
        }
    })
}

fn write_issue(w: &mut Fields, issue: &Issue, view_context: &ViewContext, included: &Included) {
    view::issue(w, issue, view_context);
    included.write(w, issue);
}
