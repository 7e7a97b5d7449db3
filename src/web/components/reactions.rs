//! The reactions to the records of a page: a button with their number.

use crate::prelude::*;
use quarry_actions::content::reactions;
use quarry_domain::content::reaction::{ReactableType, Reaction};
use quarry_store::StoreError;
use std::collections::HashMap;

/// Maximum number of names that a button shows.
const MAX_NAMES: usize = 10;

/// The reactions to some records of one type.
pub struct Reactions {
    by_record: HashMap<i64, Vec<Reaction>>,
    may_react: bool,
}

/// The button of a record.
pub struct ReactionButton {
    /// The number of reactions.
    pub count: usize,
    /// Who reacted.
    pub names: String,
    /// Whether the viewer has reacted.
    pub has_reacted: bool,
    /// Whether the viewer may react.
    pub may_react: bool,
}

impl Reactions {
    /// Loads the reactions to these records of a project, which the viewer may see.
    pub fn load(
        request: &RequestContext,
        db: &Read<'_>,
        project: ProjectId,
        reactable_type: ReactableType,
        ids: &[i64],
    ) -> Result<Reactions, StoreError> {
        let viewer = request.viewer();
        let by_record = reactions::list_by_records(db, viewer, reactable_type, ids)?;
        Ok(Reactions {
            by_record,
            may_react: reactions::may_react(db, viewer, project),
        })
    }

    /// Returns the button of a record; `None` if there is nothing to show and the viewer may not
    /// react.
    pub fn button(
        &self,
        request: &RequestContext,
        db: &Read<'_>,
        id: i64,
    ) -> Option<ReactionButton> {
        let reactions = self.by_record.get(&id).map_or(&[][..], Vec::as_slice);
        let mut names = reactions
            .iter()
            .take(MAX_NAMES)
            .map(|reaction| {
                db.catalogue()
                    .principal_name(reaction.user.into())
                    .unwrap_or_default()
                    .to_owned()
            })
            .collect::<Vec<_>>()
            .join(", ");
        if reactions.len() > MAX_NAMES {
            names.push_str(&format!(" and {} more", reactions.len() - MAX_NAMES));
        }
        let has_reacted = reactions
            .iter()
            .any(|reaction| request.viewer().user == Some(reaction.user));
        let button = ReactionButton {
            count: reactions.len(),
            names,
            has_reacted,
            may_react: self.may_react,
        };
        (button.may_react || button.count > 0).then_some(button)
    }
}
