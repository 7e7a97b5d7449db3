//! The tantivy directory of an index that follows the store: memory-mapped, without fsync.
//!
//! The index can always be rebuilt from the store, so a commit need not be durable, and fsync would
//! take longer than the rest of it. Written data survives the end of the process. After a power
//! failure files may be missing, truncated or old; the checksums and the commit metadata reveal
//! that at the next start, and the index is rebuilt.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::directory::error::{
    DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError,
};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite,
    WatchCallback, WatchHandle, WritePtr,
};

/// A [`MmapDirectory`] that writes without fsync.
#[derive(Clone, Debug)]
pub(crate) struct UnsyncedDirectory {
    inner: MmapDirectory,
    path: PathBuf,
}

impl UnsyncedDirectory {
    /// Opens a directory, which must exist.
    pub fn open(path: &Path) -> Result<UnsyncedDirectory, OpenDirectoryError> {
        Ok(UnsyncedDirectory {
            inner: MmapDirectory::open(path)?,
            path: path.to_owned(),
        })
    }
}

impl Directory for UnsyncedDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.inner.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let file = File::create_new(self.path.join(path)).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => OpenWriteError::FileAlreadyExists(path.to_owned()),
            _ => OpenWriteError::wrap_io_error(error, path.to_owned()),
        })?;
        Ok(BufWriter::new(Box::new(UnsyncedFile(file))))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.inner.atomic_read(path)
    }

    /// Replaces a file atomically. No two threads write the same file: tantivy locks its list of
    /// files, and one thread writes `meta.json`.
    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        let path = self.path.join(path);
        let new = path.with_added_extension("new");
        std::fs::write(&new, data)?;
        std::fs::rename(new, path)
    }

    /// Does not sync. Each commit calls this, so the mappings of deleted files are dropped here:
    /// the cache of [`MmapDirectory`] keeps an entry for every file that it ever opened, until its
    /// content is requested.
    fn sync_directory(&self) -> io::Result<()> {
        drop(self.inner.get_cache_info());
        Ok(())
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.inner.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.inner.watch(callback)
    }
}

/// A file that is closed without fsync.
struct UnsyncedFile(File);

impl Write for UnsyncedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl TerminatingWrite for UnsyncedFile {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::UnsyncedDirectory;
    use crate::index::Index;
    use crate::index::writer::Writer;
    use crate::schema::config::IndexConfig;
    use quarry_domain::ids::ProjectId;
    use quarry_domain::index_feed::indexed_record::IndexedRecord;
    use quarry_domain::index_feed::kind::Kind;
    use std::collections::BTreeSet;
    use std::ops::RangeInclusive;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;
    use tantivy::Directory;

    fn source(id: i64) -> IndexedRecord {
        IndexedRecord {
            kind: Kind::News,
            id,
            change: id,
            project: ProjectId(1),
            fields: vec![("title", format!("number {id}"))],
            ..IndexedRecord::default()
        }
    }

    fn config() -> Arc<IndexConfig> {
        Arc::new(IndexConfig::embedded().unwrap())
    }

    /// An index of documents 1 to 20.
    fn created(folder: &Path) {
        let index = Index::create(folder, config()).unwrap();
        let mut writer = index.writer().unwrap();
        (1..=20).for_each(|id| writer.add(index.document(&source(id))).unwrap());
        writer.commit("").unwrap();
        writer.close().unwrap();
    }

    fn open(folder: &Path) -> Index {
        Index::open(folder, config()).unwrap()
    }

    /// Writes documents again, each in a commit of its own.
    fn rewrite(index: &Index, writer: &mut Writer, ids: RangeInclusive<i64>) {
        for id in ids {
            writer.delete(index.key(Kind::News, id));
            writer.add(index.document(&source(id))).unwrap();
            writer.commit("").unwrap();
            index.reload().unwrap();
        }
    }

    /// The files of segments in a folder.
    fn files(folder: &Path) -> BTreeSet<PathBuf> {
        let all = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| PathBuf::from(entry.unwrap().file_name()));
        all.filter(|path| {
            path.to_str()
                .is_some_and(|name| name.len() > 33 && name.as_bytes()[32] == b'.')
        })
        .collect()
    }

    /// The files that the last commit names, as far as they exist.
    fn committed(folder: &Path) -> BTreeSet<PathBuf> {
        let all = open(folder)
            .inner
            .load_metas()
            .unwrap()
            .list_segment_files();
        all.into_iter()
            .filter(|path| folder.join(path).exists())
            .collect()
    }

    #[test]
    fn commit_is_visible_after_reopening_and_old_files_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        created(folder.path());
        let index = open(folder.path());
        let mut writer = index.writer().unwrap();
        rewrite(&index, &mut writer, 1..=30);
        assert_eq!(open(folder.path()).searcher().num_docs(), 30);
        writer.close().unwrap();
        open(folder.path()).writer().unwrap().close().unwrap();
        assert_eq!(files(folder.path()), committed(folder.path()));
    }

    #[test]
    fn files_of_a_killed_process_are_removed_and_their_names_reused() {
        let folder = tempfile::tempdir().unwrap();
        created(folder.path());
        let meta = std::fs::read(folder.path().join("meta.json")).unwrap();
        let before = files(folder.path());
        for round in 0..3 {
            let index = open(folder.path());
            let directory = UnsyncedDirectory::open(folder.path()).unwrap();
            // As after a kill between the files of a commit and `meta.json`: the next commit
            // chooses the same names.
            let mut writer = index.writer().unwrap();
            assert_eq!(files(folder.path()), before, "round {round}");
            let kept: Vec<_> = before
                .iter()
                .map(|path| (path, std::fs::read(folder.path().join(path)).unwrap()))
                .collect();
            rewrite(&index, &mut writer, 1..=3);
            assert_eq!(index.searcher().num_docs(), 20);
            writer.close().unwrap();
            kept.into_iter()
                .for_each(|(path, bytes)| std::fs::write(folder.path().join(path), bytes).unwrap());
            directory
                .atomic_write(Path::new("meta.json"), &meta)
                .unwrap();
            assert_ne!(files(folder.path()), before);
        }
    }

    #[test]
    fn mappings_of_deleted_files_are_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let directory = UnsyncedDirectory::open(folder.path()).unwrap();
        for number in 0..50 {
            let path = PathBuf::from(number.to_string());
            std::fs::write(folder.path().join(&path), "text").unwrap();
            drop(directory.open_read(&path).unwrap());
            directory.delete(&path).unwrap();
            directory.sync_directory().unwrap();
        }
        assert!(directory.inner.get_cache_info().mmapped.is_empty());
    }

    #[test]
    fn file_is_replaced_atomically() {
        let folder = tempfile::tempdir().unwrap();
        let directory = UnsyncedDirectory::open(folder.path()).unwrap();
        let path = Path::new("meta.json");
        for text in ["a long text", "short"] {
            directory.atomic_write(path, text.as_bytes()).unwrap();
            assert_eq!(directory.atomic_read(path).unwrap(), text.as_bytes());
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
