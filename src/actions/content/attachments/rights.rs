//! Finds attachments, and tells what the viewer may do with them.

use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::content::attachment::{Attachment, Container, ContainerType};
use quarry_domain::ids::{AttachmentId, WikiPageId};
use quarry_domain::index_feed::kind::Kind;
use quarry_store::content::{attachment_parents, attachments, wiki};
use quarry_store::issues;

/// Returns the file if the viewer may see its record. Only its author may see an unattached upload.
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer may not see it (compatibility 3.5).
pub fn find(db: &Read<'_>, viewer: &Viewer, id: AttachmentId) -> Result<Attachment, ActionError> {
    let file = attachments::find(db, id)?.ok_or(ActionError::NotFound)?;
    if find_rights(db, viewer, &file)?.see {
        Ok(file)
    } else {
        Err(ActionError::Forbidden)
    }
}

/// The rights of a viewer on a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// Whether the viewer may see and download it.
    pub see: bool,
    /// Whether the viewer may change its name and description.
    pub edit: bool,
    /// Whether the viewer may delete it.
    pub delete: bool,
}

const ALL: Rights = Rights {
    see: true,
    edit: true,
    delete: true,
};

/// Returns the rights of the viewer on the file. Files of one record have the same.
pub fn find_rights(
    db: &Read<'_>,
    viewer: &Viewer,
    file: &Attachment,
) -> Result<Rights, ActionError> {
    let rights = match file.container {
        None if viewer.admin
            || (viewer.user == Some(file.author) && viewer.has_writing_scope()) =>
        {
            ALL
        }
        None => Rights::default(),
        Some(Container {
            container_type: ContainerType::Record(Kind::Issue),
            id,
        }) => on_issue(db, viewer, IssueId(id))?,
        Some(Container {
            container_type: ContainerType::Other,
            ..
        }) => Rights {
            see: viewer.admin,
            ..Rights::default()
        },
        Some(Container {
            container_type: ContainerType::Record(Kind::WikiPage),
            id,
        }) => on_wiki_page(db, viewer, WikiPageId(id))?,
        Some(container) => match attachment_parents::find(db, container)? {
            Some(parent) => in_project(
                viewer,
                container.container_type,
                parent.project,
                parent.author,
            ),
            None => Rights::default(),
        },
    };
    Ok(if rights.see {
        rights
    } else {
        Rights::default()
    })
}

/// Returns the rights on a file of an issue, given the visibility of the issue.
fn on_issue(db: &Read<'_>, viewer: &Viewer, id: IssueId) -> Result<Rights, ActionError> {
    let Some(issue) = issues::find(db, visibility::issues(viewer), id)? else {
        return Ok(Rights::default());
    };
    let is_author = viewer.user == Some(issue.author);
    let edit = viewer.may_on(Permission::EditIssues, issue.project, issue.tracker)
        || (is_author && viewer.may_on(Permission::EditOwnIssues, issue.project, issue.tracker));
    Ok(Rights {
        see: true,
        edit,
        delete: edit,
    })
}

/// Returns the rights on a file of a wiki page. Those of a protected page change only for users who
/// may protect pages, as the page itself.
fn on_wiki_page(db: &Read<'_>, viewer: &Viewer, id: WikiPageId) -> Result<Rights, ActionError> {
    let Some(page) = wiki::find_by_id(db, id)? else {
        return Ok(Rights::default());
    };
    let may = |permission| viewer.may(permission, page.project);
    let is_editable = !page.is_protected() || may(Permission::ProtectWikiPages);
    Ok(Rights {
        see: may(Permission::ViewWikiPages),
        edit: is_editable && may(Permission::EditWikiPages),
        delete: is_editable && may(Permission::DeleteWikiPagesAttachments),
    })
}

fn in_project(
    viewer: &Viewer,
    container_type: ContainerType,
    project: ProjectId,
    author: Option<UserId>,
) -> Rights {
    let may = |permission| viewer.may(permission, project);
    // An application may have the scope to view files without the one to view projects.
    let sees_record =
        container_type != ContainerType::Record(Kind::Project) || may(Permission::ViewProject);
    let see = sees_record && container_type.view_permission().is_some_and(may);
    let rights = |edit, delete| Rights {
        see,
        edit: may(edit),
        delete: may(delete),
    };
    match container_type {
        ContainerType::Record(Kind::News) => rights(Permission::ManageNews, Permission::ManageNews),
        ContainerType::Record(Kind::Document) => {
            rights(Permission::EditDocuments, Permission::DeleteDocuments)
        }
        ContainerType::Record(Kind::Message) => {
            let own = author.is_some() && author == viewer.user && may(Permission::EditOwnMessages);
            let edit = own || may(Permission::EditMessages);
            Rights {
                see,
                edit,
                delete: edit,
            }
        }
        ContainerType::Record(Kind::Project) | ContainerType::Version => {
            rights(Permission::ManageFiles, Permission::ManageFiles)
        }
        ContainerType::Record(Kind::Changeset) => Rights {
            see,
            ..Rights::default()
        },
        ContainerType::Record(Kind::Issue | Kind::WikiPage) | ContainerType::Other => {
            Rights::default()
        }
    }
}
