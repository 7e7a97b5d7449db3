//! Daemons from system packages: where their programs are, and the users that run them.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the programs of PostgreSQL are.
pub const POSTGRES_PLACES: [&str; 4] = [
    "/usr/lib/postgresql/15/bin",
    "/usr/lib/postgresql/16/bin",
    "/usr/lib/postgresql/17/bin",
    "/usr/local/bin",
];

/// Returns the first of the paths at which there is a program of this name.
pub fn found(places: &[&str], name: &str) -> Option<PathBuf> {
    places
        .iter()
        .map(|place| Path::new(place).join(name))
        .find(|path| path.exists())
}

/// Returns the id that the program `id` prints for this user.
pub fn id(flag: &str, user: &str) -> Option<u32> {
    let output = Command::new("id").args([flag, user]).output().unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .trim()
        .parse()
        .ok()
}

/// Returns the program run as the user of its package, with temporary files in `folder`: servers
/// refuse to run as root.
pub fn as_user(program: &Path, user: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    if id("-u", "root") == id_of_me() {
        command
            .uid(id("-u", user).unwrap())
            .gid(id("-g", user).unwrap());
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .current_dir("/")
        .env("TMPDIR", folder);
    command
}

/// Returns the name of the user who runs the tests.
pub fn user_name() -> String {
    let output = Command::new("id").arg("-un").output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Returns the id of the user who runs the tests.
pub fn id_of_me() -> Option<u32> {
    let output = Command::new("id").arg("-u").output().unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .trim()
        .parse()
        .ok()
}

/// Returns a directory that a server can use. Servers run as another user, who cannot reach a
/// temporary directory that is private to root.
pub fn folder_of(user: &str) -> tempfile::TempDir {
    if id("-u", "root") != id_of_me() {
        return tempfile::tempdir().unwrap();
    }
    let temporary = std::env::temp_dir();
    let candidates = [
        temporary.as_path(),
        Path::new("/tmp"),
        Path::new("/var/tmp"),
        Path::new("/run"),
    ];
    let parent = candidates
        .into_iter()
        .find(|path| is_reachable(path))
        .expect("a directory that every user can reach");
    let folder = tempfile::tempdir_in(parent).unwrap();
    std::os::unix::fs::chown(folder.path(), id("-u", user), id("-g", user)).unwrap();
    folder
}

/// Whether every user can enter a directory.
fn is_reachable(path: &Path) -> bool {
    path.ancestors().all(|folder| {
        std::fs::metadata(folder).is_ok_and(|metadata| metadata.permissions().mode() & 0o001 != 0)
    })
}
