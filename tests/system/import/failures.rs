//! Failures during an import: the connection to the source and a full disk.

use super::complete::assert_complete;
use super::loader::{MYSQL, POSTGRES, ours, statements};
use super::servers::{self, Server, mysql_client, postgres_client};
use mysql::prelude::Queryable;
use quarry_world::process::{message, quarry, run, through_shell};
use quarry_world::redmine_import::{fixture, import};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;

/// Starts a proxy that closes each connection after this many bytes of responses; returns its port.
fn proxy(server: u16, most: usize) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let mut client = client.unwrap();
            let mut server = TcpStream::connect(("127.0.0.1", server)).unwrap();
            let mut client_reader = client.try_clone().unwrap();
            let mut server_writer = server.try_clone().unwrap();
            std::thread::spawn(move || {
                let _ = std::io::copy(&mut client_reader, &mut server_writer);
            });
            std::thread::spawn(move || {
                let mut left = most;
                let mut buffer = [0; 4096];
                while left > 0 {
                    let count = server.read(&mut buffer).unwrap_or(0).min(left);
                    if count == 0 || client.write_all(&buffer[..count]).is_err() {
                        break;
                    }
                    left -= count;
                }
                let _ = (
                    client.shutdown(Shutdown::Both),
                    server.shutdown(Shutdown::Both),
                );
            });
        }
    });
    port
}

/// Asserts that the records of an interrupted import are consistent.
fn assert_whole(folder: &Path) {
    let ours = ours(folder);
    let broken: i64 = ours
        .query_row("SELECT COUNT(*) FROM pragma_foreign_key_check", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(broken, 0);
}

/// Cuts the connection later and later until a run completes; each run continues where the previous
/// stopped.
#[track_caller]
fn is_finished_by_repeating(server: u16, address: impl Fn(u16) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let mut most = 40_000;
    let mut broken = 0;
    loop {
        let output = import(folder.path(), &address(proxy(server, most)), &[]);
        if output.status.success() {
            break;
        }
        let text = String::from_utf8(output.stderr).unwrap();
        let ends = "; what was imported so far stays, run the same command again\n";
        assert!(
            text.starts_with("quarry: the connection to the database was lost: ")
                && text.ends_with(ends),
            "{text}"
        );
        assert_eq!((text.lines().count(), output.status.code()), (1, Some(1)));
        assert_whole(folder.path());
        broken += 1;
        most += 15_000;
    }
    assert!(broken >= 3, "the connection broke {broken} times only");
    assert_complete(folder.path());
    assert!(message(&import(folder.path(), &address(server), &[])).ends_with("nothing changed"));
}

fn address_with_port(port: u16) -> String {
    format!("postgres://redmine:secret@127.0.0.1:{port}/postgres")
}

#[test]
fn lost_connection_to_postgresql_is_reported() {
    let Some(server) = servers::postgres() else {
        return;
    };
    postgres_client(&address_with_port(server.port))
        .batch_execute(&statements(&POSTGRES).join(";\n"))
        .unwrap();
    is_finished_by_repeating(server.port, address_with_port);
}

#[test]
fn lost_connection_to_mariadb_is_reported() {
    let Some(server) = servers::mariadb() else {
        return;
    };
    let mut client = mysql_client(server.port);
    statements(&MYSQL)
        .iter()
        .for_each(|statement| client.query_drop(statement).unwrap());
    is_finished_by_repeating(server.port, |port| {
        format!("mysql://redmine:secret@127.0.0.1:{port}/redmine")
    });
}

fn address_of_database(server: &Server, name: &str) -> String {
    format!("postgres://redmine:secret@127.0.0.1:{}/{name}", server.port)
}

#[test]
fn text_in_an_unknown_encoding_is_reported() {
    let Some(server) = servers::postgres() else {
        return;
    };
    postgres_client(&address_of_database(&server, "postgres"))
        .batch_execute("CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0")
        .unwrap();
    let mut client = postgres_client(&address_of_database(&server, "ascii"));
    client
        .batch_execute(&statements(&POSTGRES).join(";\n"))
        .unwrap();
    client
        .batch_execute("UPDATE issues SET subject = E'caf\\351' WHERE id = 43; UPDATE issues SET description = E'caf\\351' WHERE id = 42")
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let output = import(folder.path(), &address_of_database(&server, "ascii"), &[]);
    assert_eq!(
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).as_ref()
        ),
        (Some(1), "")
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("issues 43: broken: subject is not UTF-8\n"),
        "{text}"
    );
    assert!(
        text.contains("issues 42: in part: description is not UTF-8\n"),
        "{text}"
    );
}

/// Limit of file sizes, which acts like a full disk.
fn import_on_small_disk(folder: &Path, blocks: u32) -> std::process::Output {
    let mut program = quarry(&["import", "redmine", "--database", &fixture(), "--data"]);
    program.arg(folder);
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    through_shell(&script, &program).output().unwrap()
}

#[test]
fn full_disk_is_reported_and_the_next_run_continues() {
    let folder = tempfile::tempdir().unwrap();
    let mut blocks = 1000;
    let mut broken = 0;
    loop {
        let output = import_on_small_disk(folder.path(), blocks);
        if output.status.success() {
            break;
        }
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (text.lines().count(), output.status.code()),
            (1, Some(1)),
            "{text}"
        );
        assert!(
            text.starts_with("quarry: the ") && text.contains("disk"),
            "{text}"
        );
        let ends = "; what was imported so far stays, run the same command again when the problem is fixed\n";
        let is_full = text.starts_with("quarry: the disk is full or not writable: ");
        assert!(
            !is_full || text.ends_with(ends) && text.matches("the disk is full").count() == 1,
            "{text}"
        );
        broken += usize::from(is_full);
        assert_whole(folder.path());
        blocks += 300;
    }
    assert!(broken > 0, "the disk was large enough");
    // The index may be incomplete; it is built when there is space, even without new rows.
    std::fs::remove_dir_all(folder.path().join("index")).unwrap();
    std::fs::create_dir(folder.path().join("index")).unwrap();
    message(&import(folder.path(), &fixture(), &[]));
    assert!(
        message(&run(folder.path(), &["index", "verify"])).ends_with("index and records agree")
    );
    assert_complete(folder.path());
}
