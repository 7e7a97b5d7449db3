//! News (contract 9).

mod view;

use crate::domain::ids::ProjectId;
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::visibility;
use crate::http::{Ask, Error, Listing, Reply};
use crate::store::{Read, attachments, news};
use std::sync::Arc;

/// `GET /news`, `GET /projects/:id/news`: what the viewer may see, newest first.
pub fn list(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let listing = Listing::read(&ask.query);
    let all = visibility::of(ask.viewer(), Kind::News);
    let visible = match ask.place("id") {
        "" if ask.viewer().may_somewhere(Permission::ViewNews) => all.clone(),
        "" => return Err(Error::Forbidden),
        id => {
            let project = db.catalogue().project_by(id).ok_or(Error::NotFound)?.id;
            if !ask.viewer().may(Permission::ViewNews, project) {
                return Err(Error::Forbidden);
            }
            let below: Vec<ProjectId> = db.catalogue().subtree(project);
            all.within(Arc::new(below.into_iter().collect()))
        }
    };
    let total = news::count(db, &visible)?;
    let page = news::list(db, &visible, listing.offset, listing.limit)?;
    let catalogue = Arc::clone(db.catalogue());
    let meta = listing.meta(total, page.len());
    Ok(Reply::list("news", "news", page, move |w, item| view::news(w, &item, &catalogue), meta))
}

/// `GET /news/:id`, with attachments and comments where they are asked for; 403 where the viewer may not see it.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let id: i64 = ask.number("id")?;
    let item = match news::find(db, visibility::of(ask.viewer(), Kind::News), id)? {
        Some(item) => item,
        None if news::exists(db, id)? => return Err(Error::Forbidden),
        None => return Err(Error::NotFound),
    };
    let asked = ask.parameter("include").unwrap_or_default();
    let named = |name| asked.split(',').any(|part| part.trim() == name);
    let files =
        if named("attachments") { Some(attachments::list_of(db, Kind::News, &[id])?.remove(&id).unwrap_or_default()) } else { None };
    let comments = if named("comments") { Some(news::comments(db, id)?) } else { None };
    let (catalogue, base) = (Arc::clone(db.catalogue()), ask.base());
    Ok(Reply::object("news", move |w| {
        view::news(w, &item, &catalogue);
        view::around(w, files.as_deref(), comments.as_deref(), &catalogue, &base);
    }))
}
