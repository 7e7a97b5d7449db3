//! `GET /projects/:id/boards`: the boards of a project.

use crate::domain::permission::Permission;
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, messages};
use crate::web::access;
use crate::web::frame::{Frame, ProjectTab};
use crate::web::render::render;
use askama::Template;

#[derive(Template)]
#[template(path = "boards/list.html")]
struct BoardList {
    frame: Frame,
    rows: Vec<(messages::Board, i64)>,
}

/// Lists the boards with the number of their topics.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = access::project(request, catalogue, Permission::ViewMessages)?;
    let mut rows = Vec::new();
    for board in messages::boards(db, project.id)? {
        let count = messages::count_topics(db, board.id)?;
        rows.push((board, count));
    }
    let frame = Frame::new(request, db, "Forums").in_project(
        catalogue,
        request.viewer(),
        project,
        Some(ProjectTab::Forums),
    );
    let page = BoardList { frame, rows };
    render(&page.frame, &page)
}
