//! The page that shows what a change of the workflow means, before it is saved.

use super::effects;
use super::effects::{EffectLine, PlanLine};
use crate::components::form_field::typed;
use crate::form::show_again;
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, Frame, Width};
use crate::prelude::*;
use quarry_actions::administration::workflow_edits as actions;
use quarry_actions::administration::workflow_edits::WorkflowEdit;
use quarry_domain::access::visibility;
use quarry_domain::administration::workflow_effects::effects as effects_of;
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::issues;

/// How the page sends the change again.
pub struct Confirmation {
    /// The address of the form.
    pub action: String,
    /// The address to which saving leads.
    pub back: String,
    /// The fields that express the change.
    pub hidden: Vec<(String, String)>,
    /// Whether the form can go back to where the change was made.
    pub can_edit: bool,
}

#[derive(Template)]
#[template(path = "administration/workflows/check.html")]
struct CheckPage<'c> {
    frame: Frame,
    confirmation: &'c Confirmation,
    effects: Vec<EffectLine>,
    plans: Vec<PlanLine>,
    /// Number of changes that are not listed.
    hidden_changes: usize,
}

/// Answers a form: `do=save` saves the change, `do=edit` shows the form with it again, everything else
/// shows what it means. `form` shows the form with errors.
pub fn answer(
    request: &RequestContext,
    edit: WorkflowEdit,
    confirmation: &Confirmation,
    form: impl Fn(&Read<'_>, ValidationErrors) -> Result<Reply, Error>,
) -> Result<Reply, Error> {
    let outcome = match typed(&request.body, "do").as_deref() {
        Some("edit") => return request.app.read(|db| form(db, ValidationErrors::new())),
        Some("save") => apply(request, edit, confirmation),
        _ => request
            .app
            .read(|db| show(request, db, &edit, confirmation)),
    };
    match outcome {
        Err(Error::Invalid(errors)) => show_again(request, |db| form(db, errors)),
        outcome => outcome,
    }
}

/// Shows what the change means. A change of nothing leads back.
///
/// # Errors
/// `Invalid` for trackers, roles, statuses and fields that do not exist.
pub fn show(
    request: &RequestContext,
    db: &Read<'_>,
    edit: &WorkflowEdit,
    confirmation: &Confirmation,
) -> Result<Reply, Error> {
    let page = page(request, db, edit, confirmation)?;
    Ok(page.unwrap_or_else(|| nothing_changed(request, confirmation)))
}

fn nothing_changed(request: &RequestContext, confirmation: &Confirmation) -> Reply {
    let flash = Flash::notice("There is nothing to change.");
    redirect_with(request, confirmation.back.clone(), &flash)
}

/// Returns the page; `None` when nothing changes.
fn page(
    request: &RequestContext,
    db: &Read<'_>,
    edit: &WorkflowEdit,
    confirmation: &Confirmation,
) -> Result<Option<Reply>, Error> {
    let catalogue = db.catalogue();
    let plans = actions::plan(catalogue, edit)?;
    if plans.is_empty() {
        return Ok(None);
    }
    let counts = issues::count_by_status(db, visibility::issues(request.viewer()))?;
    let mut lines: Vec<EffectLine> = effects_of(catalogue, &plans, &counts)
        .iter()
        .map(|effect| effects::effect(catalogue, effect))
        .collect();
    lines.stable_sort_by_key(|line| !line.is_loss);
    let (plans, hidden_changes) = effects::plans(catalogue, &plans);
    let frame = Frame::for_administration(request, db, "Check the changes")
        .below("Workflow", "/workflows")
        .with_width(Width::Medium);
    let page = CheckPage {
        frame,
        confirmation,
        effects: lines,
        plans,
        hidden_changes,
    };
    render(&page.frame, &page).map(Some)
}

fn apply(
    request: &RequestContext,
    edit: WorkflowEdit,
    confirmation: &Confirmation,
) -> Result<Reply, Error> {
    let plans = request.write(move |db, viewer| actions::apply(db, viewer, &edit))?;
    let message = match plans.len() {
        0 => return Ok(nothing_changed(request, confirmation)),
        1 => "One workflow was changed.".to_owned(),
        count => format!("{count} workflows were changed."),
    };
    Ok(redirect_with(
        request,
        confirmation.back.clone(),
        &Flash::notice(message),
    ))
}
