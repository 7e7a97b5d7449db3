//! File modes: only the owner may read the data folder and the index.
//!
//! New files get their mode from the umask of the process ([`restrict_new_files`]). Existing files,
//! such as those of a restored backup, are corrected when the folder is opened ([`restrict`]).

use std::io;
use std::path::Path;

/// Sets the umask of the process, so that new files are accessible to their owner only.
pub fn restrict_new_files() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// Creates a folder with mode 0700, and its missing parents. An existing folder keeps its mode.
pub fn create_dir(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Removes the permissions of group and others from every entry of the folder whose name `is_ours`,
/// and from the folder itself if it has no other entries. Failures, such as in a folder of another
/// user, are logged.
pub fn restrict(folder: &Path, is_ours: impl Fn(&str) -> bool) {
    #[cfg(unix)]
    if let Err(error) = unix::restrict(folder, is_ours) {
        tracing::warn!(error = %error, path = %folder.display(), "other users of this machine may be able to read this folder");
    }
    #[cfg(not(unix))]
    let _ = (folder, is_ours);
}

/// Removes the permissions of group and others from a regular file; does nothing for other files,
/// such as a pipe.
pub fn restrict_file(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if std::fs::metadata(path)?.is_file() {
        unix::restrict_one(path)?;
    }
    Ok(())
}

#[cfg(unix)]
mod unix {
    use std::fs::{Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::path::Path;

    /// Permission bits of the owner.
    const OWNER: u32 = 0o700;
    /// Permission bits of group and others.
    const OTHERS: u32 = 0o077;
    /// Sticky bit: set on folders that users share, such as `/tmp`.
    const STICKY: u32 = 0o1000;

    /// As the function of this name outside, with the error.
    pub fn restrict(folder: &Path, is_ours: impl Fn(&str) -> bool) -> io::Result<()> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            entries.push(entry?);
        }
        let metadata = std::fs::metadata(folder)?;
        // The folder is restricted last: if it and its entries are restricted, so is everything
        // below.
        if !is_accessible(&metadata)
            && !entries.iter().any(|entry| {
                entry
                    .metadata()
                    .is_ok_and(|metadata| is_accessible(&metadata) && is_own(&metadata))
            })
        {
            return Ok(());
        }
        let mut outcome = Ok(());
        let mut shared = metadata.permissions().mode() & STICKY != 0;
        for entry in entries {
            if is_ours(&entry.file_name().to_string_lossy()) {
                outcome = outcome.and(restrict_tree(&entry.path()));
            } else {
                shared = true;
            }
        }
        if shared {
            outcome
        } else {
            outcome.and(restrict_one(folder))
        }
    }

    /// Restricts a file, or a folder and everything below. Ignores symbolic links, files of other
    /// users and files deleted meanwhile.
    fn restrict_tree(path: &Path) -> io::Result<()> {
        let outcome = std::fs::symlink_metadata(path).and_then(|metadata| {
            if metadata.is_symlink() || !is_own(&metadata) {
                return Ok(());
            }
            let mut outcome = Ok(());
            if metadata.is_dir() {
                for entry in std::fs::read_dir(path)? {
                    outcome = outcome.and(restrict_tree(&entry?.path()));
                }
            }
            outcome.and(restrict_one(path))
        });
        match outcome {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            outcome => outcome,
        }
    }

    /// Removes the access of others from a file or folder.
    pub fn restrict_one(path: &Path) -> io::Result<()> {
        let metadata = std::fs::metadata(path)?;
        if !is_accessible(&metadata) {
            return Ok(());
        }
        std::fs::set_permissions(
            path,
            Permissions::from_mode(metadata.permissions().mode() & OWNER),
        )
    }

    fn is_accessible(metadata: &Metadata) -> bool {
        !metadata.is_symlink() && metadata.permissions().mode() & OTHERS != 0
    }

    fn is_own(metadata: &Metadata) -> bool {
        metadata.uid() == rustix::process::geteuid().as_raw()
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn set_mode(path: &Path, mode: u32) {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    /// A folder with mode 0755, with a file two folders below.
    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("files/ab/abcd");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "x").unwrap();
        for path in file.ancestors().take(4) {
            set_mode(path, if path == file { 0o644 } else { 0o755 });
        }
        (folder, file)
    }

    #[test]
    fn folder_is_restricted_with_everything_in_it() {
        let (folder, file) = folder();
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join("link")).unwrap();
        let outside = mode(Path::new("/etc"));
        restrict(folder.path(), |_| true);
        let modes: Vec<u32> = file.ancestors().take(4).map(mode).collect();
        assert_eq!(modes, [0o600, 0o700, 0o700, 0o700]);
        assert_eq!(mode(Path::new("/etc")), outside);
    }

    #[test]
    fn foreign_entries_and_shared_folders_keep_their_modes() {
        let (folder, file) = folder();
        let foreign = folder.path().join("foreign");
        std::fs::write(&foreign, "x").unwrap();
        set_mode(&foreign, 0o644);
        restrict(folder.path(), |name| name == "files");
        assert_eq!(
            [mode(folder.path()), mode(&foreign), mode(&file)],
            [0o755, 0o644, 0o600]
        );
        std::fs::remove_file(&foreign).unwrap();
        set_mode(folder.path(), 0o1777);
        set_mode(&file, 0o644);
        set_mode(&folder.path().join("files"), 0o755);
        restrict(folder.path(), |_| true);
        assert_eq!(
            [mode(folder.path()), mode(&file)],
            [0o1777, 0o600],
            "a shared folder keeps its mode"
        );
    }

    #[test]
    fn new_folders_are_restricted() {
        let folder = tempfile::tempdir().unwrap();
        create_dir(&folder.path().join("a/b")).unwrap();
        assert_eq!(
            [
                mode(&folder.path().join("a")),
                mode(&folder.path().join("a/b"))
            ],
            [0o700, 0o700]
        );
    }
}
