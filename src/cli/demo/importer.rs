//! Inserts the records of the demonstration data, and maps their ids and names to ids in the store.

use super::records::{Attachment, Issue, Project, Record, User, WikiPage};
use crate::actions::accounts::{self, NewAccount};
use crate::domain::catalogue::Catalogue;
use crate::domain::clock::{FixedClock, SystemEntropy};
use crate::domain::ids::{
    CategoryId, EnumerationId, IssueId, PrincipalId, ProjectId, RoleId, StatusId, TrackerId,
    UserId, VersionId,
};
use crate::domain::issue;
use crate::domain::kind::Kind;
use crate::domain::module::Module;
use crate::domain::permission::Permission;
use crate::domain::project::ProjectStatus;
use crate::domain::role::IssuesVisibility;
use crate::domain::user::UserStatus;
use crate::store::attachments::NewAttachment;
use crate::store::documents::NewDocument;
use crate::store::journals::NewJournal;
use crate::store::messages::NewMessage;
use crate::store::news::NewNews;
use crate::store::projects::NewProject;
use crate::store::repositories::NewChangeset;
use crate::store::roles::NewRole;
use crate::store::wiki::{NewPage, NewVersion};
use crate::store::{
    Write, attachments, categories, documents, issues, journals, messages, news, projects,
    repositories, roles, users, versions, wiki,
};
use anyhow::{Context, bail};
use jiff::Timestamp;
use std::collections::HashMap;
use std::hash::Hash;

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
            Record::User(user) => insert_user(db, user)?,
            Record::Group { id, name, users } => {
                let users: Vec<UserId> = users.iter().copied().map(UserId).collect();
                users::insert_group(
                    db,
                    Some(PrincipalId(*id)),
                    name,
                    &users,
                    Timestamp::UNIX_EPOCH,
                )?;
            }
            Record::Project(project) => self.insert_project(db, project)?,
            Record::Member {
                project,
                principal,
                roles,
            } => {
                let roles = lookup_all(&self.roles, "role", roles)?;
                roles::add_member(
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
                let project = ProjectId(version.project);
                let due = version.due_date;
                let id = versions::insert(
                    db,
                    project,
                    &version.name,
                    &version.status,
                    due,
                    version.created_on,
                )?;
                self.versions.insert(version.id, id);
            }
            Record::Category { id, project, name } => {
                self.categories.insert(
                    *id,
                    categories::insert(db, ProjectId(*project), name, None)?,
                );
            }
            Record::Issue(issue) => self.insert_issue(db, issue)?,
            Record::Note(note) => {
                let journal = NewJournal {
                    issue: *lookup(&self.issues, "issue", &note.issue)?,
                    user: UserId(note.author),
                    notes: Some(&note.text),
                    private: note.private,
                    created_on: note.created_on,
                    details: &[],
                };
                journals::insert(db, &journal)?;
            }
            Record::News(item) => {
                let news = NewNews {
                    project: ProjectId(item.project),
                    author: UserId(item.author),
                    title: &item.title,
                    summary: Some(&item.summary),
                    description: &item.description,
                    created_on: item.created_on,
                };
                self.containers
                    .insert((Kind::News, item.id), news::insert(db, &news)?);
            }
            Record::Document(item) => {
                let document = NewDocument {
                    project: ProjectId(item.project),
                    category: *lookup(
                        &self.enumerations,
                        "document category",
                        item.category.as_str(),
                    )?,
                    title: &item.title,
                    description: Some(&item.description),
                    created_on: item.created_on,
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
                self.repositories.insert(
                    *id,
                    repositories::insert(db, ProjectId(*project), identifier, scm, *is_default)?,
                );
            }
            Record::Changeset(item) => {
                let changeset = NewChangeset {
                    repository: *lookup(&self.repositories, "repository", &item.repository)?,
                    revision: &item.revision,
                    committer: &item.committer,
                    user: item.author.map(UserId),
                    committed_on: item.committed_on,
                    comments: &item.comments,
                };
                repositories::insert_changeset(db, &changeset)?;
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
                self.boards.insert(
                    *id,
                    messages::insert_board(db, ProjectId(*project), name, description, *position)?,
                );
            }
            Record::Message(item) => {
                let message = NewMessage {
                    board: *lookup(&self.boards, "board", &item.board)?,
                    parent: item
                        .parent
                        .map(|parent| {
                            lookup(&self.containers, "message", &(Kind::Message, parent)).copied()
                        })
                        .transpose()?,
                    author: item.author.map(UserId),
                    subject: &item.subject,
                    content: &item.content,
                    created_on: item.created_on,
                };
                self.containers
                    .insert((Kind::Message, item.id), messages::insert(db, &message)?);
            }
            Record::Attachment(file) => self.insert_attachment(db, file)?,
        }
        Ok(())
    }

    fn insert_role(
        &mut self,
        db: &mut Write<'_>,
        name: &str,
        visibility: &str,
        permissions: &[String],
    ) -> anyhow::Result<()> {
        let parsed = permissions
            .iter()
            .map(|name| Permission::parse(name).with_context(|| format!("no permission {name:?}")));
        let role = NewRole {
            name,
            position: 1 + i64::try_from(self.roles.len())?,
            builtin: 0,
            permissions: parsed.collect::<Result<Vec<_>, _>>()?.into_iter().collect(),
            issues_visibility: IssuesVisibility::parse(visibility)
                .with_context(|| format!("no visibility {visibility:?}"))?,
        };
        self.roles
            .insert(name.to_owned(), roles::insert(db, &role)?);
        Ok(())
    }

    fn insert_project(&mut self, db: &mut Write<'_>, project: &Project) -> anyhow::Result<()> {
        let modules = project
            .modules
            .iter()
            .map(|name| Module::parse(name).with_context(|| format!("no module {name:?}")));
        let new = NewProject {
            id: Some(ProjectId(project.id)),
            name: &project.name,
            identifier: &project.identifier,
            description: project.description.as_deref(),
            homepage: Some(&project.homepage),
            parent: project.parent.map(ProjectId),
            is_public: project.is_public,
            inherit_members: project.inherit_members,
            status: ProjectStatus::from_code(project.status)
                .with_context(|| format!("no project status {}", project.status))?,
            modules: modules
                .collect::<Result<Vec<_>, _>>()?
                .into_iter()
                .collect(),
            trackers: &lookup_all(&self.trackers, "tracker", &project.trackers)?,
            created_on: project.created_on,
            updated_on: project.updated_on,
        };
        projects::insert(db, &new)?;
        Ok(())
    }

    fn insert_issue(&mut self, db: &mut Write<'_>, from: &Issue) -> anyhow::Result<()> {
        let issue = issue::Issue {
            id: IssueId(0),
            project: ProjectId(from.project),
            tracker: *lookup(&self.trackers, "tracker", from.tracker.as_str())?,
            status: *lookup(&self.statuses, "status", from.status.as_str())?,
            priority: *lookup(&self.enumerations, "priority", from.priority.as_str())?,
            author: UserId(from.author),
            assignee: from.assignee.map(PrincipalId),
            category: from
                .category
                .map(|id| lookup(&self.categories, "category", &id).copied())
                .transpose()?,
            version: from
                .version
                .map(|id| lookup(&self.versions, "version", &id).copied())
                .transpose()?,
            parent: from
                .parent
                .map(|id| lookup(&self.issues, "issue", &id).copied())
                .transpose()?,
            subject: from.subject.clone(),
            description: from.description.clone(),
            private: from.private,
            start_date: from.start_date,
            due_date: from.due_date,
            done_ratio: from.done_ratio,
            estimated_hours: from.estimated_hours,
            created_on: from.created_on,
            updated_on: from.updated_on,
            closed_on: from.closed_on,
        };
        self.issues.insert(from.id, issues::insert(db, &issue)?);
        Ok(())
    }

    fn insert_wiki_page(&mut self, db: &mut Write<'_>, page: &WikiPage) -> anyhow::Result<()> {
        let wiki = match self.wikis.get(&page.project) {
            Some(wiki) => *wiki,
            None => {
                let wiki = wiki::insert(db, ProjectId(page.project))?;
                self.wikis.insert(page.project, wiki);
                wiki
            }
        };
        let versions = page.versions.iter().map(|version| NewVersion {
            version: version.version,
            author: version.author.map(UserId),
            comments: version.comments.as_deref(),
            updated_on: version.updated_on,
            text: &version.text,
        });
        let new = NewPage {
            wiki,
            title: &page.title,
            parent: page
                .parent
                .map(|parent| {
                    lookup(&self.containers, "wiki page", &(Kind::WikiPage, parent)).copied()
                })
                .transpose()?,
            protected: page.protected,
            created_on: page.created_on,
            versions: &versions.collect::<Vec<_>>(),
        };
        self.containers
            .insert((Kind::WikiPage, page.id), wiki::insert_page(db, &new)?);
        Ok(())
    }

    fn insert_attachment(&mut self, db: &mut Write<'_>, file: &Attachment) -> anyhow::Result<()> {
        let (kind, container) = match file.container.as_str() {
            "issue" => (
                Kind::Issue,
                lookup(&self.issues, "issue", &file.container_id)?.0,
            ),
            "message" => (Kind::Message, self.container(Kind::Message, file)?),
            "wiki_page" => (Kind::WikiPage, self.container(Kind::WikiPage, file)?),
            "document" => (Kind::Document, self.container(Kind::Document, file)?),
            "news" => (Kind::News, self.container(Kind::News, file)?),
            container => bail!("{container:?} cannot have attachments"),
        };
        let new = NewAttachment {
            kind,
            container,
            filename: &file.filename,
            description: Some(&file.description),
            content_type: &file.content_type,
            filesize: file.filesize,
            author: UserId(file.author),
            created_on: file.created_on,
        };
        attachments::insert(db, &new)?;
        Ok(())
    }

    fn container(&self, kind: Kind, file: &Attachment) -> anyhow::Result<i64> {
        lookup(&self.containers, "container", &(kind, file.container_id)).copied()
    }
}

fn insert_user(db: &mut Write<'_>, user: &User) -> anyhow::Result<()> {
    let account = NewAccount {
        id: Some(UserId(user.id)),
        login: &user.login,
        firstname: &user.firstname,
        lastname: &user.lastname,
        mail: &user.mail,
        password: &password(&user.login),
        admin: user.admin,
        status: UserStatus::from_code(user.status)
            .with_context(|| format!("no user status {}", user.status))?,
    };
    accounts::add(db, &account, &FixedClock(user.created_on), &SystemEntropy)?;
    Ok(())
}

/// Returns the id in the store for an id or name of the file.
fn lookup<'m, K, Q, V>(map: &'m HashMap<K, V>, what: &str, name: &Q) -> anyhow::Result<&'m V>
where
    K: Eq + Hash + std::borrow::Borrow<Q>,
    Q: Eq + Hash + std::fmt::Debug + ?Sized,
{
    map.get(name).with_context(|| format!("no {what} {name:?}"))
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
