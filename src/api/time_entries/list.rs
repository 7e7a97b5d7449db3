//! `GET /time_entries`, `GET /projects/:id/time_entries` (contract 7).

use super::view::{self, Around};
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::CustomFieldId;
use crate::domain::permission::Permission;
use crate::domain::query::dates::{Moment, Range};
use crate::domain::query::filter::{Context, Test, Type, short};
use crate::domain::query::time_entries::{self as query, Condition, Criterion, Field};
use crate::domain::text::switch;
use crate::domain::time_entry::TimeEntry;
use crate::domain::visibility;
use crate::http::filters::{self, Saved};
use crate::http::{Ask, Error, Listing, Reply, place};
use crate::store::Read;
use crate::store::time_entries::{self, Page};
use crate::wire::Fields;
use std::sync::Arc;

/// Parameters that are no filters, or are read here.
const OTHERS: &[&str] = &["project_id", "offset", "limit", "page", "sort", "nometa", "query_id", "spent_on", "from", "to"];

/// A page of the time entries that fit and that the viewer may see.
pub fn list(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let (listing, viewer) = (Listing::read(&ask.query), ask.viewer());
    if !viewer.may_somewhere(Permission::ViewTimeEntries) {
        return Err(Error::Forbidden);
    }
    let root = place::named(ask, &catalogue, Permission::ViewTimeEntries)?;
    let known = query::known(&catalogue, viewer, root.is_some());
    let context = Context::new(viewer, &catalogue, ask.app.clock.today());
    let saved = filters::saved(ask, db, "TimeEntryQuery", root, &known, &context)?;
    let asked = filters::read(ask, &known, OTHERS, &context)?;
    let (days, passed_over) = days(ask, &context)?;
    let order = order(ask, &catalogue, saved.as_ref());
    let kept = saved.and_then(|saved| saved.conditions).into_iter().flatten();
    let conditions: Vec<Condition> = kept.chain(asked.conditions).chain(days).collect();
    let all = visibility::time_entries(viewer);
    let below = conditions.iter().filter(|condition| condition.field == Field::Subproject).map(|condition| &condition.test);
    let visible = match root {
        Some(root) => all.within(Arc::new(place::projects(&catalogue, root, below).into_iter().collect())),
        None => all.clone(),
    };
    let page = Page { viewer, visible: &visible, conditions: &conditions, order: &order, offset: listing.offset, limit: listing.limit };
    let total = time_entries::count(db, &page)?;
    let found = if listing.offset < total { time_entries::list(db, &page)? } else { Vec::new() };
    let around = Around::load(db, &ask.asker, &found)?;
    let describe = move |w: &mut Fields, entry: TimeEntry| view::time_entry(w, &entry, &around);
    let warnings: Vec<String> = asked.warning.into_iter().chain(passed_over).collect();
    let meta = listing.meta(total, found.len());
    let reply = Reply::list("time_entries", "time_entry", found, describe, meta);
    Ok(reply.warned((!warnings.is_empty()).then(|| warnings.join(", "))))
}

/// What `spent_on`, `from` and `to` ask of the day, and a warning for those that are none: contract 7 passes over them. With
/// `strict=1` they are a 422.
fn days(ask: &Ask, context: &Context) -> Result<(Vec<Condition>, Option<String>), Error> {
    let day = |name: &str, range: fn(Moment) -> Range<Moment>| {
        let text = ask.parameter(name).filter(|text| !text.is_empty())?;
        let day = Moment::parse(&text).filter(|moment| matches!(moment, Moment::Day(_)));
        Some(day.map(|day| Test::When(range(day))).ok_or_else(|| name.to_owned()))
    };
    let spent_on = ask.parameter("spent_on").map(|text| short(Type::PastDate, "Date", &text, context).map_err(|_| "spent_on".to_owned()));
    let tests = [spent_on, day("from", |day| Range { from: Some(day), to: None }), day("to", |day| Range { from: None, to: Some(day) })];
    let (mut conditions, mut wrong) = (Vec::new(), Vec::new());
    for test in tests.into_iter().flatten() {
        match test {
            Ok(test) => conditions.push(Condition { field: Field::SpentOn, test }),
            Err(name) => wrong.push(name),
        }
    }
    if !wrong.is_empty() && ask.parameter("strict").and_then(|text| switch(&text)).unwrap_or(false) {
        return Err(Error::Invalid(wrong.iter().map(|name| format!("{name} is invalid; a day is written YYYY-MM-DD")).collect()));
    }
    let warning = (!wrong.is_empty()).then(|| format!("299 quarry \"days that are none were ignored: {}\"", wrong.join(", ")));
    Ok((conditions, warning))
}

/// The order that is asked for, or that of the saved query, or the usual one.
fn order(ask: &Ask, catalogue: &Catalogue, saved: Option<&Saved<Field>>) -> Vec<Criterion> {
    let known = |field: CustomFieldId| query::custom_fields(catalogue, ask.viewer()).any(|known| known.id == field);
    match (ask.parameter("sort").filter(|text| !text.trim().is_empty()), saved) {
        (Some(text), _) => query::criteria(text.split(',').map(|part| part.trim().split_once(':').unwrap_or((part.trim(), ""))), known),
        (None, Some(saved)) if !saved.order.is_empty() => {
            query::criteria(saved.order.iter().map(|(name, direction)| (name.as_str(), direction.as_str())), known)
        }
        _ => query::USUAL.to_vec(),
    }
}
