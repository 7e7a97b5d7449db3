//! `/issues/:id/move_card`: moves the card of an issue to another column of a board.
//!
//! The page offers exactly the moves that are accepted when it is sent, and says of each other one
//! why it is refused. The script of the board reads the same page.

use super::columns::{
    COLUMNS, LANES, column_field, label, lane_field, parse_field, parse_value, value_text, values,
};
use crate::form::field as sent;
use crate::frame::local_path::local_path;
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, Frame};
use crate::issues::issue_pages;
use crate::prelude::*;
use quarry_actions::issues::card_moves;
use quarry_actions::issues::card_moves::{
    CardMove, FieldChange, MAX_ABOVE, MoveCheck, MoveOutcome,
};
use quarry_domain::query::board::BoardField;

/// The parameter with the address to which a move leads back.
const BACK: &str = "back";

#[derive(Template)]
#[template(path = "issues/board/move_card.html")]
struct MovePage {
    frame: Frame,
    path: String,
    back: String,
    moves: Vec<Moves>,
}

/// The values of one field to which the issue can be moved.
struct Moves {
    /// The parameter with the name of the field, and the name of the field.
    parameter: &'static str,
    field: &'static str,
    field_label: &'static str,
    /// The names in the form of the value that the issue has and of the requested one.
    names: (&'static str, &'static str),
    /// The value that the issue has.
    from: String,
    from_label: String,
    targets: Vec<Target>,
    /// Number of values that are left out.
    omitted: usize,
}

/// A value that the issue can get, or why it cannot.
struct Target {
    value: String,
    label: String,
    refusal: Option<String>,
}

/// Maximum number of values of a field.
const MAX_TARGETS: usize = 100;
/// The parameters of a move to another column: the field, the value before, and the requested one.
const COLUMN_PARAMETERS: [&str; 3] = [COLUMNS, "from", "to"];
/// The parameters of a move to another lane.
const LANE_PARAMETERS: [&str; 3] = [LANES, "lane_from", "lane_to"];

/// Shows the columns, and the lanes.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let issue = issue_pages::find(request, db)?;
    let columns = column_field(request)?;
    let mut moves = vec![moves(request, db, &issue, columns, COLUMN_PARAMETERS)?];
    if let Some(lanes) = lane_field(request, columns)? {
        moves.push(self::moves(request, db, &issue, lanes, LANE_PARAMETERS)?);
    }
    let back = request.query_param(BACK).unwrap_or_default();
    let page = MovePage {
        path: format!("{}/move_card", paths::issue(issue.id)),
        back: local_path(&back).unwrap_or("/issues/board").to_owned(),
        moves,
        frame: issue_pages::frame(request, db, &issue, "Move on the board"),
    };
    render(&page.frame, &page)
}

fn moves(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
    field: BoardField,
    [parameter, from, to]: [&'static str; 3],
) -> Result<Moves, Error> {
    let catalogue = db.catalogue();
    let current = field.value(issue);
    let project = catalogue.projects.get(&issue.project);
    let mut values = values(catalogue, project, field, &[]);
    values.retain(|value| *value != current);
    let omitted = values.len().saturating_sub(MAX_TARGETS);
    values.truncate(MAX_TARGETS);
    let check = MoveCheck::load(db, request.viewer(), issue.id)?;
    let mut targets = Vec::new();
    for value in values {
        let requested = [(field, value)];
        targets.push(Target {
            value: value_text(value),
            label: label(catalogue, field, value),
            refusal: check.refusal(db, request.viewer(), &requested)?,
        });
    }
    Ok(Moves {
        parameter,
        field: field.name(),
        field_label: field.label(),
        names: (from, to),
        from: value_text(current),
        from_label: label(catalogue, field, current),
        targets,
        omitted,
    })
}

/// Moves the card, and leads back to the board with a message.
pub fn save(request: &RequestContext) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    let column = field_change(request, COLUMN_PARAMETERS)?;
    let lane = field_change(request, LANE_PARAMETERS)?;
    let changes: Vec<FieldChange> = column.into_iter().chain(lane).collect();
    if changes.is_empty() {
        return Err(Error::invalid("to must be the id of a value, or none"));
    }
    let targets: Vec<_> = changes
        .iter()
        .map(|change| (change.field, change.to))
        .collect();
    let card = CardMove {
        issue: id,
        cards_above: cards_above(request)?,
        changes,
    };
    let requested = request.app.read(|db| -> Result<_, Error> {
        let issue = issue_pages::find(request, db)?;
        let names: Option<Vec<String>> = targets
            .iter()
            .map(|target| offered_label(db.catalogue(), &issue, *target))
            .collect();
        Ok(names.map(|names| names.join(", ")))
    })?;
    // A value that is not offered has no name here: it may be one of a hidden project.
    let Some(requested) = requested else {
        let flash = Flash::error(format!(
            "#{id} was not moved: there is no such column for it."
        ));
        return Ok(redirect_back(request, &flash));
    };
    let moved = request.write(move |db, viewer| card_moves::move_card(db, viewer, &card))?;
    let catalogue = request.app.store.catalogue()?;
    let flash = match moved {
        MoveOutcome::Moved => Flash::notice(format!("#{id} was moved to {requested}.")),
        MoveOutcome::Conflict(field, current) => Flash::error(format!(
            "#{id} was not moved: somebody else has moved it to {} since this page was shown.",
            label(&catalogue, field, current)
        )),
        MoveOutcome::Refused(reason) => {
            Flash::error(format!("#{id} was not moved to {requested}: {reason}."))
        }
    };
    Ok(redirect_back(request, &flash))
}

fn redirect_back(request: &RequestContext, flash: &Flash) -> Reply {
    let back = sent(request, BACK);
    let back = local_path(&back).unwrap_or("/issues/board");
    redirect_with(request, back.to_owned(), flash)
}

/// Returns the name of a value that issues of the project can have, or that the issue has.
fn offered_label(
    catalogue: &Catalogue,
    issue: &Issue,
    (field, value): (BoardField, Option<i64>),
) -> Option<String> {
    let project = catalogue.projects.get(&issue.project);
    let offered = values(catalogue, project, field, &[field.value(issue)]);
    offered
        .contains(&value)
        .then(|| label(catalogue, field, value))
}

/// Returns the requested change of one field; none if the form does not say.
fn field_change(
    request: &RequestContext,
    [parameter, from, to]: [&str; 3],
) -> Result<Option<FieldChange>, Error> {
    if request.body.get(to).is_none() {
        return Ok(None);
    }
    let field = parse_field(parameter, &sent(request, parameter))?
        .ok_or_else(|| Error::invalid(format!("{parameter} must be the name of a field")))?;
    let value = |name: &str| {
        parse_value(&sent(request, name))
            .ok_or_else(|| Error::invalid(format!("{name} must be the id of a value, or none")))
    };
    Ok(Some(FieldChange {
        field,
        from: value(from)?,
        to: value(to)?,
    }))
}

/// Returns the cards above the moved one; `None` if the form does not say.
fn cards_above(request: &RequestContext) -> Result<Option<Vec<IssueId>>, Error> {
    if request.body.get("above").is_none() {
        return Ok(None);
    }
    let text = sent(request, "above");
    let ids = text.split(',').filter(|id| !id.is_empty());
    let ids: Option<Vec<IssueId>> = ids
        .take(MAX_ABOVE)
        .map(|id| id.parse().ok().map(IssueId))
        .collect();
    match ids {
        Some(ids) => Ok(Some(ids)),
        None => Err(Error::invalid("above must be ids of issues, with commas")),
    }
}
