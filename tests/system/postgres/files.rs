//! The contents of attachments of several nodes: in the database, or in a folder that they share.

use super::site::{Site, download, key_header, noise, open, request, upload};
use quarry_world::environment;
use quarry_world::process::{Service, quarry};
use quarry_world::process_usage;
use quarry_world::wait::{TIMEOUT, until};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const MIB: usize = 1024 * 1024;
/// Number of rounds, in all, of the test that kills the service.
const ROUNDS: u64 = 8;
/// Clients that upload while the service is killed.
const CLIENTS: u64 = 4;

/// Number of contents without an attachment.
const ORPHANS: &str = "SELECT COUNT(*) FROM blobs b WHERE NOT EXISTS \
                       (SELECT 1 FROM attachments a WHERE a.content_sha256 = b.sha256)";
/// Number of attachments whose content is missing or has another size.
const INCOMPLETE: &str = "SELECT COUNT(*) FROM attachments a WHERE a.filesize IS DISTINCT FROM \
                          (SELECT SUM(octet_length(bytes)) FROM blobs b WHERE b.sha256 = a.content_sha256)";

/// Returns the peak of the memory of a process, in bytes.
fn peak_memory(service: &Service) -> usize {
    process_usage::memory(service.id()).unwrap().peak
}

#[test]
fn file_uploaded_on_one_node_is_downloaded_in_ranges_from_another() {
    let Some((site, key)) = Site::initialized(&[]) else {
        return;
    };
    let nodes = [site.start("a", &[]), site.start("b", &[])];
    // Pieces have 256 KiB: none, one, exactly two, and a part of a third.
    for size in [0, 1, 512 * 1024, 512 * 1024 + 3] {
        let bytes = noise(size as u64, size);
        let id = upload(&nodes[0].address, &key, &bytes).unwrap();
        let whole = download(&nodes[1].address, &key, id, &[]).unwrap();
        assert!(whole.status == 200 && whole.body == bytes, "{}", whole.head);
        let shown = request(
            &nodes[1].address,
            &format!("GET /attachments/{id}.json"),
            &[&key_header(&key)],
            b"",
        );
        assert_eq!(shown.unwrap().json()["attachment"]["filesize"], size);
    }
    let bytes = noise(7, MIB + 5);
    let id = upload(&nodes[1].address, &key, &bytes).unwrap();
    for (range, first, last) in [
        ("bytes=0-0", 0, 0),
        ("bytes=262143-262144", 262_143, 262_144),
        ("bytes=100000-900000", 100_000, 900_000),
        ("bytes=-7", MIB - 2, MIB + 4),
        ("bytes=1048570-", 1_048_570, MIB + 4),
    ] {
        let part = download(&nodes[0].address, &key, id, &[&format!("Range: {range}")]).unwrap();
        assert_eq!(part.status, 206, "{range}: {}", part.head);
        assert!(part.body == bytes[first..=last], "{range}");
    }
    let beyond = download(&nodes[0].address, &key, id, &["Range: bytes=1048581-"]).unwrap();
    assert_eq!(beyond.status, 416, "{}", beyond.head);
    assert_eq!(site.query(INCOMPLETE), 0);
}

#[test]
fn large_file_is_received_and_sent_with_bounded_memory() {
    let Some((site, key)) = Site::initialized(&[]) else {
        return;
    };
    let node = site.start("a", &[]);
    let small = upload(&node.address, &key, &noise(1, MIB)).unwrap();
    download(&node.address, &key, small, &[]).unwrap();
    let before = peak_memory(&node);
    let bytes = noise(2, 60 * MIB);
    let id = upload(&node.address, &key, &bytes).unwrap();
    let received = peak_memory(&node).saturating_sub(before);
    assert!(received < 15 * MIB, "{received} bytes");
    let whole = download(&node.address, &key, id, &[]).unwrap();
    assert!(whole.status == 200 && whole.body == bytes, "{}", whole.head);
    let grown = peak_memory(&node).saturating_sub(before);
    println!("60 MiB: {} KiB more memory", grown / 1024);
    // Threads that read pieces keep freed memory for themselves.
    assert!(grown < 48 * MIB, "{grown} bytes");
}

#[test]
fn slow_downloads_hold_no_connection_to_the_database() {
    let Some((site, key)) = Site::initialized(&[]) else {
        return;
    };
    let configuration = site.root.path().join("few.toml");
    std::fs::write(&configuration, "store_connections = 3\n").unwrap();
    let node = site.start("a", &["--config", &configuration.display().to_string()]);
    let id = upload(&node.address, &key, &noise(3, 30 * MIB)).unwrap();
    let line = format!("GET /attachments/download/{id}");
    let downloads: Vec<_> = (0..8)
        .map(|_| open(&node.address, &line, &[&key_header(&key)], b"").unwrap())
        .collect();
    // Each has been answered, and waits for its client to read.
    for download in &downloads {
        until(TIMEOUT, "the download has begun", || {
            download.peek(&mut [0; 16]).is_ok_and(|count| count == 16)
        });
    }
    let list = request(&node.address, "GET /issues.json", &[&key_header(&key)], b"").unwrap();
    assert_eq!(list.status, 200, "{}", list.head);
}

