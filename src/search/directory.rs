//! The files of one generation, as tantivy reads and writes them.
//!
//! A file that is mapped into memory takes the whole process down (SIGBUS) when somebody cuts it short or the disk cannot give a
//! page of it. So no file is mapped: they are read into memory as a whole, and of very large postings and positions the part that is
//! asked for, each time; tantivy never changes a file that it has written. Invariant: what has been opened stays readable as it was,
//! whatever becomes of the folder, but for those very large files, which answer with an error.

use memmap2::MmapMut;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tantivy::HasLen;
use tantivy::directory::error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError};
use tantivy::directory::{Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, OwnedBytes, WatchCallback, WatchHandle, WritePtr};

/// Larger files of postings and positions are read in parts, in bytes: a term is a small part of them. Of the others every question needs
/// most.
const IN_PARTS_FROM: u64 = 256 << 20;
/// How large the large pages of a system are, in bytes; files from this size on are in them.
const LARGE_PAGE: usize = 2 << 20;

/// A directory whose files are in memory while they are in use.
#[derive(Clone, Debug)]
pub(super) struct Files {
    inner: MmapDirectory,
    root: PathBuf,
    /// From which size on files are read in parts.
    in_parts_from: u64,
    open: Arc<Mutex<HashMap<PathBuf, Opened>>>,
}

/// A file that has been opened.
#[derive(Debug)]
struct Opened {
    length: u64,
    memory: Memory,
}

/// What of it is in memory while somebody uses it.
#[derive(Debug)]
enum Memory {
    Bytes(Weak<[u8]>),
    Large(Weak<Large>),
    /// The parts that are asked for, each time.
    Parts,
}

impl Memory {
    fn in_use(&self) -> Option<Arc<dyn FileHandle>> {
        match self {
            Memory::Bytes(bytes) => Some(Arc::new(OwnedBytes::new(bytes.upgrade()?))),
            Memory::Large(large) => Some(large.upgrade()?),
            Memory::Parts => None,
        }
    }
}

/// A file in large pages. It is in use as long as this is, not as long as its bytes: tantivy keeps what it opens of a segment, but for
/// the list of deleted documents.
#[derive(Debug)]
struct Large(OwnedBytes);

impl HasLen for Large {
    fn len(&self) -> usize {
        self.0.len()
    }
}

impl FileHandle for Large {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        Ok(self.0.slice(range))
    }
}

impl Files {
    /// The directory, which must be there.
    pub fn of(root: &Path) -> Result<Files, OpenDirectoryError> {
        Files::reading_in_parts(root, IN_PARTS_FROM)
    }

    fn reading_in_parts(root: &Path, in_parts_from: u64) -> Result<Files, OpenDirectoryError> {
        Ok(Files { inner: MmapDirectory::open(root)?, root: root.to_owned(), in_parts_from, open: Arc::default() })
    }

    fn opened(&self) -> MutexGuard<'_, HashMap<PathBuf, Opened>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Other files are read anew when they are opened: they were removed, and their names may be given again.
    pub fn forget_all_but(&self, files: &HashSet<PathBuf>) {
        self.opened().retain(|path, _| files.contains(path));
    }

    /// Whether the file is as long as it was when it was opened; one that has not been opened is.
    pub fn is_whole(&self, path: &Path) -> bool {
        let Some(length) = self.opened().get(path).map(|file| file.length) else { return true };
        std::fs::metadata(self.root.join(path)).is_ok_and(|found| found.len() == length)
    }
}

/// A file of which parts are read when they are asked for.
#[derive(Debug)]
struct InParts {
    file: File,
    length: usize,
}

impl HasLen for InParts {
    fn len(&self) -> usize {
        self.length
    }
}

impl FileHandle for InParts {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        let mut bytes = vec![0; range.len()];
        read_at(&self.file, &mut bytes, range.start as u64)?;
        Ok(OwnedBytes::new(bytes))
    }
}

