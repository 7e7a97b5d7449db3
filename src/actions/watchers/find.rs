//! Finds the records that requests about watchers name (compatibility 6.7 and 13.6).

use crate::actions::{ActionError, boards, issues, messages, news, wiki};
use crate::domain::ids::{IssueId, ProjectId};
use crate::domain::module::Module;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::domain::watchable::{Watchable, WatchableType};
use crate::store::{Read, projects};

/// A record that can be watched, as a request names it.
pub enum WatchTarget {
    /// The issue with this id.
    Issue(IssueId),
    /// The news item with this id.
    News(i64),
    /// All news of a project.
    ProjectNews(ProjectId),
    /// The board with this id.
    Board(i64),
    /// The topic with this id, or that of the reply with this id.
    Message(i64),
    /// The page of a project's wiki with this title.
    WikiPage(ProjectId, String),
    /// The wiki of a project.
    Wiki(ProjectId),
}

impl WatchTarget {
    /// Returns the record and its project.
    ///
    /// # Errors
    /// `NotFound` and `Forbidden` when there is none that the viewer may see, as for the record
    /// itself.
    pub fn find(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
    ) -> Result<(Watchable, ProjectId), ActionError> {
        match self {
            WatchTarget::Issue(id) => {
                let issue = issues::find(db, viewer, *id)?;
                Ok((issue.id.into(), issue.project))
            }
            WatchTarget::News(id) => {
                let item = news::find(db, viewer, *id)?;
                Ok((Watchable::new(WatchableType::News, item.id), item.project))
            }
            WatchTarget::ProjectNews(project) => {
                if !viewer.may(Permission::ViewNews, *project) {
                    return Err(ActionError::Forbidden);
                }
                let module = projects::find_module(db, *project, Module::News)?
                    .ok_or(ActionError::NotFound)?;
                Ok((
                    Watchable::new(WatchableType::EnabledModule, module),
                    *project,
                ))
            }
            WatchTarget::Board(id) => {
                let board = boards::find(db, viewer, *id)?;
                Ok((
                    Watchable::new(WatchableType::Board, board.id),
                    board.project,
                ))
            }
            WatchTarget::Message(id) => {
                let found = messages::find(db, viewer, *id)?;
                let topic = found.message.topic.unwrap_or(found.message.id);
                Ok((
                    Watchable::new(WatchableType::Message, topic),
                    found.board.project,
                ))
            }
            WatchTarget::WikiPage(project, title) => {
                let page = wiki::find(db, viewer, *project, Some(title))?.into_page();
                Ok((page.id.into(), page.project))
            }
            WatchTarget::Wiki(project) => {
                let wiki = wiki::find_wiki(db, viewer, *project)?.ok_or(ActionError::NotFound)?;
                Ok((Watchable::new(WatchableType::Wiki, wiki.id), *project))
            }
        }
    }
}

/// Whether the viewer has a permission over the watchers of a record; without one, administrators
/// who see the project do.
pub(super) fn may(viewer: &Viewer, permission: Option<Permission>, project: ProjectId) -> bool {
    permission.map_or(viewer.admin, |permission| viewer.may(permission, project))
}
