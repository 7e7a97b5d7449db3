//! `/my/replies`: the saved replies of the viewer.

use super::fields::{row, sections};
use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_page::Section;
use crate::components::list_page::ListPage;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use crate::records::record_area::RecordArea;
use crate::records::record_pages::{RecordPages, delete_path, edit_path};
use crate::records::record_routes::user_routes;
use quarry_actions::issues::saved_replies as actions;
use quarry_domain::issues::saved_reply::{ReplyOwner, SavedReply};

/// Returns the routes of the own replies.
pub fn routes() -> Routes {
    user_routes::<UserReplyPages>(list)
}

fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let owner = UserReplyPages::AREA.parent(request, db.catalogue())?;
    let replies = actions::list(db, request.viewer(), ReplyOwner::User(owner))?;
    let rows = replies.iter().map(|reply| {
        row(
            reply,
            edit_path::<UserReplyPages>(reply.id.0),
            delete_path::<UserReplyPages>(reply.id.0),
        )
    });
    let rows = rows.collect();
    let frame = Frame::new(request, db, "Saved replies").below("My account", "/my/account");
    ListPage::new(frame, &["Name", "Text", ""], rows)
        .with_introduction("Texts that you insert into comments. Nobody else sees them.")
        .with_button("New saved reply", "/my/replies/new")
        .with_empty(
            "You have no saved reply yet.",
            "Save a text that you write often, and choose it below a comment.",
        )
        .render()
}

struct UserReplyPages;

impl RecordArea for UserReplyPages {
    type Parent = UserId;

    fn parent(&self, request: &RequestContext, _catalogue: &Catalogue) -> Result<UserId, Error> {
        request.require_user()
    }

    fn frame(
        &self,
        request: &RequestContext,
        db: &Read<'_>,
        _owner: UserId,
        title: &str,
    ) -> Result<Frame, Error> {
        Ok(Frame::new(request, db, title)
            .with_width(Width::Narrow)
            .below("My account", "/my/account")
            .below("Saved replies", <Self as RecordPages>::PATH))
    }

    fn list_path(&self, _catalogue: &Catalogue, _parent: UserId) -> String {
        <Self as RecordPages>::PATH.to_owned()
    }

    fn new_path(&self, _catalogue: &Catalogue, _parent: UserId) -> String {
        format!("{}/new", <Self as RecordPages>::PATH)
    }
}

impl RecordPages for UserReplyPages {
    type Resource = SavedReply;
    type Record = SavedReply;
    type Parent = UserId;
    type Area = UserReplyPages;

    const NOUN: &'static str = "saved reply";
    const PATH: &'static str = "/my/replies";
    const AREA: UserReplyPages = UserReplyPages;

    fn find(request: &RequestContext, db: &Read<'_>) -> Result<SavedReply, Error> {
        let id = request.id_param("id")?;
        let reply = access::found(request, actions::find(db, request.viewer(), id))?;
        match reply.owner {
            ReplyOwner::User(_) => Ok(reply),
            ReplyOwner::Project(_) => Err(access::missing(request)),
        }
    }

    fn parent_of(reply: &SavedReply) -> UserId {
        match reply.owner {
            ReplyOwner::User(user) => user,
            ReplyOwner::Project(_) => UserId::default(),
        }
    }

    fn id(reply: &SavedReply) -> i64 {
        reply.id.0
    }

    fn name(reply: &SavedReply) -> &str {
        &reply.name
    }

    fn sections(
        _request: &RequestContext,
        _db: &Read<'_>,
        _owner: UserId,
        reply: Option<&SavedReply>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<Section>, Error> {
        Ok(sections(reply, form, None))
    }
}
