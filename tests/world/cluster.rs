//! A cluster of PostgreSQL in a temporary folder.

use crate::daemons::{POSTGRES_PLACES, as_user, folder_of, found};
use crate::environment::not_installed;
use crate::ports::free_port;
use crate::wait::{TIMEOUT, until};
use ::postgres::{Client, NoTls};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs the server until the test process ends, however it ends: then the standard input closes.
const RUN_UNTIL_INPUT_ENDS: &str = r#""$@" & read -r _; kill -INT $!; wait $!"#;

/// A running cluster. Its user `postgres` needs no password.
pub struct Cluster {
    pub(super) programs: PathBuf,
    pub(super) folder: tempfile::TempDir,
    pub(super) settings: Vec<String>,
    pub(super) server: Option<Child>,
    pub port: u16,
}

impl Cluster {
    /// Returns the cluster that all tests share; `None` if PostgreSQL is not installed. It runs
    /// with `fsync=off`, and is stopped with the test process.
    pub fn shared() -> Option<&'static Cluster> {
        static SHARED: LazyLock<Option<Cluster>> =
            LazyLock::new(|| Cluster::start(&["fsync=off", "max_connections=1000"]));
        SHARED.as_ref()
    }

    /// Creates a cluster with these settings and starts it; `None` if PostgreSQL is not installed.
    pub fn start(settings: &[&str]) -> Option<Cluster> {
        let Some(program) = found(&POSTGRES_PLACES, "postgres") else {
            not_installed("PostgreSQL", "postgresql");
            return None;
        };
        let mut cluster = Cluster {
            programs: program.parent().unwrap().to_owned(),
            folder: folder_of("postgres"),
            settings: settings
                .iter()
                .map(|setting| (*setting).to_owned())
                .collect(),
            server: None,
            port: free_port(),
        };
        let mut initdb = cluster.program("initdb");
        initdb.args([
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "-N",
            "-D",
        ]);
        initdb.arg(cluster.data());
        assert!(initdb.status().unwrap().success());
        cluster.run();
        Some(cluster)
    }

    /// Returns a program of PostgreSQL, run as the user of the server.
    pub fn program(&self, name: &str) -> Command {
        as_user(&self.programs.join(name), "postgres", self.folder.path())
    }

    /// Returns the folder of the cluster's data.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Starts the server and waits until it answers.
    pub fn run(&mut self) {
        let postgres = self.programs.join("postgres");
        let mut command = as_user("/bin/sh".as_ref(), "postgres", self.folder.path());
        command
            .args(["-c", RUN_UNTIL_INPUT_ENDS, "sh"])
            .arg(postgres);
        command.arg("-D").arg(self.data());
        command.args(["-p", &self.port.to_string()]);
        command.args([
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "unix_socket_directories=",
        ]);
        for setting in &self.settings {
            command.args(["-c", setting]);
        }
        self.server = Some(command.stdin(Stdio::piped()).spawn().unwrap());
        until(TIMEOUT, "PostgreSQL answers", || {
            self.connect("postgres").is_some()
        });
    }

    /// Stops the server: `fast` ends its connections, `immediate` is a crash.
    pub fn stop(&mut self, mode: &str) {
        let mut pg_ctl = self.program("pg_ctl");
        pg_ctl
            .arg("-D")
            .arg(self.data())
            .args(["-m", mode, "-w", "stop"]);
        assert!(pg_ctl.status().unwrap().success());
        self.wait();
    }

    /// Kills all processes of the server at once, like a crash of its machine.
    pub fn kill(&mut self) {
        let pids = std::fs::read_to_string(self.data().join("postmaster.pid")).unwrap();
        let postmaster = pids.lines().next().unwrap().to_owned();
        let children = children(&postmaster);
        // The postmaster first, so that it cannot end the others in order.
        let mut kill = Command::new("kill");
        kill.arg("-KILL").arg(&postmaster).args(&children);
        // A process may have ended meanwhile.
        let _ = kill.stderr(Stdio::null()).status().unwrap();
        self.wait();
        until(TIMEOUT, "all processes of the server have ended", || {
            !children.iter().any(|child| is_running(child))
        });
    }

    /// Runs a statement in a database.
    pub fn execute(&self, database: &str, sql: &str) {
        let mut client = self.connect(database).unwrap();
        client.batch_execute(sql).unwrap();
    }

    /// Waits until the shell around the server has ended, too.
    fn wait(&mut self) {
        if let Some(mut server) = self.server.take() {
            drop(server.stdin.take());
            let _ = server.wait();
        }
    }

    /// Connects to a database, if the server answers.
    pub fn connect(&self, database: &str) -> Option<Client> {
        Client::connect(&self.url(database), NoTls).ok()
    }

    /// Returns the URL of a database.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// Creates a database with a name of its own, as a copy of `template` if there is one. Returns
    /// its name.
    pub fn create_database(&self, template: Option<&str>) -> String {
        static COUNTER: AtomicUsize = AtomicUsize::new(0);
        let name = format!("test_{}", COUNTER.fetch_add(1, Ordering::Relaxed));
        let template = template.unwrap_or("template0");
        // Copies the files instead of writing them through the log, which takes three times as
        // long.
        let sql = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy");
        self.connect("postgres")
            .unwrap()
            .batch_execute(&sql)
            .unwrap();
        name
    }

    /// Drops a database, even if it has connections.
    pub fn drop_database(&self, name: &str) {
        if let Some(mut client) = self.connect("postgres") {
            let _ = client.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        }
    }
}

fn is_running(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

/// Returns the ids of the processes that this one has started.
fn children(parent: &str) -> Vec<String> {
    let path = format!("/proc/{parent}/task/{parent}/children");
    let children = std::fs::read_to_string(path).unwrap_or_default();
    children.split_whitespace().map(str::to_owned).collect()
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.wait();
    }
}
