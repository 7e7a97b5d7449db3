//! `GET /news`, `GET /projects/:id/news`: news, newest first.

use crate::domain::kind::Kind;
use crate::domain::module::Module;
use crate::domain::permission::Permission;
use crate::domain::project::Project;
use crate::domain::visibility;
use crate::domain::watchable::{Watchable, WatchableType};
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, news, projects};
use crate::web::access;
use crate::web::components::avatar::Person;
use crate::web::components::pager::{Pager, with_params};
use crate::web::components::time::Moment;
use crate::web::components::watch::WatchButton;
use crate::web::frame::{Frame, ProjectTab, project_path};
use crate::web::render::render;
use askama::Template;
use std::sync::Arc;

#[derive(Template)]
#[template(path = "news/list.html")]
struct NewsList {
    frame: Frame,
    total: i64,
    rows: Vec<Row>,
    pager: Pager,
    /// For the news of a project.
    watch_button: Option<WatchButton>,
}

struct Row {
    id: i64,
    title: String,
    summary: String,
    project: Option<String>,
    author: Person,
    created: Moment,
}

/// Lists the news of all projects, or of one project without its subprojects.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let all = visibility::of_kind(viewer, Kind::News);
    let mut frame = Frame::new(request, db, "News");
    let project = if request.path_param("id").is_empty() {
        None
    } else {
        Some(access::project(request, catalogue, Permission::ViewNews)?)
    };
    let visible = match project {
        Some(project) => {
            frame = frame.in_project(catalogue, viewer, project, Some(ProjectTab::News));
            all.within_projects(Arc::new(std::iter::once(project.id.0).collect()))
        }
        None => all.clone(),
    };
    let pagination = Pagination::from_query(&request.query);
    let total = news::count(db, &visible)?;
    let rows = news::list(db, &visible, pagination.offset, pagination.limit)?
        .into_iter()
        .map(|item| Row {
            id: item.id,
            project: catalogue
                .projects
                .get(&item.project)
                .filter(|_| project.is_none())
                .map(|found| found.name.clone()),
            title: item.title,
            summary: item.summary.unwrap_or_default(),
            author: Person::new(catalogue, item.author.into()),
            created: Moment::new(item.created_on),
        });
    let path = |page: i64| {
        with_params(
            request,
            &[("page", Some(page.to_string().as_str())), ("offset", None)],
        )
    };
    let pager = Pager::new(pagination.offset, pagination.limit, total, path);
    let watch_button = project
        .map(|project| watch_button(request, db, project))
        .transpose()?
        .flatten();
    let page = NewsList {
        frame,
        total,
        rows: rows.collect(),
        pager,
        watch_button,
    };
    render(&page.frame, &page)
}

fn watch_button(
    request: &RequestContext,
    db: &Read<'_>,
    project: &Project,
) -> Result<Option<WatchButton>, Error> {
    let Some(module) = projects::find_module(db, project.id, Module::News)? else {
        return Ok(None);
    };
    let watchable = Watchable::new(WatchableType::EnabledModule, module);
    Ok(WatchButton::load(
        db,
        request.viewer(),
        watchable,
        &format!("{}/news", project_path(project)),
    )?)
}
