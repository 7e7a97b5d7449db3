//! The resource `/time_entries`, also below projects and issues (compatibility 9).

use crate::custom_fields::write_custom_fields;
use quarry_actions::time_entries;
use quarry_actions::time_entries::LogTarget;
use quarry_app::ViewerContext;
use quarry_domain::access::permission::Permission;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{CustomFieldId, IssueId, TimeEntryId};
use quarry_domain::issues::time_entry::{TimeEntry, round};
use quarry_domain::query::dates::{DayOrInstant, Range};
use quarry_domain::query::filter::{Context, FilterType, Predicate, parse_short};
use quarry_domain::query::saved::QueryKind;
use quarry_domain::query::time_entries as query;
use quarry_domain::query::time_entries::{Condition, Criterion, Field};
use quarry_domain::values::text::parse_bool;
use quarry_http::resources::fields;
use quarry_http::resources::filters;
use quarry_http::resources::filters::Saved;
use quarry_http::resources::project_scope;
use quarry_http::{Error, Pagination, Reply, RequestContext};
use quarry_store as store;
use quarry_store::administration::custom_fields as store_fields;
use quarry_store::issues::time_entries::TimeEntryQuery;
use quarry_store::{Read, Write, issues};
use quarry_wire::Fields;
use std::collections::{HashMap, HashSet};
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

/// `GET /time_entries`, `GET /projects/:id/time_entries` (compatibility 9).
///
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
    let context = Context::new(viewer, &catalogue, db.now());
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
    let total = store::issues::time_entries::count(db, &query)?;
    let entries = if pagination.offset < total {
        store::issues::time_entries::list(db, &query)?
    } else {
        Vec::new()
    };
    let view_context = ViewContext::load(db, &request.viewer_context, &entries)?;
    let describe =
        move |w: &mut Fields, entry: TimeEntry| write_time_entry(w, &entry, &view_context);
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
    let day = |name: &str, range: fn(DayOrInstant) -> Range<DayOrInstant>| {
        let text = request.query_param(name).filter(|text| !text.is_empty())?;
        let day = DayOrInstant::parse(&text, &context.calendar.zone)
            .filter(|day| matches!(day, DayOrInstant::Day(_)));
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
    let field = query::group_field(&filters::group_by(request, saved), |id| {
        query::custom_fields(catalogue, request.viewer()).any(|field| field.id == id)
    })?;
    Some(Condition {
        field: Field::Custom(field),
        predicate: Predicate::Available,
    })
}

/// `GET /time_entries/:id` (compatibility 9).
///
/// Returns the time entry; 403 when the viewer cannot see it, 404 when it does not exist.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: TimeEntryId = request.id_param("id")?;
    let entry = time_entries::find(db, request.viewer(), id)?;
    let view_context =
        ViewContext::load(db, &request.viewer_context, std::slice::from_ref(&entry))?;
    Ok(Reply::object("time_entry", move |w| {
        write_time_entry(w, &entry, &view_context)
    }))
}

/// `POST /time_entries`, `POST /projects/:id/time_entries`, `POST /issues/:id/time_entries`
/// (compatibility 9).
///
/// Creates a time entry, in the project of the path or of the body: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let target = match request.path_param("id") {
        "" => LogTarget::Requested,
        reference => LogTarget::Project(
            request
                .app
                .store
                .catalogue()?
                .project_by(reference)
                .ok_or(Error::NotFound)?
                .id,
        ),
    };
    create_in(request, target)
}

/// Creates a time entry on the issue of the path.
pub fn create_on_issue(request: &RequestContext) -> Result<Reply, Error> {
    let created = request
        .id_param("id")
        .and_then(|issue: IssueId| create_in(request, LogTarget::Issue(issue)));
    created.map_err(Error::by_framework)
}

