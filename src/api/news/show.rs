//! `GET /news/:id` (compatibility 11.5).

use super::view;
use crate::domain::kind::Kind;
use crate::domain::visibility;
use crate::http::{Error, Reply, RequestContext};
use crate::store::comments::MAX_COMMENTS;
use crate::store::news::News;
use crate::store::{Read, attachments, comments, news};
use std::sync::Arc;

/// The values of the parameter `include`.
const INCLUDES: [&str; 2] = ["attachments", "comments"];

/// Returns a news item, with attachments and comments if included; 403 when the viewer cannot see
/// it.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    item_reply(
        request,
        db,
        find_visible(request, db, request.id_param("id")?)?,
    )
}

/// Returns a news item that the viewer can see; 403 for another one.
pub(super) fn find_visible(
    request: &RequestContext,
    db: &Read<'_>,
    id: i64,
) -> Result<News, Error> {
    match find(request, db, id)? {
        Some(item) => Ok(item),
        None if news::exists(db, id)? => Err(Error::Forbidden),
        None => Err(Error::NotFound),
    }
}

/// Returns a news item after a change; 200 without a body for a viewer who may manage news but not
/// see it.
pub(super) fn news_reply(request: &RequestContext, db: &Read<'_>, id: i64) -> Result<Reply, Error> {
    match find(request, db, id)? {
        Some(item) => item_reply(request, db, item),
        None => Ok(Reply::ok()),
    }
}

fn find(request: &RequestContext, db: &Read<'_>, id: i64) -> Result<Option<News>, Error> {
    Ok(news::find(
        db,
        visibility::of_kind(request.viewer(), Kind::News),
        id,
    )?)
}

fn item_reply(request: &RequestContext, db: &Read<'_>, item: News) -> Result<Reply, Error> {
    let id = item.id;
    let [with_files, with_comments] = request.includes(INCLUDES);
    let files = if with_files {
        Some(
            attachments::list_by_container(db, Kind::News, &[id])?
                .remove(&id)
                .unwrap_or_default(),
        )
    } else {
        None
    };
    let comments = if with_comments {
        Some(comments::list(db, id, 0, MAX_COMMENTS)?)
    } else {
        None
    };
    let catalogue = Arc::clone(db.catalogue());
    let base = request.base_url();
    Ok(Reply::object("news", move |w| {
        view::news(w, &item, &catalogue);
        view::included(w, files.as_deref(), comments.as_deref(), &catalogue, &base);
    }))
}
