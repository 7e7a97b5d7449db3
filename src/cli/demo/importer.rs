//! Inserts the records of the demonstration data, and maps their ids and names to ids in the store.

use super::records::Record;
use anyhow::Context;
use jiff::Timestamp;
use quarry_domain::accounts::group::Group;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::content::board::Board;
use quarry_domain::content::document::Document;
use quarry_domain::content::message::Message;
use quarry_domain::content::news::News;
use quarry_domain::ids::{
    CategoryId, EnumerationId, IssueId, PrincipalId, ProjectId, RoleId, StatusId, TrackerId,
    UserId, VersionId,
};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::journal::Journal;
use quarry_domain::projects::category::Category;
use quarry_domain::projects::changeset::Changeset;
use quarry_domain::projects::repository::Repository;
use quarry_domain::projects::version::Version;
use quarry_store::accounts::{groups, memberships};
use quarry_store::content::{boards, documents, messages, news};
use quarry_store::issues::journals;
use quarry_store::projects::{categories, changesets, repositories, versions};
use quarry_store::{Write, projects};
use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

mod insert;

/// Returns the password of a demonstration user: the login, repeated until it is longer than eight
/// letters.
pub fn password(login: &str) -> String {
    let mut password = login.to_owned();
    while password.len() <= 8 && !login.is_empty() {
        password.push_str(login);
    }
    password
}

/// Inserts records, and maps ids and names of the file to ids in the store. Users, groups and
/// projects keep their ids.
pub struct DemoImporter {
    roles: HashMap<String, RoleId>,
    trackers: HashMap<String, TrackerId>,
    statuses: HashMap<String, StatusId>,
    enumerations: HashMap<String, EnumerationId>,
    versions: HashMap<i64, VersionId>,
    categories: HashMap<i64, CategoryId>,
    issues: HashMap<i64, IssueId>,
    repositories: HashMap<i64, i64>,
    wikis: HashMap<i64, i64>,
    boards: HashMap<i64, i64>,
    board_counts: HashMap<i64, i64>,
    /// Ids of other records that can have attachments.
    containers: HashMap<(Kind, i64), i64>,
}

impl DemoImporter {
    /// Creates an importer for a store with the default data.
    pub fn new(catalogue: &Catalogue) -> DemoImporter {
        DemoImporter {
            roles: catalogue
                .roles
                .iter()
                .map(|role| (role.name.clone(), role.id))
                .collect(),
            trackers: catalogue
                .trackers
                .iter()
                .map(|tracker| (tracker.name.clone(), tracker.id))
                .collect(),
            statuses: catalogue
                .statuses
                .iter()
                .map(|status| (status.name.clone(), status.id))
                .collect(),
            enumerations: catalogue
                .enumerations
                .iter()
                .map(|value| (value.name.clone(), value.id))
                .collect(),
            versions: HashMap::new(),
            categories: HashMap::new(),
            issues: HashMap::new(),
            repositories: HashMap::new(),
            wikis: HashMap::new(),
            boards: HashMap::new(),
            board_counts: HashMap::new(),
            containers: HashMap::new(),
        }
    }

