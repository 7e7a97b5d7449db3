//! Copies the contents of attachments, piece by piece, between folders and databases.

use super::error::{CopyError, folder_error};
use super::progress::Progress;
use crate::StoreError;
use crate::data_folder::file_mode;
use crate::engine::{Connection, Value};
use crate::files::contents::Contents;
use crate::files::{pieces, stored_files};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// The contents of attachments that were copied, and those that could not be.
#[derive(Debug, Default)]
pub struct CopiedFiles {
    /// Number of contents.
    pub count: u64,
    /// Their size in bytes.
    pub bytes: u64,
    /// The SHA-256 of the contents that the source lacks.
    pub missing: Vec<String>,
    /// The SHA-256 of the contents whose bytes in the source do not match it. They are not copied.
    pub damaged: Vec<String>,
}

/// Both sides of a copy.
pub struct ContentCopier<'c> {
    pub source: &'c Connection,
    pub source_contents: &'c Contents,
    pub target: &'c Connection,
    pub target_contents: &'c Contents,
}

/// A content that is being written to the target.
enum Writer<'c> {
    File(File, PathBuf),
    Database(&'c Connection),
}

impl ContentCopier<'_> {
    /// Copies the contents that attachments reference.
    pub fn copy(&self, progress: &mut dyn Progress) -> Result<CopiedFiles, CopyError> {
        let mut digests: Vec<String> = Vec::new();
        let sql =
            "SELECT DISTINCT content_sha256 FROM attachments WHERE content_sha256 IS NOT NULL";
        self.source.for_each_row(sql, &[], &mut |row| {
            digests.push(row.next()?);
            Ok(())
        })?;
        self.target.execute("DELETE FROM blobs", &[])?;
        progress.start("files", digests.len() as u64);
        let mut copied = CopiedFiles::default();
        for sha256 in digests {
            self.copy_content(sha256, &mut copied)?;
            progress.advance(1);
        }
        progress.finish();
        Ok(copied)
    }

    fn copy_content(&self, sha256: String, copied: &mut CopiedFiles) -> Result<(), CopyError> {
        let mut writer = self.create(&sha256)?;
        let mut digest = Sha256::new();
        let mut size = 0;
        let exists = self.for_each_piece(&sha256, |n, piece| {
            digest.update(&piece);
            size += piece.len() as u64;
            writer.write(&sha256, n, piece)
        })?;
        if !exists {
            writer.discard(&sha256)?;
            copied.missing.push(sha256);
        } else if hex::encode(digest.finalize()) != sha256 {
            writer.discard(&sha256)?;
            copied.damaged.push(sha256);
        } else {
            self.finish(writer, &sha256)?;
            copied.count += 1;
            copied.bytes += size;
        }
        Ok(())
    }

    /// Calls `visit` with each piece of a content of the source. Returns whether it exists.
    fn for_each_piece(
        &self,
        sha256: &str,
        mut visit: impl FnMut(u64, Vec<u8>) -> Result<(), CopyError>,
    ) -> Result<bool, CopyError> {
        match self.source_contents {
            Contents::Folder(folder) => {
                let path = stored_files::blob_path(folder, sha256);
                let mut file = match File::open(&path) {
                    Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
                    outcome => outcome.map_err(folder_error(&path))?,
                };
                pieces::for_each(&mut file, visit)?.map_err(folder_error(&path))?;
                Ok(true)
            }
            Contents::Database => {
                for n in 0.. {
                    let mut piece = None;
                    let key = pieces::key(sha256, n);
                    self.source.for_each_row(pieces::LOAD, &key, &mut |row| {
                        piece = Some(row.next()?);
                        Ok(())
                    })?;
                    let Some(piece) = piece else {
                        return Ok(n > 0);
                    };
                    visit(n, piece)?;
                }
                Ok(false)
            }
        }
    }

    fn create(&self, sha256: &str) -> Result<Writer<'_>, CopyError> {
        let Contents::Folder(files_folder) = self.target_contents else {
            return Ok(Writer::Database(self.target));
        };
        let path = stored_files::blob_path(files_folder, sha256);
        let folder = path.parent().unwrap_or(files_folder);
        file_mode::create_dir(folder).map_err(folder_error(folder))?;
        let temporary = files_folder.join(format!(
            "{}-{}",
            stored_files::TEMPORARY_PREFIX,
            std::process::id()
        ));
        let file = File::create(&temporary).map_err(folder_error(&temporary))?;
        Ok(Writer::File(file, temporary))
    }

    /// Syncs a complete file and renames it to its final name.
    fn finish(&self, writer: Writer<'_>, sha256: &str) -> Result<(), CopyError> {
        match (writer, self.target_contents) {
            (Writer::File(file, temporary), Contents::Folder(folder)) => {
                let path = stored_files::blob_path(folder, sha256);
                file.sync_all()
                    .and_then(|()| std::fs::rename(&temporary, &path))
                    .and_then(|()| sync_folders(&path, folder))
                    .map_err(folder_error(&path))?;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

fn sync_folders(path: &Path, root: &Path) -> std::io::Result<()> {
    for folder in path.ancestors().skip(1) {
        File::open(folder)?.sync_all()?;
        if folder == root {
            break;
        }
    }
    Ok(())
}

impl Writer<'_> {
    fn write(&mut self, sha256: &str, n: u64, piece: Vec<u8>) -> Result<(), CopyError> {
        match self {
            Writer::File(file, path) => {
                file.write_all(&piece).map_err(folder_error(path))?;
            }
            Writer::Database(target) => {
                let [sha256, n] = pieces::key(sha256, n);
                target.execute(pieces::INSERT, &[sha256, n, Value::Bytes(piece)])?;
            }
        }
        Ok(())
    }

    fn discard(self, sha256: &str) -> Result<(), CopyError> {
        match self {
            Writer::File(_, path) => {
                std::fs::remove_file(&path)
                    .map_err(|error| StoreError::Folder(path.display().to_string(), error))?;
            }
            Writer::Database(target) => {
                target.execute("DELETE FROM blobs WHERE sha256 = ?1", &[sha256.into()])?;
            }
        }
        Ok(())
    }
}
