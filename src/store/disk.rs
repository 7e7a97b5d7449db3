//! Free space, sizes of files and folders, and which files are read whole.

use std::io;
use std::path::Path;

/// Returns the bytes that the service can still write to the file system of this path; `None` where
/// that is unknown.
pub fn free_space(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    return rustix::fs::statvfs(path)
        .ok()
        .map(|stat| stat.f_bavail.saturating_mul(stat.f_frsize));
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// Whether the error means that the disk is full, or a limit of the system reached.
pub fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}

/// Whether the error means that this process may not write there.
pub fn is_not_writable(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
    )
}

/// Returns the size of a file in bytes; 0 when there is none.
pub fn file_size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// Returns the size in bytes of the files in this folder and the folders in it. Files that
/// disappear meanwhile are left out.
pub fn folder_size(folder: &Path) -> io::Result<u64> {
    let mut size = 0;
    for entry in std::fs::read_dir(folder)?.flatten() {
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        size += if metadata.is_dir() {
            folder_size(&entry.path()).unwrap_or(0)
        } else {
            metadata.len()
        };
    }
    Ok(size)
}

/// Maximum size in bytes of a file with certificates or a passphrase.
const MAX_SIZE: u64 = 16 << 20;

/// Fails for anything but a regular file of at most 16 MiB: a named pipe would wait for a writer, and a
/// device may have no end.
pub fn check_regular(path: &Path) -> io::Result<()> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if metadata.len() > MAX_SIZE {
        return Err(io::Error::other("it is larger than 16 MiB"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_of_a_folder_includes_the_folders_in_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), [0; 10]).unwrap();
        std::fs::create_dir(folder.path().join("b")).unwrap();
        std::fs::write(folder.path().join("b/c"), [0; 5]).unwrap();
        assert_eq!(folder_size(folder.path()).unwrap(), 15);
        assert_eq!(
            (
                file_size(&folder.path().join("a")),
                file_size(&folder.path().join("missing"))
            ),
            (10, 0)
        );
        assert!(free_space(folder.path()).is_some_and(|bytes| bytes > 0));
    }
}
