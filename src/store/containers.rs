//! The records that files hang on, as far as that decides who may see the files.

use super::{Read, StoreError};
use crate::domain::attachment::{Container, Holder};
use crate::domain::ids::{ProjectId, UserId};
use crate::domain::kind::Kind;

/// What decides about a record's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it belongs.
    pub project: ProjectId,
    /// Who wrote it, where that counts.
    pub author: Option<UserId>,
}

/// The record; `None` when it is gone. For whomever; issues have rules of their own besides their project.
pub fn find(db: &Read<'_>, container: Container) -> Result<Option<Found>, StoreError> {
    let sql = match container.holder {
        Holder::Record(Kind::Issue) => "SELECT project_id, author_id FROM issues WHERE id = ?1",
        Holder::Record(Kind::News) => "SELECT project_id, author_id FROM news WHERE id = ?1",
        Holder::Record(Kind::Document) => "SELECT project_id, NULL FROM documents WHERE id = ?1",
        Holder::Record(Kind::Changeset) => {
            "SELECT r.project_id, s.user_id FROM changesets s JOIN repositories r ON r.id = s.repository_id WHERE s.id = ?1"
        }
        Holder::Record(Kind::WikiPage) => "SELECT w.project_id, NULL FROM wiki_pages p JOIN wikis w ON w.id = p.wiki_id WHERE p.id = ?1",
        Holder::Record(Kind::Message) => {
            "SELECT b.project_id, m.author_id FROM messages m JOIN boards b ON b.id = m.board_id WHERE m.id = ?1"
        }
        Holder::Record(Kind::Project) => "SELECT id, NULL FROM projects WHERE id = ?1",
        Holder::Version => "SELECT project_id, NULL FROM versions WHERE id = ?1",
        Holder::Other => return Ok(None),
    };
    db.first(sql, &[container.id.into()], |row| Ok(Found { project: row.read(0)?, author: row.read(1)? }))
}
