//! The contents of attachments: copied from the source's folder of files to where our own lie, see `store::contents`.

use super::error::ImportError;
use super::field::Row;
use super::noun::Noun;
use super::nouns;
use super::report::{Files, Report};
use super::run::Progress;
use super::source::{Limit, Source};
use crate::store::contents::{self, Arriving, Whole};
use crate::store::imported::WithoutContent;
use crate::store::{Store, StoreError, imported};
use md5::Md5;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// What the report calls them.
const LABEL: &str = "attachments (content)";
/// How many rows are read at once.
const BATCH: usize = 2000;

/// Copies what is not here yet.
pub fn copy(
    source: &mut Source,
    store: &Store,
    folder: &Path,
    dry_run: bool,
    progress: &mut dyn Progress,
    report: &mut Report,
) -> Result<(), ImportError> {
    let mut counts = Files::default();
    let mut waiting = store.read(imported::without_content)?;
    if dry_run {
        waiting.extend(still_there(source, store)?);
    }
    progress.begin("files", waiting.len() as u64);
    for file in waiting {
        progress.advance(1);
        let Some(path) = path_of(folder, &file).filter(|path| path.is_file()) else {
            counts.missing += 1;
            report.problem(LABEL, file.id, "broken", format!("{} is not there", Path::new(&file.directory).join(&file.filename).display()));
            continue;
        };
        match read(&path, &file, store, dry_run)? {
            Outcome::Unreadable(error) => {
                counts.missing += 1;
                report.problem(LABEL, file.id, "broken", format!("{} cannot be read: {error}", path.display()));
            }
            Outcome::Wrong(what) => {
                counts.wrong += 1;
                report.problem(LABEL, file.id, "broken", format!("{} has another {what}", path.display()));
            }
            Outcome::Right(content) => {
                counts.copied += 1;
                content.map_or(Ok(()), |content| insert(store, file.id, content))?;
            }
        }
    }
    progress.end();
    report.files = Some(counts);
    Ok(())
}

/// The files that a run which writes nothing has not taken.
fn still_there(source: &mut Source, store: &Store) -> Result<Vec<WithoutContent>, ImportError> {
    let columns = ["id", "disk_directory", "disk_filename", "digest", "filesize"];
    let is_attachments = |noun: &&'static Noun| noun.source == "attachments";
    let Some(noun) = nouns::all().find(is_attachments).filter(|noun| columns.iter().all(|name| source.has(noun.source, name))) else {
        return Ok(Vec::new());
    };
    let taken: BTreeSet<i64> = store.read(|db| imported::remembered(db, noun.label))?.into_keys().collect();
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let page = source.page(noun.source, &columns, "id", after, Limit::Rows(BATCH))?;
        for cells in &page {
            let row = Row { columns: &columns, cells };
            after = row.whole("id");
            if let (Some(id), Ok(directory), Ok(filename)) = (after, row.text("disk_directory"), row.text("disk_filename"))
                && !taken.contains(&id)
                && !filename.is_empty()
            {
                let digest = row.text("digest").unwrap_or_default();
                found.push(WithoutContent { id, directory, filename, digest, filesize: row.whole("filesize").unwrap_or_default() });
            }
        }
        if page.len() < BATCH {
            return Ok(found);
        }
    }
}

/// Where the file lies; none for a name that leads out of the folder.
fn path_of(folder: &Path, file: &WithoutContent) -> Option<PathBuf> {
    let inside = Path::new(&file.directory).join(&file.filename);
    inside.components().all(|part| matches!(part, Component::Normal(_))).then(|| folder.join(inside))
}

/// What became of one file.
enum Outcome {
    /// It has arrived, or would.
    Right(Option<Whole>),
    /// It is there, but this is not what it should be.
    Wrong(&'static str),
    /// It cannot be read.
    Unreadable(std::io::Error),
}

/// Reads one, and lets it arrive unless nothing is to be written.
fn read(path: &Path, file: &WithoutContent, store: &Store, dry_run: bool) -> Result<Outcome, StoreError> {
    let mut from = match File::open(path) {
        Ok(from) => from,
        Err(error) => return Ok(Outcome::Unreadable(error)),
    };
    let mut arriving = if dry_run { None } else { Some(Arriving::begin(store.folder())?) };
    let (mut sha256, mut md5, mut size) = (Sha256::new(), Md5::new(), 0_u64);
    let mut buffer = vec![0; 256 * 1024];
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) => return Ok(Outcome::Unreadable(error)),
        };
        let bytes = &buffer[..count];
        (size, _) = (size + count as u64, sha256.update(bytes));
        md5.update(bytes);
        arriving.as_mut().map_or(Ok(()), |arriving| arriving.take(bytes))?;
    }
    let digests = [hex::encode(sha256.finalize()), hex::encode(md5.finalize())];
    if !file.digest.is_empty() && !digests.iter().any(|digest| file.digest.eq_ignore_ascii_case(digest)) {
        return Ok(Outcome::Wrong("digest"));
    }
    // Without a digest the size is all that is known of it.
    if file.digest.is_empty() && file.filesize > 0 && u64::try_from(file.filesize) != Ok(size) {
        return Ok(Outcome::Wrong("size"));
    }
    Ok(Outcome::Right(arriving.map(Arriving::finish).transpose()?))
}

/// Moves a content to its place and says so in its record, in one transaction.
fn insert(store: &Store, attachment: i64, content: Whole) -> Result<(), ImportError> {
    let sha256 = content.sha256().to_owned();
    let digest = sha256.clone();
    store.write::<_, StoreError>(move |db| {
        contents::insert(db, content)?;
        imported::set_content(db, attachment, &sha256)
    })?;
    Ok(contents::sync(store, &digest)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_does_not_lead_out_of_the_folder() {
        let file = |directory: &str| WithoutContent {
            id: 1,
            directory: directory.to_owned(),
            filename: "x".to_owned(),
            digest: String::new(),
            filesize: 0,
        };
        assert!(path_of(Path::new("/f"), &file("2026/11")).is_some());
        assert!(path_of(Path::new("/f"), &file("../etc")).is_none());
        assert!(path_of(Path::new("/f"), &file("/etc")).is_none());
    }
}
