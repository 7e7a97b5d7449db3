//! The resource `/time_entries`, also below projects and issues (compatibility 9).

use crate::custom_fields::write_custom_fields;
use crate::prelude::*;
use axum::routing::post;
use quarry_actions::issues::time_entries;
use quarry_actions::issues::time_entries::LogTarget;
use quarry_app::ViewerContext;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::ids::{IssueId, TimeEntryId};
use quarry_domain::issues::time_entry::{TimeEntry, round};
use quarry_domain::values::text::parse_bool;
use quarry_http::resources::time_entry_list::TimeEntryList;
use quarry_store::administration::custom_fields as store_fields;
use quarry_store::{Write, issues};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/issues/{id}/time_entries",
            post(write_handler(create_on_issue)),
        )
        .route(
            "/time_entries",
            get(read_handler(list)).post(write_handler(create)),
        )
        .route(
            "/time_entries/{id}",
            get(read_handler(show))
                .put(write_handler(update))
                .patch(write_handler(update))
                .delete(write_handler(delete)),
        )
        .route(
            "/projects/{id}/time_entries",
            get(read_handler(list)).post(write_handler(create)),
        )
}

/// `GET /time_entries`, `GET /projects/:id/time_entries` (compatibility 9).
///
/// Returns a page of the matching time entries that the viewer can see.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let viewer = request.viewer();
    let list = TimeEntryList::parse(request, db, &[])?;
    let days_warning = days_warning(request, &list)?;
    let (total, entries) = list.load(db, viewer)?;
    let view_context = ViewContext::load(db, &request.viewer_context, &entries)?;
    let describe =
        move |w: &mut Fields, entry: TimeEntry| write_time_entry(w, &entry, &view_context);
    let warnings: Vec<String> = list.warning.into_iter().chain(days_warning).collect();
    let meta = list.pagination.meta(total, entries.len());
    let reply = Reply::list("time_entries", "time_entry", entries, describe, meta);
    Ok(reply.with_warning((!warnings.is_empty()).then(|| warnings.join(", "))))
}

/// Returns the warning about parameters that are no days, which are ignored (compatibility 9). With
/// `strict=1` they are a 422.
fn days_warning(request: &RequestContext, list: &TimeEntryList) -> Result<Option<String>, Error> {
    let strict = request.query_param("strict");
    if strict.and_then(|text| parse_bool(&text)).unwrap_or(false) {
        list.refuse_invalid_days()?;
    }
    Ok((!list.invalid_days.is_empty()).then(|| {
        format!(
            "299 quarry \"days that are none were ignored: {}\"",
            list.invalid_days.join(", ")
        )
    }))
}

/// `GET /time_entries/:id` (compatibility 9).
///
/// Returns the time entry; 403 when the viewer cannot see it, 404 when it does not exist.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
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
fn create(request: &RequestContext) -> Result<Reply, Error> {
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
fn create_on_issue(request: &RequestContext) -> Result<Reply, Error> {
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
fn update(request: &RequestContext) -> Result<Reply, Error> {
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
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    // Redmine's route takes numbers only.
    let id: TimeEntryId = request.id_param("id").map_err(Error::by_framework)?;
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

impl ViewContext {
    /// Returns the comment. One on an issue that the viewer may not see is hidden, except for their own time.
    fn comments<'e>(&self, entry: &'e TimeEntry) -> Option<&'e str> {
        let is_own = self.viewer_context.viewer.user == Some(entry.user);
        let is_visible = |issue| self.issues.contains(&issue);
        let comments = entry.comments.as_deref();
        comments.filter(|_| is_own || entry.issue.is_none_or(is_visible))
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
    w.field("comments", context.comments(entry));
    w.field("spent_on", entry.spent_on);
    w.field("created_on", entry.created_on);
    w.field("updated_on", entry.updated_on);
    let fields = catalogue
        .custom_fields_of(Customized::TimeEntry)
        .filter(|field| field.is_visible_to(viewer, entry.project));
    write_custom_fields(w, fields, context.values.get(&entry.id.0));
}
