//! Random worlds, deterministic for a seed.

use super::files;
use jiff::Timestamp;
use quarry::domain::access::member::{Member, MemberRole};
use quarry::domain::access::permission::{Permission, PermissionSet};
use quarry::domain::access::role::{
    Builtin, IssuesVisibility, TimeEntriesVisibility, UsersVisibility,
};
use quarry::domain::accounts::group::Group;
use quarry::domain::accounts::oauth::Scopes;
use quarry::domain::accounts::user::{BuiltinPrincipal, User};
use quarry::domain::administration::custom_field::{CustomField, Customized, Format, Values};
use quarry::domain::catalogue::Catalogue;
use quarry::domain::content::attachment::ContainerType;
use quarry::domain::content::board::Board;
use quarry::domain::content::document::Document;
use quarry::domain::content::message::Message;
use quarry::domain::content::news::News;
use quarry::domain::content::wiki::{WikiPage, WikiVersion};
use quarry::domain::ids::{
    CustomFieldId, EnumerationId, IssueId, PrincipalId, ProjectId, RoleId, StatusId, TrackerId,
    UserId,
};
use quarry::domain::index_feed::indexed_record::IndexedRecord;
use quarry::domain::index_feed::kind::Kind;
use quarry::domain::issues::issue::Issue;
use quarry::domain::issues::journal::Journal;
use quarry::domain::issues::time_entry::TimeEntry;
use quarry::domain::projects::changeset::Changeset;
use quarry::domain::projects::module::Module;
use quarry::domain::projects::project::{Project, ProjectStatus};
use quarry::domain::projects::repository::Repository;
use quarry::store::accounts::{groups, users};
use quarry::store::administration::custom_fields;
use quarry::store::content::boards;
use quarry::store::content::documents;
use quarry::store::content::messages;
use quarry::store::content::news;
use quarry::store::content::wiki;
use quarry::store::index_feed::indexed_records;
use quarry::store::issues;
use quarry::store::issues::journals;
use quarry::store::issues::time_entries;
use quarry::store::projects;
use quarry::store::projects::{changesets, repositories};
use quarry::store::{Store, StoreError, Write};
use quarry_world::insert_version;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;

pub const PROJECTS: i64 = 10;
/// The trackers of the default data.
const TRACKERS: i64 = 3;
const USERS: i64 = 7;
const GROUPS: [i64; 2] = [8, 9];
/// Custom fields of issues.
pub const FIELDS: i64 = 3;
/// The builtin groups, after the other groups.
const EVERYBODY: [BuiltinPrincipal; 2] = [
    BuiltinPrincipal::AnonymousGroup,
    BuiltinPrincipal::NonMemberGroup,
];
/// Numbers of records of each set: issues, and of every other type.
const ISSUES: usize = 40;
const OTHERS: usize = 8;

pub struct Random(StdRng);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(StdRng::seed_from_u64(seed))
    }

    fn chance(&mut self, of_ten: u32) -> bool {
        self.0.random_range(0..10) < of_ten
    }

    fn rare(&mut self) -> &'static str {
        RARE[(self.up_to(RARE.len() as i64) - 1) as usize]
    }

    fn up_to(&mut self, most: i64) -> i64 {
        self.0.random_range(1..=most)
    }
}

/// Words of few issues each; every one is one edit away from `rarely`, which occurs nowhere.
pub const RARE: [&str; 6] = ["rarelyx", "rarily", "rarey", "ralely", "brarely", "rafely"];

/// Returns one of the users.
pub fn any_user(catalogue: &Catalogue, random: &mut Random) -> UserId {
    let mut users: Vec<UserId> = catalogue.users.keys().copied().collect();
    users.sort_unstable();
    users[(random.up_to(users.len() as i64) - 1) as usize]
}

/// Returns random scopes: each permission with the same probability, which differs from token to
/// token, and sometimes `admin`.
pub fn scopes(random: &mut Random) -> Scopes {
    let of_ten = random.up_to(10) as u32;
    let permissions = Permission::all()
        .filter(|_| random.chance(of_ten))
        .collect();
    Scopes {
        permissions,
        admin: random.chance(3),
    }
}

pub fn now() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

/// Inserts users, groups, and projects with a wiki, a board, a repository and a version, whose ids
/// equal that of the project, and the records other than issues. Every third project has a file, and
/// so has every version.
pub fn lay_out(store: &Store) {
    store
        .write(|db| quarry::actions::administration::install::default_data(db).map(drop))
        .unwrap();
    store.write(write_layout).unwrap();
    store
        .write(|db| write_others(db, &mut Random::new(0)))
        .unwrap();
}

