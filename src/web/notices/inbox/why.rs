//! Why the viewer is told of a thread, on its page.

use crate::components::watch::WatchButton;
use crate::prelude::*;
use quarry_actions::notices::inbox;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::notices::notice::Thread;
use quarry_domain::notices::reasons::Reason;

/// The line near the button that watches a record.
pub struct WhyLine {
    /// The reasons, in words.
    pub reasons: Vec<&'static str>,
    pub is_muted: bool,
    /// The address to which the buttons post.
    pub action: String,
    /// The page of the thread, to which they lead back.
    pub back: String,
}

impl WhyLine {
    /// Returns the line about a thread; `None` for viewers who were told of nothing in it and do not
    /// watch it.
    pub fn load(
        request: &RequestContext,
        db: &Read<'_>,
        thread: Thread,
        watch: Option<&WatchButton>,
    ) -> Result<Option<WhyLine>, Error> {
        let (reasons, is_muted) = inbox::reasons(db, request.viewer(), thread)?;
        let is_watching = watch.is_some_and(|button| button.is_watching);
        let mut labels: Vec<&str> = reasons
            .iter()
            .filter(|reason| *reason != Reason::Watched)
            .map(Reason::label)
            .collect();
        if is_watching || watch.is_none() && reasons.contains(Reason::Watched) {
            labels.push(Reason::Watched.label());
        }
        // Who does not watch the record itself watches something that contains it, or did watch it.
        if !is_watching && watch.is_some() && reasons.contains(Reason::Watched) {
            labels.push(watched_before(thread));
        }
        if labels.is_empty() && !is_muted {
            return Ok(None);
        }
        Ok(Some(WhyLine {
            reasons: labels,
            is_muted,
            action: format!("/my/inbox/{}/{}", thread.type_name(), thread.id),
            back: request.path_and_query(),
        }))
    }
}

/// Returns the reason of people who were told because they watched the record, or watch what
/// contains it.
fn watched_before(thread: Thread) -> &'static str {
    match thread.kind {
        Kind::News => "you watched it or all news of the project",
        Kind::Message => "you watched it or its forum",
        Kind::WikiPage => "you watched it or the wiki",
        _ => "you watched it",
    }
}
