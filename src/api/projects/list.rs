//! `GET /projects`: the projects that the viewer can see, in the order of the tree (contract 6).

use super::view::{self, Around, Include};
use crate::domain::custom_field::Customized;
use crate::domain::project::{Project, ProjectStatus};
use crate::domain::query::filter::Context;
use crate::domain::query::projects::{Field, is_below, known, sort};
use crate::http::filters::{self, Saved};
use crate::http::{Ask, Error, Listing, Reply};
use crate::store::{Read, custom_fields, page_size, projects};
use std::sync::Arc;

/// Parameters that are no filters.
const OTHERS: &[&str] = &["offset", "limit", "page", "sort", "include", "nometa", "query_id"];

/// A page of the visible projects that fit; active ones, unless `status` or the long form asks for others. The names in memory say
/// who sees what and in which order, so that only filters ask the store.
pub fn list(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let (listing, viewer) = (Listing::read(&ask.query), ask.viewer());
    // An empty status asks for every one (contract 6).
    let every = ask.parameter("status").is_some_and(|text| text.is_empty());
    let others: Vec<&str> = OTHERS.iter().copied().chain(every.then_some("status")).collect();
    let context = Context::new(viewer, &catalogue, ask.app.clock.today());
    let known = known(&catalogue, viewer);
    let saved = filters::saved(ask, db, "ProjectQuery", None, &known, &context)?;
    let asked = filters::read(ask, &known, &others, &context)?;
    let order = order(ask, saved.as_ref());
    let by_itself = !every && !asked.long && saved.as_ref().is_none_or(|saved| saved.conditions.is_none());
    let conditions = saved.and_then(|saved| saved.conditions).into_iter().flatten().chain(asked.conditions);
    let (above, own): (Vec<_>, Vec<_>) = conditions.partition(|condition| condition.field == Field::Parent);
    let active = by_itself && own.iter().all(|condition| condition.field != Field::Status);
    let found = if own.is_empty() { None } else { Some(projects::fitting(db, viewer, &own)?) };
    let fits = |project: &&Project| {
        (!active || project.status == ProjectStatus::Active)
            && viewer.rights(project.id).is_some()
            && above.iter().all(|condition| is_below(project, &condition.test, viewer))
            && found.as_ref().is_none_or(|found| found.contains(&project.id))
    };
    let mut fitting: Vec<&Project> = catalogue.tree.iter().filter_map(|id| catalogue.projects.get(id)).filter(fits).collect();
    sort(&mut fitting, &order, viewer);
    let total = i64::try_from(fitting.len()).unwrap_or(i64::MAX);
    let skip = usize::try_from(listing.offset).unwrap_or(usize::MAX);
    let take = usize::try_from(listing.limit).unwrap_or(0);
    fitting.drain(..skip.min(fitting.len()));
    fitting.truncate(take);
    fitting.truncate(page_len(db, &fitting)?);
    let page: Vec<Project> = fitting.into_iter().cloned().collect();
    let around = Around::load(db, &ask.asker, Include::read(ask), page.iter().map(|project| project.id.0).collect())?;
    let meta = listing.meta(total, page.len());
    let reply = Reply::list("projects", "project", page, move |w, project| view::in_list(w, &project, &around), meta);
    Ok(reply.warned(asked.warning))
}

/// Returns how many of these projects fit into a page with their texts.
fn page_len(db: &Read<'_>, projects: &[&Project]) -> Result<usize, Error> {
    let ids: Vec<i64> = projects.iter().map(|project| project.id.0).collect();
    let values = custom_fields::sizes(db, Customized::Project, &ids)?;
    let size =
        |project: &&Project| project.description.as_deref().map_or(0, str::len) + values.get(&project.id.0).copied().unwrap_or_default();
    Ok(page_size::page_len(projects.iter().map(size)))
}

/// The order that is asked for, or that of the saved query.
fn order(ask: &Ask, saved: Option<&Saved<Field>>) -> String {
    match (ask.parameter("sort").filter(|text| !text.trim().is_empty()), saved) {
        (Some(text), _) => text.into_owned(),
        (None, Some(saved)) => saved.order.iter().map(|(name, direction)| format!("{name}:{direction}")).collect::<Vec<_>>().join(","),
        (None, None) => String::new(),
    }
}