fn write_layout(db: &mut Write<'_>) -> Result<(), StoreError> {
    for id in 1..=USERS {
        let login = format!("user{id}");
        let user = User {
            id: UserId(id),
            login,
            firstname: "A".to_owned(),
            lastname: "B".to_owned(),
            created_on: now(),
            updated_on: now(),
            ..User::default()
        };
        users::insert(db, &user, "")?;
    }
    for id in GROUPS {
        let group = Group {
            id: PrincipalId(id),
            name: "group".to_owned(),
            ..Group::default()
        };
        groups::insert(db, &group, now())?;
    }
    for id in 1..=PROJECTS {
        let identifier = format!("common{id}");
        let project = Project {
            id: ProjectId(id),
            name: "common".to_owned(),
            identifier,
            parent: (id > 3).then_some(ProjectId(id / 2)),
            is_public: true,
            created_on: now(),
            updated_on: now(),
            ..Project::default()
        };
        projects::insert(db, &project)?;
        wiki::insert(db, ProjectId(id))?;
        let board = Board {
            project: ProjectId(id),
            name: "board".to_owned(),
            position: 1,
            ..Board::default()
        };
        boards::insert(db, &board)?;
        let main = Repository {
            project: ProjectId(id),
            scm: "Git".to_owned(),
            is_default: true,
            ..Repository::default()
        };
        repositories::insert(db, &main)?;
        let version = insert_version(db, ProjectId(id), "1.0", now())?;
        files::insert(db, ContainerType::Version, version.0)?;
        if id % 3 == 0 {
            files::insert(db, ContainerType::Record(Kind::Project), id)?;
        }
    }
    for id in 1..=FIELDS {
        let field = CustomField::new(Customized::Issue, &format!("field{id}"), Format::Line);
        custom_fields::insert(
            db,
            &CustomField {
                trackers: (1..=TRACKERS).map(TrackerId).collect(),
                ..field
            },
        )?;
    }
    Ok(())
}

/// Replaces the records of the previous set by random ones.
pub fn write_records(store: &Store, seed: u64) {
    store
        .write(move |db| records(db, &mut Random::new(seed)))
        .unwrap();
}

fn records(db: &mut Write<'_>, random: &mut Random) -> Result<(), StoreError> {
    for source in indexed_records::load_page(db, Kind::Issue, 0, 10_000)? {
        issues::delete(db, &[IssueId(source.id)])?;
    }
    for _ in 0..ISSUES {
        let id = issues::insert(db, &issue(random))?;
        if random.chance(3) {
            files::insert(db, ContainerType::Record(Kind::Issue), id.0)?;
        }
        let mut values = Values::default();
        for field in (1..=FIELDS).filter(|_| random.chance(4)) {
            values.set(
                CustomFieldId(field),
                vec![format!("cloaked{field} cloaked")],
            );
        }
        custom_fields::update(db, Customized::Issue, id.0, &values)?;
        for _ in 0..random.up_to(4) - 1 {
            let user = random.up_to(USERS);
            let private = random.chance(5);
            let notes = format!("hushed{user} hushed");
            let notes = if private { notes.as_str() } else { "spoken" };
            let journal = Journal {
                issue: id,
                user: UserId(user),
                notes: Some(notes.to_owned()),
                private,
                created_on: now(),
                ..Journal::default()
            };
            journals::insert(db, &journal)?;
        }
    }
    Ok(())
}

/// Other types have no attribute but their project, so one set is enough for all worlds.
fn write_others(db: &mut Write<'_>, random: &mut Random) -> Result<(), StoreError> {
    for n in 0..OTHERS {
        let place = random.up_to(PROJECTS);
        let author = UserId(random.up_to(USERS));
        let text = "common";
        let project = ProjectId(place);
        let created_on = now();
        let revision = format!("{n}");
        let title = format!("Common {n}");
        for user in [author, UserId(random.up_to(USERS))] {
            time_entries::insert(db, &time_entry(project, user))?;
        }
        let item = news::insert(
            db,
            &News {
                project,
                author,
                title: text.to_owned(),
                created_on,
                ..News::default()
            },
        )?;
        let document = Document {
            project,
            category: EnumerationId(6),
            title: text.to_owned(),
            description: None,
            created_on,
            ..Document::default()
        };
        let document = documents::insert(db, &document)?;
        let changeset = Changeset {
            repository: place,
            revision,
            committed_on: created_on,
            comments: text.to_owned(),
            ..Changeset::default()
        };
        let changeset = changesets::insert(db, &changeset)?;
        let version = WikiVersion {
            version: 1,
            updated_on: created_on,
            text: text.to_owned(),
            ..WikiVersion::default()
        };
        let page = WikiPage {
            wiki: place,
            title,
            created_on,
            ..WikiPage::default()
        };
        let page = wiki::insert_page(db, &page, &[version])?;
        let message = Message {
            board: place,
            subject: text.to_owned(),
            created_on,
            updated_on: created_on,
            ..Message::default()
        };
        let message = messages::insert(db, &message)?;
        let created = [
            (Kind::News, item),
            (Kind::Document, document),
            (Kind::Changeset, changeset),
            (Kind::WikiPage, page.0),
            (Kind::Message, message),
        ];
        for (kind, id) in created.into_iter().filter(|_| random.chance(6)) {
            files::insert(db, ContainerType::Record(kind), id)?;
        }
    }
    Ok(())
}

