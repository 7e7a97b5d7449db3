//! The latest events of some projects, one line each, for pages that are about something else.

use super::events::context;
use crate::components::avatar::Person;
use crate::components::time::Moment;
use crate::prelude::*;
use quarry_actions::content::activity;
use quarry_domain::content::activity::EventType;
use quarry_domain::values::id_set::IdSet;
use quarry_http::resources::sentences::Sentence;
use quarry_store::content::activity::ActivityQuery;
use std::sync::Arc;

/// An event.
pub struct LatestEvent {
    /// Who did it, if a user is known.
    pub person: Option<Person>,
    pub sentence: Sentence,
    pub moment: Moment,
}

/// Returns the latest events of these projects that the viewer may see, at most `limit`.
pub fn latest(
    request: &RequestContext,
    db: &Read<'_>,
    projects: Arc<IdSet>,
    limit: usize,
) -> Result<Vec<LatestEvent>, Error> {
    let query = ActivityQuery {
        viewer: request.viewer(),
        projects: Some(projects),
        author: None,
        types: EventType::ALL,
        after: None,
        limit,
    };
    let events = activity::list(db, &query)?.events;
    let context = context(request, db, &events)?;
    let catalogue = db.catalogue();
    let latest = events.into_iter().map(|visible| LatestEvent {
        person: visible
            .event
            .author
            .map(|user| Person::new(catalogue, user.into())),
        sentence: context.sentence(&visible.event, &visible.changes),
        moment: Moment::new(visible.event.key.at),
    });
    Ok(latest.collect())
}
