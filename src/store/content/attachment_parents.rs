//! The records that attachments belong to, with the attributes that decide who may see the files.

use crate::{Read, StoreError};
use quarry_domain::content::attachment::{Container, ContainerType};
use quarry_domain::ids::{ProjectId, UserId};
use quarry_domain::index_feed::kind::Kind;

/// The attributes of a record that decide who may see its attachments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttachmentParent {
    pub project: ProjectId,
    /// Its author, where the rules depend on it.
    pub author: Option<UserId>,
}

/// Returns the record, visible or not; `None` when it does not exist. Issues have further rules.
pub fn find(db: &Read<'_>, container: Container) -> Result<Option<AttachmentParent>, StoreError> {
    let sql = match container.container_type {
        ContainerType::Record(Kind::Issue) => {
            "SELECT project_id, author_id FROM issues WHERE id = ?1"
        }
        ContainerType::Record(Kind::News) => "SELECT project_id, author_id FROM news WHERE id = ?1",
        ContainerType::Record(Kind::Document) => {
            "SELECT project_id, NULL FROM documents WHERE id = ?1"
        }
        ContainerType::Record(Kind::Changeset) => {
            "SELECT r.project_id, s.user_id FROM changesets s JOIN repositories r ON r.id = s.repository_id WHERE s.id = ?1"
        }
        ContainerType::Record(Kind::WikiPage) => {
            "SELECT w.project_id, NULL FROM wiki_pages p JOIN wikis w ON w.id = p.wiki_id WHERE p.id = ?1"
        }
        ContainerType::Record(Kind::Message) => {
            "SELECT b.project_id, m.author_id FROM messages m JOIN boards b ON b.id = m.board_id WHERE m.id = ?1"
        }
        ContainerType::Record(Kind::Project) => "SELECT id, NULL FROM projects WHERE id = ?1",
        ContainerType::Version => "SELECT project_id, NULL FROM versions WHERE id = ?1",
        ContainerType::Other => return Ok(None),
    };
    db.first(sql, &[container.id.into()], |row| {
        Ok(AttachmentParent {
            project: row.next()?,
            author: row.next()?,
        })
    })
}
