//! `GET /activity.atom`, `GET /projects/:id/activity.atom`: the activity as a feed (RFC 4287).

use super::events::{author_name, context, text};
use super::params::{Params, key_text};
use crate::components::feed::{Feed, FeedEntry};
use crate::prelude::*;
use jiff::tz::TimeZone;
use quarry_actions::content::activity;
use quarry_domain::administration::setting::Setting;

/// Maximum number of entries.
const MAX_ENTRIES: i64 = 100;

/// Returns the newest events that the viewer may see.
pub fn atom(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let params = Params::parse(request, db)?;
    let limit = catalogue.integer_setting(Setting::FeedsLimit);
    let limit = usize::try_from(limit.clamp(1, MAX_ENTRIES)).unwrap_or(1);
    let types = params.types();
    let query = params.query(request, db, &types, &TimeZone::UTC, limit);
    let events = activity::list(db, &query)?.events;
    let sentences = context(request, db, &events)?;
    let base = request.base_url();
    let updated = events.first().map(|visible| visible.event.key.at);
    let entries = events.iter().map(|visible| {
        let event = &visible.event;
        let sentence = sentences.sentence(event, &visible.changes);
        let path = sentence.path.clone().unwrap_or_default();
        // Several events can have the same address.
        let separator = if path.contains('?') { '&' } else { '?' };
        let (page, anchor) = path.split_once('#').unwrap_or((&path, ""));
        let key = key_text(&event.key);
        let anchor = if anchor.is_empty() {
            String::new()
        } else {
            format!("#{anchor}")
        };
        FeedEntry::new(
            &sentence.title(),
            format!("{base}{page}{separator}event={key}{anchor}"),
            (event.key.at, event.key.at),
            &author_name(catalogue, event),
            text(request, &sentences, event),
        )
    });
    let app = catalogue.setting(Setting::AppTitle);
    let (title, project) = match params.project {
        Some(project) => (
            format!("Activity · {} – {app}", project.name),
            paths::project(project),
        ),
        None => (format!("Activity – {app}"), String::new()),
    };
    let parameters = params.query_string();
    Feed::new(
        &title,
        format!("{base}{project}/activity.atom{parameters}"),
        format!("{base}{project}/activity{parameters}"),
        updated.unwrap_or_else(|| db.now()),
        entries.collect(),
    )
    .reply()
}
