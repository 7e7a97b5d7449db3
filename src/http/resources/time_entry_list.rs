//! The time entries that a request lists, for the API and for pages (compatibility 9).

use crate::resources::export::load_first;
use crate::resources::filters;
use crate::resources::filters::Saved;
use crate::resources::project_scope;
use crate::{Error, Pagination, RequestContext};
use quarry_domain::access::permission::Permission;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::access::visible::Visible;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::ProjectId;
use quarry_domain::issues::time_entry::TimeEntry;
use quarry_domain::query::criterion::split;
use quarry_domain::query::dates::{DayOrInstant, Range};
use quarry_domain::query::filter::{Context, FilterField, FilterType, Predicate, parse_short};
use quarry_domain::query::saved::QueryKind;
use quarry_domain::query::time_entries as query;
use quarry_domain::query::time_entries::{Column, Condition, Criterion, Field};
use quarry_domain::query::time_report::{Period, ReportCriterion};
use quarry_store::Read;
use quarry_store::issues::time_entries;
use quarry_store::issues::time_entries::TimeEntryQuery;
use quarry_store::issues::time_reports;
use quarry_store::issues::time_reports::HoursGroup;

/// Parameters that are not filters, or that this module parses.
pub const NON_FILTER_PARAMETERS: &[&str] = &[
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

/// A list of time entries, as a request and the saved query in it describe it.
pub struct TimeEntryList {
    /// The project of the request; `None` for all projects.
    pub project: Option<ProjectId>,
    /// The fields by which the viewer can filter the list.
    pub fields: Vec<FilterField<Field>>,
    /// The order.
    pub order: Vec<Criterion>,
    /// The requested part of the list.
    pub pagination: Pagination,
    /// The `Warning` about unknown parameters.
    pub warning: Option<String>,
    /// Those of the parameters `spent_on`, `from` and `to` that are no days. They are ignored.
    pub invalid_days: Vec<&'static str>,
    conditions: Vec<Condition>,
    visible: Visible,
}

impl TimeEntryList {
    /// Parses the parameters of a list, and loads the saved query that they name. `others` are
    /// parameters of a page that are not filters.
    pub fn parse(
        request: &RequestContext,
        db: &Read<'_>,
        others: &[&str],
    ) -> Result<TimeEntryList, Error> {
        let catalogue = db.catalogue();
        let viewer = request.viewer();
        if !viewer.may_somewhere(Permission::ViewTimeEntries) {
            return Err(Error::Forbidden);
        }
        let root = project_scope::project(request, catalogue, Permission::ViewTimeEntries)?;
        let fields = query::filter_fields(catalogue, viewer, root);
        let context = Context::new(viewer, catalogue, db.now());
        let saved = filters::saved(request, db, QueryKind::TimeEntries, root, &fields, &context)?;
        let others = [NON_FILTER_PARAMETERS, others].concat();
        let filters = filters::parse(request, &fields, &others, &context)?;
        let (days, invalid_days) = days(request, &context)?;
        let group = filters::group_by(request, saved.as_ref());
        let group = query::group(catalogue, viewer, &group);
        let order = query::grouped(group, order(request, catalogue, saved.as_ref()));
        let saved_conditions = saved
            .and_then(|saved| saved.conditions)
            .into_iter()
            .flatten();
        let conditions: Vec<Condition> = saved_conditions
            .chain(filters.conditions)
            .chain(days)
            .chain(group_condition(group))
            .collect();
        Ok(TimeEntryList {
            project: root,
            visible: visible(catalogue, viewer, root, &conditions),
            pagination: Pagination::from_query(&request.query),
            warning: filters.warning,
            fields,
            order,
            invalid_days,
            conditions,
        })
    }

    /// Fails with a 422 that names the parameters that are no days.
    pub fn refuse_invalid_days(&self) -> Result<(), Error> {
        if self.invalid_days.is_empty() {
            return Ok(());
        }
        let names = self.invalid_days.iter();
        Err(Error::Invalid(
            names
                .map(|name| format!("{name} is invalid; a day is written YYYY-MM-DD"))
                .collect(),
        ))
    }

    /// Returns the number of matching time entries, and those of the page.
    pub fn load(&self, db: &Read<'_>, viewer: &Viewer) -> Result<(i64, Vec<TimeEntry>), Error> {
        let query = self.query(viewer);
        let total = time_entries::count(db, &query)?;
        let entries = if self.pagination.offset < total {
            time_entries::list(db, &query)?
        } else {
            Vec::new()
        };
        Ok((total, entries))
    }

    /// Returns the first of the matching time entries, in the order of the list, at most `limit`.
    pub fn load_first(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        limit: i64,
    ) -> Result<Vec<TimeEntry>, Error> {
        load_first(limit, |offset, limit| {
            let query = TimeEntryQuery {
                offset,
                limit,
                ..self.query(viewer)
            };
            Ok(time_entries::list(db, &query)?)
        })
    }

    /// Returns the hours of all matching time entries.
    pub fn hours(&self, db: &Read<'_>, viewer: &Viewer) -> Result<f64, Error> {
        Ok(time_reports::sum(db, &self.query(viewer))?)
    }

    /// Returns the hours of all matching time entries in groups, at most `limit`.
    pub fn report(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        criteria: &[ReportCriterion],
        period: Period,
        limit: i64,
    ) -> Result<Vec<HoursGroup>, Error> {
        let query = TimeEntryQuery {
            offset: 0,
            limit,
            ..self.query(viewer)
        };
        Ok(time_reports::report(db, &query, criteria, period)?)
    }

    fn query<'a>(&'a self, viewer: &'a Viewer) -> TimeEntryQuery<'a> {
        let Pagination { offset, limit, .. } = self.pagination;
        TimeEntryQuery {
            viewer,
            visible: &self.visible,
            conditions: &self.conditions,
            order: &self.order,
            offset,
            limit,
        }
    }
}

/// Returns the time entries that the viewer may see in the scope of a list.
fn visible(
    catalogue: &Catalogue,
    viewer: &Viewer,
    root: Option<ProjectId>,
    conditions: &[Condition],
) -> Visible {
    let subprojects = conditions
        .iter()
        .filter(|condition| condition.field == Field::Subproject)
        .map(|condition| &condition.predicate);
    project_scope::visible(
        catalogue,
        visibility::time_entries(viewer),
        root,
        subprojects,
    )
}

/// Returns the conditions of `spent_on`, `from` and `to`, and the names of those that are no days.
fn days(
    request: &RequestContext,
    context: &Context,
) -> Result<(Vec<Condition>, Vec<&'static str>), Error> {
    let day = |name: &'static str, range: fn(DayOrInstant) -> Range<DayOrInstant>| {
        let text = request.filter_param(name)?.filter(|text| !text.is_empty());
        let predicate = text.map(|text| {
            DayOrInstant::parse(&text, &context.calendar.zone)
                .filter(|day| matches!(day, DayOrInstant::Day(_)))
                .map(|day| Predicate::Time(range(day)))
                .ok_or(name)
        });
        Ok::<_, Error>(predicate)
    };
    let spent_on = request.filter_param("spent_on")?.map(|text| {
        parse_short(FilterType::PastDate, "Date", &text, context).map_err(|_| "spent_on")
    });
    let tests = [
        spent_on,
        day("from", |day| Range {
            from: Some(day),
            to: None,
        })?,
        day("to", |day| Range {
            from: None,
            to: Some(day),
        })?,
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
    Ok((conditions, invalid))
}

/// Returns the requested order, that of the saved query, or the default.
fn order(
    request: &RequestContext,
    catalogue: &Catalogue,
    saved: Option<&Saved<Field>>,
) -> Vec<Criterion> {
    let viewer = request.viewer();
    match filters::requested_order(request) {
        Some(text) => query::criteria(catalogue, viewer, split(&text)),
        None if saved.is_some_and(|saved| !saved.query.order.is_empty()) => {
            query::criteria(catalogue, viewer, filters::saved_order(saved))
        }
        None => query::DEFAULT_SORT.to_vec(),
    }
}

/// Returns the condition of a list that is grouped by a custom field: it has only the time entries
/// with that field (compatibility 6.3).
fn group_condition(group: Option<Column>) -> Option<Condition> {
    match group? {
        Column::Custom(id) => Some(Condition {
            field: Field::Custom(id),
            predicate: Predicate::Available,
        }),
        _ => None,
    }
}
