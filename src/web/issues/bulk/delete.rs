//! `/issues/bulk_delete`: deletes the selected issues.

use super::phrases::{issues as issues_in_words, issues_were};
use super::selection::{BACK, Selection, back, join_ids};
use crate::access;
use crate::components::form_field::{FieldKind, FormField, choice};
use crate::components::form_page::FormPage;
use crate::form::{field, save};
use crate::frame::{Frame, Width};
use crate::issues::change::losses::{CONFIRMED, Losses, MORE_LOST, has_more};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::issues;
use quarry_actions::issues::SpentTime;
use quarry_actions::issues::bulk::BulkAction;
use quarry_domain::validation::ValidationError;

/// Asks for confirmation.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, ValidationErrors::new())
}

/// Deletes all of them or none.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    let selected = access::found(
        request,
        request
            .app
            .read(|db| Selection::load(request, db, BulkAction::Delete)),
    )?;
    let ids = selected.ids();
    if ids.is_empty() {
        return Err(access::missing(request));
    }
    let spent = match field(request, "todo").as_str() {
        "nullify" => SpentTime::Keep,
        _ => SpentTime::Delete,
    };
    if request.app.read(|db| has_more(request, db, &ids))? {
        let error = ValidationError::for_record(MORE_LOST);
        let reply = request.app.read(|db| page(request, db, error.into()))?;
        return Ok(reply.with_status(StatusCode::CONFLICT));
    }
    let count = ids.len();
    save(
        request,
        || request.write(move |db, viewer| issues::delete(db, viewer, &ids, spent)),
        |()| {
            let message = format!("{}.", issues_were(count, "deleted"));
            Ok((back(request), message))
        },
        |db, errors| page(request, db, errors),
    )
}

fn page(request: &RequestContext, db: &Read<'_>, errors: ValidationErrors) -> Result<Reply, Error> {
    request.require_user()?;
    let viewer = request.viewer();
    let selected = access::found(request, Selection::load(request, db, BulkAction::Delete))?;
    let selected_ids = selected.ids();
    if selected_ids.is_empty() {
        return Err(access::missing(request));
    }
    let losses = Losses::load(db, viewer, &selected_ids)?;
    let subtasks = losses.visible.len().saturating_sub(selected_ids.len());
    let hours = losses.hours;
    let title = format!("Delete {}", issues_in_words(selected_ids.len()));
    let frame = Frame::new(request, db, &title).with_width(Width::Narrow);
    let mut page = FormPage::confirmation(frame, "/issues/bulk_delete", "Delete")
        .with_heading(format!("{title}?"))
        .with_cancel(back(request));
    let names: Vec<String> = selected
        .issues
        .iter()
        .take(20)
        .map(|issue| format!("#{}", issue.id))
        .collect();
    let rest = selected_ids.len().saturating_sub(names.len());
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    page = page.with_paragraph(format!("{}{more}", names.join(", ")));
    page = page.with_paragraph(
        "Their notes, files and relations are deleted, too. This cannot be undone.",
    );
    if subtasks > 0 {
        page = page.with_paragraph(format!(
            "{} deleted with them.",
            match subtasks {
                1 => "1 subtask is".to_owned(),
                count => format!("{count} subtasks are"),
            }
        ));
    }
    for warning in selected.warnings() {
        page = page.with_paragraph(warning);
    }
    let mut fields = vec![
        FormField::new(FieldKind::Hidden, "ids", "", join_ids(&selected_ids)),
        FormField::new(FieldKind::Hidden, BACK, "", back(request)),
        FormField::new(FieldKind::Hidden, CONFIRMED, "", losses.fingerprint()),
    ];
    if hours > 0.0 {
        let choices = [
            choice("destroy", "delete them"),
            choice("nullify", "keep them in the project"),
        ];
        let label = format!("Time entries, {} h in all", (hours * 100.0).round() / 100.0);
        fields.push(
            FormField::new(FieldKind::Select, "todo", label, "destroy").with_choices(choices),
        );
    }
    page.with_fields(fields).with_errors(errors).render()
}
