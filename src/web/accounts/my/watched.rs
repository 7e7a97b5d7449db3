//! What the viewer watches other than issues: news, forums and wikis.

use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::content::watcher::{Watchable, WatchableType};
use quarry_domain::ids::WikiPageId;
use quarry_domain::index_feed::kind::Kind;
use quarry_store::content::{boards, messages, news, watchers, wiki};
use quarry_store::projects;

/// Number of watched records that are looked at; those that the viewer does not see any more are
/// left out.
const MAX_WATCHED: i64 = 200;
/// Maximum number of links.
const MAX_LINKS: usize = 20;

/// A link to a watched record.
pub struct WatchedLink {
    /// What it is, such as `Forum`.
    pub label: &'static str,
    pub name: String,
    /// Its address.
    pub path: String,
}

/// Returns links to the records that the viewer watches and sees, the latest watched first.
pub fn links(request: &RequestContext, db: &Read<'_>) -> Result<Vec<WatchedLink>, Error> {
    let user = request.require_user()?;
    let mut links = Vec::new();
    for watchable in watchers::list_by_user(db, user, MAX_WATCHED)? {
        links.extend(link(request, db, watchable)?);
        if links.len() == MAX_LINKS {
            break;
        }
    }
    Ok(links)
}

/// Returns the link to a record; `None` if the viewer does not see it.
fn link(
    request: &RequestContext,
    db: &Read<'_>,
    watchable: Watchable,
) -> Result<Option<WatchedLink>, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let id = watchable.id;
    let link = match watchable.watchable_type {
        WatchableType::Issue => None,
        WatchableType::News => {
            let item = news::find(db, visibility::of_kind(viewer, Kind::News), id)?;
            item.map(|item| WatchedLink {
                label: "News",
                name: item.title,
                path: paths::news(id),
            })
        }
        WatchableType::EnabledModule => {
            let project = projects::find_module_project(db, id)?
                .and_then(|id| visible_project(catalogue, viewer, id, Permission::ViewNews));
            project.map(|project| WatchedLink {
                label: "News of project",
                name: project.name.clone(),
                path: format!("{}/news", paths::project(project)),
            })
        }
        WatchableType::Board => {
            let board = boards::find(db, id)?
                .filter(|board| viewer.may(Permission::ViewMessages, board.project));
            board.map(|board| WatchedLink {
                label: "Forum",
                name: board.name,
                path: paths::board(id),
            })
        }
        WatchableType::Message => {
            let Some(topic) = messages::find_by_id(db, id)? else {
                return Ok(None);
            };
            let board = boards::find(db, topic.board)?
                .filter(|board| viewer.may(Permission::ViewMessages, board.project));
            board.map(|board| WatchedLink {
                label: "Topic",
                name: topic.subject,
                path: paths::topic(board.id, topic.topic.unwrap_or(id)),
            })
        }
        WatchableType::WikiPage => {
            let Some(page) = wiki::find_by_id(db, WikiPageId(id))? else {
                return Ok(None);
            };
            visible_project(catalogue, viewer, page.project, Permission::ViewWikiPages).map(
                |project| WatchedLink {
                    label: "Wiki page",
                    path: paths::wiki_page(&project.identifier, &page.title),
                    name: page.title.replace('_', " "),
                },
            )
        }
        WatchableType::Wiki => {
            let project = wiki::find_project(db, id)?
                .and_then(|id| visible_project(catalogue, viewer, id, Permission::ViewWikiPages));
            project.map(|project| WatchedLink {
                label: "Wiki",
                name: project.name.clone(),
                path: format!("{}/wiki/index", paths::project(project)),
            })
        }
    };
    Ok(link)
}

fn visible_project<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    id: ProjectId,
    permission: Permission,
) -> Option<&'c Project> {
    catalogue
        .projects
        .get(&id)
        .filter(|_| viewer.may(permission, id))
}
