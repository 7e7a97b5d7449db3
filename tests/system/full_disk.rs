//! The real program on a small disk that another program fills: which requests fail, and which must
//! succeed.

use quarry_world::data_folder::{KEY, post, prepare};
use quarry_world::process::{Service, quarry, through_shell};
use quarry_world::wait::TIMEOUT;
use serde_json::json;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A file system of 64 MiB, mounted where only this test and its services see it.
pub struct SmallDisk {
    /// The process that keeps the file system mounted.
    holder: Child,
    folder: tempfile::TempDir,
}

impl SmallDisk {
    /// Mounts the file system; returns `None` where that is not allowed.
    pub fn mount() -> Option<SmallDisk> {
        let folder = tempfile::tempdir().unwrap();
        let script = "mount -t tmpfs -o size=64m tmpfs \"$0\" && echo mounted && exec cat";
        let mut command = Command::new("unshare");
        command
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
            .arg(folder.path());
        let mut holder = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut line = String::new();
        BufReader::new(holder.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let disk = SmallDisk { holder, folder };
        if line != "mounted\n" {
            println!("NOT TESTED: no file system can be mounted here");
            return None;
        }
        Some(disk)
    }

    /// Returns the path of a file on the disk for this process.
    pub fn path(&self, name: &str) -> PathBuf {
        let root = PathBuf::from(format!("/proc/{}/root", self.holder.id()));
        root.join(self.folder.path().strip_prefix("/").unwrap())
            .join(name)
    }

    fn start(&self) -> Service {
        Service::start(&mut self.command(&["serve", "--log", "off"], ""))
    }

    /// Runs a command on a data folder on the disk.
    pub fn run(&self, arguments: &[&str], data: &str) -> Output {
        self.command(arguments, data).output().unwrap()
    }

    /// Returns the start of a command that sees the disk.
    fn enter(&self) -> Command {
        let mut command = Command::new("nsenter");
        command.args([
            "--target",
            &self.holder.id().to_string(),
            "--user",
            "--mount",
            "--preserve-credentials",
        ]);
        command
    }

    /// Returns a command on a data folder on the disk.
    pub fn command(&self, arguments: &[&str], data: &str) -> Command {
        let inner = quarry(arguments);
        let mut command = self.enter();
        command
            .arg(inner.get_program())
            .args(inner.get_args())
            .arg("--data")
            .arg(self.folder.path().join(data))
            .stdin(Stdio::null());
        for (name, value) in inner.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    /// Fills the disk to its last byte, with a file of another program.
    fn fill(&self) {
        let mut file = File::options()
            .create(true)
            .append(true)
            .open(self.path("log of another program"))
            .unwrap();
        for size in [1 << 20, 4096, 1] {
            while file.write_all(&vec![1; size]).is_ok() {}
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}

/// Sends a request of the administrator and returns status and body.
fn send(
    service: &Service,
    method: &str,
    path: &str,
    content_type: &str,
    body: &[u8],
) -> (u16, String) {
    let mut stream = TcpStream::connect(&service.address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Service-API-Key: {KEY}\r\n"
    );
    write!(
        stream,
        "{head}Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )
    .unwrap();
    stream.write_all(body).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (
        head.split(' ').nth(1).unwrap().parse().unwrap(),
        body.to_owned(),
    )
}

/// Uploads a file of so many MiB.
fn upload(service: &Service, size: usize) -> (u16, String) {
    send(
        service,
        "POST",
        "/uploads.json?filename=a.bin",
        "application/octet-stream",
        &vec![0; size << 20],
    )
}

fn create(service: &Service, description: &str) -> (u16, String) {
    post(
        &service.address,
        &json!({"issue": {"project_id": "one", "subject": "a", "description": description}})
            .to_string(),
    )
    .unwrap()
}

fn cookie(text: &str, name: &str) -> Option<String> {
    let start = format!("set-cookie: {name}=");
    let line = text
        .lines()
        .find(|line| line.to_lowercase().starts_with(&start))?;
    Some(line.split_once(": ")?.1.split(';').next()?.to_owned())
}

/// Logs the administrator in, and returns status, response and the session for a header.
fn log_in(service: &Service) -> (u16, String, Option<String>) {
    let mut form = String::new();
    service
        .send("/login", &[])
        .read_to_string(&mut form)
        .unwrap();
    let token = form
        .split_once("name=\"authenticity_token\" value=\"")
        .unwrap()
        .1
        .split('"')
        .next()
        .unwrap();
    let body = format!("authenticity_token={token}&username=admin&password=adminadmin");
    let (status, head, page) =
        service.post("/login", &cookie(&form, "quarry_login").unwrap(), &body);
    let session = cookie(&head, "quarry_session").map(|cookie| format!("Cookie: {cookie}"));
    (status, page, session)
}

fn copy_prepared_records(to: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let first = Service::start(quarry(&["serve", "--log", "off", "--data"]).arg(folder.path()));
    first.terminate();
    assert!(first.ended().0.success());
    prepare(folder.path());
    for name in ["quarry.sqlite3", "secret"] {
        fs::copy(folder.path().join(name), to.join(name)).unwrap();
    }
}

#[test]
fn administrator_logs_in_and_makes_room_on_a_full_disk() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    copy_prepared_records(&disk.path(""));
    let service = disk.start();
    let (status, uploaded) = upload(&service, 4);
    assert_eq!(status, 201, "{uploaded}");
    let attachment = serde_json::from_str::<serde_json::Value>(&uploaded).unwrap()["upload"]["id"]
        .as_i64()
        .unwrap();
    assert_eq!(create(&service, "").0, 201);

    disk.fill();
    let (status, body) = upload(&service, 2);
    assert!(
        status == 507 && body.contains("The disk of the service is full"),
        "{status} {body}"
    );
    // The write-ahead log has some space left.
    let text = "word ".repeat(40_000);
    let refused = (0..200)
        .map(|_| create(&service, &text))
        .find(|(status, _)| *status != 201)
        .expect("the disk is never full");
    assert_eq!(refused.0, 507, "{refused:?}");
    for attempt in 0..50 {
        let (status, page, session) = log_in(&service);
        assert_eq!(status, 303, "attempt {attempt}: {page}");
        assert_eq!(service.get("/admin", &[&session.unwrap()]).0, 200);
    }
    assert_eq!(
        send(
            &service,
            "DELETE",
            "/issues/1.json",
            "application/json",
            b""
        )
        .0,
        200
    );
    assert_eq!(upload(&service, 2).0, 507, "the reserve is not for uploads");
    service.terminate();
    assert!(service.ended().0.success());

    disk.fill();
    let service = disk.start();
    assert_eq!(log_in(&service).0, 303, "after a restart");
    assert_eq!(
        send(
            &service,
            "DELETE",
            &format!("/attachments/{attachment}.json"),
            "application/json",
            b""
        )
        .0,
        200
    );
    assert_eq!(upload(&service, 2).0, 201, "there is room again");
    fs::remove_file(disk.path("log of another program")).unwrap();
    assert_eq!(create(&service, &text).0, 201);
    service.terminate();
    assert!(service.ended().0.success());
}

#[test]
fn requests_succeed_when_the_log_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = quarry(&["serve", "--log", "debug", "--data"]);
    program.arg(folder.path());
    let service = Service::start(&mut through_shell(
        "exec \"$0\" \"$@\" 2>/dev/full",
        &program,
    ));
    assert_eq!(service.get("/healthz", &[]).0, 200);
    assert_eq!(log_in(&service).0, 303);
    service.terminate();
    assert!(service.ended().0.success());
}

#[test]
fn uploads_to_a_folder_that_cannot_be_written_fail_with_507() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    copy_prepared_records(&disk.path(""));
    let service = disk.start();
    assert_eq!(upload(&service, 1).0, 201);
    let files = disk.folder.path().join("files");
    let script = "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\"";
    let mut mount = disk.enter();
    let mounted = mount.args(["sh", "-c", script]).arg(&files).status();
    assert!(mounted.unwrap().success());
    let (status, body) = upload(&service, 1);
    assert!(
        status == 507 && body.contains("cannot be written"),
        "{status} {body}"
    );
    let unmounted = disk.enter().arg("umount").arg(&files).status();
    assert!(unmounted.unwrap().success());
    assert_eq!(upload(&service, 1).0, 201);
    service.terminate();
    assert!(service.ended().0.success());
}
