//! `/issues/:id/delete`: deletes an issue, after a page that says what goes with it.

use super::losses::{CONFIRMED, Losses, MORE_LOST, has_more};
use crate::components::form_field::{FieldKind, FormField, choice, typed};
use crate::components::form_page::FormPage;
use crate::form::{field, save};
use crate::frame::Width;
use crate::issues::issue_pages;
use crate::issues::issue_reference::{self, IssueReference};
use crate::prelude::*;
use crate::records::deletions::count;
use axum::http::StatusCode;
use quarry_actions::issues;
use quarry_actions::issues::SpentTime;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::validation::ValidationError;
use quarry_http::resources::sentences::hours;
use quarry_store::content::attachments;

const TARGET: &str = "reassign_to_id";

/// Whether the viewer may delete the issue. Its subtasks can still forbid it.
pub fn may_delete(request: &RequestContext, issue: &Issue) -> bool {
    let viewer = request.viewer();
    viewer.user.is_some() && viewer.may_on(Permission::DeleteIssues, issue.project, issue.tracker)
}

fn find_deletable(request: &RequestContext, db: &Read<'_>) -> Result<Issue, Error> {
    let issue = issue_pages::find(request, db)?;
    if may_delete(request, &issue) {
        Ok(issue)
    } else {
        Err(Error::Forbidden)
    }
}

/// Asks for confirmation.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, None, ValidationErrors::new())
}

/// Deletes the issue.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let todo = field(request, "todo");
    let is_reassigned = todo == "reassign";
    let (issue, named) = request.app.read(|db| -> Result<_, Error> {
        let issue = find_deletable(request, db)?;
        let named = if is_reassigned {
            issue_reference::find(request, db, TARGET, Some(issue.project))?
        } else {
            None
        };
        Ok((issue, named))
    })?;
    let spent = match (todo.as_str(), &named) {
        ("reassign", Some(IssueReference::One(target))) => Some(SpentTime::Reassign(*target)),
        ("reassign", _) => None,
        ("nullify", _) => Some(SpentTime::Keep),
        _ => Some(SpentTime::Delete),
    };
    let id = issue.id;
    if request.app.read(|db| has_more(request, db, &[id]))? {
        let error = ValidationError::for_record(MORE_LOST);
        let reply = request
            .app
            .read(|db| page(request, db, named.as_ref(), error.into()))?;
        return Ok(reply.with_status(StatusCode::CONFLICT));
    }
    let project = request.app.read(|db| {
        Ok::<_, Error>(
            db.catalogue()
                .projects
                .get(&issue.project)
                .map(paths::project),
        )
    })?;
    save(
        request,
        || {
            let Some(spent) = spent else {
                let error =
                    issue_reference::error(&target_field("", issue.project), named.as_ref());
                return Err(Error::Invalid(error.into()));
            };
            request.write(move |db, viewer| issues::delete(db, viewer, &[id], spent))
        },
        |()| {
            let list = format!("{}/issues", project.unwrap_or_default());
            Ok((list, format!("Issue #{id} was deleted.")))
        },
        |db, errors| page(request, db, named.as_ref(), errors),
    )
}

fn target_field(value: &str, project: ProjectId) -> FormField {
    let field = FormField::new(FieldKind::Line, TARGET, "Move them to the issue", value);
    FormField {
        hint:
            "For “move them”: its number, or words of its subject. It must be in the same project."
                .to_owned(),
        ..issue_reference::searchable(field.with_attribute("issue_id"), Some(project))
    }
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    named: Option<&IssueReference>,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let issue = find_deletable(request, db)?;
    let losses = Losses::load(db, request.viewer(), &[issue.id])?;
    let files: usize = attachments::list_by_container(db, Kind::Issue, &losses.visible)?
        .values()
        .map(Vec::len)
        .sum();
    let spent = losses.hours;
    let title = format!("Delete #{}", issue.id);
    let frame = issue_pages::frame(request, db, &issue, "Delete").with_width(Width::Narrow);
    let path = paths::issue(issue.id);
    let mut page = FormPage::confirmation(frame, format!("{path}/delete"), "Delete")
        .with_heading(format!("{title}?"))
        .with_cancel(path)
        .with_paragraph(issue.subject.clone())
        .with_paragraph(format!(
            "{} This cannot be undone.",
            effects(losses.visible.len().saturating_sub(1), files)
        ))
        .with_fields([FormField::new(
            FieldKind::Hidden,
            CONFIRMED,
            "",
            losses.fingerprint(),
        )]);
    if spent > 0.0 {
        let todo = typed(&request.body, "todo").unwrap_or_else(|| "destroy".to_owned());
        let label = format!("Time entries, {} in all", hours(spent));
        let choices = [
            choice("destroy", "delete them"),
            choice("nullify", "keep them in the project"),
            choice("reassign", "move them to another issue"),
        ];
        let todo = FormField::new(FieldKind::Radios, "todo", label, todo).with_choices(choices);
        let target = target_field(&field(request, TARGET), issue.project);
        page = page.with_fields([todo]).with_fields(match named {
            Some(named) => issue_reference::fields(target, named),
            None => vec![target],
        });
    }
    page.with_errors(errors).render()
}

/// Returns the sentences that say what is deleted.
fn effects(subtasks: usize, files: usize) -> String {
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let mut parts = Vec::new();
    if subtasks > 0 {
        parts.push(count(number(subtasks), "subtask", "subtasks"));
    }
    parts.push("all notes and relations".to_owned());
    if files > 0 {
        parts.push(count(number(files), "file", "files"));
    }
    let last = parts.pop().unwrap_or_default();
    let list = match parts.is_empty() {
        true => last,
        false => format!("{} and {last}", parts.join(", ")),
    };
    format!("This also deletes {list}.")
}
