//! The service as a client of servers that break every rule: it bounds what it reads, says what is wrong,
//! and a stop ends every conversation.

use crate::mail::insert;
use crate::tls::Certificate;
use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::ports::free_address;
use quarry_world::process::{Service, quarry};
use quarry_world::process_usage;
use quarry_world::wait::{TIMEOUT, until};
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Maximum growth of the memory of the service.
const MAX_GROWTH: usize = 50 << 20;
/// Number of bytes that a server sends at most, without an end of a line: four times what may stay.
const ENDLESS: usize = 4 * MAX_GROWTH;
/// Maximum time of a stop (docs/mail.md section 3), with all that it does besides ending connections.
const MAX_STOP: Duration = Duration::from_secs(2);

/// How a server misbehaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It sends bytes without an end.
    Endless,
    /// It sends a byte each second.
    Drip,
    /// It sends nothing.
    Silent,
    /// It closes the connection.
    Closed,
}

impl Kind {
    /// Whether the client notices at once.
    fn fails_at_once(self) -> bool {
        matches!(self, Kind::Endless | Kind::Closed)
    }
}

/// A hostile server, until the end of the process.
struct HostileServer {
    port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    connections: AtomicUsize,
    /// Number of connections that the client has closed, or that the server has.
    ended: AtomicUsize,
    sent: AtomicUsize,
}

impl HostileServer {
    /// Starts a server that sends `prefix` and then misbehaves. The bytes without an end are `filler`.
    fn start(kind: Kind, prefix: &'static [u8], filler: u8) -> HostileServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = HostileServer {
            port: listener.local_addr().unwrap().port(),
            state: Arc::default(),
        };
        let state = Arc::clone(&server.state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&state);
                std::thread::spawn(move || {
                    state.connections.fetch_add(1, Ordering::SeqCst);
                    // The client ends the connection by an error here.
                    let _ = serve(stream, kind, prefix, filler, &state.sent);
                    state.ended.fetch_add(1, Ordering::SeqCst);
                });
            }
        });
        server
    }

    fn connections(&self) -> usize {
        self.state.connections.load(Ordering::SeqCst)
    }

    fn ended(&self) -> usize {
        self.state.ended.load(Ordering::SeqCst)
    }

    fn sent(&self) -> usize {
        self.state.sent.load(Ordering::SeqCst)
    }
}

fn serve(
    mut stream: TcpStream,
    kind: Kind,
    prefix: &[u8],
    filler: u8,
    sent: &AtomicUsize,
) -> std::io::Result<()> {
    if kind == Kind::Closed {
        return Ok(());
    }
    stream.write_all(prefix)?;
    match kind {
        Kind::Endless => {
            let block = [filler; 64 * 1024];
            while sent.load(Ordering::SeqCst) < ENDLESS {
                stream.write_all(&block)?;
                sent.fetch_add(block.len(), Ordering::SeqCst);
            }
        }
        Kind::Drip => {
            let has_ended = AtomicBool::new(false);
            let mut reader = stream.try_clone()?;
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    // Until the client goes away.
                    let _ = std::io::copy(&mut reader, &mut std::io::sink());
                    has_ended.store(true, Ordering::SeqCst);
                });
                while !has_ended.load(Ordering::SeqCst) && stream.write_all(&[filler]).is_ok() {
                    sent.fetch_add(1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_secs(1));
                }
            });
        }
        Kind::Silent | Kind::Closed => {}
    }
    // Until the client goes away.
    std::io::copy(&mut stream, &mut std::io::sink()).map(drop)
}

/// Returns the resident memory of a process in bytes.
fn memory(id: u32) -> usize {
    process_usage::memory(id).unwrap().resident
}

/// Returns the state and the number of attempts of each mail in the outbox.
#[allow(
    clippy::disallowed_methods,
    reason = "looks into the database of a stopped service"
)]
fn outbox(folder: &Path) -> Vec<(String, i64)> {
    let database = rusqlite::Connection::open(folder.join("quarry.sqlite3")).unwrap();
    let mut statement = database
        .prepare("SELECT state, attempts FROM mails")
        .unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    rows.unwrap().map(Result::unwrap).collect()
}