/// What is in a file of this length, where it stays.
fn read(path: &Path, length: usize) -> io::Result<Arc<[u8]>> {
    let mut bytes: Arc<[u8]> = std::iter::repeat_n(0, length).collect();
    let room = Arc::get_mut(&mut bytes).ok_or_else(|| io::Error::other("somebody else has what was just made"))?;
    File::open(path)?.read_exact(room)?;
    Ok(bytes)
}

/// The same in large pages, where the system gives them to who asks (Linux with `madvise`): a search goes through all of it again and
/// again, and the processor finds its way through few large pages faster than through many small ones. The rest of the process is
/// better off with small ones, which are cheap to get.
fn read_large(path: &Path, length: usize) -> io::Result<Large> {
    // Only what fills pages to the last one begins with one.
    let mut bytes = MmapMut::map_anon(length.next_multiple_of(LARGE_PAGE))?;
    #[cfg(target_os = "linux")]
    let _ = bytes.advise(memmap2::Advice::HugePage); // where the system has no large pages, small ones do as well
    File::open(path)?.read_exact(bytes.get_mut(..length).unwrap_or_default())?;
    Ok(Large(OwnedBytes::new(bytes.make_read_only()?).slice(0..length)))
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], from: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, from)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut from: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, from)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = bytes.split_at_mut(read).1;
        from += read as u64;
    }
    Ok(())
}

impl Directory for Files {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let known = self.opened().get(path).and_then(|file| file.memory.in_use());
        if let Some(known) = known {
            return Ok(known);
        }
        let full = self.root.join(path);
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => OpenReadError::FileDoesNotExist(path.to_owned()),
            _ => OpenReadError::wrap_io_error(error, path.to_owned()),
        };
        let length = std::fs::metadata(&full).map_err(failed)?.len();
        let size = usize::try_from(length).unwrap_or(usize::MAX);
        let is_one_of = |kinds: &[&str]| path.extension().is_some_and(|extension| kinds.iter().any(|kind| extension == *kind));
        let (file, memory): (Arc<dyn FileHandle>, Memory) = if length >= self.in_parts_from && is_one_of(&["idx", "pos"]) {
            (Arc::new(InParts { file: File::open(&full).map_err(failed)?, length: size }), Memory::Parts)
        } else if size >= LARGE_PAGE && !is_one_of(&["del"]) {
            let large = Arc::new(read_large(&full, size).map_err(failed)?);
            (Arc::clone(&large) as Arc<dyn FileHandle>, Memory::Large(Arc::downgrade(&large)))
        } else {
            let bytes = read(&full, size).map_err(failed)?;
            let weak = Arc::downgrade(&bytes);
            (Arc::new(OwnedBytes::new(bytes)), Memory::Bytes(weak))
        };
        self.opened().insert(path.to_owned(), Opened { length, memory });
        Ok(file)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.opened().remove(path);
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.inner.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.inner.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.inner.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.inner.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.inner.acquire_lock(lock)
    }

    fn watch(&self, watch_callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.inner.watch(watch_callback)
    }
}

#[cfg(test)]
mod tests {
    use super::{Files, LARGE_PAGE};
    use std::collections::HashSet;
    use std::path::Path;
    use tantivy::Directory;
    use tantivy::collector::{Count, DocSetCollector};
    use tantivy::query::{PhraseQuery, TermQuery};
    use tantivy::schema::{IndexRecordOption, STRING, Schema, TEXT, TantivyDocument};
    use tantivy::{Index, IndexSettings, IndexWriter, Searcher, Term};

