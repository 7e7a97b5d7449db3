//! What somebody may do with a file: that depends on the record that it hangs on (contract 3, 9).

use crate::actions::Refused;
use crate::domain::attachment::{Attachment, Container, Holder};
use crate::domain::ids::{IssueId, ProjectId, UserId};
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Read, containers, issues};

/// What is allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rights {
    /// Seeing and downloading it.
    pub see: bool,
    /// Changing its name and description.
    pub edit: bool,
    /// Taking it away.
    pub delete: bool,
}

const ALL: Rights = Rights { see: true, edit: true, delete: true };

/// What the viewer may do with the file. Where it cannot be seen, nothing is allowed.
pub(super) fn of(db: &Read<'_>, viewer: &Viewer, file: &Attachment) -> Result<Rights, Refused> {
    let rights = match file.container {
        None if viewer.admin || viewer.user == Some(file.author) => ALL,
        None => Rights::default(),
        Some(Container { holder: Holder::Record(Kind::Issue), id }) => on_issue(db, viewer, IssueId(id))?,
        Some(Container { holder: Holder::Other, .. }) => Rights { see: viewer.admin, ..Rights::default() },
        Some(container) => match containers::find(db, container)? {
            Some(found) => in_project(viewer, container.holder, found.project, found.author),
            None => Rights::default(),
        },
    };
    Ok(if rights.see { rights } else { Rights::default() })
}

/// Private issues and those of others are the business of the issue's own visibility.
fn on_issue(db: &Read<'_>, viewer: &Viewer, id: IssueId) -> Result<Rights, Refused> {
    let Some(issue) = issues::find(db, visibility::issues(viewer), id)? else { return Ok(Rights::default()) };
    let own = viewer.user == Some(issue.author);
    let may = |permission| viewer.may_on(permission, issue.project, issue.tracker);
    let edit = may(Permission::EditIssues) || (own && may(Permission::EditOwnIssues));
    Ok(Rights { see: true, edit, delete: edit })
}

fn in_project(viewer: &Viewer, holder: Holder, project: ProjectId, author: Option<UserId>) -> Rights {
    let may = |permission| viewer.may(permission, project);
    let see = holder.view_permission().is_some_and(may);
    let rights = |edit, delete| Rights { see, edit: may(edit), delete: may(delete) };
    match holder {
        Holder::Record(Kind::News) => rights(Permission::ManageNews, Permission::ManageNews),
        Holder::Record(Kind::Document) => rights(Permission::EditDocuments, Permission::DeleteDocuments),
        Holder::Record(Kind::WikiPage) => rights(Permission::EditWikiPages, Permission::DeleteWikiPagesAttachments),
        Holder::Record(Kind::Message) => {
            let own = author.is_some() && author == viewer.user && may(Permission::EditOwnMessages);
            let edit = own || may(Permission::EditMessages);
            Rights { see, edit, delete: edit }
        }
        Holder::Record(Kind::Project) | Holder::Version => rights(Permission::ManageFiles, Permission::ManageFiles),
        Holder::Record(Kind::Changeset) => Rights { see, ..Rights::default() },
        Holder::Record(Kind::Issue) | Holder::Other => Rights::default(),
    }
}
