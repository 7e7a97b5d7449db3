//! `/time_entries/:id/edit`: changes a time entry.

use super::form::{COMMENTS, ISSUE, OBJECT, TimeEntryForm, parse_time_entry};
use super::time_entry_pages;
use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{FieldKind, FormField, choice, typed};
use crate::components::form_page::FormPage;
use crate::form::form_merge::{Merged, merge, save_merged};
use crate::form::save;
use crate::frame::local_path::local_path;
use crate::frame::{Frame, Width};
use crate::issues::issue_reference;
use crate::issues::issue_reference::IssueReference;
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::issues::time_entries;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::ids::TimeEntryId;
use quarry_domain::issues::time_entry::TimeEntry;
use quarry_store as store;
use quarry_store::StoreError;
use quarry_store::administration::custom_fields;

/// The parameter with the address to which the form leads back.
const BACK: &str = "back_url";

/// Returns the time entry in the path, if the viewer may change it in the way that `may_change`
/// checks. One that the viewer may not see looks like one that does not exist.
pub fn find_time_entry(
    request: &RequestContext,
    db: &Read<'_>,
    may_change: impl Fn(&TimeEntry) -> bool,
) -> Result<TimeEntry, Error> {
    let id: TimeEntryId = request.id_param("id")?;
    let entry = store::issues::time_entries::find(db, id)?;
    let entry = entry.ok_or_else(|| access::missing(request))?;
    let visible = visibility::time_entries(request.viewer());
    if may_change(&entry) {
        Ok(entry)
    } else if visible.matches(&entry.access_attributes()) {
        Err(Error::Forbidden)
    } else {
        Err(access::missing(request))
    }
}

/// Returns the address to which a form leads back: that in the request, or else the list of the
/// project.
pub fn back_path(request: &RequestContext, catalogue: &Catalogue, entry: &TimeEntry) -> String {
    let requested = requested_back(request);
    let is_list = |path: &&str| path.contains(time_entry_pages::LIST);
    match local_path(&requested).filter(is_list) {
        Some(path) => path.to_owned(),
        None => paths::below_project(catalogue, entry.project, time_entry_pages::LIST),
    }
}

/// Returns the field that carries the address to which a form leads back.
pub fn back_field(request: &RequestContext) -> FormField {
    FormField::new(FieldKind::Hidden, BACK, "", requested_back(request))
}

fn requested_back(request: &RequestContext) -> String {
    typed(&request.body, BACK)
        .or_else(|| typed(&request.query, BACK))
        .unwrap_or_default()
}

/// Returns the frame of a page about a time entry.
pub fn frame(request: &RequestContext, db: &Read<'_>, entry: &TimeEntry, title: &str) -> Frame {
    let catalogue = db.catalogue();
    let project = catalogue.projects.get(&entry.project);
    let list = time_entry_pages::list_path(project);
    time_entry_pages::frame(request, db, project, title).below("Spent time", list)
}

/// `GET`: the form.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let editing = Editing::load(request, db)?;
    editing.page(request, db, &Input::Null, None)?.render()
}

/// `POST`: saves what the viewer has changed. Where somebody else has changed the same field since
/// the form was opened, nothing is saved, and the form shows both values: 409.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    save_merged(
        || try_update(request),
        |busy| {
            request.app.read(|db| {
                Editing::load(request, db)?
                    .page(request, db, &request.body, None)?
                    .with_errors(busy)
                    .render()
            })
        },
    )
}

/// The same; fails with `Outdated` when somebody saves the time entry between the merge and the
/// write.
fn try_update(request: &RequestContext) -> Result<Reply, Error> {
    let (editing, merged, named) = request.app.read(|db| -> Result<_, Error> {
        let editing = Editing::load(request, db)?;
        let saved = editing.fields(request, db, &Input::Null, None)?;
        let merged = merge(&request.body, &saved);
        // A name of an issue that was not changed is none of the form any more.
        let is_sent = typed(&merged.form, ISSUE).is_some();
        let project = editing.entry.project;
        let named = match is_sent {
            true => issue_reference::find(request, db, ISSUE, Some(project))?,
            false => None,
        };
        Ok((editing, merged, named))
    })?;
    let Merged { form, conflicts } = merged;
    let id = editing.entry.id;
    let reply = save(
        request,
        || {
            if !conflicts.is_empty() {
                return Err(Error::Invalid(ValidationErrors::new()));
            }
            let change = parse_time_entry(request, &form, named.as_ref())?;
            let Editing { entry, values, .. } = editing;
            request.write(move |db, viewer| {
                let is_current = stored(db, id)? == Some((entry, values));
                if !is_current {
                    return Err(ActionError::Outdated);
                }
                time_entries::update(db, viewer, id, &change)
            })
        },
        |entry| {
            let catalogue = request.app.store.catalogue()?;
            let path = back_path(request, &catalogue, &entry);
            Ok((path, "The time entry was saved.".to_owned()))
        },
        |db, errors| {
            Editing::load(request, db)?
                .page(request, db, &form, named.as_ref())?
                .with_conflicts(&conflicts)
                .with_errors(errors)
                .render()
        },
    )?;
    Ok(if conflicts.is_empty() {
        reply
    } else {
        reply.with_status(StatusCode::CONFLICT)
    })
}

