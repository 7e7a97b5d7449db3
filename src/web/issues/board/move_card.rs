//! `/issues/:id/move_card`: moves the card of an issue to another column of a board.
//!
//! The page offers exactly the moves that are accepted when it is sent, and says of each other one
//! why it is refused. The script of the board reads the same page.

use super::columns::{MAX_COLUMNS, field, label, parse_value, value_text, values};
use crate::form::field as sent;
use crate::frame::{Flash, Frame};
use crate::issues::issue_pages;
use crate::local_path::local_path;
use crate::render::{redirect_with, render};
use askama::Template;
use quarry_actions::issues::card_moves;
use quarry_actions::issues::card_moves::{CardMove, MAX_ABOVE, Moved};
use quarry_domain::ids::IssueId;
use quarry_domain::query::board::BoardField;
use quarry_http::resources::paths;
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;

/// The parameter with the address to which a move leads back.
const BACK: &str = "back";

#[derive(Template)]
#[template(path = "issues/board/move_card.html")]
struct MovePage {
    frame: Frame,
    path: String,
    field: &'static str,
    /// The value that the issue has.
    from: String,
    from_label: String,
    back: String,
    targets: Vec<Target>,
}

/// A column to which the issue can be moved, or why it cannot.
struct Target {
    value: String,
    label: String,
    refusal: Option<String>,
}

/// Shows the columns.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let issue = issue_pages::find(request, db)?;
    let field = field(request);
    let current = field.value(&issue);
    let project = catalogue.projects.get(&issue.project);
    let mut targets = Vec::new();
    for value in values(catalogue, project, field, &[current])
        .into_iter()
        .filter(|value| *value != current)
        .take(MAX_COLUMNS)
    {
        targets.push(Target {
            value: value_text(value),
            label: label(catalogue, field, value),
            refusal: card_moves::refusal(db, request.viewer(), issue.id, field, value)?,
        });
    }
    let title = format!("Move to another {}", field.label().to_lowercase());
    let back = request.query_param(BACK).unwrap_or_default();
    let page = MovePage {
        path: format!("{}/move_card", paths::issue(issue.id)),
        field: field.name(),
        from: value_text(current),
        from_label: label(catalogue, field, current),
        back: local_path(&back).unwrap_or("/issues/board").to_owned(),
        targets,
        frame: issue_pages::frame(request, db, &issue, &title),
    };
    render(&page.frame, &page)
}

/// Moves the card, and leads back to the board with a message.
pub fn save(request: &RequestContext) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    let name = sent(request, super::columns::COLUMNS);
    let field = BoardField::parse(&name)
        .ok_or_else(|| Error::invalid("columns must be the name of a field"))?;
    let value = |name: &str| {
        parse_value(&sent(request, name))
            .ok_or_else(|| Error::invalid(format!("{name} must be the id of a value, or none")))
    };
    let to = value("to")?;
    let card = CardMove {
        issue: id,
        field,
        from: value("from")?,
        to,
        above: above(request)?,
    };
    request
        .app
        .read(|db| issue_pages::find(request, db).map(drop))?;
    let moved = request.write(move |db, viewer| card_moves::move_card(db, viewer, &card))?;
    let catalogue = request
        .app
        .read(|db| -> Result<_, Error> { Ok(db.catalogue().clone()) })?;
    let column = |value| label(&catalogue, field, value);
    let flash = match moved {
        Moved::Done => Flash::notice(format!("#{id} was moved to {}.", column(to))),
        Moved::Elsewhere(current) => Flash::error(format!(
            "#{id} was not moved: somebody else has moved it to {} since this page was shown.",
            column(current)
        )),
        Moved::Refused(reason) => {
            Flash::error(format!("#{id} was not moved to {}: {reason}.", column(to)))
        }
    };
    let back = sent(request, BACK);
    let back = local_path(&back).unwrap_or("/issues/board");
    Ok(redirect_with(request, back.to_owned(), &flash))
}

/// Returns the cards above the moved one; `None` if the form does not say.
fn above(request: &RequestContext) -> Result<Option<Vec<IssueId>>, Error> {
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