    #[test]
    fn what_is_read_in_parts_is_the_same_and_a_file_that_was_cut_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let mut schema = Schema::builder();
        let (text, key) = (schema.add_text_field("text", TEXT), schema.add_text_field("key", STRING));
        let schema = schema.build();
        let whole = Files::of(folder.path()).unwrap();
        let index = Index::create(whole, schema, IndexSettings::default()).unwrap();
        let mut writer: IndexWriter<TantivyDocument> = index.writer_with_num_threads(1, 15_000_000).unwrap();
        for number in 0..3_000 {
            let mut document = TantivyDocument::default();
            document.add_text(text, format!("the pump of motor {}", number % 7));
            document.add_text(key, number.to_string());
            writer.add_document(document).unwrap();
        }
        writer.commit().unwrap();
        writer.wait_merging_threads().unwrap();
        let term = |said: &str| Term::from_field_text(text, said);
        let words = TermQuery::new(term("3"), IndexRecordOption::Basic);
        let phrase = PhraseQuery::new(vec![term("motor"), term("3")]);
        let counts = |searcher: &Searcher| (searcher.search(&words, &Count).unwrap(), searcher.search(&phrase, &Count).unwrap());
        let in_parts = Index::open(Files::reading_in_parts(folder.path(), 1).unwrap()).unwrap();
        let (in_memory, in_parts) = (index.reader().unwrap().searcher(), in_parts.reader().unwrap().searcher());
        assert_eq!([counts(&in_memory), counts(&in_parts)], [(429, 429); 2]);
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "idx" || extension == "pos") {
                std::fs::File::options().write(true).open(path).unwrap().set_len(10).unwrap();
            }
        }
        assert!(in_parts.search(&words, &DocSetCollector).is_err());
        assert!(in_parts.search(&phrase, &DocSetCollector).is_err());
        assert_eq!(counts(&in_memory), (429, 429));
    }

    #[test]
    fn a_name_that_is_given_again_is_another_file_once_the_first_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let (kept, again) = (Path::new("kept"), Path::new("again"));
        let write = |text: &str| [kept, again].map(|path| std::fs::write(folder.path().join(path), text).unwrap());
        write("the first");
        let files = Files::of(folder.path()).unwrap();
        let read = |path: &Path| files.open_read(path).unwrap().read_bytes().unwrap();
        let first = [read(kept), read(again)];
        write("the second");
        assert_eq!([read(kept), read(again)].map(|bytes| bytes.to_vec()), [b"the first", b"the first"]);
        files.forget_all_but(&HashSet::from([kept.to_owned()]));
        assert_eq!((read(kept).as_slice(), read(again).as_slice()), (b"the first".as_slice(), b"the second".as_slice()));
        // What was opened stays as it was.
        assert_eq!(first.map(|bytes| bytes.to_vec()), [b"the first", b"the first"]);
    }

    #[test]
    fn large_files_are_what_was_written_and_stay_it_while_they_are_in_use() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        for length in [LARGE_PAGE - 1, LARGE_PAGE, LARGE_PAGE + 4_097] {
            let written: Vec<u8> = (0..length).map(|place| (place % 251) as u8).collect();
            std::fs::write(&path, &written).unwrap();
            let files = Files::of(folder.path()).unwrap();
            let opened = files.open_read(Path::new("large")).unwrap();
            std::fs::write(&path, vec![0; length]).unwrap();
            let read = || files.open_read(Path::new("large")).unwrap().read_bytes().unwrap();
            assert!(opened.read_bytes().unwrap().as_slice() == written && read().as_slice() == written);
            assert_eq!(opened.read_bytes_slice(length - 10..length).unwrap().as_slice(), &written[length - 10..]);
            drop(opened);
            assert!(read().iter().all(|byte| *byte == 0), "nobody used it any more");
        }
    }

    #[test]
    fn the_list_of_deleted_documents_is_read_once_however_long_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let (path, length) = (folder.path().join("1.del"), LARGE_PAGE + 1);
        std::fs::write(&path, vec![1; length]).unwrap();
        let files = Files::of(folder.path()).unwrap();
        let read = || files.open_read(Path::new("1.del")).unwrap().read_bytes().unwrap();
        let first = read();
        std::fs::write(&path, vec![2; length]).unwrap();
        assert!(first == read());
    }
}