/// Returns a time entry with its values of custom fields.
fn stored(db: &Read<'_>, id: TimeEntryId) -> Result<Option<(TimeEntry, Values)>, StoreError> {
    let values = custom_fields::find_values(db, Customized::TimeEntry, id.0)?;
    let entry = store::issues::time_entries::find(db, id)?;
    Ok(entry.map(|entry| (entry, values)))
}

/// A time entry that is changed.
struct Editing {
    entry: TimeEntry,
    values: Values,
    /// Its issue, if the viewer may see it.
    issue: Option<IssueId>,
}

impl Editing {
    fn load(request: &RequestContext, db: &Read<'_>) -> Result<Editing, Error> {
        let viewer = request.viewer();
        let entry = find_time_entry(request, db, |entry| time_entries::may_edit(viewer, entry))?;
        let issue = match entry.issue {
            Some(issue) => store::issues::find(db, visibility::issues(viewer), issue)?,
            None => None,
        };
        Ok(Editing {
            values: custom_fields::find_values(db, Customized::TimeEntry, entry.id.0)?,
            issue: issue.map(|issue| issue.id),
            entry,
        })
    }

    fn fields(
        &self,
        request: &RequestContext,
        db: &Read<'_>,
        sent: &Input,
        named: Option<&IssueReference>,
    ) -> Result<Vec<FormField>, Error> {
        let form = TimeEntryForm {
            request,
            db,
            project: self.entry.project,
            entry: Some((&self.entry, &self.values)),
            sent,
        };
        let mut fields = form.fields()?;
        if self.entry.issue != self.issue && request.viewer().user != Some(self.entry.user) {
            // The comment of time on a hidden issue is hidden, too, and stays as it is.
            fields.retain(|field| field.name != COMMENTS);
        }
        let issue = form.issue(self.issue, named);
        fields.splice(
            1..1,
            self.project(request, db, sent).into_iter().chain(issue),
        );
        Ok(fields)
    }

    /// Returns the field of the project, if the time can be moved to another one.
    fn project(&self, request: &RequestContext, db: &Read<'_>, sent: &Input) -> Option<FormField> {
        let catalogue = db.catalogue();
        let viewer = request.viewer();
        let projects = catalogue
            .tree
            .iter()
            .filter(|id| **id == self.entry.project || viewer.may(Permission::LogTime, **id));
        let choices: Vec<_> = projects
            .map(|id| choice(id, catalogue.project_name(*id)))
            .collect();
        let form = FieldBuilder::new(OBJECT, sent);
        (choices.len() > 1)
            .then(|| form.select("project_id", "Project", self.entry.project, choices))
    }

    fn page(
        &self,
        request: &RequestContext,
        db: &Read<'_>,
        sent: &Input,
        named: Option<&IssueReference>,
    ) -> Result<FormPage, Error> {
        let catalogue = db.catalogue();
        let frame = frame(request, db, &self.entry, "Edit a time entry");
        let path = format!("{}/{}", time_entry_pages::LIST, self.entry.id);
        let page = FormPage::new(
            frame.with_width(Width::Narrow),
            format!("{path}/edit"),
            self.fields(request, db, sent, named)?,
        )
        .with_original(&self.fields(request, db, &Input::Null, None)?)
        .with_fields([back_field(request)])
        .with_heading("Edit a time entry")
        .with_cancel(back_path(request, catalogue, &self.entry));
        let may_delete = time_entries::may_delete(catalogue, request.viewer(), &self.entry);
        Ok(if may_delete {
            let back = paths::encode(&requested_back(request));
            page.with_delete(format!("{path}/delete?{BACK}={back}"))
        } else {
            page
        })
    }
}
