//! `GET /projects`: the projects that the viewer can see, as a tree.

use crate::actions::projects::may_create;
use crate::domain::project::ProjectStatus;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::Read;
use crate::web::components::pager::{Pager, with_params};
use crate::web::frame::{Frame, project_path};
use crate::web::render::render;
use askama::Template;

/// Number of projects on a page without `limit`.
const DEFAULT_LIMIT: i64 = 100;
/// Maximum indentation.
const MAX_DEPTH: usize = 5;
/// Maximum number of characters of a description.
const MAX_DESCRIPTION: usize = 300;

#[derive(Template)]
#[template(path = "projects/list.html")]
struct ProjectListPage {
    frame: Frame,
    total: i64,
    rows: Vec<Row>,
    pager: Pager,
    /// Whether the viewer may create projects.
    may_create: bool,
}

struct Row {
    name: String,
    path: String,
    description: String,
    depth: usize,
    is_member: bool,
    is_public: bool,
    is_closed: bool,
    is_bookmarked: bool,
}

/// Lists the projects.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let visible: Vec<_> = catalogue
        .tree
        .iter()
        .filter(|id| viewer.sees(**id))
        .collect();
    let mut pagination = Pagination::from_query(&request.query);
    if request.query.get("limit").is_none() {
        let page = request
            .query_param("page")
            .and_then(|page| page.parse::<i64>().ok())
            .unwrap_or(1)
            .clamp(1, 1_000_000);
        pagination = Pagination {
            limit: DEFAULT_LIMIT,
            offset: (page - 1) * DEFAULT_LIMIT,
            ..pagination
        };
    }
    let total = i64::try_from(visible.len()).unwrap_or(i64::MAX);
    let skip = usize::try_from(pagination.offset).unwrap_or(usize::MAX);
    let take = usize::try_from(pagination.limit).unwrap_or(0);
    let rows = visible.into_iter().skip(skip).take(take).filter_map(|id| {
        let project = catalogue.projects.get(id)?;
        let first_line = project
            .description
            .as_deref()
            .unwrap_or_default()
            .lines()
            .next()
            .unwrap_or_default();
        Some(Row {
            name: project.name.clone(),
            path: project_path(project),
            description: first_line.chars().take(MAX_DESCRIPTION).collect(),
            depth: catalogue
                .ancestors(*id)
                .into_iter()
                .filter(|id| viewer.sees(*id))
                .count()
                .min(MAX_DEPTH),
            is_member: viewer.rights(*id).is_some_and(|rights| rights.member),
            is_public: project.is_public,
            is_closed: project.status == ProjectStatus::Closed,
            is_bookmarked: catalogue.is_bookmarked(viewer.user, *id),
        })
    });
    let path = |page: i64| {
        with_params(
            request,
            &[("page", Some(page.to_string().as_str())), ("offset", None)],
        )
    };
    let page = ProjectListPage {
        frame: Frame::new(request, db, "Projects"),
        total,
        rows: rows.collect(),
        pager: Pager::new(pagination.offset, pagination.limit, total, path),
        may_create: may_create(viewer),
    };
    render(&page.frame, &page)
}