fn create_in(request: &RequestContext, target: LogTarget) -> Result<Reply, Error> {
    let change = fields::time_entry::parse(&request.body, request.viewer())?;
    let create = move |db: &mut Write<'_>, viewer: &Viewer| {
        time_entries::create(db, viewer, target, &change)
    };
    let entry = match target {
        LogTarget::Project(project) => request.write_in_project(project, create),
        LogTarget::Requested | LogTarget::Issue(_) => request.write(create),
    }?;
    let view_context = request
        .app
        .read(|db| ViewContext::load(db, &request.viewer_context, std::slice::from_ref(&entry)))?;
    let location = format!("{}/time_entries/{}", request.base_url(), entry.id);
    Ok(Reply::object("time_entry", move |w| {
        write_time_entry(w, &entry, &view_context)
    })
    .created(location))
}

/// `PUT /time_entries/:id` (compatibility 9).
///
/// Updates a time entry: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: TimeEntryId = request.id_param("id")?;
    let change = fields::time_entry::parse(&request.body, request.viewer())?;
    let entry = request.write(move |db, viewer| time_entries::update(db, viewer, id, &change))?;
    let view_context = request
        .app
        .read(|db| ViewContext::load(db, &request.viewer_context, std::slice::from_ref(&entry)))?;
    Ok(Reply::object("time_entry", move |w| {
        write_time_entry(w, &entry, &view_context)
    }))
}

/// `DELETE /time_entries/:id` (compatibility 9).
///
/// Deletes a time entry: 200 without a body.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: TimeEntryId = request.id_param("id")?;
    request.write(move |db, viewer| time_entries::delete(db, viewer, id))?;
    Ok(Reply::ok())
}

/// What the output of time entries needs besides the entries.
pub struct ViewContext {
    catalogue: Arc<Catalogue>,
    viewer_context: Arc<ViewerContext>,
    issues: HashSet<IssueId>,
    values: HashMap<i64, Values>,
}

impl ViewContext {
    /// Loads which issues of these time entries the viewer can see, and the values of custom
    /// fields.
    pub fn load(
        db: &Read<'_>,
        viewer_context: &Arc<ViewerContext>,
        page: &[TimeEntry],
    ) -> Result<ViewContext, Error> {
        let ids: Vec<i64> = page.iter().map(|entry| entry.id.0).collect();
        let issue_ids: Vec<i64> = page
            .iter()
            .filter_map(|entry| entry.issue)
            .map(|issue| issue.0)
            .collect();
        Ok(ViewContext {
            catalogue: Arc::clone(db.catalogue()),
            viewer_context: Arc::clone(viewer_context),
            issues: if issue_ids.is_empty() {
                HashSet::new()
            } else {
                issues::visible_ids(db, &viewer_context.viewer, &issue_ids)?
            },
            values: store_fields::list_values(db, Customized::TimeEntry, &ids)?,
        })
    }
}

/// Writes the fields of a time entry, in the order of compatibility 9. An issue that the viewer
/// cannot see is omitted.
pub fn write_time_entry(w: &mut Fields, entry: &TimeEntry, context: &ViewContext) {
    let catalogue = &context.catalogue;
    let viewer = &context.viewer_context.viewer;
    w.field("id", entry.id.0);
    w.reference(
        "project",
        entry.project.0,
        catalogue.project_name(entry.project),
    );
    if let Some(issue) = entry.issue.filter(|issue| context.issues.contains(issue)) {
        w.nested("issue", |w| w.attribute("id", issue.0));
    }
    w.reference(
        "user",
        entry.user.0,
        catalogue
            .principal_name(entry.user.into())
            .unwrap_or_default(),
    );
    w.reference(
        "activity",
        entry.activity.0,
        catalogue
            .enumeration(entry.activity)
            .map_or("", |activity| &activity.name),
    );
    w.field("hours", round(entry.hours));
    w.field("comments", entry.comments.as_deref());
    w.field("spent_on", entry.spent_on);
    w.field("created_on", entry.created_on);
    w.field("updated_on", entry.updated_on);
    let fields = catalogue
        .custom_fields_of(Customized::TimeEntry)
        .filter(|field| field.is_visible_to(viewer, entry.project));
    write_custom_fields(w, fields, context.values.get(&entry.id.0));
}
