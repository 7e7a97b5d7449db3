//! Files that are copied, hashed and synced. Symbolic links are never followed.

use super::error::{BackupError, file_error};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

/// Size in bytes of the chunks in which files are copied.
const CHUNK_SIZE: usize = 256 * 1024;

/// The digest and the size of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Its size in bytes.
    pub size: u64,
    /// The SHA-256 in lower-case hexadecimal digits.
    pub sha256: String,
}

/// Opens a regular file to read it. Fails for a symbolic link, a folder, or a device.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    open_regular_with(path, &mut options)
}

/// Opens a regular file to lock it, and creates a missing one, which only its owner can access. Fails
/// as [`open_regular`] does.
pub fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    // With read access, opening a pipe does not fail before it is recognized.
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    open_regular_with(path, &mut options)
}

fn open_regular_with(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        // Opening a pipe would wait for its other end.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
        std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags);
    }
    let file = options.open(path).map_err(|error| {
        #[cfg(unix)]
        if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
            return irregular();
        }
        if error.kind() == ErrorKind::IsADirectory {
            return irregular();
        }
        error
    })?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(irregular())
    }
}

/// Whether this is a folder, and no symbolic link to one.
pub fn is_folder(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

/// Returns the error about a file that is not a regular one.
pub fn irregular() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "it is not a regular file")
}

/// Creates a file that only its owner can access. Fails if it exists.
pub fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Writes a file that only its owner can access, and syncs it. Fails if it exists.
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<Fingerprint, BackupError> {
    let write = || {
        let mut file = create_private(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(file_error(path))?;
    Ok(fingerprint_of(bytes))
}

/// Returns the fingerprint of a file with these bytes.
pub fn fingerprint_of(bytes: &[u8]) -> Fingerprint {
    Fingerprint {
        sha256: hex::encode(Sha256::digest(bytes)),
        size: bytes.len() as u64,
    }
}

/// Copies the rest of a file, and returns its fingerprint. Calls `go_on` with the size of each chunk;
/// fails with [`BackupError::Stopped`] if that returns `false`.
pub fn copy(
    from: (&mut File, &Path),
    to: (&mut dyn Write, &Path),
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Fingerprint, BackupError> {
    let (source, source_path) = from;
    let (target, target_path) = to;
    let mut digest = Sha256::new();
    let mut size = 0;
    let mut buffer = vec![0; CHUNK_SIZE];
    loop {
        let length = match source.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(file_error(source_path)(error)),
        };
        let chunk = &buffer[..length];
        digest.update(chunk);
        target.write_all(chunk).map_err(file_error(target_path))?;
        size += length as u64;
        if !go_on(length as u64) {
            return Err(BackupError::Stopped);
        }
    }
    Ok(Fingerprint {
        sha256: hex::encode(digest.finalize()),
        size,
    })
}

/// Returns the fingerprint of a regular file.
pub fn fingerprint(
    path: &Path,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Fingerprint, BackupError> {
    let file = open_regular(path).map_err(file_error(path))?;
    fingerprint_open(file, path, go_on)
}

/// Returns the fingerprint of an open file. `path` is for messages.
pub fn fingerprint_open(
    mut file: File,
    path: &Path,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Fingerprint, BackupError> {
    copy((&mut file, path), (&mut io::sink(), path), go_on)
}

/// Reads a regular file of at most `max` bytes.
pub fn read(path: &Path, max: u64) -> Result<Vec<u8>, BackupError> {
    open_regular(path)
        .and_then(|file| read_all(file, max))
        .map_err(file_error(path))
}

/// Reads at most `max` bytes of a file that a user names, which may be a link or a pipe.
pub fn read_any(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    read_all(File::open(path)?, max)
}

fn read_all(file: File, max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Err(io::Error::new(ErrorKind::FileTooLarge, "it is too large"));
    }
    Ok(bytes)
}

/// Syncs a file or a folder.
pub fn sync(path: &Path) -> Result<(), BackupError> {
    #[cfg(unix)]
    File::open(path)
        .and_then(|file| file.sync_all())
        .map_err(file_error(path))?;
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Renames a file or folder, and syncs the folder of the new name.
pub fn rename(from: &Path, to: &Path) -> Result<(), BackupError> {
    std::fs::rename(from, to).map_err(file_error(from))?;
    to.parent().map_or(Ok(()), sync)
}

/// Deletes a file, or a folder with everything in it, if it exists. Does not follow symbolic links.
pub fn remove(path: &Path) -> Result<bool, BackupError> {
    let outcome = match std::fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => std::fs::remove_dir_all(path),
        Ok(_) => std::fs::remove_file(path),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => Err(error),
    };
    outcome.map_err(file_error(path)).map(|()| true)
}

/// Returns the names of the entries of a folder, sorted.
pub fn names(folder: &Path) -> Result<Vec<String>, BackupError> {
    let entries = std::fs::read_dir(folder)
        .and_then(Iterator::collect::<io::Result<Vec<_>>>)
        .map_err(file_error(folder))?;
    let mut names: Vec<String> = entries
        .iter()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort_unstable();
    Ok(names)
}

/// Whether there is an entry, which may be a link.
pub fn exists(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn links_folders_and_pipes_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        write_private(&path("file"), b"x").unwrap();
        std::os::unix::fs::symlink(path("file"), path("link")).unwrap();
        std::fs::create_dir(path("folder")).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            path("pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        assert_eq!(read(&path("file"), 1).unwrap(), b"x");
        for name in ["link", "folder", "pipe"] {
            let error = read(&path(name), 1).unwrap_err().to_string();
            assert!(error.ends_with("it is not a regular file"), "{error}");
            let error = open_lock(&path(name)).unwrap_err().to_string();
            assert_eq!(error, "it is not a regular file", "{name}");
        }
        std::os::unix::fs::symlink(path("elsewhere"), path("dangling")).unwrap();
        assert!(open_lock(&path("dangling")).is_err() && !path("elsewhere").exists());
        open_lock(&path("lock")).unwrap();
        assert!(read(&path("file"), 0).is_err() && read(&path("missing"), 1).is_err());
        assert!(write_private(&path("file"), b"y").is_err());
        assert!(remove(&path("link")).unwrap() && path("file").exists());
    }
}
