//! The database server is lost while clients read and write: requests fail with 503 meanwhile, the
//! node recovers by itself, and what it has acknowledged is stored.

mod clients;
mod commit;
mod connections;
mod disk;
mod failover;
mod pool;
mod restart;
mod slow;

use clients::{Answer, Clients, send};
use quarry::store::{Server, Store, StoreLocation};
use quarry_world::cluster::Cluster;
use quarry_world::data_folder::{KEY, prepare_store};
use quarry_world::environment;
use quarry_world::process::{Service, message, quarry};
use std::time::{Duration, Instant};

/// Returns the rounds of each test.
fn rounds() -> usize {
    rounds_of(10)
}

/// Returns the rounds of a test that has this number in all rounds.
fn rounds_of(all: u64) -> usize {
    usize::try_from(environment::rounds("QUARRY_LOSSES", all)).unwrap()
}

/// The settings of a server that keeps what it has confirmed, and starts and stops quickly.
const SAFE: [&str; 3] = ["fsync=on", "max_connections=100", "shared_buffers=16MB"];

/// A node with its data folder.
struct Node {
    url: String,
    folder: tempfile::TempDir,
    service: Service,
}

impl Node {
    /// Sets up a new database of the cluster, and starts a node that reaches it under this URL.
    fn start(url: &str, variables: &[(&str, &str)]) -> Node {
        let folder = tempfile::tempdir().unwrap();
        let serve = |variables: &[(&str, &str)]| {
            let mut command = quarry(&["serve", "--log", "warn", "--store", url, "--data"]);
            command.arg(folder.path()).envs(variables.iter().copied());
            Service::start(&mut command)
        };
        let first = serve(&[]);
        first.terminate();
        assert!(first.ended().0.success());
        let location = StoreLocation {
            folder: folder.path().to_owned(),
            server: Some(Server::parse(url, None, 10).unwrap()),
            files: None,
            backs_up_before_upgrade: false,
        };
        let store = Store::open(location).unwrap();
        prepare_store(&store);
        store.close();
        let service = serve(variables);
        Node {
            url: url.to_owned(),
            folder,
            service,
        }
    }

    /// Sends a request of the administrator.
    fn send(&self, method: &str, path: &str, body: &str) -> Answer {
        send(&self.service.address, method, path, body).expect("an answer")
    }

    /// Waits until reads and writes succeed. Returns how long that took.
    fn wait_until_healed(&self) -> Duration {
        let start = Instant::now();
        let body = r#"{"issue": {"project_id": "one", "subject": "healed"}}"#;
        quarry_world::wait::until(
            quarry_world::wait::TIMEOUT,
            "the node answers again",
            || {
                let read = self.send("GET", "/issues.json?limit=1", "");
                let write = self.send("POST", "/issues.json", body);
                read.status == 200 && write.status == 201
            },
        );
        start.elapsed()
    }

    /// Waits until the node is ready, and verifies its index.
    fn verify_index(&self) {
        quarry_world::wait::until(quarry_world::wait::TIMEOUT, "the node is ready", || {
            self.send("GET", "/readyz", "").status == 200
        });
        let output = quarry(&["index", "verify", "--store", &self.url, "--data"])
            .arg(self.folder.path())
            .output()
            .unwrap();
        println!("{}", message(&output));
    }

    /// Stops the node. Returns its log.
    fn stop(self) -> String {
        self.service.terminate();
        let (status, log) = self.service.ended();
        assert!(status.success(), "{log}");
        log
    }
}

/// Returns how often the log says that the server is not available.
fn outages(log: &str) -> usize {
    log.matches("the database server is not available; requests fail")
        .count()
}

/// Prints and checks how long it took in each round until the node answered again.
fn report(name: &str, times: &[Duration]) {
    let slowest = times.iter().max().unwrap();
    println!("{name}: answers again after at most {slowest:?}: {times:?}");
    assert!(
        *slowest < quarry_world::wait::TIMEOUT,
        "the node took too long to recover"
    );
}

/// Asserts that the changes since this one are numbered without gaps or repetitions.
fn assert_gapless(cluster: &Cluster, database: &str, since: i64) {
    let sql = "SELECT (SELECT value FROM counters WHERE name = 'change'), MAX(seq), COUNT(*) FROM changes WHERE seq > $1";
    let row = cluster
        .connect(database)
        .unwrap()
        .query_one(sql, &[&since])
        .unwrap();
    let (counter, last, count): (i64, i64, i64) = (row.get(0), row.get(1), row.get(2));
    assert_eq!((counter, count), (last, last - since));
}

/// Returns the sequence number of the last change.
fn last_change(cluster: &Cluster, database: &str) -> i64 {
    let sql = "SELECT value FROM counters WHERE name = 'change'";
    cluster
        .connect(database)
        .unwrap()
        .query_one(sql, &[])
        .unwrap()
        .get(0)
}

/// Returns how many issues have this subject.
fn count_of(cluster: &Cluster, database: &str, subject: &str) -> i64 {
    cluster
        .connect(database)
        .unwrap()
        .query_one(
            "SELECT COUNT(*) FROM issues WHERE subject = $1",
            &[&subject],
        )
        .unwrap()
        .get(0)
}
