//! Imported salted SHA-1 password hashes, which are not stored as such.

use super::loader::{copy, ours, source};
use quarry::domain::accounts::guess_permit::GuessPermit;
use quarry::domain::accounts::password;
use quarry_world::process::message;
use quarry_world::redmine_import::FIXTURE;
use quarry_world::redmine_import::import;
use std::path::Path;

/// Returns login, salt and SHA-1 hash of all users of the source with a password.
fn theirs() -> Vec<(i64, String, String, String)> {
    let redmine = source(Path::new(FIXTURE));
    let sql = "SELECT id, login, salt, hashed_password FROM users WHERE hashed_password <> '' ORDER BY id";
    let mut statement = redmine.prepare_cached(sql).unwrap();
    let rows = statement.query_map([], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

#[allow(clippy::disallowed_methods, reason = "the test guesses on purpose")]
fn verify(password: &str, hash: &str) -> bool {
    password::verify(GuessPermit::issue(), password, hash)
}

fn hash(folder: &Path, login: &str) -> String {
    ours(folder)
        .query_row(
            "SELECT password_hash FROM users WHERE login = ?1",
            [login],
            |row| row.get(0),
        )
        .unwrap()
}

#[track_caller]
fn assert_wrapped(folder: &Path) {
    let users = theirs();
    assert_eq!(users.len(), 8);
    let files = ["quarry.sqlite3", "quarry.sqlite3-wal"]
        .map(|name| std::fs::read(folder.join(name)).unwrap_or_default());
    for (_, login, salt, sha1) in users {
        let hash = hash(folder, &login);
        assert!(
            hash.starts_with(&format!("redmine-sha1-argon2${salt}$argon2id$")),
            "{hash}"
        );
        assert!(
            !hash.contains(&sha1)
                && !files
                    .iter()
                    .any(|file| memchr::memmem::find(file, sha1.as_bytes()).is_some()),
            "{login}"
        );
    }
}

#[test]
fn imported_sha1_hashes_are_wrapped_and_new_passwords_follow() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (database, redmine) = copy(folder.path());
    message(&import(&data, &database, &[]));
    assert_wrapped(&data);
    assert!(
        verify("alicealice", &hash(&data, "alice")) && !verify("bobbobbob", &hash(&data, "alice"))
    );
    let before = hash(&data, "alice");
    assert!(message(&import(&data, &database, &[])).ends_with("nothing changed"));
    assert_eq!(hash(&data, "alice"), before);
    // Bob's password, with Bob's salt.
    let sql = "UPDATE users SET (salt, hashed_password) = (SELECT salt, hashed_password FROM users WHERE login = 'bob') WHERE login = 'alice'";
    redmine.execute_batch(sql).unwrap();
    message(&import(&data, &database, &[]));
    assert!(
        verify("bobbobbob", &hash(&data, "alice")) && !verify("alicealice", &hash(&data, "alice"))
    );
    assert!(message(&import(&data, &database, &[])).ends_with("nothing changed"));
}

fn sessions(data: &Path) -> Vec<String> {
    let ours = ours(data);
    let mut statement = ours
        .prepare_cached("SELECT token_digest FROM sessions ORDER BY id")
        .unwrap();
    statement
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

#[test]
fn imported_new_password_ends_the_sessions_of_its_user_only() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (database, redmine) = copy(folder.path());
    message(&import(&data, &database, &[]));
    let sql = "INSERT INTO sessions (token_digest, user_id, step, is_persistent, created_on, used_on, expires_on, address, user_agent) \
               SELECT login, id, 0, 0, 4000000000000000, 4000000000000000, 5000000000000000, '', '' FROM users WHERE login IN ('alice', 'bob')";
    ours(&data).execute_batch(sql).unwrap();
    redmine.execute_batch("UPDATE users SET last_login_on = '2024-05-01 10:00:00' WHERE login IN ('alice', 'bob')").unwrap();
    message(&import(&data, &database, &[]));
    assert_eq!(
        sessions(&data),
        ["alice", "bob"],
        "a login there is no new password"
    );
    redmine
        .execute_batch(
            "UPDATE users SET salt = 'another', hashed_password = 'x' WHERE login = 'alice'",
        )
        .unwrap();
    message(&import(&data, &database, &[]));
    assert_eq!(sessions(&data), ["bob"], "whatever the clock says");
}
