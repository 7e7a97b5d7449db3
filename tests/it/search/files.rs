//! Names and descriptions of files: found by those alone who may see the files, whatever they hang on.

use super::{search, titles, total, world};
use crate::attachments::file;
use crate::world::World;
use quarry::domain::attachment::{Attachment, Holder};
use quarry::domain::ids::{ProjectId, RoleId};
use quarry::domain::kind::Kind;
use quarry::domain::module::{Module, ModuleSet};
use quarry::domain::permission::PermissionSet;
use quarry::store::{attachments, projects, roles, versions};

/// A record with a file: the word in the name, the one in the description, and what it takes to see the file.
struct Container {
    holder: Holder,
    id: i64,
    name: &'static str,
    description: &'static str,
    module: Module,
    permission: &'static str,
}

impl Container {
    fn new(holder: impl Into<Holder>, id: i64, words: [&'static str; 2], module: Module, permission: &'static str) -> Container {
        Container { holder: holder.into(), id, name: words[0], description: words[1], module, permission }
    }

    fn is_searched(&self) -> bool {
        self.holder != Holder::Version
    }
}

/// A file on a record of each kind in the open project. No word is a letter or two from another.
fn with_files() -> (World, Vec<Container>) {
    let world = world();
    let version = world.write(|db| versions::insert(db, ProjectId(1), "1.0", "open", None, "2026-11-20T12:00:00Z".parse().unwrap()));
    let containers = vec![
        Container::new(Kind::Issue, 1, ["quagga", "marmoset"], Module::IssueTracking, "view_issues"),
        Container::new(Kind::News, 1, ["walrus", "hedgehog"], Module::News, "view_news"),
        Container::new(Kind::Document, 1, ["pangolin", "flamingo"], Module::Documents, "view_documents"),
        Container::new(Kind::Changeset, 1, ["giraffe", "octopus"], Module::Repository, "view_changesets"),
        Container::new(Kind::WikiPage, 1, ["buzzard", "tarantula"], Module::Wiki, "view_wiki_pages"),
        Container::new(Kind::Message, 2, ["kookaburra", "chinchilla"], Module::Boards, "view_messages"),
        Container::new(Kind::Project, 1, ["wolverine", "albatross"], Module::Files, "view_files"),
        Container::new(Holder::Version, version.0, ["salamander", "porcupine"], Module::Files, "view_files"),
    ];
    for container in &containers {
        let id = file(&world, "admin", container.holder, container.id, &format!("{}.pdf", container.name), "x");
        let description = container.description.to_owned();
        world.write(move |db| {
            let before = attachments::find(db, id.into())?.unwrap();
            attachments::change(db, &Attachment { description, ..before })
        });
    }
    (world, containers)
}

/// Every way in which a search could tell of a file.
#[track_caller]
fn assert_found(world: &World, login: &str, container: &Container, wanted: bool) {
    for word in [container.name, container.description, &container.name[..5]] {
        let word = if word.len() == 5 { format!("{word}*") } else { word.to_owned() };
        for query in [
            format!("q={word}&attachments=1"),
            format!("q={word}&attachments=only"),
            format!("q={word}&attachments=1&titles_only=1"),
            format!("q={word}+nowhereatall&attachments=1&all_words=0&sort=date"),
            format!("q={word}&attachments=1&facets=type,project&explain=1"),
        ] {
            let query = format!("{query}&description=0");
            assert_eq!(total(world, login, &query), i64::from(wanted && container.is_searched()), "{login} {query}");
            let answer = search(world, login, &query).to_string();
            assert!(wanted || !answer.contains(container.name) && !answer.contains(container.description), "{login} {query}: {answer}");
        }
        assert_eq!(total(world, login, &format!("q={word}")), 0, "files are not searched unless asked for");
    }
}

fn set_modules(world: &World, modules: impl Fn(Module) -> bool) {
    let modules: ModuleSet = Module::ALL.iter().copied().filter(|module| modules(*module)).collect();
    world.write(move |db| projects::set_modules(db, ProjectId(1), modules));
}

/// What somebody who is no member may do.
fn set_permissions(world: &World, permissions: impl Fn(&str) -> bool) {
    let kept = PermissionSet::matching(|known| permissions(known.name()));
    world.write(move |db| roles::set_permissions(db, RoleId(1), kept));
}

#[test]
fn files_are_found_where_their_module_is_on() {
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
fn files_are_found_by_those_who_may_see_them() {
    let (world, containers) = with_files();
    for container in &containers {
        set_permissions(&world, |name| name != container.permission);
        assert_found(&world, "dave", container, false);
        assert_found(&world, "alice", container, true);
        set_permissions(&world, |_| true);
        assert_found(&world, "dave", container, true);
    }
}

#[test]
fn a_project_whose_files_are_hidden_looks_as_if_it_had_none() {
    let (world, _) = with_files();
    let project = |query: &str| titles(&search(&world, "dave", &format!("{query}&projects=1"))) == ["Project: open"];
    let shown = |query: &str| search(&world, "dave", &format!("q=open+wolverine&all_words=0&projects=1&explain=1{query}")).to_string();
    assert!(project("q=has:attachment") && !project("q=open+-has:attachment") && shown("").contains("wolverine.pdf"));
    assert!(shown("&attachments=1").contains("\"in\":[\"attachments\"]"));
    set_permissions(&world, |name| name != "view_files");
    assert!(!project("q=has:attachment") && project("q=open+-has:attachment"), "it counts as a project without files");
    assert!(project("q=open+-wolverine&attachments=1"), "its files exclude nothing");
    for query in ["", "&attachments=1"] {
        assert!(shown(query).contains("Project: open") && !shown(query).contains(".pdf") && !shown(query).contains("\"attachments\""));
    }
}

#[test]
fn a_hidden_name_decides_about_no_correction() {
    let (world, _) = with_files();
    // A letter away from a word in the name of a project's file, which nobody has misspelled who does not know of it.
    let _ = world.as_user("alice").post("/issues.json", r#"{"issue":{"project_id":"open","subject":"A wolverene"}}"#).expect(201);
    let meant = |login: &str, word: &str| search(&world, login, &format!("q={word}&attachments=1"))["did_you_mean"].clone();
    assert_eq!(meant("dave", "wolverine"), serde_json::Value::Null);
    set_permissions(&world, |name| name != "view_files");
    assert_eq!(meant("dave", "wolverine"), "wolverene", "to dave the word stands nowhere");
    assert_eq!(meant("alice", "wolverine"), serde_json::Value::Null);
    assert_eq!(meant("dave", "wolverina"), "wolverene", "and it is suggested to nobody");
}