    /// Inserts a record. The records that it references must have been inserted before.
    pub fn insert(&mut self, db: &mut Write<'_>, record: &Record) -> anyhow::Result<()> {
        match record {
            Record::Role {
                name,
                issues_visibility,
                permissions,
            } => self.insert_role(db, name, issues_visibility, permissions)?,
            Record::User(user) => DemoImporter::insert_user(db, user)?,
            Record::Group { id, name, users } => {
                let users: Vec<UserId> = users.iter().copied().map(UserId).collect();
                let group = Group {
                    id: PrincipalId(*id),
                    name: name.clone(),
                    users,
                    ..Group::default()
                };
                groups::insert(db, &group, Timestamp::UNIX_EPOCH)?;
            }
            Record::Project(project) => self.insert_project(db, project)?,
            Record::Member {
                project,
                principal,
                roles,
            } => {
                let roles = lookup_all(&self.roles, "role", roles)?;
                memberships::insert(
                    db,
                    ProjectId(*project),
                    PrincipalId(*principal),
                    &roles,
                    Timestamp::UNIX_EPOCH,
                )?;
            }
            Record::Bookmark { user, project } => {
                projects::insert_bookmark(db, UserId(*user), ProjectId(*project))?
            }
            Record::Version(version) => {
                let new = Version {
                    project: ProjectId(version.project),
                    name: version.name.clone(),
                    status: version.status.clone(),
                    due_date: version.due_date,
                    description: Some(String::new()),
                    created_on: version.created_on,
                    updated_on: version.created_on,
                    ..Version::default()
                };
                self.versions
                    .insert(version.id, versions::insert(db, &new)?);
            }
            Record::Category { id, project, name } => {
                let category = Category {
                    project: ProjectId(*project),
                    name: name.clone(),
                    ..Category::default()
                };
                self.categories
                    .insert(*id, categories::insert(db, &category)?);
            }
            Record::Issue(issue) => self.insert_issue(db, issue)?,
            Record::Note(note) => {
                let journal = Journal {
                    issue: *lookup(&self.issues, "issue", &note.issue)?,
                    user: UserId(note.author),
                    notes: Some(note.text.clone()),
                    private: note.private,
                    created_on: note.created_on,
                    ..Journal::default()
                };
                journals::insert(db, &journal)?;
            }
            Record::News(item) => {
                let news = News {
                    project: ProjectId(item.project),
                    author: UserId(item.author),
                    title: item.title.clone(),
                    summary: Some(item.summary.clone()),
                    description: item.description.clone(),
                    created_on: item.created_on,
                    ..News::default()
                };
                self.containers
                    .insert((Kind::News, item.id), news::insert(db, &news)?);
            }
            Record::Document(item) => {
                let document = Document {
                    project: ProjectId(item.project),
                    category: *lookup(
                        &self.enumerations,
                        "document category",
                        item.category.as_str(),
                    )?,
                    title: item.title.clone(),
                    description: Some(item.description.clone()),
                    created_on: item.created_on,
                    ..Document::default()
                };
                self.containers
                    .insert((Kind::Document, item.id), documents::insert(db, &document)?);
            }
            Record::Repository {
                id,
                project,
                identifier,
                scm,
                is_default,
            } => {
                let repository = Repository {
                    project: ProjectId(*project),
                    identifier: identifier.clone(),
                    scm: scm.clone(),
                    is_default: *is_default,
                    ..Repository::default()
                };
                self.repositories
                    .insert(*id, repositories::insert(db, &repository)?);
            }
            Record::Changeset(item) => {
                let changeset = Changeset {
                    repository: *lookup(&self.repositories, "repository", &item.repository)?,
                    revision: item.revision.clone(),
                    committer: item.committer.clone(),
                    user: item.author.map(UserId),
                    committed_on: item.committed_on,
                    comments: item.comments.clone(),
                    ..Changeset::default()
                };
                changesets::insert(db, &changeset)?;
            }
            Record::WikiPage(page) => self.insert_wiki_page(db, page)?,
            Record::Board {
                id,
                project,
                name,
                description,
            } => {
                let position = self.board_counts.entry(*project).or_default();
                *position += 1;
                let board = Board {
                    project: ProjectId(*project),
                    name: name.clone(),
                    description: description.clone(),
                    position: *position,
                    ..Board::default()
                };
                self.boards.insert(*id, boards::insert(db, &board)?);
            }
            Record::Message(item) => {
                let message = Message {
                    board: *lookup(&self.boards, "board", &item.board)?,
                    topic: item
                        .parent
                        .map(|parent| {
                            lookup(&self.containers, "message", &(Kind::Message, parent)).copied()
                        })
                        .transpose()?,
                    author: item.author.map(UserId),
                    subject: item.subject.clone(),
                    content: item.content.clone(),
                    created_on: item.created_on,
                    updated_on: item.created_on,
                    ..Message::default()
                };
                self.containers
                    .insert((Kind::Message, item.id), messages::insert(db, &message)?);
            }
            Record::Attachment(file) => self.insert_attachment(db, file)?,
        }
        Ok(())
    }
}

/// Returns the id in the store for an id or name of the file.
fn lookup<'m, K, Q, V>(map: &'m HashMap<K, V>, what: &str, name: &Q) -> anyhow::Result<&'m V>
where
    K: Eq + Hash + Borrow<Q>,
    Q: Eq + Hash + Debug + ?Sized,
{
    map.get(name).with_context(|| format!("no {what} {name:?}"))
}

fn lookup_optional<K: Eq + Hash + Debug, V: Copy>(
    map: &HashMap<K, V>,
    what: &str,
    id: Option<K>,
) -> anyhow::Result<Option<V>> {
    id.map(|id| lookup(map, what, &id).copied()).transpose()
}

fn lookup_all<V: Copy>(
    map: &HashMap<String, V>,
    what: &str,
    names: &[String],
) -> anyhow::Result<Vec<V>> {
    names
        .iter()
        .map(|name| lookup(map, what, name.as_str()).copied())
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn passwords_are_longer_than_eight_letters() {
        assert_eq!(super::password("alice"), "alicealice");
        assert_eq!(super::password("bob"), "bobbobbob");
        assert_eq!(super::password("dave"), "davedavedave");
    }
}
