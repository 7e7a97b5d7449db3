//! A random world for the real server, and random changes of it; deterministic for a seed.

use super::connections;
use super::random::Random;
use crate::{Client, LOGINS, Response, World, insert_category, insert_version, user};
use quarry::domain::access::permission::PermissionSet;
use quarry::domain::accounts::group::Group;
use quarry::domain::administration::custom_field::{CustomField, Customized, Format, Values};
use quarry::domain::administration::setting::Setting;
use quarry::domain::content::attachment::{Attachment, Container, ContainerType};
use quarry::domain::content::board::Board;
use quarry::domain::content::document::Document;
use quarry::domain::content::message::Message;
use quarry::domain::content::news::News;
use quarry::domain::content::wiki::{WikiPage, WikiVersion};
use quarry::domain::ids::{
    AttachmentId, CategoryId, CustomFieldId, EnumerationId, PrincipalId, ProjectId, StatusId,
    TrackerId, UserId, VersionId,
};
use quarry::domain::index_feed::kind::Kind;
use quarry::domain::issues::issue::Issue;
use quarry::domain::issues::journal::Journal;
use quarry::domain::projects::changeset::Changeset;
use quarry::domain::projects::module::{Module, ModuleSet};
use quarry::domain::projects::project::Project;
use quarry::domain::projects::repository::Repository;
use quarry::store::accounts::{groups, memberships};
use quarry::store::administration::{custom_fields, roles};
use quarry::store::content::attachments;
use quarry::store::content::boards;
use quarry::store::content::documents;
use quarry::store::content::messages;
use quarry::store::content::news;
use quarry::store::content::wiki;
use quarry::store::issues;
use quarry::store::issues::journals;
use quarry::store::projects;
use quarry::store::projects::{changesets, repositories};
use quarry::store::{StoreError, Write};
use serde_json::{Value, json};
use std::collections::HashSet;

/// Number of projects, whose ids begin with 1.
pub const PROJECTS: i64 = 7;
/// Number of custom fields, whose ids begin with 1.
pub const FIELDS: i64 = 3;
pub(super) const ISSUES: usize = 45;
const OTHERS: usize = 40;
/// The roles, and the two builtin ones.
const ROLES: [i64; 5] = [1, 2, 3, 4, 5];
/// The id of the group.
pub const GROUP: PrincipalId = PrincipalId(20);
/// Names of versions, some of them equal.
pub const PLANS: [&str; 4] = ["1.0", "2.0", "Moon", "1.0"];
/// Names of categories, some of them equal but for case.
pub const AREAS: [&str; 3] = ["Hull", "Engine", "hull"];

/// Creates a random world.
pub fn world(random: &mut Random) -> World {
    let world = World::new();
    world.set(Setting::LoginRequired, "0");
    let mut seeded = random.fork();
    world.write(move |db| lay_out(db, &mut seeded));
    for _ in 0..12 {
        rights(&world, random, true);
    }
    world
}

