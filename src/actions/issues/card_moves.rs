//! Moves of cards on a board: which ones an issue allows, and why not the others. Both questions are
//! answered by the code that saves the move.

use super::bulk::unapplied;
use super::{draft::Draft, draft::InvalidFields, find, update};
use crate::prelude::*;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::issues::issue::{Issue, IssueChange};
use quarry_domain::query::board::BoardField;
use quarry_store::administration::custom_fields;
use quarry_store::issues;
use quarry_store::issues::board;

/// Maximum number of cards above a moved one that count.
pub const MAX_ABOVE: usize = 100;

const NOT_PERMITTED: &str = "you may not change it";

/// A move of a card, to another column or lane or both.
pub struct CardMove {
    pub issue: IssueId,
    pub changes: Vec<FieldChange>,
    /// The cards above it where it was dropped; `None` to keep its rank.
    pub cards_above: Option<Vec<IssueId>>,
}

/// A change of the value of one field.
pub struct FieldChange {
    pub field: BoardField,
    /// The value that the board showed.
    pub from: Option<i64>,
    /// The requested value.
    pub to: Option<i64>,
}

/// What became of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveOutcome {
    /// The issue has the requested values.
    Moved,
    /// Somebody else moved it first; the field has this value now.
    Conflict(BoardField, Option<i64>),
    /// The issue cannot have the values, for this reason.
    Refused(String),
}

/// Whether the viewer may move the card of an issue that they see.
pub fn may_move(catalogue: &Catalogue, viewer: &Viewer, issue: &Issue) -> bool {
    update::may_edit(viewer, issue) && viewer.author_id(catalogue).is_some()
}

/// An issue whose moves are checked.
pub struct MoveCheck {
    issue: Issue,
    values: Values,
}

impl MoveCheck {
    /// Loads the issue.
    pub fn load(db: &Read<'_>, viewer: &Viewer, id: IssueId) -> Result<MoveCheck, ActionError> {
        Ok(MoveCheck {
            issue: find(db, viewer, id)?,
            values: custom_fields::find_values(db, Customized::Issue, id.0)?,
        })
    }

    /// Returns why the issue cannot get these values; `None` if it can, or has them.
    pub fn refusal(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        requested: &[(BoardField, Option<i64>)],
    ) -> Result<Option<String>, ActionError> {
        let change = self.change(requested);
        if change == IssueChange::default() {
            return Ok(None);
        }
        if !may_move(db.catalogue(), viewer, &self.issue) {
            return Ok(Some(NOT_PERMITTED.to_owned()));
        }
        let mut draft = Draft {
            issue: self.issue.clone(),
            values: self.values.clone(),
            invalid: InvalidFields::default(),
        };
        match update::edit(db, viewer, &self.issue, &mut draft, &change) {
            Ok(()) => Ok(self.missed(db, viewer, &draft, &change, requested)),
            Err(ActionError::Invalid(errors)) => Ok(Some(errors.messages().join(", "))),
            Err(error) => Err(error),
        }
    }

    /// Returns the change that gives the issue the values that it does not have.
    fn change(&self, requested: &[(BoardField, Option<i64>)]) -> IssueChange {
        let mut change = IssueChange::default();
        for (field, value) in requested {
            if field.value(&self.issue) != *value {
                field.set(&mut change, *value);
            }
        }
        change
    }

    /// Returns why the edited issue does not have the requested values.
    fn missed(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        draft: &Draft,
        change: &IssueChange,
        requested: &[(BoardField, Option<i64>)],
    ) -> Option<String> {
        let before = &self.issue;
        let changed = unapplied::Changed {
            before: (before.project, before.tracker, before.status),
            after: &draft.issue,
            visible_parent: None,
            values: &draft.values,
        };
        unapplied::reason(db.catalogue(), viewer, &changed, change).or_else(|| {
            let mut requested = requested.iter();
            let missed = requested.find(|(field, value)| field.value(&draft.issue) != *value)?;
            Some(format!("{} cannot be set for it", missed.0.label()))
        })
    }
}

/// Moves a card, and ranks it below others.
pub fn move_card(
    db: &mut Write<'_>,
    viewer: &Viewer,
    card: &CardMove,
) -> Result<MoveOutcome, ActionError> {
    let check = MoveCheck::load(db, viewer, card.issue)?;
    for change in &card.changes {
        let current = change.field.value(&check.issue);
        if current != change.from && current != change.to {
            return Ok(MoveOutcome::Conflict(change.field, current));
        }
    }
    if !may_move(db.catalogue(), viewer, &check.issue) {
        return Ok(MoveOutcome::Refused(NOT_PERMITTED.to_owned()));
    }
    let changes = card.changes.iter();
    let requested: Vec<_> = changes.map(|change| (change.field, change.to)).collect();
    if let Some(reason) = check.refusal(db, viewer, &requested)? {
        return Ok(MoveOutcome::Refused(reason));
    }
    let change = check.change(&requested);
    if change != IssueChange::default() {
        update::update(db, viewer, card.issue, &change, &[])?;
    }
    if let Some(cards_above) = &card.cards_above {
        let cards_above = rankable(db, viewer, cards_above)?;
        board::rank_below(db, card.issue, &cards_above)?;
    }
    Ok(MoveOutcome::Moved)
}

/// Returns those of the cards that have a rank, or get one: a card that the viewer may not change
/// gets none from them.
fn rankable(
    db: &Read<'_>,
    viewer: &Viewer,
    cards: &[IssueId],
) -> Result<Vec<IssueId>, ActionError> {
    let ids: Vec<i64> = cards.iter().take(MAX_ABOVE).map(|id| id.0).collect();
    let visible = issues::visible_ids(db, viewer, &ids)?;
    let ranked = board::ranks(db, &ids)?;
    let mut rankable = Vec::new();
    for id in ids.into_iter().map(IssueId) {
        let may_rank = visible.contains(&id)
            && (ranked.contains_key(&id) || update::may_edit(viewer, &find(db, viewer, id)?));
        if may_rank {
            rankable.push(id);
        }
    }
    Ok(rankable)
}
