//! The contents of attachments: copied from the source's folder of files, each once, under the digest of what is in it.

use super::error::ImportError;
use super::report::{Files, Report};
use super::run::Progress;
use crate::store::imported::WithoutContent;
use crate::store::{Store, StoreError, imported};
use md5::Md5;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};

/// What the report calls them.
const LABEL: &str = "attachments (content)";

/// Copies what is not here yet.
pub fn copy(
    store: &Store,
    folder: &Path,
    data: &Path,
    dry_run: bool,
    progress: &mut dyn Progress,
    report: &mut Report,
) -> Result<(), ImportError> {
    let mut counts = Files::default();
    let waiting = store.read(imported::without_content)?;
    progress.begin("files", waiting.len() as u64);
    for file in waiting {
        progress.advance(1);
        let Some(path) = path_of(folder, &file).filter(|path| path.is_file()) else {
            counts.missing += 1;
            report.problem(LABEL, file.id, "broken", format!("{}/{} is not there", file.directory, file.filename));
            continue;
        };
        let failed = |error| ImportError::File(path.display().to_string(), error);
        match copy_one(&path, data, &file.digest, dry_run).map_err(failed)? {
            None => {
                counts.wrong += 1;
                report.problem(LABEL, file.id, "broken", format!("{} has another digest", path.display()));
            }
            Some(sha256) => {
                counts.copied += 1;
                if !dry_run {
                    let id = file.id;
                    store.write::<_, StoreError>(move |db| imported::set_content(db, id, &sha256))?;
                }
            }
        }
    }
    progress.end();
    report.files = Some(counts);
    Ok(())
}

/// Where the file lies; none for a name that leads out of the folder.
fn path_of(folder: &Path, file: &WithoutContent) -> Option<PathBuf> {
    let inside = Path::new(&file.directory).join(&file.filename);
    inside.components().all(|part| matches!(part, Component::Normal(_))).then(|| folder.join(inside))
}

/// Copies one and answers its SHA-256; `None` when its digest is another. It is moved to its place when it is whole.
fn copy_one(path: &Path, data: &Path, digest: &str, dry_run: bool) -> std::io::Result<Option<String>> {
    let mut from = File::open(path)?;
    let files = data.join("files");
    let arriving = files.join("arriving");
    let mut to = if dry_run {
        None
    } else {
        std::fs::create_dir_all(&files)?;
        Some(File::create(&arriving)?)
    };
    let (mut sha256, mut md5) = (Sha256::new(), Md5::new());
    let mut buffer = vec![0; 256 * 1024];
    loop {
        let count = from.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        sha256.update(&buffer[..count]);
        md5.update(&buffer[..count]);
        if let Some(to) = &mut to {
            to.write_all(&buffer[..count])?;
        }
    }
    let (sha256, md5) = (hex::encode(sha256.finalize()), hex::encode(md5.finalize()));
    let agrees = digest.is_empty() || digest.eq_ignore_ascii_case(&sha256) || digest.eq_ignore_ascii_case(&md5);
    if let Some(to) = to {
        if agrees {
            to.sync_all()?;
            let place = files.join(&sha256[..2]);
            std::fs::create_dir_all(&place)?;
            std::fs::rename(&arriving, place.join(&sha256))?;
        } else {
            std::fs::remove_file(&arriving)?;
        }
    }
    Ok(agrees.then_some(sha256))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_copied_under_its_digest_if_that_is_the_one_it_should_have() {
        let folder = tempfile::tempdir().unwrap();
        let (path, data) = (folder.path().join("a"), folder.path().join("data"));
        std::fs::write(&path, "hello").unwrap();
        let sha256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
        assert_eq!(copy_one(&path, &data, "5D41402ABC4B2A76B9719D911017C592", false).unwrap().as_deref(), Some(sha256));
        assert_eq!(std::fs::read(data.join("files/2c").join(sha256)).unwrap(), b"hello");
        assert_eq!(copy_one(&path, &data, "5d", false).unwrap(), None);
        assert!(!data.join("files/arriving").exists());
    }

    #[test]
    fn a_name_does_not_lead_out_of_the_folder() {
        let file =
            |directory: &str| WithoutContent { id: 1, directory: directory.to_owned(), filename: "x".to_owned(), digest: String::new() };
        assert!(path_of(Path::new("/f"), &file("2026/11")).is_some());
        assert!(path_of(Path::new("/f"), &file("../etc")).is_none());
        assert!(path_of(Path::new("/f"), &file("/etc")).is_none());
    }
}
