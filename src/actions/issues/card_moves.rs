//! Moves of cards on a board: which ones an issue allows, and why not the others. Both questions are
//! answered by the code that saves the move.

use super::bulk::unapplied;
use super::{draft::Draft, draft::InvalidFields, find, update};
use crate::ActionError;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::ids::IssueId;
use quarry_domain::issues::issue::{Issue, IssueChange};
use quarry_domain::query::board::BoardField;
use quarry_store::administration::custom_fields;
use quarry_store::issues::board;
use quarry_store::{Read, Write, issues};

/// Maximum number of cards above a moved one that get a rank.
pub const MAX_ABOVE: usize = 500;

/// A move of a card.
pub struct CardMove {
    pub issue: IssueId,
    pub field: BoardField,
    /// The column from which the card was taken.
    pub from: Option<i64>,
    /// The column in which it was put.
    pub to: Option<i64>,
    /// The cards above it in that column; `None` to keep its place.
    pub above: Option<Vec<IssueId>>,
}

/// What became of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved {
    /// The card is in its new column.
    Done,
    /// Somebody else moved it first; it is in this column now.
    Elsewhere(Option<i64>),
    /// The issue cannot be in that column, for this reason.
    Refused(String),
}

/// Returns why the issue cannot get a value; `None` if it can.
///
/// # Errors
/// `NotFound` and `Forbidden` when the viewer does not see the issue.
pub fn refusal(
    db: &Read<'_>,
    viewer: &Viewer,
    id: IssueId,
    field: BoardField,
    value: Option<i64>,
) -> Result<Option<String>, ActionError> {
    let before = find(db, viewer, id)?;
    if field.value(&before) == value {
        return Ok(None);
    }
    if !update::may_edit(viewer, &before) || viewer.author_id(db.catalogue()).is_none() {
        return Ok(Some("you may not change it".to_owned()));
    }
    let mut draft = Draft {
        issue: before.clone(),
        values: custom_fields::find_values(db, Customized::Issue, id.0)?,
        invalid: InvalidFields::default(),
    };
    let change = field.change(value);
    match update::edit(db, viewer, &before, &mut draft, &change) {
        Ok(()) => Ok(reason(
            db,
            viewer,
            &before,
            &draft.issue,
            &draft.values,
            &change,
        )),
        Err(ActionError::Invalid(errors)) => Ok(Some(errors.messages().join(", "))),
        Err(error) => Err(error),
    }
}

fn reason(
    db: &Read<'_>,
    viewer: &Viewer,
    before: &Issue,
    after: &Issue,
    values: &Values,
    change: &IssueChange,
) -> Option<String> {
    let changed = unapplied::Changed {
        before: (before.project, before.tracker, before.status),
        after,
        visible_parent: None,
        values,
    };
    unapplied::reason(db.catalogue(), viewer, &changed, change)
}

/// Moves a card, and places it below others.
///
/// # Errors
/// `NotFound` and `Forbidden` when the viewer does not see the issue.
pub fn move_card(
    db: &mut Write<'_>,
    viewer: &Viewer,
    card: &CardMove,
) -> Result<Moved, ActionError> {
    let before = find(db, viewer, card.issue)?;
    let current = card.field.value(&before);
    if current != card.from && current != card.to {
        return Ok(Moved::Elsewhere(current));
    }
    if let Some(reason) = refusal(db, viewer, card.issue, card.field, card.to)? {
        return Ok(Moved::Refused(reason));
    }
    if current != card.to {
        update::update(db, viewer, card.issue, &card.field.change(card.to), &[])?;
    }
    if let Some(above) = &card.above
        && update::may_edit(viewer, &before)
    {
        let ids: Vec<i64> = above.iter().take(MAX_ABOVE).map(|id| id.0).collect();
        let visible = issues::visible_ids(db, viewer, &ids)?;
        let above: Vec<IssueId> = ids
            .into_iter()
            .map(IssueId)
            .filter(|id| visible.contains(id))
            .collect();
        board::place(db, card.issue, &above)?;
    }
    Ok(Moved::Done)
}