/// Lets the service send a mail, read a mailbox and order a certificate from servers of this kind.
fn conversations_are_bounded(kind: Kind) {
    let smtp = HostileServer::start(kind, b"220-", b'x');
    let imap = HostileServer::start(kind, b"* OK ", b'x');
    // The header of a record of TLS.
    let acme = HostileServer::start(kind, b"\x16\x03\x03", b'\x03');
    let servers = [&smtp, &imap, &acme];
    let mail = format!("smtp://127.0.0.1:{}", smtp.port);
    let world = World::with_projects_in_sqlite().with_mail(&mail);
    world.sql("UPDATE users SET mail = 'alice@example.org' WHERE login = 'alice'");
    world.set(Setting::MailReplyAddress, "reply@example.org");
    insert(&world, &["alice"]);
    let folder = world.into_folder();
    let certificate = Certificate::create_for(folder.path(), "localhost");
    let mut command = quarry(&["serve", "--log", "warn", "--data"]);
    command.arg(folder.path());
    command.args(["--mail", &mail, "--mail-from", "quarry@example.org"]);
    let mailbox = format!("imap://reply:secret@127.0.0.1:{}", imap.port);
    command.args(["--mail-imap", &mailbox]);
    let directory = format!("https://localhost:{}/directory", acme.port);
    command.args([
        "--acme-domains",
        "projects.quarry.test",
        "--acme-directory",
        &directory,
    ]);
    command.args([
        "--acme-challenge",
        "tls-alpn-01",
        "--http-listen",
        &free_address(),
    ]);
    command.arg("--acme-ca-file").arg(&certificate.certificate);
    let service = Service::start(&mut command);
    let before = memory(service.id());
    until(TIMEOUT, "the service has connected to each server", || {
        servers.iter().all(|server| server.connections() > 0)
    });
    let mut highest = before;
    let has_misbehaved = |server: &&HostileServer| match kind {
        Kind::Endless | Kind::Closed => server.ended() > 0,
        Kind::Drip => server.sent() > 1,
        Kind::Silent => true,
    };
    until(TIMEOUT, "each server has misbehaved", || {
        highest = highest.max(memory(service.id()));
        servers.iter().all(has_misbehaved)
    });
    let growth = highest.saturating_sub(before);
    println!("{kind:?}: {} MiB more memory", growth >> 20);
    assert!(growth < MAX_GROWTH, "{kind:?}: {growth} bytes");
    assert!(servers.iter().all(|server| server.sent() < ENDLESS));
    let stop = Instant::now();
    service.terminate();
    let (status, log) = service.ended();
    let stop = stop.elapsed();
    println!("{kind:?}: stopped within {stop:?}");
    assert!(status.success(), "{kind:?}: {log}");
    assert!(stop < MAX_STOP, "{kind:?}: {stop:?}");
    // The mail waits, and nothing counts as an attempt.
    assert_eq!(
        outbox(folder.path()),
        [("waiting".to_owned(), 0)],
        "{kind:?}"
    );
    if kind.fails_at_once() {
        let reason = match kind {
            Kind::Endless => "the answer of the server is too long",
            _ => "the server has closed the connection",
        };
        for event in ["no mail can be sent", "no mails can be received"] {
            let mut lines = log.lines();
            let line = lines.find(|line| line.contains(event) && line.contains(reason));
            assert!(line.is_some(), "{kind:?}: {event}: {log}");
        }
        assert!(log.contains("no certificate was issued"), "{log}");
    }
}

#[test]
fn answer_without_an_end_does_not_fill_the_memory() {
    conversations_are_bounded(Kind::Endless);
}

#[test]
fn server_that_closes_the_connection_is_reported() {
    conversations_are_bounded(Kind::Closed);
}

#[test]
fn server_that_sends_nothing_does_not_delay_a_stop() {
    conversations_are_bounded(Kind::Silent);
}

#[test]
fn server_that_sends_a_byte_each_second_does_not_delay_a_stop() {
    conversations_are_bounded(Kind::Drip);
}

