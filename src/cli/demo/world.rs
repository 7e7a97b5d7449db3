//! Puts the records of the world into the store, and remembers which number and name of the file became which here.

use super::records::{Attachment, Issue, Project, Record, User, WikiPage};
use crate::actions::accounts::{self, NewAccount};
use crate::domain::catalogue::Catalogue;
use crate::domain::clock::{FixedClock, SystemEntropy};
use crate::domain::ids::{CategoryId, EnumerationId, IssueId, PrincipalId, ProjectId, RoleId, StatusId, TrackerId, UserId, VersionId};
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
    Write, attachments, categories, documents, issues, journals, messages, news, projects, repositories, roles, users, versions, wiki,
};
use anyhow::{Context, bail};
use jiff::Timestamp;
use std::collections::HashMap;
use std::hash::Hash;

/// The password of a user of the world: the login, repeated until it is longer than eight letters.
pub fn password(login: &str) -> String {
    let mut password = login.to_owned();
    while password.len() <= 8 && !login.is_empty() {
        password.push_str(login);
    }
    password
}

/// What became of the file's numbers and names. Users, groups and projects keep their numbers.
pub struct World {
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
    boards_of: HashMap<i64, i64>,
    /// The numbers of what files can hang on, beside issues.
    others: HashMap<(Kind, i64), i64>,
}

impl World {
    /// A world of which nothing has been put yet, over the default data.
    pub fn new(catalogue: &Catalogue) -> World {
        World {
            roles: catalogue.roles.iter().map(|role| (role.name.clone(), role.id)).collect(),
            trackers: catalogue.trackers.iter().map(|tracker| (tracker.name.clone(), tracker.id)).collect(),
            statuses: catalogue.statuses.iter().map(|status| (status.name.clone(), status.id)).collect(),
            enumerations: catalogue.enumerations.iter().map(|value| (value.name.clone(), value.id)).collect(),
            versions: HashMap::new(),
            categories: HashMap::new(),
            issues: HashMap::new(),
            repositories: HashMap::new(),
            wikis: HashMap::new(),
            boards: HashMap::new(),
            boards_of: HashMap::new(),
            others: HashMap::new(),
        }
    }

    /// Puts a record. Everything that it points to has been put before.
    pub fn put(&mut self, db: &mut Write<'_>, record: &Record) -> anyhow::Result<()> {
        match record {
            Record::Role { name, issues_visibility, permissions } => self.role(db, name, issues_visibility, permissions)?,
            Record::User(user) => add_user(db, user)?,
            Record::Group { id, name, users } => {
                let users: Vec<UserId> = users.iter().copied().map(UserId).collect();
                users::insert_group(db, Some(PrincipalId(*id)), name, &users, Timestamp::UNIX_EPOCH)?;
            }
            Record::Project(project) => self.project(db, project)?,
            Record::Member { project, principal, roles } => {
                let roles = all(&self.roles, "role", roles)?;
                roles::add_member(db, ProjectId(*project), PrincipalId(*principal), &roles, Timestamp::UNIX_EPOCH)?;
            }
            Record::Bookmark { user, project } => projects::bookmark(db, UserId(*user), ProjectId(*project))?,
            Record::Version(version) => {
                let (project, due) = (ProjectId(version.project), version.due_date);
                let id = versions::insert(db, project, &version.name, &version.status, due, version.created_on)?;
                self.versions.insert(version.id, id);
            }
            Record::Category { id, project, name } => {
                self.categories.insert(*id, categories::insert(db, ProjectId(*project), name, None)?);
            }
            Record::Issue(issue) => self.issue(db, issue)?,
            Record::Note(note) => {
                let journal = NewJournal {
                    issue: *known(&self.issues, "issue", &note.issue)?,
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
                    summary: &item.summary,
                    description: &item.description,
                    created_on: item.created_on,
                };
                self.others.insert((Kind::News, item.id), news::insert(db, &news)?);
            }
            Record::Document(item) => {
                let document = NewDocument {
                    project: ProjectId(item.project),
                    category: *known(&self.enumerations, "document category", item.category.as_str())?,
                    title: &item.title,
                    description: &item.description,
                    created_on: item.created_on,
                };
                self.others.insert((Kind::Document, item.id), documents::insert(db, &document)?);
            }
            Record::Repository { id, project, identifier, scm, is_default } => {
                self.repositories.insert(*id, repositories::insert(db, ProjectId(*project), identifier, scm, *is_default)?);
            }
            Record::Changeset(item) => {
                let changeset = NewChangeset {
                    repository: *known(&self.repositories, "repository", &item.repository)?,
                    revision: &item.revision,
                    committer: &item.committer,
                    user: item.author.map(UserId),
                    committed_on: item.committed_on,
                    comments: &item.comments,
                };
                repositories::insert_changeset(db, &changeset)?;
            }
            Record::WikiPage(page) => self.wiki_page(db, page)?,
            Record::Board { id, project, name, description } => {
                let position = self.boards_of.entry(*project).or_default();
                *position += 1;
                self.boards.insert(*id, messages::insert_board(db, ProjectId(*project), name, description, *position)?);
            }
            Record::Message(item) => {
                let message = NewMessage {
                    board: *known(&self.boards, "board", &item.board)?,
                    parent: item.parent.map(|parent| known(&self.others, "message", &(Kind::Message, parent)).copied()).transpose()?,
                    author: item.author.map(UserId),
                    subject: &item.subject,
                    content: &item.content,
                    created_on: item.created_on,
                };
                self.others.insert((Kind::Message, item.id), messages::insert(db, &message)?);
            }
            Record::Attachment(file) => self.attachment(db, file)?,
        }
        Ok(())
    }

