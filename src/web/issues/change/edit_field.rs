//! `/issues/:id/edit?field=…`: changes one field of an issue.
//!
//! Invariant: the form has only fields that the viewer may set now, and says so when that has
//! changed since it was opened.

use super::conflict::{self, Merged};
use super::day_choices;
use crate::access;
use crate::components::form_field::{FieldKind, FormField, typed};
use crate::components::form_page::FormPage;
use crate::content::received_files::ReceivedFiles;
use crate::form::field as sent;
use crate::form::form_merge;
use crate::issues::form::{self as issue_form, FormContext};
use crate::issues::issue_pages;
use crate::issues::issue_reference::{self, IssueReference};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::issues::{self, journals};
use quarry_domain::issues::issue::IssueChange;
use quarry_domain::issues::journal::JournalDetail;
use quarry_domain::validation::ValidationError;
use quarry_http::resources::fields;
use quarry_store::issues as stored_issues;

/// Maximum number of entries of the history in which the author of a change is looked for.
const MAX_ENTRIES: usize = 50;
/// The prefix of custom fields in addresses.
const CUSTOM: &str = "cf_";
/// The name of custom fields in forms.
const CUSTOM_ATTRIBUTE: &str = "custom_field_values.";
/// The attribute of the parent, which can be named by words.
const PARENT: &str = "parent_issue_id";
/// The parameter that says which field a form is about.
pub const FIELD: &str = "field";

/// Returns the fields that the viewer can change now, with the choices for each.
pub fn settable(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
) -> Result<Vec<FormField>, Error> {
    form_fields(request, db, issue.id, &IssueChange::default(), &Input::Null)
}

/// Returns the address of the form of a field.
pub fn path(issue: IssueId, field: &FormField) -> String {
    let name = match field.attribute.strip_prefix(CUSTOM_ATTRIBUTE) {
        Some(id) => format!("{CUSTOM}{id}"),
        None => field.attribute.clone(),
    };
    format!("{}/edit?{FIELD}={name}", paths::issue(issue))
}

/// Returns the attribute of a name in an address.
fn attribute(name: &str) -> String {
    match name.strip_prefix(CUSTOM) {
        Some(id) => format!("{CUSTOM_ATTRIBUTE}{id}"),
        None => name.to_owned(),
    }
}

fn form_fields(
    request: &RequestContext,
    db: &Read<'_>,
    id: IssueId,
    change: &IssueChange,
    form: &Input,
) -> Result<Vec<FormField>, Error> {
    let viewer = request.viewer();
    let editable = issues::for_update(db, viewer, id, change)?;
    if !editable.may_edit || viewer.author_id(db.catalogue()).is_none() {
        return Ok(Vec::new());
    }
    let mut fields = issue_form::fields(&FormContext {
        catalogue: db.catalogue(),
        viewer,
        editable: &editable,
        form,
    });
    day_choices::add(request, db, &mut fields);
    // With a single choice, which the issue has, there is nothing to change.
    fields.retain(|field| {
        let is_only = field.choices.len() == 1 && field.is_selected(&field.choices[0]);
        !(field.kind == FieldKind::Select && is_only)
    });
    for field in &mut fields {
        match field.attribute.as_str() {
            "description" => field.preview = Some(paths::preview("issue", id)),
            "status_id" if field.choices.len() < db.catalogue().statuses.len() => {
                "The workflow allows your roles only these statuses.".clone_into(&mut field.hint);
            }
            PARENT => *field = issue_reference::searchable(field.clone(), None),
            _ => {}
        }
    }
    Ok(fields)
}

/// What was sent, and what is wrong with it.
#[derive(Default)]
struct State {
    form: Input,
    errors: ValidationErrors,
    conflicts: Vec<(String, String)>,
    /// The issues that the typed words name.
    named: Option<IssueReference>,
}

