//! What the palette offers on the page of an issue.

use super::change::{delete, edit_field, move_project};
use super::show::log_time;
use crate::components::watch::WatchButton;
use crate::palette::command::Command;
use crate::prelude::*;
use quarry_actions::issues;
use quarry_domain::access::visibility;
use quarry_store::issues as stored_issues;

/// The fields that teams change most, which come first.
const FIRST_FIELDS: [&str; 5] = [
    "status_id",
    "assigned_to_id",
    "priority_id",
    "fixed_version_id",
    "due_date",
];

/// Returns the commands, and the project of the issue; `None` if the viewer does not see it.
pub fn load(
    request: &RequestContext,
    db: &Read<'_>,
    id: IssueId,
) -> Result<Option<(Vec<Command>, ProjectId)>, Error> {
    let viewer = request.viewer();
    let catalogue = db.catalogue();
    let Some(issue) = stored_issues::find(db, visibility::issues(viewer), id)? else {
        return Ok(None);
    };
    let path = paths::issue(id);
    let mut commands = Vec::new();
    let may_comment = issues::may_edit(viewer, &issue)
        || viewer.may_on(Permission::AddIssueNotes, issue.project, issue.tracker);
    if may_comment && viewer.author_id(catalogue).is_some() {
        commands.push(Command::link(
            "message",
            "Comment",
            format!("{path}#update"),
        ));
    }
    if log_time::may_log(request, catalogue, &issue) {
        commands.push(Command::link("time", "Log time", log_time::path(&issue)));
        let start = ("do", "start");
        commands.push(Command::form(
            "time",
            "Start timer",
            format!("{path}/timer"),
            start,
        ));
    }
    if let Some(button) = WatchButton::load(db, viewer, id.into(), &path)? {
        commands.push(Command::watch(button));
    }
    let mut fields = edit_field::settable(request, db, &issue)?;
    fields.sort_by_key(|field| {
        let mut first = FIRST_FIELDS.iter();
        first
            .position(|name| *name == field.attribute)
            .unwrap_or(FIRST_FIELDS.len())
    });
    commands.extend(fields.iter().map(|field| {
        let label = format!("Change {}", lower_initial(&field.label));
        Command::link("edit", label, edit_field::path(id, field))
    }));
    let links = [
        (
            move_project::may_move(request, db, &issue),
            "Move to another project",
            "/move",
        ),
        (
            issues::may_copy(viewer, &issue) && viewer.user.is_some(),
            "Copy",
            "/copy",
        ),
        (delete::may_delete(request, &issue), "Delete", "/delete"),
    ];
    let permitted = links.into_iter().filter(|link| link.0);
    commands.extend(
        permitted.map(|(_, label, end)| Command::link("issue", label, format!("{path}{end}"))),
    );
    Ok(Some((commands, issue.project)))
}

/// Returns a label as it stands within a sentence: `Due date` as `due date`, `URL` as it is.
fn lower_initial(label: &str) -> String {
    let mut characters = label.chars();
    let first = characters.next();
    let rest = characters.as_str();
    let is_word = rest.chars().next().is_none_or(char::is_lowercase);
    match first.filter(|_| is_word) {
        Some(first) => format!("{}{rest}", first.to_lowercase()),
        None => label.to_owned(),
    }
}