#[test]
fn killed_uploads_leave_neither_orphans_nor_attachments_without_content() {
    let Some((site, key)) = Site::initialized(&[]) else {
        return;
    };
    let uploaded = Mutex::new(Vec::new());
    let rounds = environment::rounds("QUARRY_KILLS", ROUNDS);
    let first = environment::seed() % ROUNDS;
    for round in 0..rounds {
        let mut node = site.start("a", &[]);
        let address = node.address.clone();
        let answered = AtomicUsize::new(0);
        std::thread::scope(|threads| {
            for client in 0..CLIENTS {
                let address = &address;
                let key = &key;
                let uploaded = &uploaded;
                let answered = &answered;
                threads.spawn(move || {
                    for number in 0.. {
                        let seed = round * 1_000_000 + client * 1000 + number;
                        let Some(id) = upload(address, key, &noise(seed, 2 * MIB + 9)) else {
                            return;
                        };
                        uploaded.lock().unwrap().push((id, seed));
                        answered.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            let enough = 2 + usize::try_from((first + round) % ROUNDS).unwrap();
            until(TIMEOUT, "some uploads were answered", || {
                answered.load(Ordering::Relaxed) >= enough
            });
            node.kill();
        });
        assert_eq!(site.query(ORPHANS), 0, "round {round}");
        assert_eq!(site.query(INCOMPLETE), 0, "round {round}");
    }
    let node = site.start("b", &[]);
    let uploaded = uploaded.into_inner().unwrap();
    assert!(uploaded.len() as u64 >= 2 * rounds);
    for (id, seed) in uploaded.iter().rev().take(8) {
        let whole = download(&node.address, &key, *id, &[]).unwrap();
        assert!(
            whole.status == 200 && whole.body == noise(*seed, 2 * MIB + 9),
            "{id}"
        );
    }
}

/// Uploads the same content on both nodes, downloads it from the other one, and deletes it, over and
/// over.
fn upload_and_delete_on(nodes: &[Service; 2], key: &str) {
    let bytes = noise(11, 300 * 1024);
    std::thread::scope(|threads| {
        for (own, other) in [(0, 1), (1, 0), (0, 0), (1, 1)] {
            let bytes = &bytes;
            threads.spawn(move || {
                for round in 0..15 {
                    let id = upload(&nodes[own].address, key, bytes).unwrap();
                    let whole = download(&nodes[other].address, key, id, &[]).unwrap();
                    assert!(whole.body == *bytes, "round {round}: {}", whole.head);
                    let line = format!("DELETE /attachments/{id}.json");
                    let deleted =
                        request(&nodes[own].address, &line, &[&key_header(key)], b"").unwrap();
                    assert!(matches!(deleted.status, 200 | 204), "{}", deleted.head);
                }
            });
        }
    });
}

#[test]
fn content_that_is_uploaded_and_deleted_on_two_nodes_is_never_lost() {
    let Some((site, key)) = Site::initialized(&[]) else {
        return;
    };
    let nodes = [site.start("a", &[]), site.start("b", &[])];
    upload_and_delete_on(&nodes, &key);
    assert_eq!(site.query(ORPHANS), 0);
    assert_eq!(site.query("SELECT COUNT(*) FROM attachments"), 0);
}

fn count_files(folder: &Path) -> usize {
    let folders = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    folders
        .filter(|path| path.is_dir())
        .map(|path| std::fs::read_dir(path).unwrap().count())
        .sum()
}

/// Asserts that a node does not start, with an error that has this text.
#[track_caller]
fn assert_refused(site: &Site, folder: &str, arguments: &[&str], problem: &str) {
    let mut command = quarry(&["serve", "--listen", "127.0.0.1:0", "--store", &site.url()]);
    command
        .args(arguments)
        .arg("--data")
        .arg(site.root.path().join(folder));
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && error.contains(problem),
        "{error}"
    );
}

#[test]
fn nodes_share_a_folder_and_refuse_another() {
    let shared = tempfile::tempdir().unwrap();
    let files = ["--files", shared.path().to_str().unwrap()];
    let Some((site, key)) = Site::initialized(&files) else {
        return;
    };
    let nodes = [site.start("a", &files), site.start("b", &files)];
    let bytes = noise(5, MIB + 1);
    let id = upload(&nodes[0].address, &key, &bytes).unwrap();
    let part = download(&nodes[1].address, &key, id, &["Range: bytes=5-1000000"]).unwrap();
    assert!(
        part.status == 206 && part.body == bytes[5..=1_000_000],
        "{}",
        part.head
    );
    assert_eq!(
        (
            count_files(shared.path()),
            site.query("SELECT COUNT(*) FROM blobs")
        ),
        (1, 0)
    );
    upload_and_delete_on(&nodes, &key);
    assert_eq!(count_files(shared.path()), 1, "only the first file is left");
    drop(nodes);
    assert_refused(&site, "b", &[], "are in a folder that its nodes share");
    let other = tempfile::tempdir().unwrap();
    let elsewhere = ["--files", other.path().to_str().unwrap()];
    assert_refused(
        &site,
        "b",
        &elsewhere,
        "is not the folder with the files of this store",
    );
    assert_eq!(std::fs::read_dir(other.path()).unwrap().count(), 0);
    let foreign = Site::empty().unwrap();
    assert_refused(&foreign, "a", &files, "it has the files of another store");
    // A store that has files in its database already.
    let Some((filled, key)) = Site::initialized(&[]) else {
        return;
    };
    let node = filled.start("a", &[]);
    upload(&node.address, &key, b"here").unwrap();
    drop(node);
    assert_refused(&filled, "a", &elsewhere, "are in its database");
}

#[test]
fn folder_for_files_needs_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let output = quarry(&["serve", "--files", "shared", "--data"])
        .arg(folder.path())
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code() == Some(2) && error.contains("`files` needs `store`"),
        "{error}"
    );
}
