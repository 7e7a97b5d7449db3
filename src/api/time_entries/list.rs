//! `GET /time_entries`, `GET /projects/:id/time_entries` (compatibility 9).

use super::view::{self, ViewContext};
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::CustomFieldId;
use crate::domain::permission::Permission;
use crate::domain::query::dates::{Moment, Range};
use crate::domain::query::filter::{Context, FilterType, Predicate, parse_short};
use crate::domain::query::saved::QueryKind;
use crate::domain::query::time_entries::{self as query, Condition, Criterion, Field};
use crate::domain::text::parse_bool;
use crate::domain::time_entry::TimeEntry;
use crate::domain::visibility;
use crate::http::filters::{self, Saved};
use crate::http::{Error, Pagination, Reply, RequestContext, project_scope};
use crate::store::Read;
use crate::store::time_entries::{self, TimeEntryQuery};
use crate::wire::Fields;
use std::sync::Arc;

/// Parameters that are not filters, or that this module parses.
const NON_FILTER_PARAMETERS: &[&str] = &[
    "project_id",
    "offset",
    "limit",
    "page",
    "sort",
    "nometa",
    "query_id",
    "spent_on",
    "from",
    "to",
];

/// Returns a page of the matching time entries that the viewer can see.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let pagination = Pagination::from_query(&request.query);
    let viewer = request.viewer();
    if !viewer.may_somewhere(Permission::ViewTimeEntries) {
        return Err(Error::Forbidden);
    }
    let root = project_scope::project(request, &catalogue, Permission::ViewTimeEntries)?;
    let available = query::filter_fields(&catalogue, viewer, root);
    let context = Context::new(viewer, &catalogue, request.app.clock.now());
    let saved = filters::saved(
        request,
        db,
        QueryKind::TimeEntries,
        root,
        &available,
        &context,
    )?;
    let filters = filters::parse(request, &available, NON_FILTER_PARAMETERS, &context)?;
    let (days, days_warning) = days(request, &context)?;
    let order = order(request, &catalogue, saved.as_ref());
    let group = group_condition(request, &catalogue, saved.as_ref());
    let saved_conditions = saved
        .and_then(|saved| saved.conditions)
        .into_iter()
        .flatten();
    let conditions: Vec<Condition> = saved_conditions
        .chain(filters.conditions)
        .chain(days)
        .chain(group)
        .collect();
    let all = visibility::time_entries(viewer);
    let subprojects = conditions
        .iter()
        .filter(|condition| condition.field == Field::Subproject)
        .map(|condition| &condition.predicate);
    let visible = match root {
        Some(root) => all.within_projects(Arc::new(
            project_scope::projects(&catalogue, root, subprojects)
                .into_iter()
                .collect(),
        )),
        None => all.clone(),
    };
    let query = TimeEntryQuery {
        viewer,
        visible: &visible,
        conditions: &conditions,
        order: &order,
        offset: pagination.offset,
        limit: pagination.limit,
    };
    let total = time_entries::count(db, &query)?;
    let entries = if pagination.offset < total {
        time_entries::list(db, &query)?
    } else {
        Vec::new()
    };
    let view_context = ViewContext::load(db, &request.viewer_context, &entries)?;
    let describe =
        move |w: &mut Fields, entry: TimeEntry| view::time_entry(w, &entry, &view_context);
    let warnings: Vec<String> = filters.warning.into_iter().chain(days_warning).collect();
    let meta = pagination.meta(total, entries.len());
    let reply = Reply::list("time_entries", "time_entry", entries, describe, meta);
    Ok(reply.with_warning((!warnings.is_empty()).then(|| warnings.join(", "))))
}

/// Returns the conditions of `spent_on`, `from` and `to`, and a warning about invalid days, which
/// are ignored (compatibility 9). With `strict=1` they are a 422.
fn days(
    request: &RequestContext,
    context: &Context,
) -> Result<(Vec<Condition>, Option<String>), Error> {
    let day = |name: &str, range: fn(Moment) -> Range<Moment>| {
        let text = request.query_param(name).filter(|text| !text.is_empty())?;
        let day = Moment::parse(&text, &context.calendar.zone)
            .filter(|moment| matches!(moment, Moment::Day(_)));
        Some(
            day.map(|day| Predicate::Time(range(day)))
                .ok_or_else(|| name.to_owned()),
        )
    };
    let spent_on = request.query_param("spent_on").map(|text| {
        parse_short(FilterType::PastDate, "Date", &text, context).map_err(|_| "spent_on".to_owned())
    });
    let tests = [
        spent_on,
        day("from", |day| Range {
            from: Some(day),
            to: None,
        }),
        day("to", |day| Range {
            from: None,
            to: Some(day),
        }),
    ];
    let mut conditions = Vec::new();
    let mut invalid = Vec::new();
    for predicate in tests.into_iter().flatten() {
        match predicate {
            Ok(predicate) => conditions.push(Condition {
                field: Field::SpentOn,
                predicate,
            }),
            Err(name) => invalid.push(name),
        }
    }
    if !invalid.is_empty()
        && request
            .query_param("strict")
            .and_then(|text| parse_bool(&text))
            .unwrap_or(false)
    {
        return Err(Error::Invalid(
            invalid
                .iter()
                .map(|name| format!("{name} is invalid; a day is written YYYY-MM-DD"))
                .collect(),
        ));
    }
    let warning = (!invalid.is_empty()).then(|| {
        format!(
            "299 quarry \"days that are none were ignored: {}\"",
            invalid.join(", ")
        )
    });
    Ok((conditions, warning))
}

/// Returns the requested order, that of the saved query, or the default.
fn order(
    request: &RequestContext,
    catalogue: &Catalogue,
    saved: Option<&Saved<Field>>,
) -> Vec<Criterion> {
    let is_available = |id: CustomFieldId| {
        query::custom_fields(catalogue, request.viewer()).any(|field| field.id == id)
    };
    let criteria = match (
        request
            .query_param("sort")
            .filter(|text| !text.trim().is_empty()),
        saved,
    ) {
        (Some(text), _) => query::criteria(
            text.split(',')
                .map(|part| part.trim().split_once(':').unwrap_or((part.trim(), ""))),
            is_available,
        ),
        (None, Some(saved)) if !saved.query.order.is_empty() => query::criteria(
            saved
                .query
                .order
                .iter()
                .map(|(name, direction)| (name.as_str(), direction.as_str())),
            is_available,
        ),
        _ => query::DEFAULT_SORT.to_vec(),
    };
    query::grouped(&filters::group_by(request, saved), criteria, is_available)
}

/// Returns the condition of a list that is grouped by a custom field: it has only the time entries
/// with that field (compatibility 6.3).
fn group_condition(
    request: &RequestContext,
    catalogue: &Catalogue,
    saved: Option<&Saved<Field>>,
) -> Option<Condition> {
    let is_available = |id: CustomFieldId| {
        query::custom_fields(catalogue, request.viewer()).any(|field| field.id == id)
    };
    let field = query::group_field(&filters::group_by(request, saved), is_available)?;
    Some(Condition {
        field: Field::Custom(field),
        predicate: Predicate::Available,
    })
}
