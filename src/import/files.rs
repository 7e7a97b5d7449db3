//! Copies the contents of attachments from the source's folder of files to the store's.

use super::error::ImportError;
use super::field::Row;
use super::progress::Progress;
use super::report::{FileCounts, Report};
use super::source::{Limit, Source};
use super::tables;
use md5::Md5;
use quarry_store::files::blobs;
use quarry_store::files::blobs::{BlobWriter, StagedBlob};
use quarry_store::imported::MissingContent;
use quarry_store::{Store, StoreError, imported};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Label in reports.
const LABEL: &str = "attachments (content)";
/// Number of rows read at once.
const BATCH: usize = 2000;

/// Copies the contents that are not here yet.
pub fn copy(
    source: &mut Source,
    store: &Store,
    folder: &Path,
    dry_run: bool,
    progress: &mut dyn Progress,
    report: &mut Report,
) -> Result<(), ImportError> {
    let mut counts = FileCounts::default();
    let mut waiting = store.read(imported::list_missing_content)?;
    if dry_run {
        waiting.extend(pending_in_source(source, store)?);
    }
    progress.start("files", waiting.len() as u64);
    for file in waiting {
        progress.advance(1);
        if progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        let Some(path) = path_of(folder, &file).filter(|path| path.is_file()) else {
            counts.missing += 1;
            report.add_problem(
                LABEL,
                file.id,
                "broken",
                format!(
                    "{} does not exist",
                    Path::new(&file.directory).join(&file.filename).display()
                ),
            );
            continue;
        };
        match copy_file(&path, &file, store, dry_run)? {
            Outcome::Unreadable(error) => {
                counts.missing += 1;
                report.add_problem(
                    LABEL,
                    file.id,
                    "broken",
                    format!("{} cannot be read: {error}", path.display()),
                );
            }
            Outcome::Copied(content, mismatch) => {
                // The file is what Redmine serves, whatever it has recorded.
                if let Some(property) = mismatch {
                    counts.mismatched += 1;
                    report.add_problem(
                        LABEL,
                        file.id,
                        "in part",
                        format!(
                            "{} has another {property}; imported as it is",
                            path.display()
                        ),
                    );
                } else {
                    counts.copied += 1;
                }
                content.map_or(Ok(()), |content| store_content(store, file.id, *content))?;
            }
        }
    }
    progress.finish();
    report.files = Some(counts);
    Ok(())
}

/// Returns the files of attachments that a dry run has not imported.
fn pending_in_source(
    source: &mut Source,
    store: &Store,
) -> Result<Vec<MissingContent>, ImportError> {
    let columns = [
        "id",
        "disk_directory",
        "disk_filename",
        "digest",
        "filesize",
    ];
    let mapping = tables::all().find(|mapping| mapping.source == "attachments");
    let mapping = mapping.filter(|mapping| {
        columns
            .iter()
            .all(|name| source.has_column(mapping.source, name))
    });
    let Some(mapping) = mapping else {
        return Ok(Vec::new());
    };
    let imported: BTreeSet<i64> = store
        .read(|db| imported::list_digests(db, mapping.label))?
        .into_keys()
        .collect();
    let mut files = Vec::new();
    let mut after = None;
    loop {
        let page = source.page(mapping.source, &columns, "id", after, Limit::Rows(BATCH))?;
        for cells in &page {
            let row = Row {
                columns: &columns,
                cells,
            };
            after = row.integer("id");
            if let (Some(id), Ok(directory), Ok(filename)) =
                (after, row.text("disk_directory"), row.text("disk_filename"))
                && !imported.contains(&id)
                && !filename.is_empty()
            {
                let digest = row.text("digest").unwrap_or_default();
                files.push(MissingContent {
                    id,
                    directory,
                    filename,
                    digest,
                    filesize: row.integer("filesize").unwrap_or_default(),
                });
            }
        }
        if page.len() < BATCH {
            return Ok(files);
        }
    }
}

/// Returns the path of a file; `None` for a name that leaves the folder.
fn path_of(folder: &Path, file: &MissingContent) -> Option<PathBuf> {
    let relative = Path::new(&file.directory).join(&file.filename);
    relative
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
        .then(|| folder.join(relative))
}

/// Result of copying one file.
enum Outcome {
    /// Copied, or readable in a dry run; and which property is not as recorded.
    Copied(Option<Box<StagedBlob>>, Option<&'static str>),
    /// Cannot be read.
    Unreadable(std::io::Error),
}

/// Reads a file, compares it with what is recorded, and stages its content unless nothing is to be
/// written.
fn copy_file(
    path: &Path,
    file: &MissingContent,
    store: &Store,
    dry_run: bool,
) -> Result<Outcome, StoreError> {
    let mut source = match File::open(path) {
        Ok(source) => source,
        Err(error) => return Ok(Outcome::Unreadable(error)),
    };
    let mut writer = if dry_run {
        None
    } else {
        Some(BlobWriter::create(store)?)
    };
    let mut sha256 = Sha256::new();
    let mut md5 = Md5::new();
    let mut size = 0_u64;
    let mut buffer = vec![0; 256 * 1024];
    loop {
        let count = match source.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) => return Ok(Outcome::Unreadable(error)),
        };
        let bytes = &buffer[..count];
        (size, _) = (size + count as u64, sha256.update(bytes));
        md5.update(bytes);
        writer
            .as_mut()
            .map_or(Ok(()), |writer| writer.write(bytes))?;
    }
    let digests = [hex::encode(sha256.finalize()), hex::encode(md5.finalize())];
    // Without a digest only the size can be verified.
    let mismatch = match file.digest.as_str() {
        "" if file.filesize > 0 && u64::try_from(file.filesize) != Ok(size) => Some("size"),
        "" => None,
        recorded => (!digests
            .iter()
            .any(|digest| recorded.eq_ignore_ascii_case(digest)))
        .then_some("digest"),
    };
    Ok(Outcome::Copied(
        writer.map(BlobWriter::finish).transpose()?.map(Box::new),
        mismatch,
    ))
}

/// Stores a content and records it on its attachment, in one transaction.
fn store_content(store: &Store, attachment: i64, content: StagedBlob) -> Result<(), ImportError> {
    let sha256 = content.sha256().to_owned();
    let digest = sha256.clone();
    store.write::<_, StoreError>(move |db| {
        blobs::insert(db, content)?;
        imported::set_content(db, attachment, &sha256)
    })?;
    Ok(blobs::sync(store, &digest)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_the_folder_are_rejected() {
        for (directory, is_inside) in [("2026/11", true), ("../etc", false), ("/etc", false)] {
            let file = MissingContent {
                id: 1,
                directory: directory.to_owned(),
                filename: "x".to_owned(),
                digest: String::new(),
                filesize: 0,
            };
            let path = path_of(Path::new("/f"), &file);
            assert_eq!(path.is_some(), is_inside, "{directory}");
        }
    }
}
