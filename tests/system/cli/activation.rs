//! Sockets that are passed to the service, as systemd does.

use quarry_world::environment::not_installed;
use quarry_world::process::{Service, message, quarry, run, through_shell};
use quarry_world::wait::{TIMEOUT, until};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Returns the service with a socket as its file descriptor 3. It listens elsewhere by its options.
fn with_socket(folder: &Path, socket: OwnedFd, count: u32) -> Command {
    let mut program = quarry(&["serve", "--data"]);
    program.arg(folder);
    // The shell has the socket as its standard input, and its own process id is that of the service.
    let script =
        format!("exec 3<&0 </dev/null; LISTEN_PID=$$ LISTEN_FDS={count} exec \"$0\" \"$@\"");
    let mut command = through_shell(&script, &program);
    command.stdin(Stdio::from(socket));
    command
}

fn start(folder: &Path, socket: &TcpListener) -> Service {
    let socket = OwnedFd::from(socket.try_clone().unwrap());
    Service::start(&mut with_socket(folder, socket, 1))
}

/// Sends a request on a connection of its own.
fn ask(address: SocketAddr) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    Ok(text)
}

#[test]
fn restart_refuses_no_connection() {
    let folder = tempfile::tempdir().unwrap();
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let mut service = start(folder.path(), &socket);
    assert_eq!(service.address, address.to_string());
    let is_over = AtomicBool::new(false);
    let answered = AtomicUsize::new(0);
    // The last service runs until the last client has its answer.
    let _service = std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    let answer = ask(address).unwrap();
                    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer:?}");
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for _ in 0..3 {
            let before = answered.load(Ordering::Relaxed);
            until(TIMEOUT, "requests are answered", || {
                answered.load(Ordering::Relaxed) > before + 20
            });
            service.terminate();
            let (status, log) = service.ended();
            assert!(status.success(), "{log}");
            // Nobody accepts now; the connections wait.
            service = start(folder.path(), &socket);
        }
        is_over.store(true, Ordering::Relaxed);
        service
    });
}

#[test]
fn other_sockets_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let listener = || OwnedFd::from(TcpListener::bind("127.0.0.1:0").unwrap());
    let unix = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let connected = TcpStream::connect(server.local_addr().unwrap()).unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    for (socket, count, sentence) in [
        (listener(), 2, "2 sockets were passed"),
        (OwnedFd::from(unix), 1, "is not a TCP socket"),
        (OwnedFd::from(udp), 1, "is not a TCP socket"),
        (OwnedFd::from(connected), 1, "does not listen"),
    ] {
        let data = folder.path().join("data");
        let output = with_socket(&data, socket, count).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(sentence), "{error}");
        assert!(!data.exists(), "nothing is created before");
    }
}

#[test]
fn socket_of_another_process_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut command = quarry(&["serve", "--data"]);
    command
        .arg(folder.path())
        .env("LISTEN_PID", "1")
        .env("LISTEN_FDS", "1");
    let service = Service::start(&mut command);
    assert_ne!(service.address, socket.local_addr().unwrap().to_string());
    assert_eq!(service.get("/healthz", &[]).0, 200);
}

#[test]
fn program_of_systemd_starts_the_service_with_the_first_connection() {
    const ACTIVATOR: &str = "/usr/bin/systemd-socket-activate";
    if !Path::new(ACTIVATOR).exists() {
        not_installed(ACTIVATOR, "systemd");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // A port that was free a moment ago.
    let address = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let mut activator = Command::new(ACTIVATOR)
        .args(["--setenv=QUARRY_ADMIN_PASSWORD=adminadmin", "--listen"])
        .arg(address.to_string())
        .arg(env!("CARGO_BIN_EXE_quarry"))
        .args(["serve", "--data"])
        .arg(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until(TIMEOUT, "the service answers", || {
        ask(address).is_ok_and(|answer| answer.starts_with("HTTP/1.1 200 "))
    });
    let listen = ["healthcheck", "--listen", &address.to_string()];
    assert_eq!(message(&run(folder.path(), &listen)), "ok");
    activator.kill().unwrap();
    activator.wait().unwrap();
}
