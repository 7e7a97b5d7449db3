//! Database servers from system packages, each started for one test in its own directory.

use ::mysql::prelude::Queryable;
use quarry_world::daemons::{POSTGRES_PLACES, as_user, folder_of, found, id, id_of_me};
use quarry_world::environment::not_installed;
use quarry_world::ports::free_port;
use quarry_world::wait::{TIMEOUT, until};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

/// A running server, killed on drop.
pub struct Server {
    child: Child,
    pub port: u16,
    _folder: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// Kills it.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Writes a file that servers can read, whatever the umask.
fn write_readable(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).unwrap();
}

fn started(mut command: Command, port: u16, folder: tempfile::TempDir) -> Server {
    let server = Server {
        child: command.spawn().unwrap(),
        port,
        _folder: folder,
    };
    until(TIMEOUT, "the database server starts", || {
        TcpStream::connect(("127.0.0.1", port)).is_ok()
    });
    server
}

/// Certificate and key of a server, in PEM.
pub struct Certificate {
    pub certificate: String,
    pub key: String,
}

impl Certificate {
    /// Writes both into the directory of a server, readable by its user only.
    fn write(&self, folder: &Path, user: &str) -> [String; 2] {
        [("server.pem", &self.certificate), ("server.key", &self.key)].map(|(name, text)| {
            let path = folder.join(name);
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
            if id("-u", "root") == id_of_me() {
                std::os::unix::fs::chown(&path, id("-u", user), id("-g", user)).unwrap();
            }
            path.display().to_string()
        })
    }
}

/// Starts PostgreSQL with the user `redmine` and the password `secret`; `None` if it is not
/// installed.
pub fn postgres() -> Option<Server> {
    postgres_with(None)
}

/// Like [`postgres`]; with a certificate it accepts TLS connections only.
pub fn postgres_with(certificate: Option<&Certificate>) -> Option<Server> {
    let Some(program) = found(&POSTGRES_PLACES, "postgres") else {
        not_installed("PostgreSQL", "postgresql");
        return None;
    };
    let folder = folder_of("postgres");
    let port = free_port();
    let data = folder.path().join("data");
    let password = folder.path().join("password");
    write_readable(&password, "secret\n");
    let mut initdb = as_user(&program.with_file_name("initdb"), "postgres", folder.path());
    initdb
        .args([
            "-U",
            "redmine",
            "-A",
            "scram-sha-256",
            "-E",
            "UTF8",
            "--locale=C",
            "-N",
            "-D",
        ])
        .arg(&data)
        .arg("--pwfile")
        .arg(&password);
    assert!(initdb.status().unwrap().success());
    let mut command = as_user(&program, "postgres", folder.path());
    if let Some(certificate) = certificate {
        let [certificate, key] = certificate.write(folder.path(), "postgres");
        command
            .arg("-cssl=on")
            .arg(format!("-cssl_cert_file={certificate}"))
            .arg(format!("-cssl_key_file={key}"));
        write_readable(
            &data.join("pg_hba.conf"),
            "hostssl all all 127.0.0.1/32 scram-sha-256\n",
        );
    }
    command.arg("-D").arg(&data).args(["-p", &port.to_string()]);
    command.args([
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        "unix_socket_directories=",
        "-c",
        "fsync=off",
    ]);
    Some(started(command, port, folder))
}

/// Starts MariaDB whose `root` has no password; `None` if it is not installed.
pub fn mariadb() -> Option<Server> {
    mariadb_with(None)
}

/// Like [`mariadb`]; with a certificate it accepts TLS connections only, and its `root` has the
/// password `secret`.
pub fn mariadb_with(certificate: Option<&Certificate>) -> Option<Server> {
    let (Some(program), Some(install)) = (
        found(&["/usr/sbin"], "mariadbd"),
        found(&["/usr/bin"], "mariadb-install-db"),
    ) else {
        not_installed("MariaDB", "mariadb-server");
        return None;
    };
    let folder = folder_of("mysql");
    let port = free_port();
    let data = folder.path().join("data");
    let mut make = as_user(&install, "mysql", folder.path());
    make.arg("--no-defaults")
        .arg(format!("--datadir={}", data.display()));
    make.args(["--auth-root-authentication-method=normal", "--skip-test-db"]);
    assert!(make.status().unwrap().success());
    let mut command = as_user(&program, "mysql", folder.path());
    command
        .arg("--no-defaults")
        .arg(format!("--datadir={}", data.display()))
        .arg(format!("--port={port}"));
    command.arg("--bind-address=127.0.0.1").arg(format!(
        "--socket={}",
        folder.path().join("socket").display()
    ));
    command.arg(format!(
        "--pid-file={}",
        folder.path().join("pid").display()
    ));
    if let Some(certificate) = certificate {
        let [certificate, key] = certificate.write(folder.path(), "mysql");
        let statements =
            "ALTER USER root@localhost IDENTIFIED BY 'secret';\nCREATE DATABASE redmine;\n";
        let path = folder.path().join("first.sql");
        write_readable(&path, statements);
        command
            .arg(format!("--ssl-cert={certificate}"))
            .arg(format!("--ssl-key={key}"))
            .arg("--require-secure-transport=ON");
        command.arg(format!("--init-file={}", path.display()));
    }
    Some(started(command, port, folder))
}

/// Connects to PostgreSQL, which listens before it accepts queries.
pub fn postgres_client(address: &str) -> postgres::Client {
    loop {
        match postgres::Client::connect(address, postgres::NoTls) {
            Ok(client) => return client,
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}

/// Connects to MariaDB and creates the database and the user `redmine` with the password `secret`.
pub fn mysql_client(port: u16) -> mysql::Conn {
    let root = mysql::Opts::from_url(&format!("mysql://root@127.0.0.1:{port}")).unwrap();
    let mut client =
        mysql::Conn::new(mysql::OptsBuilder::from_opts(root).prefer_socket(false)).unwrap();
    let user = "CREATE DATABASE redmine CHARACTER SET utf8mb4; USE redmine; CREATE USER redmine@'%' IDENTIFIED BY 'secret'; \
                CREATE USER redmine@localhost IDENTIFIED BY 'secret'; GRANT ALL ON redmine.* TO redmine@'%'; \
                GRANT ALL ON redmine.* TO redmine@localhost";
    user.split("; ")
        .for_each(|statement| client.query_drop(statement).unwrap());
    client
}
