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

const NOT_PERMITTED: &str = "you may not change it";

/// A move of a card, to another column or lane or both.
pub struct CardMove {
    pub issue: IssueId,
    pub steps: Vec<Step>,
    /// The cards above it where it was dropped; `None` to keep its rank.
    pub above: Option<Vec<IssueId>>,
}

/// A change of the value of one field.
pub struct Step {
    pub field: BoardField,
    /// The value that the board showed.
    pub from: Option<i64>,
    /// The requested value.
    pub to: Option<i64>,
}

/// What became of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved {
    /// The issue has the requested values.
    Done,
    /// Somebody else moved it first; the field has this value now.
    Elsewhere(BoardField, Option<i64>),
    /// The issue cannot have the values, for this reason.
    Refused(String),
}

/// Returns why the issue cannot get these values; `None` if it can.
///
/// # Errors
/// `NotFound` and `Forbidden` when the viewer does not see the issue.
pub fn refusal(
    db: &Read<'_>,
    viewer: &Viewer,
    id: IssueId,
    values: &[(BoardField, Option<i64>)],
) -> Result<Option<String>, ActionError> {
    let before = find(db, viewer, id)?;
    let change = change(&before, values);
    if change == IssueChange::default() {
        return Ok(None);
    }
    if !update::may_edit(viewer, &before) || viewer.author_id(db.catalogue()).is_none() {
        return Ok(Some(NOT_PERMITTED.to_owned()));
    }
    let mut draft = Draft {
        issue: before.clone(),
        values: custom_fields::find_values(db, Customized::Issue, id.0)?,
        invalid: InvalidFields::default(),
    };
    match update::edit(db, viewer, &before, &mut draft, &change) {
        Ok(()) => Ok(
            reason(db, viewer, &before, &draft.issue, &draft.values, &change).or_else(|| {
                let mut values = values.iter();
                let missed = values.find(|(field, value)| field.value(&draft.issue) != *value)?;
                Some(format!("{} cannot be set for it", missed.0.label()))
            }),
        ),
        Err(ActionError::Invalid(errors)) => Ok(Some(errors.messages().join(", "))),
        Err(error) => Err(error),
    }
}

/// Returns the change that gives the issue the values that it does not have.
fn change(issue: &Issue, values: &[(BoardField, Option<i64>)]) -> IssueChange {
    let mut change = IssueChange::default();
    for (field, value) in values {
        if field.value(issue) != *value {
            field.set(&mut change, *value);
        }
    }
    change
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

/// Moves a card, and ranks it below others.
///
/// # Errors
/// `NotFound` and `Forbidden` when the viewer does not see the issue.
pub fn move_card(
    db: &mut Write<'_>,
    viewer: &Viewer,
    card: &CardMove,
) -> Result<Moved, ActionError> {
    let before = find(db, viewer, card.issue)?;
    for step in &card.steps {
        let current = step.field.value(&before);
        if current != step.from && current != step.to {
            return Ok(Moved::Elsewhere(step.field, current));
        }
    }
    if !update::may_edit(viewer, &before) || viewer.author_id(db.catalogue()).is_none() {
        return Ok(Moved::Refused(NOT_PERMITTED.to_owned()));
    }
    let values: Vec<_> = card
        .steps
        .iter()
        .map(|step| (step.field, step.to))
        .collect();
    if let Some(reason) = refusal(db, viewer, card.issue, &values)? {
        return Ok(Moved::Refused(reason));
    }
    let change = change(&before, &values);
    if change != IssueChange::default() {
        update::update(db, viewer, card.issue, &change, &[])?;
    }
    if let Some(above) = &card.above {
        let ids: Vec<i64> = above.iter().take(MAX_ABOVE).map(|id| id.0).collect();
        let visible = issues::visible_ids(db, viewer, &ids)?;
        let ids: Vec<IssueId> = ids
            .into_iter()
            .map(IssueId)
            .filter(|id| visible.contains(id))
            .collect();
        let ranked = board::ranked_among(db, &ids)?;
        let mut above = Vec::new();
        for id in ids {
            // Cards that the viewer may not change get no rank from them.
            let may_rank = ranked.contains(&id)
                || find(db, viewer, id).is_ok_and(|issue| update::may_edit(viewer, &issue));
            if may_rank {
                above.push(id);
            }
        }
        board::rank_below(db, card.issue, &above)?;
    }
    Ok(Moved::Done)
}