fn time_entry(project: ProjectId, user: UserId) -> TimeEntry {
    TimeEntry {
        project,
        user,
        author: UserId(1),
        activity: EnumerationId(8),
        hours: 1.0,
        spent_on: jiff::civil::date(2026, 11, 20),
        created_on: now(),
        updated_on: now(),
        ..TimeEntry::default()
    }
}

fn issue(random: &mut Random) -> Issue {
    let assignee = random.up_to(USERS + 4);
    Issue {
        project: ProjectId(random.up_to(PROJECTS)),
        tracker: TrackerId(random.up_to(TRACKERS)),
        status: StatusId(random.up_to(6)),
        priority: EnumerationId(2),
        author: UserId(random.up_to(USERS)),
        assignee: (assignee <= USERS + 2).then_some(PrincipalId(assignee)),
        subject: format!("common {}", random.rare()),
        private: random.chance(4),
        created_on: now(),
        updated_on: now(),
        ..Issue::default()
    }
}

/// Returns all records as the index reads them.
pub fn sources(store: &Store) -> Vec<IndexedRecord> {
    let all = Kind::ALL.into_iter().map(|kind| {
        store
            .read(|db| indexed_records::load_page(db, kind, 0, 10_000))
            .unwrap()
    });
    all.flatten().collect()
}

/// Returns the same users and projects with other permissions.
pub fn catalogue(plain: &Catalogue, random: &mut Random) -> Catalogue {
    let mut catalogue = plain.clone();
    for role in &mut catalogue.roles {
        role.permissions = PermissionSet::matching(|_| true);
        role.permissions = role
            .permissions
            .iter()
            .filter(|_| random.chance(7))
            .collect();
        role.issues_visibility = [
            IssuesVisibility::All,
            IssuesVisibility::Default,
            IssuesVisibility::Own,
        ][(random.up_to(3) - 1) as usize];
        role.time_entries_visibility = [TimeEntriesVisibility::All, TimeEntriesVisibility::Own]
            [(random.up_to(2) - 1) as usize];
        if random.chance(3) {
            let trackers = (1..=TRACKERS).filter(|_| random.chance(5)).collect();
            role.tracker_limits
                .insert(Permission::ViewIssues, Arc::new(trackers));
        }
        if role.builtin == Some(Builtin::Anonymous) && random.chance(5) {
            role.issues_visibility = IssuesVisibility::Default;
        }
    }
    let mut ids: Vec<ProjectId> = catalogue.projects.keys().copied().collect();
    ids.sort_unstable();
    for id in ids {
        let project = catalogue.projects.get_mut(&id).unwrap();
        project.is_public = random.chance(5);
        project.inherit_members = random.chance(5);
        project.modules = Module::ALL
            .iter()
            .copied()
            .filter(|_| random.chance(8))
            .collect();
        project.status = match random.up_to(10) {
            1 => ProjectStatus::Closed,
            2 => ProjectStatus::Archived,
            _ => ProjectStatus::Active,
        };
    }
    let admin = UserId(random.up_to(USERS));
    let has_admin = random.chance(5);
    for user in catalogue.users.values_mut() {
        user.admin = has_admin && user.id == admin;
    }
    for field in &mut catalogue.custom_fields {
        field.searchable = random.chance(8);
        field.visible = random.chance(3);
        field.is_for_all = random.chance(5);
        field.projects = (1..=PROJECTS)
            .filter(|_| random.chance(5))
            .map(ProjectId)
            .collect();
        field.roles = (1..=5).filter(|_| random.chance(4)).map(RoleId).collect();
    }
    for id in GROUPS {
        let users = (1..=USERS)
            .filter(|_| random.chance(3))
            .map(UserId)
            .collect();
        catalogue.groups.get_mut(&PrincipalId(id)).unwrap().users = users;
    }
    if random.chance(5) {
        catalogue.builtin = (USERS + 3..).map(PrincipalId).zip(EVERYBODY).collect();
    }
    catalogue.members = (0..random.up_to(18))
        .map(|_| Member {
            project: ProjectId(random.up_to(PROJECTS)),
            principal: PrincipalId(random.up_to(USERS + 4)),
            roles: [3, 4, 5]
                .map(|role| MemberRole {
                    role: RoleId(role),
                    position: role,
                })
                .into_iter()
                .filter(|_| random.chance(5))
                .collect(),
        })
        .collect();
    catalogue.members.retain(|member| !member.roles.is_empty());
    for role in &mut catalogue.roles {
        role.users_visibility = [
            UsersVisibility::All,
            UsersVisibility::MembersOfVisibleProjects,
        ][usize::from(random.chance(7))];
    }
    catalogue
}
