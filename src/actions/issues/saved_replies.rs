//! Saved replies: texts that people insert into comments. Those of a user are for that user alone;
//! those of a project are for everybody who comments there, and are managed by those who may edit
//! the project.

use crate::prelude::*;
use quarry_domain::ids::SavedReplyId;
use quarry_domain::issues::saved_reply::{
    MAX_REPLIES, MAX_REPLY_LENGTH, MAX_REPLY_NAME_LENGTH, ReplyOwner, SavedReply,
};
use quarry_domain::validation::ValidationError;
use quarry_store::issues::saved_replies;

/// The attributes of a reply in a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedReplyChange {
    pub name: Patch<String>,
    pub content: Patch<String>,
}

impl SavedReplyChange {
    /// Returns the reply after the change.
    fn apply_to(&self, before: SavedReply) -> SavedReply {
        SavedReply {
            name: self.name.apply_trimmed(&before.name),
            content: self.content.apply_to_text(&before.content),
            ..before
        }
    }
}

/// Whether the viewer may manage the replies of an owner.
fn may_manage(viewer: &Viewer, owner: ReplyOwner) -> bool {
    match owner {
        ReplyOwner::User(user) => viewer.user == Some(user),
        ReplyOwner::Project(project) => viewer.may(Permission::EditProject, project),
    }
}

/// Returns the replies of an owner by name, for its settings.
pub fn list(
    db: &Read<'_>,
    viewer: &Viewer,
    owner: ReplyOwner,
) -> Result<Vec<SavedReply>, ActionError> {
    if !may_manage(viewer, owner) {
        return Err(ActionError::Forbidden);
    }
    Ok(saved_replies::list(db, owner)?)
}

/// Returns the reply if the viewer may manage it.
///
/// # Errors
/// `NotFound` for no reply, and for one of another user; `Forbidden` for one of a project that the
/// viewer may not edit.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: SavedReplyId) -> Result<SavedReply, ActionError> {
    let reply = saved_replies::find(db, id)?.ok_or(ActionError::NotFound)?;
    match reply.owner {
        owner if may_manage(viewer, owner) => Ok(reply),
        ReplyOwner::User(_) => Err(ActionError::NotFound),
        ReplyOwner::Project(_) => Err(ActionError::Forbidden),
    }
}

/// Returns the ids and names of the replies that the viewer may insert in a visible project: the
/// viewer's own, then those of the project.
pub fn list_usable(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
) -> Result<Vec<(SavedReplyId, String)>, StoreError> {
    let own = viewer.user.map(ReplyOwner::User);
    let mut replies = Vec::new();
    for owner in own.into_iter().chain([ReplyOwner::Project(project)]) {
        replies.extend(saved_replies::list_names(db, owner)?);
    }
    Ok(replies)
}

/// Returns a reply that the viewer may insert in a visible project.
pub fn find_usable(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
    id: SavedReplyId,
) -> Result<Option<SavedReply>, StoreError> {
    Ok(
        saved_replies::find(db, id)?.filter(|reply| match reply.owner {
            ReplyOwner::User(user) => viewer.user == Some(user),
            ReplyOwner::Project(owner) => owner == project,
        }),
    )
}

impl Resource for SavedReply {
    type Id = SavedReplyId;
    type Parent = ReplyOwner;
    type Change = SavedReplyChange;

    /// Creates a reply, and returns its id.
    ///
    /// # Errors
    /// `Invalid`, also if the owner has the maximum number of replies.
    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        owner: ReplyOwner,
        change: &SavedReplyChange,
    ) -> Result<SavedReplyId, ActionError> {
        if !may_manage(viewer, owner) {
            return Err(ActionError::Forbidden);
        }
        let others = saved_replies::list_names(db, owner)?;
        if others.len() >= MAX_REPLIES {
            let message = format!("There are {MAX_REPLIES} replies already. Delete one first.");
            return Err(ActionError::Invalid(
                ValidationError::for_record(&message).into(),
            ));
        }
        let reply = change.apply_to(SavedReply::new(owner));
        validate(None, &reply, &others)?;
        Ok(saved_replies::insert(db, &reply)?)
    }

    /// Updates a reply.
    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: SavedReplyId,
        change: &SavedReplyChange,
    ) -> Result<(), ActionError> {
        let before = find(db, viewer, id)?;
        let reply = change.apply_to(before.clone());
        let others = saved_replies::list_names(db, reply.owner)?;
        validate(Some(&before.name), &reply, &others)?;
        Ok(saved_replies::update(db, &reply)?)
    }

    /// Deletes a reply.
    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: SavedReplyId,
        _replacement: Option<SavedReplyId>,
    ) -> Result<(), ActionError> {
        find(db, viewer, id)?;
        Ok(saved_replies::delete(db, id)?)
    }
}

fn validate(
    old_name: Option<&str>,
    reply: &SavedReply,
    others: &[(SavedReplyId, String)],
) -> Result<(), ActionError> {
    let mut errors = ValidationErrors::new();
    errors.require_text("name", "Name", &reply.name, MAX_REPLY_NAME_LENGTH);
    errors.refuse_line_breaks("name", "Name", &reply.name, old_name);
    errors.require_text("content", "Text", &reply.content, MAX_REPLY_LENGTH);
    if others
        .iter()
        .any(|(id, name)| *id != reply.id && *name == reply.name)
    {
        errors.add("name", "Name", "has already been taken");
    }
    errors.into_result().map_err(ActionError::Invalid)
}
