//! Search for names and descriptions of files by users who may see them, on every kind of record.

use super::{search, titles, total};
use quarry::domain::access::permission::PermissionSet;
use quarry::domain::content::attachment::{Attachment, ContainerType};
use quarry::domain::ids::{ProjectId, RoleId};
use quarry::domain::index_feed::kind::Kind;
use quarry::domain::projects::module::{Module, ModuleSet};
use quarry::store::administration::roles;
use quarry::store::content::attachments;
use quarry::store::projects;
use quarry_world::attachments::file;
use quarry_world::search::world;
use quarry_world::{World, insert_version};
use serde_json::{Value, json};

/// A record with a file: a word of the name, one of the description, and the permission to see it.
struct Container {
    container_type: ContainerType,
    id: i64,
    name: &'static str,
    description: &'static str,
    module: Module,
    permission: &'static str,
}

impl Container {
    fn new(
        container_type: impl Into<ContainerType>,
        id: i64,
        words: [&'static str; 2],
        module: Module,
        permission: &'static str,
    ) -> Container {
        Container {
            container_type: container_type.into(),
            id,
            name: words[0],
            description: words[1],
            module,
            permission,
        }
    }

    fn is_searched(&self) -> bool {
        self.container_type != ContainerType::Version
    }
}

/// Attaches a file to a record of each kind in the open project. No word is within two edits of
/// another.
fn with_files() -> (World, Vec<Container>) {
    let world = world();
    let version = world.write(|db| {
        insert_version(
            db,
            ProjectId(1),
            "1.0",
            "2026-11-20T12:00:00Z".parse().unwrap(),
        )
    });
    let containers = vec![
        Container::new(
            Kind::Issue,
            1,
            ["quagga", "marmoset"],
            Module::IssueTracking,
            "view_issues",
        ),
        Container::new(
            Kind::News,
            1,
            ["walrus", "hedgehog"],
            Module::News,
            "view_news",
        ),
        Container::new(
            Kind::Document,
            1,
            ["pangolin", "flamingo"],
            Module::Documents,
            "view_documents",
        ),
        Container::new(
            Kind::Changeset,
            1,
            ["giraffe", "octopus"],
            Module::Repository,
            "view_changesets",
        ),
        Container::new(
            Kind::WikiPage,
            1,
            ["buzzard", "tarantula"],
            Module::Wiki,
            "view_wiki_pages",
        ),
        Container::new(
            Kind::Message,
            2,
            ["kookaburra", "chinchilla"],
            Module::Boards,
            "view_messages",
        ),
        Container::new(
            Kind::Project,
            1,
            ["wolverine", "albatross"],
            Module::Files,
            "view_files",
        ),
        Container::new(
            ContainerType::Version,
            version.0,
            ["salamander", "porcupine"],
            Module::Files,
            "view_files",
        ),
    ];
    for container in &containers {
        let id = file(
            &world,
            "admin",
            container.container_type,
            container.id,
            &format!("{}.pdf", container.name),
            "x",
        );
        let description = container.description.to_owned();
        world.write(move |db| {
            let before = attachments::find(db, id.into())?.unwrap();
            attachments::update(
                db,
                &Attachment {
                    description: Some(description),
                    ..before
                },
            )
        });
    }
    (world, containers)
}

/// All search requests that could disclose a file.
#[track_caller]
fn assert_found(world: &World, login: &str, container: &Container, expected: bool) {
    for word in [container.name, container.description, &container.name[..5]] {
        let word = if word.len() == 5 {
            format!("{word}*")
        } else {
            word.to_owned()
        };
        for query in [
            format!("q={word}&attachments=1"),
            format!("q={word}&attachments=only"),
            format!("q={word}&attachments=1&titles_only=1"),
            format!("q={word}+nowhereatall&attachments=1&all_words=0&sort=date"),
            format!("q={word}&attachments=1&facets=type,project&explain=1"),
        ] {
            let query = format!("{query}&description=0");
            assert_eq!(
                total(world, login, &query),
                i64::from(expected && container.is_searched()),
                "{login} {query}"
            );
            let response = search(world, login, &query).to_string();
            assert!(
                expected
                    || !response.contains(container.name)
                        && !response.contains(container.description),
                "{login} {query}: {response}"
            );
        }
        assert_eq!(
            total(world, login, &format!("q={word}")),
            0,
            "files are searched on request only"
        );
    }
}

fn set_modules(world: &World, modules: impl Fn(Module) -> bool) {
    let modules: ModuleSet = Module::ALL
        .iter()
        .copied()
        .filter(|module| modules(*module))
        .collect();
    world.write(move |db| projects::set_modules(db, ProjectId(1), modules));
}

/// Permissions of non-members.
fn set_permissions(world: &World, permissions: impl Fn(&str) -> bool) {
    let kept = PermissionSet::matching(|known| permissions(known.name()));
    world.write(move |db| roles::set_permissions(db, RoleId(1), kept));
}

#[test]
fn files_are_found_if_the_module_is_enabled() {
    let (world, containers) = with_files();
    for container in &containers {
        assert_found(&world, "dave", container, true);
        set_modules(&world, |module| module != container.module);
        for login in ["dave", "alice", "admin"] {
            assert_found(&world, login, container, false);
        }
        set_modules(&world, |_| true);
        assert_found(&world, "dave", container, true);
    }
}

#[test]
fn files_are_found_by_permitted_users_only() {
    let (world, containers) = with_files();
    for container in &containers {
        set_permissions(&world, |name| name != container.permission);
        assert_found(&world, "dave", container, false);
        assert_found(&world, "alice", container, true);
        set_permissions(&world, |_| true);
        assert_found(&world, "dave", container, true);
    }
}

fn finds_project(world: &World, query: &str) -> bool {
    titles(&search(world, "dave", &format!("{query}&projects=1"))) == ["Project: open"]
}

fn explained_projects(world: &World, query: &str) -> String {
    search(
        world,
        "dave",
        &format!("q=open+wolverine&all_words=0&projects=1&explain=1{query}"),
    )
    .to_string()
}

#[test]
fn hidden_files_do_not_affect_their_project() {
    let (world, _) = with_files();
    assert!(
        finds_project(&world, "q=has:attachment")
            && !finds_project(&world, "q=open+-has:attachment")
            && explained_projects(&world, "").contains("wolverine.pdf")
    );
    assert!(explained_projects(&world, "&attachments=1").contains("\"in\":[\"attachments\"]"));
    set_permissions(&world, |name| name != "view_files");
    assert!(
        !finds_project(&world, "q=has:attachment")
            && finds_project(&world, "q=open+-has:attachment"),
        "it counts as a project without files"
    );
    assert!(
        finds_project(&world, "q=open+-wolverine&attachments=1"),
        "its files exclude nothing"
    );
    for query in ["", "&attachments=1"] {
        assert!(
            explained_projects(&world, query).contains("Project: open")
                && !explained_projects(&world, query).contains(".pdf")
                && !explained_projects(&world, query).contains("\"attachments\"")
        );
    }
}

fn correction(world: &World, login: &str, word: &str) -> Value {
    search(world, login, &format!("q={word}&attachments=1"))["did_you_mean"].clone()
}

#[test]
fn hidden_filenames_do_not_affect_corrections() {
    let (world, _) = with_files();
    // One edit away from a word in the name of a hidden file.
    world
        .as_user("alice")
        .post(
            "/issues.json",
            json!({"issue": {"project_id": "open", "subject": "A wolverene"}}),
        )
        .assert_status(201);
    assert_eq!(
        correction(&world, "dave", "wolverine"),
        serde_json::Value::Null
    );
    set_permissions(&world, |name| name != "view_files");
    assert_eq!(
        correction(&world, "dave", "wolverine"),
        "wolverene",
        "to dave the word stands nowhere"
    );
    assert_eq!(
        correction(&world, "alice", "wolverine"),
        serde_json::Value::Null
    );
    assert_eq!(
        correction(&world, "dave", "wolverina"),
        "wolverene",
        "and it is suggested to nobody"
    );
}
