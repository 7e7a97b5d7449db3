//! Room on the disk for the writes that must succeed although it is full: a log-in, and the deletion of records (operations 9.1).
//!
//! A file in the data folder occupies the room. When less than its size is free, such a write empties the file, and the file takes back
//! what is left of the room afterwards.

use super::disk;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The name of the file.
const FILE: &str = "reserve";
/// Size of the file in bytes. A log-in needs some 100 KB, a batch of deleted records a few MB.
const SIZE: u64 = 16 << 20;
/// Where the size is not free, the file is smaller by a multiple of this.
const STEP: u64 = 1 << 20;

/// Whether less than the size of the reserve is free in this folder.
pub(super) fn is_needed(folder: &Path) -> bool {
    disk::free_space(folder).is_some_and(|free| free < SIZE)
}

/// The room of the reserve while it is free. Dropping it occupies the room again.
pub(super) struct ReleasedReserve(PathBuf);

/// Frees the room of the reserve; `None` when the folder has none.
pub(super) fn release(folder: &Path) -> Option<ReleasedReserve> {
    let file = File::options().write(true).open(folder.join(FILE)).ok()?;
    match file.set_len(0) {
        Ok(()) => Some(ReleasedReserve(folder.to_owned())),
        Err(error) => {
            tracing::warn!(error = %error, "the reserve of disk space could not be released");
            None
        }
    }
}

impl Drop for ReleasedReserve {
    fn drop(&mut self) {
        fill(&self.0);
    }
}

/// Fills a reserve that has taken less than its size because the disk was full. Does nothing in a folder without reserve.
pub(super) fn refill(folder: &Path) {
    if std::fs::metadata(folder.join(FILE)).is_ok_and(|metadata| metadata.len() < SIZE) {
        fill(folder);
    }
}

/// Creates the file, and occupies as much of its size as is free.
pub(super) fn fill(folder: &Path) {
    let path = folder.join(FILE);
    let Err(error) = File::options().create(true).truncate(false).write(true).open(&path).and_then(|file| allocate_most(&file)) else {
        return;
    };
    tracing::warn!(error = %error, "no disk space could be reserved; when the disk is full, log-ins and deletions may fail");
    if !disk::is_full(&error) {
        // The file system cannot reserve space. The file may not exist, and an empty one does no harm.
        let _ = std::fs::remove_file(path);
    }
}

/// Occupies the size of the reserve, or as much of it as is free.
fn allocate_most(file: &File) -> std::io::Result<()> {
    let mut size = SIZE;
    loop {
        match allocate(file, size) {
            Err(error) if disk::is_full(&error) && size > STEP => size -= STEP,
            outcome => return outcome,
        }
    }
}

/// Occupies the bytes on the disk, without writing them.
fn allocate(file: &File, size: u64) -> std::io::Result<()> {
    #[cfg(unix)]
    return Ok(rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, size)?);
    #[cfg(not(unix))]
    {
        let _ = (file, size);
        Err(std::io::ErrorKind::Unsupported.into())
    }
}

#[cfg(test)]
#[cfg(unix)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    #[test]
    fn reserve_occupies_its_room_except_while_it_is_released() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let occupied = || std::fs::metadata(path.join(FILE)).unwrap().blocks() * 512;
        refill(path);
        assert!(release(path).is_none() && !path.join(FILE).exists(), "a folder without reserve gets none");
        fill(path);
        assert!(occupied() >= SIZE);
        let released = release(path);
        assert_eq!(occupied(), 0);
        drop(released);
        assert!(occupied() >= SIZE);
        std::fs::write(path.join(FILE), "").unwrap();
        refill(path);
        assert!(occupied() >= SIZE);
    }
}
