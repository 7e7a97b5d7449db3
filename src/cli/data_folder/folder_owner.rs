//! The owner of the data folder, to whom the files belong that a command creates there as root: the
//! service, which runs as the owner, could not use those of root.
//!
//! The owner may change the folder meanwhile, so no symbolic link is followed, and a file with another
//! name elsewhere is left alone.

use quarry_config::Config;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, Dir, FileType, Gid, Mode, OFlags, Stat, Uid};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Maximum depth of folders that are searched.
const MAX_DEPTH: usize = 16;

/// Device and inode.
type FileId = (u64, u64);

fn file_id(file: &OwnedFd) -> Option<FileId> {
    let stat = rustix::fs::fstat(file).ok()?;
    Some((stat.st_dev, stat.st_ino))
}

/// Gives what root creates in some folders to the owner of the data folder, when it is dropped.
pub struct FolderOwner {
    user: Uid,
    group: Gid,
    folders: Vec<PathBuf>,
    /// What belonged to root before, and stays so, by device and inode: the owner of the folder can rename it.
    existing: HashSet<FileId>,
}

impl FolderOwner {
    /// Finds the owner of the configured data folder, to whom index and files belong too. Returns `None`
    /// unless this process is root, and the folder belongs to somebody else.
    pub fn find(config: &Config) -> Option<FolderOwner> {
        let files = config
            .server
            .as_ref()
            .and_then(|server| server.files.clone());
        let others = [Some(config.index.clone()), files].into_iter().flatten();
        FolderOwner::of(&config.data, others)
    }

    /// Like [`FolderOwner::find`], for a data folder and what belongs to it elsewhere.
    pub fn of(data: &Path, others: impl IntoIterator<Item = PathBuf>) -> Option<FolderOwner> {
        if !rustix::process::geteuid().is_root() {
            return None;
        }
        let metadata = std::fs::metadata(data).ok()?;
        let user = Uid::from_raw(metadata.uid());
        if user.is_root() {
            return None;
        }
        let others = others
            .into_iter()
            .filter(|folder| !folder.starts_with(data));
        let mut owner = FolderOwner {
            user,
            group: Gid::from_raw(metadata.gid()),
            folders: [data.to_owned()].into_iter().chain(others).collect(),
            existing: HashSet::new(),
        };
        let mut existing = HashSet::new();
        owner.visit_root_files(&mut |_, file| existing.extend(file_id(file)));
        owner.existing = existing;
        Some(owner)
    }

    /// Calls `visitor` with each file and folder of root in the folders.
    fn visit_root_files(&self, visitor: Visitor<'_>) {
        for folder in &self.folders {
            // The path of the folder itself is that of the configuration.
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            if let Ok(opened) = rustix::fs::open(folder, flags, Mode::empty()) {
                visit(folder, &opened, MAX_DEPTH, visitor);
            }
        }
    }
}

impl Drop for FolderOwner {
    fn drop(&mut self) {
        self.visit_root_files(&mut |path, file| {
            let id = file_id(file);
            if id.is_none_or(|id| self.existing.contains(&id)) {
                return;
            }
            if let Err(error) = rustix::fs::fchown(file, Some(self.user), Some(self.group)) {
                eprintln!(
                    "quarry: {} cannot be given to the owner of the data folder: {error}",
                    path.display()
                );
            }
        });
    }
}

/// Visits a folder and what is in it, as far as it belongs to root. What cannot be read is left out.
fn visit(path: &Path, folder: &OwnedFd, depth: usize, visitor: Visitor<'_>) {
    if let (Ok(entries), true) = (Dir::read_from(folder), depth > 0) {
        for entry in entries.flatten() {
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            match open(folder, name) {
                Ok(Entry::Folder(opened)) => visit(&path.join(name), &opened, depth - 1, visitor),
                Ok(Entry::RootFile(file)) => visitor(&path.join(name), &file),
                Ok(Entry::Other) | Err(_) => {}
            }
        }
    }
    if rustix::fs::fstat(folder).is_ok_and(|stat| is_of_root(&stat)) {
        visitor(path, folder);
    }
}

/// Called with the path and the open file.
type Visitor<'v> = &'v mut dyn FnMut(&Path, &OwnedFd);

/// An entry of a folder.
enum Entry {
    Folder(OwnedFd),
    /// A regular file of root, without another name.
    RootFile(OwnedFd),
    Other,
}

fn open(folder: impl AsFd, name: &OsStr) -> io::Result<Entry> {
    let kind = |stat: &Stat| FileType::from_raw_mode(stat.st_mode);
    let is_root_file =
        |stat: &Stat| kind(stat) == FileType::RegularFile && is_of_root(stat) && stat.st_nlink == 1;
    let before = rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    if kind(&before) != FileType::Directory && !is_root_file(&before) {
        return Ok(Entry::Other);
    }
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = rustix::fs::openat(&folder, name, flags, Mode::empty())?;
    // Somebody may have put something else in its place.
    let stat = rustix::fs::fstat(&opened)?;
    Ok(match kind(&stat) {
        FileType::Directory => Entry::Folder(opened),
        _ if is_root_file(&stat) => Entry::RootFile(opened),
        _ => Entry::Other,
    })
}

fn is_of_root(stat: &Stat) -> bool {
    stat.st_uid == 0
}
