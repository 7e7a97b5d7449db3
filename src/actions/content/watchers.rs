//! Watchers of issues, news, forums and wikis.

use crate::accounts::memberships::{Candidates, MAX_WORDS, has_words};
use crate::content::{boards, messages, news, wiki};
use crate::issues;
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::content::watcher::{Watchable, WatchableType, Watcher};
use quarry_domain::ids::PrincipalId;
use quarry_domain::projects::module::Module;
use quarry_store::content::watchers;
use quarry_store::projects;

/// Returns the watchers of a record that the viewer may see, in the order in which they were added.
/// Without the permission to see watchers, that is the viewer alone.
///
/// # Errors
/// `Forbidden` for anonymous without the permission.
pub fn list(
    db: &Read<'_>,
    viewer: &Viewer,
    target: &WatchTarget,
) -> Result<Vec<PrincipalId>, ActionError> {
    let (watchable, project) = target.find(db, viewer)?;
    let permission = watchable
        .watchable_type
        .permissions()
        .map(|permissions| permissions.view);
    let may_see_all = may(viewer, permission, project);
    if !may_see_all && viewer.user.is_none() {
        return Err(ActionError::Forbidden);
    }
    let viewer_id = viewer.user.map(PrincipalId::from);
    Ok(watchers::list(db, watchable)?
        .into_iter()
        .filter(|id| {
            viewer_id == Some(*id)
                || may_see_all && visibility::can_see_principal(viewer, db.catalogue(), *id)
        })
        .collect())
}

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
fn may(viewer: &Viewer, permission: Option<Permission>, project: ProjectId) -> bool {
    permission.map_or(viewer.admin, |permission| viewer.may(permission, project))
}

/// Returns the active users and groups whom the viewer can add as watchers of the record and who do
/// not watch it yet: at most `limit`, by name. Each of the `words` must occur in the name, the
/// login, or a mail address that the viewer may see, ignoring case.
///
/// # Errors
/// As for [`WatchTarget::find`]; `Forbidden` if the viewer may not add watchers.
pub fn candidates(
    db: &Read<'_>,
    viewer: &Viewer,
    target: &WatchTarget,
    words: &str,
    limit: usize,
) -> Result<Candidates, ActionError> {
    let (watchable, project) = target.find(db, viewer)?;
    let permission = watchable
        .watchable_type
        .permissions()
        .map(|permissions| permissions.add);
    if !may(viewer, permission, project) {
        return Err(ActionError::Forbidden);
    }
    let catalogue = db.catalogue();
    let watching = watchers::list(db, watchable)?;
    let visible = visibility::principals(viewer, catalogue);
    let words = words.to_lowercase();
    let words: Vec<&str> = words.split_whitespace().take(MAX_WORDS).collect();
    let users = catalogue.users.values();
    let active = users.filter(|user| user.status == UserStatus::Active);
    let all = active
        .map(|user| PrincipalId::from(user.id))
        .chain(catalogue.groups.keys().copied());
    let mut found: Vec<(String, PrincipalId)> = all
        .filter(|id| visible.contains(id.0) && !watching.contains(id))
        .filter(|id| has_words(catalogue, viewer, *id, &words))
        .map(|id| {
            let name = catalogue.principal_name(id).unwrap_or_default();
            (name.to_lowercase(), id)
        })
        .collect();
    found.sort_unstable();
    Ok(Candidates {
        total: found.len(),
        principals: found.into_iter().take(limit).map(|(_, id)| id).collect(),
    })
}

/// Adds these users and groups as watchers. Skips hidden and inactive users, so that the list of
/// watchers reveals nobody, and those who watch already. Everybody may add themselves, except to an
/// issue.
///
/// # Errors
/// `Forbidden` if the viewer may not add watchers, and for a missing issue (compatibility 6.7).
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    target: &WatchTarget,
    principals: &[PrincipalId],
) -> Result<(), ActionError> {
    let (watchable, project) = find_watchable(db, viewer, target)?;
    let permission = watchable
        .watchable_type
        .permissions()
        .map(|permissions| permissions.add);
    if !may(viewer, permission, project) && !is_only_viewer(viewer, watchable, principals) {
        return Err(ActionError::Forbidden);
    }
    for watcher in principals {
        let catalogue = db.catalogue();
        let is_active = catalogue
            .users
            .get(&UserId(watcher.0))
            .is_some_and(|user| user.status == UserStatus::Active);
        if (is_active || catalogue.groups.contains_key(watcher))
            && visibility::can_see_principal(viewer, catalogue, *watcher)
        {
            watchers::insert(db, &Watcher::new(watchable, *watcher))?;
        }
    }
    Ok(())
}

/// As [`WatchTarget::find`], with `Forbidden` for a missing issue.
fn find_watchable(
    db: &Read<'_>,
    viewer: &Viewer,
    target: &WatchTarget,
) -> Result<(Watchable, ProjectId), ActionError> {
    target
        .find(db, viewer)
        .map_err(|error| match (target, error) {
            (WatchTarget::Issue(_), ActionError::NotFound) => ActionError::Forbidden,
            (_, error) => error,
        })
}

/// Whether a request is about the viewer alone, who needs no permission for that, except on issues.
fn is_only_viewer(viewer: &Viewer, watchable: Watchable, principals: &[PrincipalId]) -> bool {
    let Some(user) = viewer
        .user
        .filter(|_| viewer.has_scope(watchable.watchable_type.own_scope()))
    else {
        return false;
    };
    watchable.watchable_type != WatchableType::Issue
        && principals.iter().all(|principal| *principal == user.into())
}

/// Removes a watcher. Not an error if the user does not watch the record. Everybody may remove
/// themselves, except from an issue.
///
/// # Errors
/// `NotFound` if the user or group does not exist or is hidden from the viewer.
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    target: &WatchTarget,
    watcher: PrincipalId,
) -> Result<(), ActionError> {
    let (watchable, project) = find_watchable(db, viewer, target)?;
    let permission = watchable
        .watchable_type
        .permissions()
        .map(|permissions| permissions.delete);
    if !may(viewer, permission, project) && !is_only_viewer(viewer, watchable, &[watcher]) {
        return Err(ActionError::Forbidden);
    }
    let catalogue = db.catalogue();
    if catalogue.principal_name(watcher).is_none()
        || !visibility::can_see_principal(viewer, catalogue, watcher)
    {
        return Err(ActionError::NotFound);
    }
    Ok(watchers::delete(db, &Watcher::new(watchable, watcher))?)
}

/// Whether the viewer watches the record, other than as a member of a group; `None` for anonymous,
/// who cannot.
pub fn is_watching(
    db: &Read<'_>,
    viewer: &Viewer,
    watchable: Watchable,
) -> Result<Option<bool>, StoreError> {
    let Some(user) = viewer.user else {
        return Ok(None);
    };
    Ok(Some(watchers::list(db, watchable)?.contains(&user.into())))
}

/// Makes the viewer a watcher of a record, or one no longer. Everybody who is logged in may watch
/// what they see.
///
/// # Errors
/// `Forbidden` for anonymous.
pub fn set_watching(
    db: &mut Write<'_>,
    viewer: &Viewer,
    target: &WatchTarget,
    is_on: bool,
) -> Result<(), ActionError> {
    let (watchable, _) = target.find(db, viewer)?;
    let user = viewer.user.ok_or(ActionError::Forbidden)?;
    let watcher = Watcher::new(watchable, user);
    if is_on {
        watchers::insert(db, &watcher)?
    } else {
        watchers::delete(db, &watcher)?
    }
    Ok(())
}
