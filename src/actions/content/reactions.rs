//! Reactions of users to issues, notes, news, comments and messages.

use crate::content::{messages, news};
use crate::issues::{self, journals};
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::administration::setting::Setting;
use quarry_domain::content::reaction::{Reactable, ReactableType, Reaction, ReactionContent};
use quarry_domain::ids::{CommentId, JournalId};
use quarry_domain::projects::project::ProjectStatus;
use quarry_store::content::{comments, reactions};
use std::collections::HashMap;

/// Returns the reactions to a record by users whom the viewer may see, oldest first.
pub fn list(
    db: &Read<'_>,
    viewer: &Viewer,
    target: &ReactionTarget,
) -> Result<Vec<Reaction>, ActionError> {
    let (reactable, _) = target.find(db, viewer)?;
    Ok(
        list_by_records(db, viewer, reactable.reactable_type, &[reactable.id])?
            .remove(&reactable.id)
            .unwrap_or_default(),
    )
}

/// As [`list`], for several records of a type that the viewer may see, by record. Empty when
/// reactions are disabled.
pub fn list_by_records(
    db: &Read<'_>,
    viewer: &Viewer,
    reactable_type: ReactableType,
    ids: &[i64],
) -> Result<HashMap<i64, Vec<Reaction>>, StoreError> {
    if !is_enabled(db) {
        return Ok(HashMap::new());
    }
    let mut found = reactions::list(db, reactable_type, ids)?;
    for reactions in found.values_mut() {
        reactions.retain(|reaction| {
            visibility::can_see_principal(viewer, db.catalogue(), reaction.user.into())
        });
    }
    Ok(found)
}

/// A record that people can react to, as a request names it.
pub enum ReactionTarget {
    /// The issue with this id.
    Issue(IssueId),
    /// The journal with this id.
    Journal(JournalId),
    /// The news item with this id.
    News(i64),
    /// On the news item with the first id, the comment with the second.
    Comment(i64, CommentId),
    /// The topic or reply with this id.
    Message(i64),
}

impl ReactionTarget {
    /// Returns the record and its project.
    ///
    /// # Errors
    /// `NotFound` and `Forbidden` when there is none that the viewer may see, as for the record
    /// itself; `Forbidden` when reactions are disabled.
    pub fn find(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
    ) -> Result<(Reactable, ProjectId), ActionError> {
        let (reactable_type, id, project) = match self {
            ReactionTarget::Issue(id) => (
                ReactableType::Issue,
                id.0,
                issues::find(db, viewer, *id)?.project,
            ),
            ReactionTarget::Journal(id) => {
                let (issue, journal) =
                    journals::find(db, viewer, *id).map_err(|error| missing(viewer, error))?;
                (ReactableType::Journal, journal.id.0, issue.project)
            }
            ReactionTarget::News(id) => (
                ReactableType::News,
                *id,
                news::find(db, viewer, *id)?.project,
            ),
            ReactionTarget::Comment(news_id, id) => {
                let item = news::find(db, viewer, *news_id)?;
                if comments::find(db, *id)?.is_none_or(|comment| comment.news != item.id) {
                    return Err(ActionError::NotFound);
                }
                (ReactableType::Comment, id.0, item.project)
            }
            ReactionTarget::Message(id) => {
                let found = messages::find(db, viewer, *id)?;
                (
                    ReactableType::Message,
                    found.message.id,
                    found.board.project,
                )
            }
        };
        if is_enabled(db) {
            Ok((Reactable { reactable_type, id }, project))
        } else {
            Err(ActionError::Forbidden)
        }
    }
}

/// Whether people can react to anything.
pub fn is_enabled(db: &Read<'_>) -> bool {
    db.catalogue().is_on(Setting::ReactionsEnabled)
}

/// Whether the viewer may react to the records that they see in a project: users may, while it is
/// active.
pub fn may_react(db: &Read<'_>, viewer: &Viewer, project: ProjectId) -> bool {
    let is_active = db
        .catalogue()
        .projects
        .get(&project)
        .is_some_and(|project| project.status == ProjectStatus::Active);
    viewer.user.is_some() && is_active && is_enabled(db)
}

/// Anonymous is told to log in, whether the record is missing or hidden.
fn missing(viewer: &Viewer, error: ActionError) -> ActionError {
    match error {
        ActionError::NotFound => ActionError::missing(viewer),
        error => error,
    }
}

/// Adds a reaction of the viewer. Not an error if they have this one already.
///
/// # Errors
/// `Forbidden` for anonymous, without the scope, and in a closed or archived project.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    target: &ReactionTarget,
    content: ReactionContent,
) -> Result<(), ActionError> {
    let reaction = reaction(db, viewer, target, content)?;
    Ok(reactions::insert(db, &reaction)?)
}

/// Removes a reaction of the viewer. Not an error if there is none.
///
/// # Errors
/// As for [`create`].
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    target: &ReactionTarget,
    content: ReactionContent,
) -> Result<(), ActionError> {
    let reaction = reaction(db, viewer, target, content)?;
    Ok(reactions::delete(db, &reaction)?)
}

/// Returns the reaction that the viewer asks for, if they may react.
fn reaction(
    db: &Read<'_>,
    viewer: &Viewer,
    target: &ReactionTarget,
    content: ReactionContent,
) -> Result<Reaction, ActionError> {
    let (reactable, project) = target.find(db, viewer)?;
    let has_scope = viewer.has_scope(reactable.reactable_type.scope());
    let user = viewer
        .user
        .filter(|_| has_scope && may_react(db, viewer, project));
    Ok(Reaction {
        reactable,
        user: user.ok_or(ActionError::Forbidden)?,
        content,
        created_on: db.now(),
    })
}
