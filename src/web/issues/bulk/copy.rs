//! `/issues/bulk_copy`: the form that copies the selected issues.

use super::fields::to_update;
use super::form::{Feedback, page, summary, try_out};
use super::result::list_of;
use super::selection::{back, ids};
use crate::components::form_field::{FieldKind, FormField, typed};
use crate::form::{field, show_again};
use crate::frame::render::redirect_with;
use crate::frame::{Flash, FlashKind};
use crate::prelude::*;
use quarry_actions::issues::CopiedParts;
use quarry_actions::issues::bulk;
use quarry_actions::issues::bulk::BulkAction;
use quarry_http::resources::fields::issue as issue_fields;

const FILES: &str = "copy_attachments";
const SUBTASKS: &str = "copy_subtasks";
const WATCHERS: &str = "copy_watchers";
const LINK: &str = "link_copy";

/// `GET`: the form.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    form(request, db, Feedback::default())
}

fn form(request: &RequestContext, db: &Read<'_>, feedback: Feedback) -> Result<Reply, Error> {
    page(request, db, BulkAction::Copy, parts(request), feedback)
}

/// `POST`: previews the copies, or with `do=save` makes them.
pub fn save(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    let ids = ids(request);
    let invalid = |errors: Vec<String>| {
        show_again(request, |db| {
            let feedback = Feedback {
                errors,
                outcome: None,
            };
            form(request, db, feedback)
        })
    };
    let change = match issue_fields::parse(request, &to_update(&request.body)) {
        Ok(change) => change,
        Err(Error::Invalid(errors)) => return invalid(errors.messages()),
        Err(error) => return Err(error),
    };
    let is_on = |name: &str| field(request, name) == "1";
    let parts = CopiedParts {
        files: is_on(FILES),
        subtasks: is_on(SUBTASKS),
        watchers: is_on(WATCHERS),
        relation: is_on(LINK),
    };
    if field(request, "do") != "save" {
        let tried = try_out(request, move |db, viewer| {
            bulk::copy_many(db, viewer, &ids, &change, parts)
        });
        let outcome = match tried {
            Ok(outcome) => outcome,
            Err(Error::Invalid(errors)) => return invalid(errors.messages()),
            Err(error) => return Err(error),
        };
        let feedback = Feedback {
            errors: Vec::new(),
            outcome: Some(outcome),
        };
        return request.app.read(|db| form(request, db, feedback));
    }
    let copied = request.write(move |db, viewer| bulk::copy_many(db, viewer, &ids, &change, parts));
    let outcome = match copied {
        Ok(outcome) => outcome,
        Err(Error::Invalid(errors)) => return invalid(errors.messages()),
        Err(error) => return Err(error),
    };
    let flash = Flash {
        kind: if outcome.refused.is_empty() && !outcome.changed.is_empty() {
            FlashKind::Notice
        } else {
            FlashKind::Error
        },
        text: summary(&outcome, "copied"),
    };
    let location = if outcome.changed.is_empty() {
        back(request)
    } else {
        list_of(&outcome.changed)
    };
    Ok(redirect_with(request, location, &flash))
}

/// Returns the fields for what is copied besides the attributes, as far as the viewer may copy it.
fn parts(request: &RequestContext) -> Vec<FormField> {
    let viewer = request.viewer();
    let may = |permission| viewer.may_somewhere(permission);
    let rows = [
        (FILES, "Copy files", true),
        (SUBTASKS, "Copy subtasks", may(Permission::ManageSubtasks)),
        (
            WATCHERS,
            "Copy watchers",
            may(Permission::ViewIssueWatchers) && may(Permission::AddIssueWatchers),
        ),
        (LINK, "Link each copy with its original", true),
    ];
    let offered = rows.into_iter().filter(|(_, _, is_offered)| *is_offered);
    offered
        .map(|(name, label, _)| {
            let value = typed(&request.body, name).unwrap_or_else(|| "1".to_owned());
            FormField::new(FieldKind::Switch, name, label, value)
        })
        .collect()
}