    fn role(&mut self, db: &mut Write<'_>, name: &str, visibility: &str, permissions: &[String]) -> anyhow::Result<()> {
        let parsed = permissions.iter().map(|name| Permission::parse(name).with_context(|| format!("no permission {name:?}")));
        let role = NewRole {
            name,
            position: 1 + i64::try_from(self.roles.len())?,
            builtin: 0,
            permissions: parsed.collect::<Result<Vec<_>, _>>()?.into_iter().collect(),
            issues_visibility: IssuesVisibility::parse(visibility).with_context(|| format!("no visibility {visibility:?}"))?,
        };
        self.roles.insert(name.to_owned(), roles::insert(db, &role)?);
        Ok(())
    }

    fn project(&mut self, db: &mut Write<'_>, project: &Project) -> anyhow::Result<()> {
        let modules = project.modules.iter().map(|name| Module::parse(name).with_context(|| format!("no module {name:?}")));
        let new = NewProject {
            id: Some(ProjectId(project.id)),
            name: &project.name,
            identifier: &project.identifier,
            description: project.description.as_deref(),
            homepage: &project.homepage,
            parent: project.parent.map(ProjectId),
            is_public: project.is_public,
            inherit_members: project.inherit_members,
            status: ProjectStatus::from_code(project.status).with_context(|| format!("no project status {}", project.status))?,
            modules: modules.collect::<Result<Vec<_>, _>>()?.into_iter().collect(),
            trackers: &all(&self.trackers, "tracker", &project.trackers)?,
            created_on: project.created_on,
            updated_on: project.updated_on,
        };
        projects::insert(db, &new)?;
        Ok(())
    }

    fn issue(&mut self, db: &mut Write<'_>, from: &Issue) -> anyhow::Result<()> {
        let issue = issue::Issue {
            id: IssueId(0),
            project: ProjectId(from.project),
            tracker: *known(&self.trackers, "tracker", from.tracker.as_str())?,
            status: *known(&self.statuses, "status", from.status.as_str())?,
            priority: *known(&self.enumerations, "priority", from.priority.as_str())?,
            author: UserId(from.author),
            assignee: from.assignee.map(PrincipalId),
            category: from.category.map(|id| known(&self.categories, "category", &id).copied()).transpose()?,
            version: from.version.map(|id| known(&self.versions, "version", &id).copied()).transpose()?,
            parent: from.parent.map(|id| known(&self.issues, "issue", &id).copied()).transpose()?,
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

    fn wiki_page(&mut self, db: &mut Write<'_>, page: &WikiPage) -> anyhow::Result<()> {
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
            parent: page.parent.map(|parent| known(&self.others, "wiki page", &(Kind::WikiPage, parent)).copied()).transpose()?,
            protected: page.protected,
            created_on: page.created_on,
            versions: &versions.collect::<Vec<_>>(),
        };
        self.others.insert((Kind::WikiPage, page.id), wiki::insert_page(db, &new)?);
        Ok(())
    }

    fn attachment(&mut self, db: &mut Write<'_>, file: &Attachment) -> anyhow::Result<()> {
        let (kind, container) = match file.container.as_str() {
            "issue" => (Kind::Issue, known(&self.issues, "issue", &file.container_id)?.0),
            "message" => (Kind::Message, self.other(Kind::Message, file)?),
            "wiki_page" => (Kind::WikiPage, self.other(Kind::WikiPage, file)?),
            "document" => (Kind::Document, self.other(Kind::Document, file)?),
            "news" => (Kind::News, self.other(Kind::News, file)?),
            other => bail!("nothing hangs on {other:?}"),
        };
        let new = NewAttachment {
            kind,
            container,
            filename: &file.filename,
            description: &file.description,
            content_type: &file.content_type,
            filesize: file.filesize,
            author: UserId(file.author),
            created_on: file.created_on,
        };
        attachments::insert(db, &new)?;
        Ok(())
    }

    fn other(&self, kind: Kind, file: &Attachment) -> anyhow::Result<i64> {
        known(&self.others, "container", &(kind, file.container_id)).copied()
    }
}

fn add_user(db: &mut Write<'_>, user: &User) -> anyhow::Result<()> {
    let account = NewAccount {
        id: Some(UserId(user.id)),
        login: &user.login,
        firstname: &user.firstname,
        lastname: &user.lastname,
        mail: &user.mail,
        password: &password(&user.login),
        admin: user.admin,
        status: UserStatus::from_code(user.status).with_context(|| format!("no user status {}", user.status))?,
    };
    accounts::add(db, &account, &FixedClock(user.created_on), &SystemEntropy)?;
    Ok(())
}

/// What a number or name of the file became.
fn known<'m, K, Q, V>(map: &'m HashMap<K, V>, what: &str, name: &Q) -> anyhow::Result<&'m V>
where
    K: Eq + Hash + std::borrow::Borrow<Q>,
    Q: Eq + Hash + std::fmt::Debug + ?Sized,
{
    map.get(name).with_context(|| format!("no {what} {name:?}"))
}

fn all<V: Copy>(map: &HashMap<String, V>, what: &str, names: &[String]) -> anyhow::Result<Vec<V>> {
    names.iter().map(|name| known(map, what, name.as_str()).copied()).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn passwords_are_long_enough_to_be_accepted() {
        assert_eq!(super::password("alice"), "alicealice");
        assert_eq!(super::password("bob"), "bobbobbob");
        assert_eq!(super::password("dave"), "davedavedave");
    }
}
