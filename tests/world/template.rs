//! The data folders that new worlds copy: hashing the passwords of the users takes longer than most
//! tests, and so do the projects that most tests begin with. They are made once for each build of
//! the tests and kept below the target folder, so that runners with a process for each test need not
//! repeat it. With PostgreSQL, each process makes databases of its own to copy.

use crate::database::OwnDatabase;
use crate::target_folder;
use crate::world::{BODY_LIMIT, ExtraKeys};
use crate::{DEVELOPER, LOGINS, MANAGER, REPORTER, World, user};
use quarry::actions::ActionError;
use quarry::actions::accounts::account;
use quarry::actions::administration::{install, settings};
use quarry::config::Limits;
use quarry::domain::accounts::user::{User, UserStatus};
use quarry::domain::administration::setting::Setting;
use quarry::store::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::UNIX_EPOCH;

/// What a world begins with: a data folder of the template.
#[derive(Clone, Copy)]
pub enum Template {
    /// The default data and the users.
    Users,
    /// And the projects `open` and `secret`.
    Projects,
}

impl Template {
    /// Returns the name of the folder with the data.
    fn folder(self) -> &'static str {
        match self {
            Template::Users => "users",
            Template::Projects => "projects",
        }
    }
}

/// The API keys of [`LOGINS`], a line each.
const KEYS: &str = "keys";

/// The prefix of the folders that belong to the databases of a process.
const OF_PROCESS: &str = "postgres-world-";

static TEMPLATES: LazyLock<PathBuf> = LazyLock::new(find_or_create);

/// The databases of the templates.
static DATABASES: LazyLock<Databases> = LazyLock::new(create_databases);

/// The databases that new worlds copy, with the data folders that belong to them.
struct Databases {
    users: OwnDatabase,
    projects: OwnDatabase,
    folder: PathBuf,
}

/// What a world gets in addition to the files in its folder.
pub struct Copy {
    /// The API keys of its users.
    pub keys: Vec<String>,
    /// Its records; `None` if they are in the folder.
    pub database: Option<OwnDatabase>,
}

/// Fills the folder of a world, and copies the database of the template if the records are to be in
/// PostgreSQL.
pub fn copy_to(folder: &Path, template: Template, is_in_postgres: bool) -> Copy {
    let databases = is_in_postgres.then(|| &*DATABASES);
    let templates = databases.map_or_else(|| &*TEMPLATES, |databases| &databases.folder);
    copy(&templates.join(template.folder()), folder);
    let keys = fs::read_to_string(templates.join(KEYS)).unwrap();
    let original = databases.map(|databases| match template {
        Template::Users => databases.users.name(),
        Template::Projects => databases.projects.name(),
    });
    Copy {
        keys: keys.lines().map(str::to_owned).collect(),
        database: original.map(|name| OwnDatabase::create(Some(name))),
    }
}

/// Creates the databases of this process.
fn create_databases() -> Databases {
    let users = OwnDatabase::create(None);
    let parent = &target_folder::temporary_files();
    remove_those_of_ended_processes(parent);
    let folder = parent.join(format!("{OF_PROCESS}{}", std::process::id()));
    fs::create_dir(&folder).unwrap();
    let users = create_users(Some(users), &folder).unwrap();
    let projects = OwnDatabase::create(Some(users.name()));
    let projects = create_projects(Some(projects), &folder).unwrap();
    Databases {
        users,
        projects,
        folder,
    }
}

/// Removes the folders of [`create_databases`] that no process needs any more.
fn remove_those_of_ended_processes(parent: &Path) {
    for entry in fs::read_dir(parent).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some(process) = name.strip_prefix(OF_PROCESS)
            && !Path::new("/proc").join(process).exists()
        {
            // Another process may remove it, too.
            drop(fs::remove_dir_all(entry.path()));
        }
    }
}

/// Returns the folder of the templates of this program. It is renamed into place, so that no other
/// process sees half of it.
fn find_or_create() -> PathBuf {
    let program = fs::metadata(std::env::current_exe().unwrap()).unwrap();
    let built = program.modified().unwrap().duration_since(UNIX_EPOCH);
    let folder = &target_folder::temporary_files();
    let prefix = format!("world-{}-", target_folder::test_binary());
    let template = folder.join(format!("{prefix}{}", built.unwrap().as_nanos()));
    if !template.exists() {
        remove_old(folder, &prefix);
        let made = tempfile::tempdir_in(folder).unwrap();
        create_users(None, made.path());
        create_projects(None, made.path());
        if let Err(error) = fs::rename(made.keep(), &template) {
            assert!(template.exists(), "{error}");
        }
    }
    template
}

/// Removes the templates of former builds of this program.
fn remove_old(folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            // Another process may remove it, too.
            drop(fs::remove_dir_all(entry.path()));
        }
    }
}

/// Creates the template with the users. Returns its database, which has no connections any more.
fn create_users(database: Option<OwnDatabase>, folder: &Path) -> Option<OwnDatabase> {
    let data = tempfile::tempdir().unwrap();
    let mut world = World::open(
        data,
        database,
        Limits::default(),
        BODY_LIMIT,
        ExtraKeys::default(),
    );
    let store = &world.app.store;
    store
        .write(|db| install::default_data(db).map(drop))
        .unwrap();
    let keys = store.write(add_users).unwrap();
    world.stop();
    let users = folder.join(Template::Users.folder());
    copy(&world.app.config.data, &users);
    fs::write(folder.join(KEYS), keys.join("\n")).unwrap();
    world.database.take()
}

/// Creates the template with the projects from the one with the users.
fn create_projects(database: Option<OwnDatabase>, folder: &Path) -> Option<OwnDatabase> {
    let data = tempfile::tempdir().unwrap();
    copy(&folder.join(Template::Users.folder()), data.path());
    let mut world = World::open(
        data,
        database,
        Limits::default(),
        BODY_LIMIT,
        ExtraKeys::default(),
    );
    add_projects(&world);
    world.stop();
    copy(
        &world.app.config.data,
        &folder.join(Template::Projects.folder()),
    );
    world.database.take()
}

/// Adds the projects `open` and `secret`. `secret` is private; alice manages both, bob is a
/// developer and carol a reporter in `open`.
fn add_projects(world: &World) {
    world
        .project("open")
        .member("alice", MANAGER)
        .member("bob", DEVELOPER)
        .member("carol", REPORTER)
        .create();
    world
        .project("secret")
        .private()
        .member("alice", MANAGER)
        .create();
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Adds [`LOGINS`], and returns their API keys.
fn add_users(db: &mut Write<'_>) -> Result<Vec<String>, ActionError> {
    settings::update(db, Setting::RestApiEnabled, "1")?;
    settings::update(db, Setting::HostName, "quarry.test")?;
    let keys = LOGINS.iter().map(|login| {
        let password = if *login == "bob" {
            "bobbobbob".to_owned()
        } else {
            format!("{login}{login}")
        };
        let account = User {
            id: user(login),
            login: (*login).to_owned(),
            firstname: (*login).to_owned(),
            lastname: "Tester".to_owned(),
            hides_mail: true,
            admin: *login == "admin",
            status: if *login == "erin" {
                UserStatus::Locked
            } else {
                UserStatus::Active
            },
            created_on: db.now(),
            ..User::default()
        };
        account::add(db, &account, &password).map(|(_, key)| key)
    });
    keys.collect()
}
