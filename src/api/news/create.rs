//! `POST /projects/:id/news` (compatibility 11.5).

use super::fields;
use super::show::news_reply;
use crate::actions::news;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Creates a news item: 201 with it and its URL; 204 as in Redmine with the compatibility switch.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let project = request
        .app
        .store
        .catalogue()?
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id;
    let (change, uploads) = fields::parse(request)?;
    let clock = Arc::clone(&request.app.clock);
    let id = request.write_in_project(project, move |db, viewer| {
        news::create(db, viewer, project, &change, &uploads, clock.as_ref())
    })?;
    request.app.read(|db| match request.redmine_strict(db) {
        true => Ok(Reply::no_content()),
        false => {
            Ok(news_reply(request, db, id)?.created(format!("{}/news/{id}", request.base_url())))
        }
    })
}