fn lay_out(db: &mut Write<'_>, random: &mut Random) -> Result<(), StoreError> {
    let group = Group {
        id: GROUP,
        name: "crew".to_owned(),
        users: vec![user("carol"), user("dave")],
        ..Group::default()
    };
    groups::insert(db, &group, random.moment())?;
    for id in 1..=PROJECTS {
        let name = random.text(2);
        let identifier = format!("place{id}");
        let description = random.text(3);
        let project = Project {
            id: ProjectId(id),
            name,
            identifier,
            description: Some(description),
            parent: (id > 2).then_some(ProjectId(id / 2)),
            is_public: random.chance(6),
            inherit_members: random.chance(4),
            modules: Module::ALL.iter().copied().collect::<ModuleSet>(),
            trackers: vec![TrackerId(1), TrackerId(2), TrackerId(3)],
            created_on: random.moment(),
            updated_on: random.moment(),
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
        let version = insert_version(db, ProjectId(id), random.of(&PLANS), random.moment())?;
        project_files(db, random, ProjectId(id), version)?;
        insert_category(db, ProjectId(id), random.of(&AREAS), None)?;
        for _ in 0..2 {
            memberships::insert(
                db,
                ProjectId(id),
                principal(random),
                &[role(random)],
                random.moment(),
            )?;
        }
    }
    for id in 1..=FIELDS {
        let field = CustomField::new(Customized::Issue, &format!("field{id}"), Format::Line);
        let everywhere = random.chance(5);
        let visible = random.chance(4);
        let field = CustomField {
            is_for_all: everywhere,
            visible,
            trackers: HashSet::from([TrackerId(1), TrackerId(2), TrackerId(3)]),
            ..field
        };
        custom_fields::insert(db, &field)?;
    }
    for _ in 0..ISSUES {
        issue(db, random)?;
    }
    for n in 0..OTHERS {
        other(db, random, n)?;
    }
    for id in 1..=ISSUES as i64 {
        connections::connect(db, random, id)?;
    }
    Ok(())
}

pub(super) fn principal(random: &mut Random) -> PrincipalId {
    if random.chance(3) {
        GROUP
    } else {
        somebody(random).into()
    }
}

pub(super) fn somebody(random: &mut Random) -> UserId {
    UserId(random.up_to(LOGINS.len() as i64))
}

fn role(random: &mut Random) -> quarry::domain::ids::RoleId {
    quarry::domain::ids::RoleId(2 + random.up_to(3))
}

fn issue(db: &mut Write<'_>, random: &mut Random) -> Result<(), StoreError> {
    let place = random.up_to(PROJECTS);
    let author = somebody(random);
    let issue = Issue {
        project: ProjectId(place),
        tracker: TrackerId(random.up_to(3)),
        status: StatusId(random.up_to(6)),
        priority: EnumerationId(random.up_to(5)),
        author,
        assignee: random.chance(5).then(|| principal(random)),
        category: random.chance(4).then_some(CategoryId(place)),
        version: random.chance(4).then_some(VersionId(place)),
        subject: random.text(3),
        description: random.chance(7).then(|| random.text_with_name(6)),
        private: random.chance(3),
        created_on: random.moment(),
        updated_on: random.moment(),
        ..Issue::default()
    };
    let id = issues::insert(db, &issue)?;
    let mut values = Values::default();
    for field in 1..=FIELDS {
        if random.chance(3) {
            values.set(CustomFieldId(field), vec![random.text(2)]);
        }
    }
    custom_fields::update(db, Customized::Issue, id.0, &values)?;
    for _ in 0..random.up_to(4) - 1 {
        let user = somebody(random);
        let private = random.chance(5);
        let notes = random.text_with_name(3);
        let journal = Journal {
            issue: id,
            user,
            notes: Some(notes),
            private,
            created_on: random.moment(),
            ..Journal::default()
        };
        journals::insert(db, &journal)?;
    }
    files(db, random, Kind::Issue, id.0)
}

fn files(
    db: &mut Write<'_>,
    random: &mut Random,
    kind: Kind,
    container: i64,
) -> Result<(), StoreError> {
    (0..random.up_to(6).saturating_sub(4))
        .try_for_each(|_| file(db, random, kind, container).map(drop))
}

fn file(
    db: &mut Write<'_>,
    random: &mut Random,
    kind: Kind,
    container: i64,
) -> Result<AttachmentId, StoreError> {
    let filename = format!("{}.pdf", random.text(1));
    let description = random.text(1);
    let author = somebody(random);
    let created_on = random.moment();
    let file = Attachment {
        container: Some(Container {
            container_type: kind.into(),
            id: container,
        }),
        filename,
        description: Some(description),
        content_type: "application/pdf".to_owned(),
        filesize: 1,
        author,
        created_on,
        ..Attachment::default()
    };
    attachments::insert(db, &file)
}

/// Inserts files of a project and of its version; the latter are not searched.
fn project_files(
    db: &mut Write<'_>,
    random: &mut Random,
    project: ProjectId,
    version: VersionId,
) -> Result<(), StoreError> {
    files(db, random, Kind::Project, project.0)?;
    let released = file(db, random, Kind::Project, project.0)?;
    let released = attachments::find(db, released)?.unwrap();
    attachments::update(
        db,
        &Attachment {
            container: Some(Container {
                container_type: ContainerType::Version,
                id: version.0,
            }),
            ..released
        },
    )
}

fn other(db: &mut Write<'_>, random: &mut Random, n: usize) -> Result<(), StoreError> {
    let place = random.up_to(PROJECTS);
    let author = somebody(random);
    let created_on = random.moment();
    let title = random.text(2);
    let text = random.text(5);
    let more = random.text(2);
    let project = ProjectId(place);
    let (kind, id) = match n % 5 {
        0 => (
            Kind::News,
            news::insert(
                db,
                &News {
                    project,
                    author,
                    title,
                    summary: Some(more),
                    description: text,
                    created_on,
                    ..News::default()
                },
            )?,
        ),
        1 => {
            let document = Document {
                project,
                category: EnumerationId(6),
                title,
                description: Some(text),
                created_on,
                ..Document::default()
            };
            (Kind::Document, documents::insert(db, &document)?)
        }
        2 => {
            let revision = format!("{n}");
            let comments = format!("{title}\n{text}");
            let user = random.chance(5).then_some(author);
            let changeset = Changeset {
                repository: place,
                revision,
                user,
                committed_on: created_on,
                comments,
                ..Changeset::default()
            };
            (Kind::Changeset, changesets::insert(db, &changeset)?)
        }
        3 => {
            let version = WikiVersion {
                version: 1,
                author: Some(author),
                updated_on: created_on,
                text,
                ..WikiVersion::default()
            };
            let title = format!("{}_n{n}", title.replace(' ', "_"));
            let page = WikiPage {
                wiki: place,
                title,
                created_on,
                ..WikiPage::default()
            };
            (Kind::WikiPage, wiki::insert_page(db, &page, &[version])?.0)
        }
        _ => {
            let author = random.chance(7).then_some(author);
            let message = Message {
                board: place,
                author,
                subject: title,
                content: text,
                created_on,
                updated_on: created_on,
                ..Message::default()
            };
            (Kind::Message, messages::insert(db, &message)?)
        }
    };
    files(db, random, kind, id)
}

/// Changes permissions at random; the next search must follow. With `quiet`, no document is
/// rewritten.
pub fn rights(world: &World, random: &mut Random, quiet: bool) {
    let project = ProjectId(random.up_to(PROJECTS));
    let who = principal(random);
    let role = role(random);
    let now = random.moment();
    match random.up_to(if quiet { 9 } else { 12 }) {
        1 => world.write(move |db| memberships::insert(db, project, who, &[role], now).map(drop)),
        2 => world.write(move |db| memberships::delete_roles(db, project, who)),
        3 | 4 => {
            let mut seeded = random.fork();
            let role = quarry::domain::ids::RoleId(random.of(&ROLES));
            world.write(move |db| {
                let all = PermissionSet::all()
                    .iter()
                    .filter(|_| seeded.chance(8))
                    .collect();
                roles::set_permissions(db, role, all)
            });
        }
        5 => {
            let seen = random.of(&["all", "default", "own"]);
            world.sql(&format!(
                "UPDATE roles SET issues_visibility = '{seen}' WHERE id = {}",
                random.of(&ROLES)
            ));
        }
        10 => {
            let names: Vec<&str> = Module::ALL
                .iter()
                .filter(|_| random.chance(8))
                .map(|module| module.name())
                .collect();
            let body = json!({"project": {"enabled_module_names": names}});
            accept_refusal(&admin(world).put(&format!("/projects/{project}.json"), &body));
        }
        11 => {
            let public = random.chance(6);
            let inherit = random.chance(4);
            let body = json!({"project": {"is_public": public, "inherit_members": inherit}});
            accept_refusal(&admin(world).put(&format!("/projects/{project}.json"), &body));
        }
        12 => {
            let verb = random.of(&[
                "archive",
                "close",
                "unarchive",
                "reopen",
                "unarchive",
                "reopen",
            ]);
            accept_refusal(&admin(world).put(&format!("/projects/{project}/{verb}.json"), ""));
        }
        6 => {
            let field = random.up_to(FIELDS);
            let one = i64::from(random.chance(4));
            let other = i64::from(random.chance(5));
            let role = random.of(&ROLES);
            let project = random.up_to(PROJECTS);
            world.sql(&format!(
                "UPDATE custom_fields SET visible = {one}, is_for_all = {other}, searchable = {} WHERE id = {field};
                 DELETE FROM custom_fields_roles WHERE custom_field_id = {field};
                 INSERT INTO custom_fields_roles (custom_field_id, role_id) VALUES ({field}, {role});
                 INSERT INTO custom_fields_projects (custom_field_id, project_id) VALUES ({field}, {project}) ON CONFLICT DO NOTHING",
                i64::from(random.chance(8))
            ));
        }
        7 => {
            let user = random.up_to(LOGINS.len() as i64);
            let what = if random.chance(5) {
                "DELETE FROM group_users WHERE user_id ="
            } else {
                "INSERT INTO group_users SELECT 20, id FROM users WHERE id NOT IN (SELECT user_id FROM group_users) AND id ="
            };
            world.sql(&format!("{what} {user}"));
        }
        8 => world.sql(&format!(
            "UPDATE users SET admin = {} WHERE id = {}",
            i64::from(random.chance(2)),
            1 + random.up_to(4)
        )),
        _ => {
            let user = somebody(random);
            world.write(move |db| projects::insert_bookmark(db, user, project));
        }
    }
}

fn update(world: &World, issue: i64, fields: Value) -> Response {
    admin(world).put(&format!("/issues/{issue}.json"), json!({"issue": fields}))
}

/// Changes records at random, through the API where possible.
pub fn content(world: &World, random: &mut Random) {
    let issue = random.up_to(ISSUES as i64);
    let project = random.up_to(PROJECTS);
    let response = match random.up_to(9) {
        1 => update(world, issue, json!({"is_private": random.chance(5)})),
        2 => update(world, issue, json!({"subject": random.text(3)})),
        3 => update(
            world,
            issue,
            json!({"notes": random.text(2), "private_notes": random.chance(6)}),
        ),
        4 => update(world, issue, json!({"project_id": project})),
        5 => update(world, issue, json!({"status_id": random.up_to(6)})),
        6 => admin(world).delete(&format!("/issues/{issue}.json")),
        8 => {
            let mut seeded = random.fork();
            return world.write(move |db| file(db, &mut seeded, Kind::Project, project).map(drop));
        }
        7 => {
            let body = json!({"issue": {"project_id": project, "subject": random.text(3)}});
            admin(world).post("/issues.json", &body)
        }
        _ => {
            let body = json!({"wiki_page": {"text": random.text(5)}});
            admin(world).put(&format!("/projects/{project}/wiki/Added.json"), &body)
        }
    };
    accept_refusal(&response);
}

/// A random change may be refused, because its record is gone or its project closed, but never
/// fails.
#[track_caller]
fn accept_refusal(response: &Response) {
    assert!(response.status < 500, "{response:?}");
}

fn admin(world: &World) -> Client<'_> {
    world.as_user("admin")
}