/// `GET`: the form of the field.
pub fn show(request: &RequestContext, db: &Read<'_>, name: &str) -> Result<Reply, Error> {
    let issue = issue_pages::find(request, db)?;
    if name == "project_id" {
        return Ok(Reply::redirect(format!("{}/move", paths::issue(issue.id))));
    }
    page(request, db, &issue, name, State::default())
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
    name: &str,
    state: State,
) -> Result<Reply, Error> {
    let attribute = attribute(name);
    let change = fields::issue::parse(request, &state.form).unwrap_or_default();
    let mut fields = match form_fields(request, db, issue.id, &change, &state.form) {
        // What was typed cannot be applied, such as a project with hidden subtasks.
        Err(Error::Invalid(_)) => {
            let unchanged = IssueChange::default();
            form_fields(request, db, issue.id, &unchanged, &state.form)?
        }
        fields => fields?,
    };
    // The fields that the change makes invalid are shown with it.
    fields.retain(|field| {
        field.attribute == attribute
            || state
                .errors
                .iter()
                .any(|error| error.is_about(&field.attribute))
            || typed(&state.form, &field.name).is_some()
    });
    let index = fields
        .iter()
        .position(|field| field.attribute == attribute)
        .ok_or_else(|| not_settable(request, name))?;
    let mut main = fields.remove(index);
    let label = main.label.clone();
    main.has_focus = true;
    let mut shown = match &state.named {
        Some(named) => issue_reference::fields(main, named),
        None => vec![main],
    };
    shown.append(&mut fields);
    for field in &mut shown {
        let saved = state.conflicts.iter().find(|(name, _)| *name == field.name);
        field.saved = saved.map(|(_, saved)| saved.clone());
    }
    let is_only = shown.len() == 1 && state.conflicts.is_empty();
    let is_custom = attribute.starts_with(CUSTOM_ATTRIBUTE);
    let title = match is_custom {
        true => format!("Change {label}"),
        false => format!("Change {}", label.to_lowercase()),
    };
    let mut hidden = vec![(FIELD, name.to_owned())];
    let is_new = state.form.is_null() || !state.conflicts.is_empty();
    let (version, original) = if is_new {
        let unchanged = settable(request, db, issue)?;
        (
            stored_issues::lock_version(db, issue.id)?.to_string(),
            form_merge::original(&unchanged),
        )
    } else {
        let text = |name| typed(&state.form, name).unwrap_or_default();
        (text("issue[lock_version]"), text("original"))
    };
    hidden.push(("issue[lock_version]", version));
    hidden.push(("original", original));
    shown.extend(
        hidden
            .into_iter()
            .map(|(name, value)| FormField::new(FieldKind::Hidden, name, "", value)),
    );
    let frame = issue_pages::frame(request, db, issue, &title);
    let mut messages = ValidationErrors::new();
    if !state.conflicts.is_empty() {
        let author = last_change(request, db, issue, &attribute)?;
        messages.push(ValidationError::for_record(conflict_message(
            author,
            frame.zone.clone(),
        )));
    }
    FormPage::new(frame, paths::issue(issue.id), shown)
        .with_heading(title)
        .with_cancel(paths::issue(issue.id))
        .saving_choice(is_only)
        .with_errors(messages)
        .with_errors(state.errors)
        .render()
}

/// Returns the error for a field that the viewer cannot set. One that does not exist, and a custom
/// field, which may be hidden, look the same.
fn not_settable(request: &RequestContext, name: &str) -> Error {
    if issue_form::is_core(name) && request.viewer().user.is_some() {
        Error::Forbidden
    } else {
        access::missing(request)
    }
}

/// Who changed a field last, and when.
type LastChange = Option<(String, jiff::Timestamp)>;

/// Returns who changed the attribute last, as far as the viewer may know.
fn last_change(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
    attribute: &str,
) -> Result<LastChange, Error> {
    let viewer = request.viewer();
    let sizes = journals::sizes(db, viewer, issue)?;
    let newest = sizes.iter().rev().take(MAX_ENTRIES).map(|(id, _)| *id);
    let ids: Vec<_> = newest.collect();
    let is_about = |detail: &JournalDetail| match attribute.strip_prefix(CUSTOM_ATTRIBUTE) {
        Some(id) => detail.property == "cf" && detail.name == id,
        None if attribute == PARENT => detail.property == "attr" && detail.name == "parent_id",
        None => detail.property == "attr" && detail.name == attribute,
    };
    let entries = journals::list_by_ids(db, viewer, issue, &ids)?;
    let entry = entries
        .iter()
        .find(|entry| entry.details.iter().any(&is_about));
    Ok(entry.map(|entry| {
        let name = db.catalogue().principal_name(entry.user.into());
        (name.unwrap_or("Somebody").to_owned(), entry.created_on)
    }))
}

