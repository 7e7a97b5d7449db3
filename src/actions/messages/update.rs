//! Updates messages (compatibility 13.2).

use super::create::{MessageChange, validate};
use super::find::find;
use crate::actions::ActionError;
use crate::actions::attachments::{NewUpload, attach};
use crate::domain::clock::Clock;
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::Write;
use crate::store::messages::{self, Message};

/// Updates a message, and attaches the uploads. The replies to a topic that moves to another board
/// move along.
///
/// # Errors
/// As for [`super::find()`]; `Forbidden` if the viewer may not edit the message; `Invalid` as for
/// [`super::create_topic`].
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: i64,
    change: &MessageChange,
    uploads: &[NewUpload],
    clock: &dyn Clock,
) -> Result<(), ActionError> {
    let found = find(db, viewer, id)?;
    found.require(
        viewer,
        Permission::EditMessages,
        Permission::EditOwnMessages,
    )?;
    let before = found.message;
    let project = found.board.project;
    let after = change.apply_to(viewer, project, &before);
    validate(db, project, &before, &after)?;
    if after != before {
        messages::update(
            db,
            &Message {
                updated_on: clock.now(),
                ..after
            },
        )?;
    }
    attach(db, viewer, Kind::Message, id, uploads)?;
    Ok(())
}
