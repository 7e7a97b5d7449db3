//! Folders with damaged backups, and stores whose attachments cannot be read.

use super::{Place, attach, files_below};
use std::os::unix::fs::symlink;
use std::path::Path;

#[test]
fn backup_that_is_not_complete_does_not_count_for_retention() {
    let place = Place::new();
    place.back_up(&[]);
    let name = place.list()[0]["name"].as_str().unwrap().to_owned();
    let [whole, broken] = ["03", "04"].map(|hour| format!("2020-01-01T{hour}0000Z"));
    let folder = |name: &str| place.path("backups").join(name);
    std::fs::rename(folder(&name), folder(&whole)).unwrap();
    copy_folder(&folder(&whole), &folder(&broken));
    let database = std::fs::File::options()
        .write(true)
        .open(folder(&broken).join("quarry.sqlite3"));
    database.unwrap().set_len(100).unwrap();
    let backups = place.text("backups");
    let output = place.run("data", &["backup", &backups, "--secret", "--keep", "2d"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let problem = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(problem.contains(&broken) && problem.contains("is not complete"));
    assert!(folder(&whole).exists() && folder(&broken).exists());
    std::fs::remove_dir_all(folder(&broken)).unwrap();
    place.back_up(&["--keep", "1d"]);
    assert_eq!(place.list().len(), 1);
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}

#[test]
fn content_that_cannot_be_read_is_named_and_everything_else_is_backed_up() {
    let place = Place::new();
    let service = place.serve("data");
    attach(&service, b"linked");
    attach(&service, b"folder");
    attach(&service, b"kept");
    for path in files_below(&place.path("data/files")) {
        match std::fs::read(&path).unwrap().as_slice() {
            b"linked" => {
                let elsewhere = place.path("elsewhere");
                std::fs::rename(&path, &elsewhere).unwrap();
                symlink(&elsewhere, &path).unwrap();
            }
            b"folder" => {
                std::fs::remove_file(&path).unwrap();
                std::fs::create_dir(&path).unwrap();
            }
            _ => {}
        }
    }
    let output = place.run("data", &["backup", &place.text("backups"), "--secret"]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(printed.matches("not backed up: the file").count(), 2);
    place.verify();
    assert!(place.restore("new", &[]).contains("1 files;"));
}
