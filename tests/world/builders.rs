//! Builders of records for tests.

use crate::{World, user};
use jiff::Timestamp;
use quarry::domain::accounts::group::Group;
use quarry::domain::ids::{CategoryId, PrincipalId, ProjectId, RoleId, UserId, VersionId};
use quarry::domain::projects::category::Category;
use quarry::domain::projects::module::{Module, ModuleSet};
use quarry::domain::projects::project::Project;
use quarry::domain::projects::version::Version;
use quarry::store::accounts::{groups, memberships};
use quarry::store::projects::{categories, versions};
use quarry::store::{StoreError, Write, projects};
use serde_json::{Map, Value, json};

/// A project to be inserted into the store.
#[must_use = "call create"]
pub struct ProjectBuilder<'w> {
    world: &'w World,
    identifier: String,
    is_public: bool,
    members: Vec<(PrincipalId, RoleId)>,
}

impl<'w> ProjectBuilder<'w> {
    pub(crate) fn new(world: &'w World, identifier: &str) -> Self {
        ProjectBuilder {
            world,
            identifier: identifier.to_owned(),
            is_public: true,
            members: Vec::new(),
        }
    }

    /// Makes the project visible to members only.
    pub fn private(mut self) -> Self {
        self.is_public = false;
        self
    }

    /// Adds a member.
    pub fn member(mut self, login: &str, role: RoleId) -> Self {
        self.members.push((user(login).into(), role));
        self
    }

    /// Inserts the project and returns its id.
    pub fn create(self) -> ProjectId {
        let now = self.world.app.clock.now();
        self.world.write(move |db| {
            let trackers: Vec<_> = db
                .catalogue()
                .trackers
                .iter()
                .map(|tracker| tracker.id)
                .collect();
            let project = projects::insert(
                db,
                &Project {
                    name: self.identifier.clone(),
                    identifier: self.identifier,
                    homepage: Some(String::new()),
                    is_public: self.is_public,
                    modules: Module::ALL.iter().copied().collect::<ModuleSet>(),
                    trackers: trackers.clone(),
                    created_on: now,
                    updated_on: now,
                    ..Project::default()
                },
            )?;
            for (principal, role) in self.members {
                memberships::insert(db, project, principal, &[role], now)?;
            }
            Ok(project)
        })
    }
}

/// Inserts a group with these users and returns its id.
pub fn insert_group(
    db: &mut Write<'_>,
    name: &str,
    users: &[UserId],
    now: Timestamp,
) -> Result<PrincipalId, StoreError> {
    let group = Group {
        name: name.to_owned(),
        users: users.to_vec(),
        ..Group::default()
    };
    groups::insert(db, &group, now)
}

/// Inserts an open version and returns its id.
pub fn insert_version(
    db: &mut Write<'_>,
    project: ProjectId,
    name: &str,
    now: Timestamp,
) -> Result<VersionId, StoreError> {
    let version = Version {
        project,
        name: name.to_owned(),
        status: "open".to_owned(),
        description: Some(String::new()),
        created_on: now,
        updated_on: now,
        ..Version::default()
    };
    versions::insert(db, &version)
}

/// Inserts an issue category and returns its id.
pub fn insert_category(
    db: &mut Write<'_>,
    project: ProjectId,
    name: &str,
    assignee: Option<PrincipalId>,
) -> Result<CategoryId, StoreError> {
    let category = Category {
        project,
        name: name.to_owned(),
        assignee,
        ..Category::default()
    };
    categories::insert(db, &category)
}

/// An issue to be created over the API.
#[must_use = "call create"]
pub struct IssueBuilder<'w> {
    world: &'w World,
    author: String,
    fields: Map<String, Value>,
}

impl<'w> IssueBuilder<'w> {
    pub(crate) fn new(world: &'w World, project: &str) -> Self {
        let builder = IssueBuilder {
            world,
            author: "alice".to_owned(),
            fields: Map::new(),
        };
        builder
            .field("project_id", project)
            .field("subject", "A thing")
    }

    /// Sets who creates the issue.
    pub fn author(mut self, login: &str) -> Self {
        self.author = login.to_owned();
        self
    }

    /// Sets the subject.
    pub fn subject(self, subject: &str) -> Self {
        self.field("subject", subject)
    }

    /// Sets the description.
    pub fn description(self, description: &str) -> Self {
        self.field("description", description)
    }

    /// Sets the parent.
    pub fn parent(self, id: i64) -> Self {
        self.field("parent_issue_id", id)
    }

    /// Makes the issue private.
    pub fn private(self) -> Self {
        self.field("is_private", true)
    }

    /// Sets a field by its name in the API.
    pub fn field(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(name.to_owned(), value.into());
        self
    }

    /// Creates the issue and returns its id.
    #[track_caller]
    pub fn create(self) -> i64 {
        let body = json!({ "issue": self.fields });
        self.world
            .as_user(&self.author)
            .post("/issues.json", body)
            .assert_status(201)
            .integer("/issue/id")
    }
}
