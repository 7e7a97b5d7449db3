//! Reserved disk space for writes that must succeed on a full disk: logins and deletions
//! (operations 9.1).
//!
//! A file in the data folder occupies the space. While less than its size is free, such a write
//! truncates the file, and fills it again afterwards with what is left.

use crate::disk;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The name of the file.
const FILE: &str = "reserve";
/// Size of the file in bytes. A login needs some 100 KB, a batch of deleted records a few MB.
const SIZE: u64 = 16 << 20;
/// If the disk has less free space, the file is smaller by a multiple of this number of bytes.
const STEP: u64 = 1 << 20;

/// Whether less than the size of the reserve is free in this folder.
pub(crate) fn is_needed(folder: &Path) -> bool {
    disk::free_space(folder).is_some_and(|free| free < SIZE)
}

/// Free space of a released reserve. Dropping it occupies the space again.
pub(crate) struct ReleasedReserve(PathBuf);

/// Frees the space of the reserve; `None` if the folder has no reserve.
pub(crate) fn release(folder: &Path) -> Option<ReleasedReserve> {
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

/// Fills a reserve that is smaller than its size because the disk was full. Does nothing in a
/// folder without a reserve.
pub(crate) fn refill(folder: &Path) {
    if std::fs::metadata(folder.join(FILE)).is_ok_and(|metadata| metadata.len() < SIZE) {
        fill(folder);
    }
}

/// Creates the file, and occupies as much of its size as is free.
pub(crate) fn fill(folder: &Path) {
    let path = folder.join(FILE);
    let Err(error) = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .and_then(|file| allocate_most(&file))
    else {
        return;
    };
    tracing::warn!(error = %error, "no disk space could be reserved; when the disk is full, logins and deletions may fail");
    if !disk::is_full(&error) {
        // The file system cannot reserve space. The file may not exist, and an empty one does no
        // harm.
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
    return Ok(rustix::fs::fallocate(
        file,
        rustix::fs::FallocateFlags::empty(),
        0,
        size,
    )?);
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
        assert!(
            release(path).is_none() && !path.join(FILE).exists(),
            "a folder without reserve gets none"
        );
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
