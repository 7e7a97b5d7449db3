use crate::actions::ActionError;
use crate::domain::ids::{SessionId, UserId};
use crate::domain::session::Session;
use crate::store::{Write, sessions};

/// Ends a session.
pub fn end(db: &mut Write<'_>, session: &Session) -> Result<(), ActionError> {
    sessions::delete(db, session.user, session.id)?;
    Ok(())
}

/// Ends another session of the user. Fails with `NotFound` if the user has none with this id.
pub fn end_one(db: &mut Write<'_>, user: UserId, id: SessionId) -> Result<(), ActionError> {
    if sessions::delete(db, user, id)? {
        Ok(())
    } else {
        Err(ActionError::NotFound)
    }
}

/// Ends all sessions of the user except `kept`. Returns how many it ended.
pub fn end_others(
    db: &mut Write<'_>,
    user: UserId,
    kept: Option<SessionId>,
) -> Result<usize, ActionError> {
    let others = sessions::list(db, user)?
        .into_iter()
        .filter(|session| Some(session.id) != kept);
    let mut ended = 0;
    for session in others {
        ended += usize::from(sessions::delete(db, user, session.id)?);
    }
    Ok(ended)
}