/// Imports from hostile database servers.
#[test]
fn imports_from_hostile_databases_fail_with_a_reason() {
    /// A parameter of 2 GiB.
    const POSTGRES: &[u8] = b"S\x7f\xff\xff\xff";
    /// A packet of 16 MiB, followed by others.
    const MYSQL: &[u8] = b"\xff\xff\xff\x00";
    for (scheme, prefix, kind) in [
        ("postgres", POSTGRES, Kind::Endless),
        ("postgres", POSTGRES, Kind::Closed),
        ("mysql", MYSQL, Kind::Endless),
        ("mysql", MYSQL, Kind::Closed),
    ] {
        let server = HostileServer::start(kind, prefix, 0xff);
        let folder = tempfile::tempdir().unwrap();
        let url = format!(
            "{scheme}://redmine:secret@127.0.0.1:{}/redmine",
            server.port
        );
        let mut command = quarry(&["import", "redmine", "--database", &url, "--data"]);
        let output = command.arg(folder.path().join("data")).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{scheme} {kind:?}: {text}");
        println!("{scheme} {kind:?}: {} bytes sent, {text}", server.sent());
        assert!(
            text.contains("the database cannot be reached: "),
            "{scheme} {kind:?}: {text}"
        );
        assert!(server.sent() < MAX_GROWTH, "{scheme}: {}", server.sent());
    }
}

/// Maximum number of bytes of an answer that an import reads, with what the sockets buffer.
const MAX_ANSWER: usize = 300 << 20;

/// A server of MySQL that accepts every login and some statements, and answers the next one with rows
/// without an end.
fn start_endless_mysql(accepted_statements: usize) -> HostileServer {
    const ROW: usize = 64 * 1024;
    let ok = b"\0\0\0\x02\0\0\0";
    let greeting = b"\x0a8.0.36\0\x01\0\0\0abcdefgh\0\x08\x82\x21\x02\0\x08\0\x15\0\0\0\0\0\0\0\0\0\0abcdefghijkl\0mysql_native_password\0";
    let mut start = mysql_packet(0, greeting);
    start.extend(mysql_packet(2, ok));
    for _ in 0..accepted_statements {
        start.extend(mysql_packet(1, ok));
    }
    // A result with one column of text.
    start.extend(mysql_packet(1, b"\x01"));
    let column = b"\x03def\0\0\0\x01a\0\x0c\x21\0\xff\xff\xff\0\xfd\0\0\0\0\0";
    start.extend(mysql_packet(2, column));
    start.extend(mysql_packet(3, b"\xfe\0\0\x02\0"));
    let row = [b"\xfd\0\0\x01".as_slice(), &[b'x'; ROW]].concat();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = HostileServer {
        port: listener.local_addr().unwrap().port(),
        state: Arc::default(),
    };
    let state = Arc::clone(&server.state);
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut outcome = stream.write_all(&start);
        let mut sequence = 4_u8;
        while outcome.is_ok() && state.sent.load(Ordering::SeqCst) < 2 * MAX_ANSWER {
            outcome = stream.write_all(&mysql_packet(sequence, &row));
            state.sent.fetch_add(row.len(), Ordering::SeqCst);
            sequence = sequence.wrapping_add(1);
        }
    });
    server
}

/// Returns a packet of MySQL.
fn mysql_packet(sequence: u8, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
    [&length[..3], &[sequence], payload].concat()
}

#[test]
fn import_ends_an_answer_of_mysql_without_an_end() {
    // The first statement has no result, and the fourth one lists the tables.
    for accepted_statements in [0, 3] {
        let server = start_endless_mysql(accepted_statements);
        let folder = tempfile::tempdir().unwrap();
        let url = format!("mysql://redmine:secret@127.0.0.1:{}/redmine", server.port);
        let mut command = quarry(&["import", "redmine", "--database", &url, "--data"]);
        let output = command.arg(folder.path().join("data")).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{text}");
        assert!(
            text.contains("the answer of the server is too long"),
            "{text}"
        );
        assert!(server.sent() < MAX_ANSWER, "{}", server.sent());
    }
}
