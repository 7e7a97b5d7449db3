//! `/workflows/copy`: copies a workflow to other trackers and roles.

use super::check;
use super::check::Confirmation;
use super::selection::{checkboxes, ids, roles, trackers};
use crate::components::form_field::{FieldKind, FormField, choice, typed};
use crate::components::form_page::{FormPage, Section};
use crate::frame::Frame;
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::administration::workflow_edits::WorkflowEdit;
use quarry_domain::ids::{RoleId, TrackerId};

/// The address of the page.
const PATH: &str = "/workflows/copy";

/// The choice of the same tracker, or the same role, as the one that is copied to.
const SAME: &str = "same";

/// `GET`: the form, or with `do=check` what the copy means.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let form = &request.query;
    if typed(form, "do").as_deref() == Some("check") {
        let (change, confirmation) = parse_form(form);
        match check::show(request, db, &change, &confirmation) {
            Err(Error::Invalid(errors)) => {
                let reply = page(request, db, form, errors)?;
                return Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY));
            }
            outcome => return outcome,
        }
    }
    page(request, db, form, ValidationErrors::new())
}

/// `POST`: shows what the copy means; `do=save` makes it.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let form = &request.body;
    let (change, confirmation) = parse_form(form);
    check::answer(request, change, &confirmation, |db, errors| {
        page(request, db, form, errors)
    })
}

fn parse_form(form: &Input) -> (WorkflowEdit, Confirmation) {
    let source = |name: &str| match typed(form, name).unwrap_or_default().as_str() {
        SAME => None,
        text => Some(text.trim().parse::<i64>().unwrap_or(0)),
    };
    let targets: (Vec<TrackerId>, Vec<RoleId>) = (ids(form, "tracker_id"), ids(form, "role_id"));
    let confirmation = Confirmation {
        action: PATH.to_owned(),
        back: "/workflows".to_owned(),
        hidden: hidden(form, &targets),
        can_edit: false,
    };
    let change = WorkflowEdit::Copy {
        tracker: source("source_tracker").map(TrackerId),
        role: source("source_role").map(RoleId),
        trackers: targets.0,
        roles: targets.1,
    };
    (change, confirmation)
}

fn hidden(
    form: &Input,
    (trackers, roles): &(Vec<TrackerId>, Vec<RoleId>),
) -> Vec<(String, String)> {
    let sources = ["source_tracker", "source_role"];
    let sources = sources.map(|name| (name.to_owned(), typed(form, name).unwrap_or_default()));
    let trackers = trackers.iter();
    let trackers = trackers.map(|id| ("tracker_id[]".to_owned(), id.to_string()));
    let roles = roles.iter();
    let roles = roles.map(|id| ("role_id[]".to_owned(), id.to_string()));
    sources.into_iter().chain(trackers).chain(roles).collect()
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    form: &Input,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let select = |name: &str, label: &str, same: &str| {
        let value = typed(form, name).unwrap_or_default();
        let mut field = FormField::new(FieldKind::Select, name, label, value).required();
        field.choices = vec![choice("", "Choose one"), choice(SAME, same)];
        field
    };
    let mut from_tracker = select("source_tracker", "Tracker", "the same as each target");
    from_tracker.choices.extend(trackers(catalogue));
    let mut from_role = select("source_role", "Role", "the same as each target");
    from_role.choices.extend(roles(catalogue));
    let mut to_trackers: FormField = checkboxes(
        "tracker_id[]",
        "Trackers",
        &ids::<TrackerId>(form, "tracker_id"),
        trackers(catalogue),
    )
    .required();
    let mut to_roles = checkboxes(
        "role_id[]",
        "Roles",
        &ids::<RoleId>(form, "role_id"),
        roles(catalogue),
    )
    .required();
    // Errors name attributes, as for objects.
    to_trackers.attribute = "tracker_id".to_owned();
    to_roles.attribute = "role_id".to_owned();
    from_tracker.attribute = "source".to_owned();
    let frame =
        Frame::for_administration(request, db, "Copy a workflow").below("Workflow", "/workflows");
    let check = FormField::new(FieldKind::Hidden, "do", "", "check");
    FormPage::with_sections(
        frame,
        PATH,
        vec![
            Section::new("From", vec![check, from_tracker, from_role]),
            Section::new("To", vec![to_trackers, to_roles]).with_hint(
                "Transitions there, and which fields are required or read-only, are replaced.",
            ),
        ],
    )
    .with_get()
    .with_submit("Check the copy")
    .with_cancel("/workflows")
    .with_errors(errors)
    .render()
}
