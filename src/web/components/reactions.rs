//! The reactions to the records of a page, with their numbers.

use crate::prelude::*;
use quarry_actions::content::reactions;
use quarry_domain::content::reaction::{ReactableType, Reaction, ReactionContent};
use quarry_store::StoreError;
use std::collections::HashMap;

/// Maximum number of names that a button shows.
const MAX_NAMES: usize = 10;

/// The reactions to some records of one type.
pub struct Reactions {
    by_record: HashMap<i64, Vec<Reaction>>,
    may_react: bool,
}

/// The reactions to a record.
pub struct ReactionBar {
    /// One for each content, in their order.
    pub buttons: Vec<ReactionButton>,
    /// Whether the viewer may react.
    pub may_react: bool,
}

/// The button of the reactions that say the same.
pub struct ReactionButton {
    /// What they say.
    pub content: ReactionContent,
    /// Their number.
    pub count: usize,
    /// Who reacted.
    pub names: String,
    /// Whether the viewer has reacted like this.
    pub has_reacted: bool,
}

impl ReactionButton {
    /// Returns what happens with a click: `add` or `remove`.
    pub fn change(&self) -> &'static str {
        if self.has_reacted { "remove" } else { "add" }
    }
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

    /// Returns the reactions to a record; `None` if there is nothing to show and the viewer may not
    /// react.
    pub fn bar(&self, request: &RequestContext, db: &Read<'_>, id: i64) -> Option<ReactionBar> {
        let reactions = self.by_record.get(&id).map_or(&[][..], Vec::as_slice);
        let contents = ReactionContent::ALL.iter();
        let buttons = contents.map(|content| button(request, db, reactions, *content));
        let bar = ReactionBar {
            buttons: buttons.collect(),
            may_react: self.may_react,
        };
        (bar.may_react || !reactions.is_empty()).then_some(bar)
    }
}

fn button(
    request: &RequestContext,
    db: &Read<'_>,
    reactions: &[Reaction],
    content: ReactionContent,
) -> ReactionButton {
    let with_content = reactions
        .iter()
        .filter(|reaction| reaction.content == content);
    let users: Vec<UserId> = with_content.map(|reaction| reaction.user).collect();
    let shown = users.iter().take(MAX_NAMES);
    let names: Vec<&str> = shown
        .filter_map(|user| db.catalogue().principal_name((*user).into()))
        .collect();
    let mut names = names.join(", ");
    if users.len() > MAX_NAMES {
        names.push_str(&format!(" and {} more", users.len() - MAX_NAMES));
    }
    ReactionButton {
        content,
        count: users.len(),
        names,
        has_reacted: request
            .viewer()
            .user
            .is_some_and(|user| users.contains(&user)),
    }
}
