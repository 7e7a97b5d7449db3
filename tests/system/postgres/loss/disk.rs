//! The disk of the server is full.

use super::{Node, SAFE, rounds};
use quarry_world::cluster::Cluster;
use quarry_world::daemons::folder_of;
use std::fs::File;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A file system of 64 MiB for the user `postgres`, unmounted on drop.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// Mounts the file system; returns `None` where that is not allowed.
    fn mount() -> Option<SmallDisk> {
        let disk = SmallDisk(folder_of("postgres"));
        let mount = Command::new("mount")
            .args([
                "-t",
                "tmpfs",
                "-o",
                "size=64m,uid=postgres,mode=700",
                "tmpfs",
            ])
            .arg(disk.0.path())
            .stderr(Stdio::null())
            .status();
        if !mount.is_ok_and(|status| status.success()) {
            println!("NOT TESTED: no file system can be mounted here");
            return None;
        }
        Some(disk)
    }

    fn filler(&self) -> PathBuf {
        self.0.path().join("filler")
    }

    /// Fills the disk to its last byte, with a file of another program.
    fn fill(&self) {
        let mut filler = File::create(self.filler()).unwrap();
        while filler.write_all(&[0; 4096]).is_ok() {}
        while filler.write_all(&[0]).is_ok() {}
    }

    fn free(&self) {
        std::fs::remove_file(self.filler()).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

#[test]
fn full_disk_of_the_server_refuses_writes_and_keeps_reads() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let Some(cluster) = Cluster::start(&SAFE) else {
        return;
    };
    let location = disk.0.path().display();
    cluster.execute(
        "postgres",
        &format!("CREATE TABLESPACE small LOCATION '{location}'"),
    );
    cluster.execute("postgres", "CREATE DATABASE small TABLESPACE small");
    let node = Node::start(&cluster.url("small"), &[]);
    // Random letters, so that the server cannot compress them.
    let mut letters = vec![0; 16 * 1024];
    File::open("/dev/urandom")
        .unwrap()
        .read_exact(&mut letters)
        .unwrap();
    let text = hex::encode(letters);
    let mut created = 0;
    for _ in 0..rounds() {
        disk.fill();
        let refused = (0..500)
            .find_map(|number| {
                let body = format!(
                    r#"{{"issue": {{"project_id": "one", "subject": "full{number}", "description": "{text}"}}}}"#
                );
                let answer = node.send("POST", "/issues.json", &body);
                created += usize::from(answer.status == 201);
                (answer.status != 201).then_some(answer)
            })
            .expect("the disk is full");
        assert_eq!(refused.status, 507, "{refused:?}");
        for path in ["/issues.json?limit=1", "/projects/one", "/search?q=full1"] {
            let answer = node.send("GET", path, "");
            assert_eq!(answer.status, 200, "{path}: {answer:?}");
        }
        disk.free();
        node.wait_until_healed();
    }
    let mut client = cluster.connect("small").unwrap();
    let sql = "SELECT COUNT(*) FROM issues WHERE subject LIKE 'full%'";
    let stored: i64 = client.query_one(sql, &[]).unwrap().get(0);
    assert_eq!(stored, i64::try_from(created).unwrap());
    drop(client);
    node.verify_index();
    node.stop();
    // Before the disk is unmounted.
    drop(cluster);
}
