//! `/issues/bulk_edit`: the form that changes the selected issues.

use super::fields::to_update;
use super::form::{self, Feedback, is_empty, page, summary, try_out};
use super::selection::{BACK, back, ids, join_ids};
use crate::form::{field, show_again};
use crate::frame::render::redirect_with;
use crate::frame::{Flash, FlashKind};
use crate::prelude::*;
use quarry_actions::issues::bulk;
use quarry_actions::issues::bulk::BulkAction;
use quarry_http::resources::fields::issue as issue_fields;

/// `GET`: the form.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(
        request,
        db,
        BulkAction::Edit,
        Vec::new(),
        Feedback::default(),
    )
}

/// `POST`: previews the change, or with `do=save` saves it for the issues that can have all values.
/// The form of one field saves without a preview if all issues can have the value.
pub fn save(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    let ids = ids(request);
    let invalid = |errors: Vec<String>| {
        show_again(request, |db| {
            let feedback = Feedback {
                errors,
                outcome: None,
            };
            page(request, db, BulkAction::Edit, Vec::new(), feedback)
        })
    };
    let change = match issue_fields::parse(request, &to_update(&request.body)) {
        Ok(change) => change,
        Err(Error::Invalid(errors)) => return invalid(errors.messages()),
        Err(error) => return Err(error),
    };
    if is_empty(&change) {
        return invalid(vec!["Change something first.".to_owned()]);
    }
    let what = field(request, "do");
    if what != "save" {
        let tried = (ids.clone(), change.clone());
        let outcome = try_out(request, move |db, viewer| {
            bulk::update_many(db, viewer, &tried.0, &tried.1)
        })?;
        let is_choice = what.is_empty() && form::field_name(request).is_some();
        if !is_choice || !outcome.refused.is_empty() {
            let feedback = Feedback {
                errors: Vec::new(),
                outcome: Some(outcome),
            };
            return request
                .app
                .read(|db| page(request, db, BulkAction::Edit, Vec::new(), feedback));
        }
    }
    let all = join_ids(&ids);
    let (outcome, at) = request.write(move |db, viewer| -> Result<_, ActionError> {
        let outcome = bulk::update_many(db, viewer, &ids, &change)?;
        Ok((outcome, db.now()))
    })?;
    let flash = Flash {
        kind: if outcome.refused.is_empty() && !outcome.changed.is_empty() {
            FlashKind::Notice
        } else {
            FlashKind::Error
        },
        text: summary(&outcome, "changed"),
    };
    let at = at.as_microsecond();
    let back = paths::encode(&back(request));
    Ok(redirect_with(
        request,
        format!("/issues/bulk_edit/result?at={at}&ids={all}&{BACK}={back}"),
        &flash,
    ))
}
