//! Passwords come as salted SHA-1, which is kept nowhere.

use super::loader::{FIXTURE, copy, ours, source};
use super::world::{fixture, import};
use crate::cli::process::{Service, quarry, told};
use crate::waiting::{PATIENCE, until};
use quarry::domain::password::verify;
use quarry::store::{Value, imported};
use std::path::Path;

/// Login, salt and SHA-1 of the users of the source who have a password.
fn theirs() -> Vec<(i64, String, String, String)> {
    let redmine = source(Path::new(FIXTURE));
    let sql = "SELECT id, login, salt, hashed_password FROM users WHERE hashed_password <> '' ORDER BY id";
    let mut statement = redmine.prepare_cached(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)));
    rows.unwrap().map(Result::unwrap).collect()
}

fn hash(folder: &Path, login: &str) -> String {
    ours(folder).query_row("SELECT password_hash FROM users WHERE login = ?1", [login], |row| row.get(0)).unwrap()
}

#[track_caller]
fn assert_wrapped(folder: &Path) {
    let users = theirs();
    assert_eq!(users.len(), 8);
    let files = ["quarry.sqlite3", "quarry.sqlite3-wal"].map(|name| std::fs::read(folder.join(name)).unwrap_or_default());
    for (_, login, salt, sha1) in users {
        let hash = hash(folder, &login);
        assert!(hash.starts_with(&format!("redmine-sha1-argon2${salt}$argon2id$")), "{hash}");
        assert!(!hash.contains(&sha1) && !files.iter().any(|file| memchr::memmem::find(file, sha1.as_bytes()).is_some()), "{login}");
    }
}

#[test]
fn no_sha1_is_kept_and_a_new_password_comes() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (path, redmine) = copy(folder.path());
    let database = format!("sqlite:{}", path.display());
    told(&import(&data, &database, &[]));
    assert_wrapped(&data);
    assert!(verify("alicealice", &hash(&data, "alice")) && !verify("bobbobbob", &hash(&data, "alice")));
    let before = hash(&data, "alice");
    assert!(told(&import(&data, &database, &[])).ends_with("nothing changed"));
    assert_eq!(hash(&data, "alice"), before);
    // Bob's password, with Bob's salt.
    let sql =
        "UPDATE users SET (salt, hashed_password) = (SELECT salt, hashed_password FROM users WHERE login = 'bob') WHERE login = 'alice'";
    redmine.execute_batch(sql).unwrap();
    told(&import(&data, &database, &[]));
    assert!(verify("bobbobbob", &hash(&data, "alice")) && !verify("alicealice", &hash(&data, "alice")));
    assert!(told(&import(&data, &database, &[])).ends_with("nothing changed"));
}

/// Makes of the passwords what the version before made of them.
fn as_before(folder: &Path) {
    let ours = ours(folder);
    for (id, _, salt, sha1) in theirs() {
        let hash = format!("redmine-sha1${salt}${sha1}");
        let digest = imported::digest(&[vec![Value::Text(hash.clone()), Value::Null]]);
        ours.execute("UPDATE users SET password_hash = ?2 WHERE id = ?1", rusqlite::params![id, hash]).unwrap();
        let sql = "UPDATE imported SET source_digest = ?2, ours_digest = ?2 WHERE id = ?1 AND source_table = 'users (passwords)'";
        assert_eq!(ours.execute(sql, [id, digest]).unwrap(), 1);
    }
    ours.execute_batch("UPDATE imported SET source_table = 'users (sign-in)' WHERE source_table = 'users (passwords)'").unwrap();
}

fn left(folder: &Path) -> i64 {
    let sql = "SELECT (SELECT COUNT(*) FROM users WHERE password_hash LIKE 'redmine-sha1$%') + \
               (SELECT COUNT(*) FROM imported WHERE source_table = 'users (sign-in)')";
    ours(folder).query_row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
fn what_the_version_before_took_over_is_wrapped_by_the_service() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    told(&import(folder, &fixture(), &[]));
    as_before(folder);
    // Carol has logged in since.
    let own = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo";
    ours(folder).execute("UPDATE users SET password_hash = ?1, last_login_on = 1 WHERE login = 'carol'", [own]).unwrap();
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder));
    until(PATIENCE, "nothing is left", || left(folder) == 0);
    service.terminate();
    assert!(service.ended().0.success());
    assert!(verify("alicealice", &hash(folder, "alice")) && hash(folder, "alice").starts_with("redmine-sha1-argon2$"));
    assert_eq!(hash(folder, "carol"), own);
    assert!(told(&import(folder, &fixture(), &[])).ends_with("nothing changed"));
    assert_eq!(hash(folder, "carol"), own);
}

#[test]
fn what_the_version_before_took_over_is_wrapped_by_an_import() {
    let folder = tempfile::tempdir().unwrap();
    told(&import(folder.path(), &fixture(), &[]));
    as_before(folder.path());
    assert!(left(folder.path()) > 8);
    assert!(told(&import(folder.path(), &fixture(), &[])).ends_with("nothing changed"));
    assert_eq!(left(folder.path()), 0);
    assert!(verify("alicealice", &hash(folder.path(), "alice")));
}
