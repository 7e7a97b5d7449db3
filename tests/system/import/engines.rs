//! The same Redmine in PostgreSQL and MariaDB gives the same result.

use super::complete::assert_complete;
use super::loader::{MYSQL, POSTGRES, ours, statements};
use super::servers;
use super::servers::Server;
use mysql::prelude::Queryable;
use quarry_world::process::message;
use quarry_world::redmine_import::{fixture, import};
use std::path::Path;

/// The import log: equal for every kind of database.
fn digests(folder: &Path) -> Vec<(String, i64, i64)> {
    let ours = ours(folder);
    // Secrets are encrypted with a different key in every data directory.
    let sql = "SELECT source_table, id, source_digest FROM imported WHERE source_table NOT IN ('tokens (api)') ORDER BY 1, 2";
    let mut statement = ours.prepare_cached(sql).unwrap();
    statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

#[track_caller]
fn comes_to_the_same(address: &str) {
    let folder = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    message(&import(folder.path(), address, &[]));
    assert_complete(folder.path());
    assert!(message(&import(folder.path(), address, &[])).ends_with("nothing changed"));
    message(&import(other.path(), &fixture(), &[]));
    assert_eq!(digests(folder.path()), digests(other.path()));
}

#[track_caller]
fn refuses(address: &str, prefix: &str) {
    let folder = tempfile::tempdir().unwrap();
    let output = import(&folder.path().join("data"), address, &[]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.starts_with(&format!("quarry: {prefix}")) && text.lines().count() == 1,
        "{text}"
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(!folder.path().join("data").exists());
}

fn postgresql_address(server: &Server, password: &str) -> String {
    format!(
        "postgres://redmine:{password}@127.0.0.1:{}/postgres",
        server.port
    )
}

#[test]
fn import_from_postgresql() {
    let Some(mut server) = servers::postgres() else {
        return;
    };
    let mut client = servers::postgres_client(&postgresql_address(&server, "secret"));
    client
        .batch_execute(&statements(&POSTGRES).join(";\n"))
        .unwrap();
    comes_to_the_same(&postgresql_address(&server, "secret"));
    refuses(
        &postgresql_address(&server, "wrong"),
        "the database rejects the user or the password: ",
    );
    let address = postgresql_address(&server, "secret");
    server.kill();
    refuses(&address, "the database cannot be reached: ");
}

fn mariadb_address(server: &Server, password: &str) -> String {
    format!(
        "mysql://redmine:{password}@127.0.0.1:{}/redmine",
        server.port
    )
}

#[test]
fn import_from_mariadb() {
    let Some(mut server) = servers::mariadb() else {
        return;
    };
    let mut client = servers::mysql_client(server.port);
    statements(&MYSQL)
        .iter()
        .for_each(|statement| client.query_drop(statement).unwrap());
    comes_to_the_same(&mariadb_address(&server, "secret"));
    refuses(
        &mariadb_address(&server, "wrong"),
        "the database rejects the user or the password: ",
    );
    let address = mariadb_address(&server, "secret");
    server.kill();
    refuses(&address, "the database cannot be reached: ");
}
