//! Inserts users, roles, projects, issues, wiki pages and attachments.

use super::{DemoImporter, lookup, lookup_all, lookup_optional, password};
use crate::cli::demo::records::{Attachment, Issue, Project, User, WikiPage};
use anyhow::{Context, bail};
use quarry_actions::accounts::account;
use quarry_domain::access::permission::Permission;
use quarry_domain::access::role::Role;
use quarry_domain::accounts::user;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::content::attachment;
use quarry_domain::content::wiki;
use quarry_domain::ids::{IssueId, PrincipalId, ProjectId, UserId, WikiPageId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::issue;
use quarry_domain::projects::project;
use quarry_domain::projects::project::ProjectStatus;
use quarry_store::administration::roles;
use quarry_store::content::{attachments, wiki as wikis};
use quarry_store::{Write, issues, projects};

impl DemoImporter {
    pub(super) fn insert_user(db: &mut Write<'_>, user: &User) -> anyhow::Result<()> {
        let account = user::User {
            id: UserId(user.id),
            login: user.login.clone(),
            firstname: user.firstname.clone(),
            lastname: user.lastname.clone(),
            mail: user.mail.clone(),
            hides_mail: true,
            admin: user.admin,
            status: UserStatus::from_code(user.status)
                .with_context(|| format!("no user status {}", user.status))?,
            created_on: user.created_on,
            ..user::User::default()
        };
        let password = password(&user.login);
        account::add(db, &account, &password)?;
        Ok(())
    }

    pub(super) fn insert_role(
        &mut self,
        db: &mut Write<'_>,
        name: &str,
        visibility: &str,
        permissions: &[String],
    ) -> anyhow::Result<()> {
        let parsed = permissions
            .iter()
            .map(|name| Permission::parse(name).with_context(|| format!("no permission {name:?}")));
        let role = Role {
            name: name.to_owned(),
            position: 1 + i64::try_from(self.roles.len())?,
            assignable: true,
            permissions: parsed.collect::<Result<Vec<_>, _>>()?.into_iter().collect(),
            issues_visibility: visibility
                .parse()
                .with_context(|| format!("no visibility {visibility:?}"))?,
            ..Role::default()
        };
        self.roles
            .insert(name.to_owned(), roles::insert(db, &role)?);
        Ok(())
    }

    pub(super) fn insert_project(
        &mut self,
        db: &mut Write<'_>,
        project: &Project,
    ) -> anyhow::Result<()> {
        let modules = project
            .modules
            .iter()
            .map(|name| name.parse().with_context(|| format!("no module {name:?}")));
        let new = project::Project {
            id: ProjectId(project.id),
            name: project.name.clone(),
            identifier: project.identifier.clone(),
            description: project.description.clone(),
            homepage: Some(project.homepage.clone()),
            parent: project.parent.map(ProjectId),
            is_public: project.is_public,
            inherit_members: project.inherit_members,
            status: ProjectStatus::from_repr(project.status)
                .with_context(|| format!("no project status {}", project.status))?,
            modules: modules
                .collect::<Result<Vec<_>, _>>()?
                .into_iter()
                .collect(),
            trackers: lookup_all(&self.trackers, "tracker", &project.trackers)?,
            created_on: project.created_on,
            updated_on: project.updated_on,
            ..project::Project::default()
        };
        projects::insert(db, &new)?;
        Ok(())
    }

    pub(super) fn insert_issue(&mut self, db: &mut Write<'_>, from: &Issue) -> anyhow::Result<()> {
        let issue = issue::Issue {
            id: IssueId(0),
            project: ProjectId(from.project),
            tracker: *lookup(&self.trackers, "tracker", from.tracker.as_str())?,
            status: *lookup(&self.statuses, "status", from.status.as_str())?,
            priority: *lookup(&self.enumerations, "priority", from.priority.as_str())?,
            author: UserId(from.author),
            assignee: from.assignee.map(PrincipalId),
            category: lookup_optional(&self.categories, "category", from.category)?,
            version: lookup_optional(&self.versions, "version", from.version)?,
            parent: lookup_optional(&self.issues, "issue", from.parent)?,
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

    pub(super) fn insert_wiki_page(
        &mut self,
        db: &mut Write<'_>,
        page: &WikiPage,
    ) -> anyhow::Result<()> {
        let wiki = match self.wikis.get(&page.project) {
            Some(wiki) => *wiki,
            None => {
                let wiki = wikis::insert(db, ProjectId(page.project))?;
                self.wikis.insert(page.project, wiki);
                wiki
            }
        };
        let versions = page.versions.iter().map(|version| wiki::WikiVersion {
            version: version.version,
            author: version.author.map(UserId),
            comments: version.comments.clone(),
            updated_on: version.updated_on,
            text: version.text.clone(),
        });
        let versions: Vec<wiki::WikiVersion> = versions.collect();
        let parent = page.parent.map(|id| (Kind::WikiPage, id));
        let new = wiki::WikiPage {
            wiki,
            title: page.title.clone(),
            parent: lookup_optional(&self.containers, "wiki page", parent)?.map(WikiPageId),
            protected: page.protected,
            created_on: page.created_on,
            ..wiki::WikiPage::default()
        };
        let id = wikis::insert_page(db, &new, &versions)?;
        self.containers.insert((Kind::WikiPage, page.id), id.0);
        Ok(())
    }

    pub(super) fn insert_attachment(
        &mut self,
        db: &mut Write<'_>,
        file: &Attachment,
    ) -> anyhow::Result<()> {
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
        let attachment = attachment::Attachment {
            container: Some(attachment::Container {
                container_type: kind.into(),
                id: container,
            }),
            filename: file.filename.clone(),
            description: Some(file.description.clone()),
            content_type: file.content_type.clone(),
            filesize: file.filesize,
            author: UserId(file.author),
            created_on: file.created_on,
            ..attachment::Attachment::default()
        };
        attachments::insert(db, &attachment)?;
        Ok(())
    }

    fn container(&self, kind: Kind, file: &Attachment) -> anyhow::Result<i64> {
        lookup(&self.containers, "container", &(kind, file.container_id)).copied()
    }
}