fn conflict_message(author: LastChange, zone: jiff::tz::TimeZone) -> String {
    let who = match author {
        Some((name, at)) => {
            let time = at.to_zoned(zone).strftime("on %-d %b %Y at %H:%M");
            format!("{name} changed this {time}")
        }
        None => "Somebody else changed this".to_owned(),
    };
    format!(
        "{who}, after you opened the form. Your value is not saved yet. The saved value stands below yours: choose, and save again."
    )
}

/// `POST /issues/:id` with the parameter `field`: saves the form.
pub fn save(request: &RequestContext, id: IssueId) -> Result<Reply, Error> {
    let name = sent(request, FIELD);
    let attribute = attribute(&name);
    let (field, mut merged, named) = request.app.read(|db| -> Result<_, Error> {
        let issue = issue_pages::find(request, db)?;
        let field = settable(request, db, &issue)?
            .into_iter()
            .find(|field| field.attribute == attribute)
            .ok_or_else(|| not_settable(request, &name))?;
        let named = named_parent(request, db, &field)?;
        Ok((field, conflict::merge(request, db, id)?, named))
    })?;
    if let Some(IssueReference::Several(_) | IssueReference::Unknown) = named {
        let mut errors = ValidationErrors::new();
        errors.push(issue_reference::error(&field, named.as_ref()));
        let state = State {
            form: request.body.clone(),
            errors,
            named,
            ..State::default()
        };
        return again(request, id, &name, state, StatusCode::UNPROCESSABLE_ENTITY);
    }
    if !merged.conflicts.is_empty() {
        let Merged {
            form, conflicts, ..
        } = merged;
        let state = State {
            form,
            conflicts,
            ..State::default()
        };
        return again(request, id, &name, state, StatusCode::CONFLICT);
    }
    if let Some(error) = wrong_choice(&field, &merged.form) {
        let mut errors = ValidationErrors::new();
        errors.push(error);
        let state = State {
            form: request.body.clone(),
            errors,
            ..State::default()
        };
        return again(request, id, &name, state, StatusCode::UNPROCESSABLE_ENTITY);
    }
    if let Some(IssueReference::One(parent)) = named {
        merged.form = issue_reference::replaced(&merged.form, PARENT, parent);
    }
    match conflict::save(request, id, &merged, &ReceivedFiles::default()) {
        Ok(()) => issue_pages::back(request, id, &format!("{} was saved.", field.label)),
        // Somebody saved between the comparison and the transaction: the form is compared again.
        Err(Error::Outdated) => {
            let form = request.body.clone();
            let errors = ValidationError::for_record(conflict::CHANGED_MEANWHILE).into();
            let state = State {
                form,
                errors,
                ..State::default()
            };
            again(request, id, &name, state, StatusCode::CONFLICT)
        }
        Err(Error::Invalid(errors)) => {
            let state = State {
                form: request.body.clone(),
                errors,
                ..State::default()
            };
            again(request, id, &name, state, StatusCode::UNPROCESSABLE_ENTITY)
        }
        Err(error) => Err(error),
    }
}

/// Returns the issue that the form names as the parent; `None` if it is about another field, or
/// clears the parent.
fn named_parent(
    request: &RequestContext,
    db: &Read<'_>,
    field: &FormField,
) -> Result<Option<IssueReference>, Error> {
    if field.attribute != PARENT {
        return Ok(None);
    }
    issue_reference::find(request, db, &field.name, None)
}

/// Returns the error of a choice that the field does not offer any more: an update would ignore it.
fn wrong_choice(field: &FormField, form: &Input) -> Option<ValidationError> {
    let value = typed(form, &field.name)?;
    let is_offered = field.choices.iter().any(|choice| choice.value == value);
    let is_wrong = field.kind == FieldKind::Select && !is_offered;
    is_wrong.then(|| {
        ValidationError::new(
            &field.attribute,
            &field.label,
            "is not included in the list",
        )
    })
}

fn again(
    request: &RequestContext,
    id: IssueId,
    name: &str,
    state: State,
    status: StatusCode,
) -> Result<Reply, Error> {
    let reply = request.app.read(|db| {
        let issue = access::found(request, issues::find(db, request.viewer(), id))?;
        page(request, db, &issue, name, state)
    })?;
    Ok(reply.with_status(status))
}
