//! Modes of files and folders: what a data folder or an index holds is for its owner alone.
//!
//! New files get their mode from the creation mask of the process ([`restrict_new_files`]); what an earlier version made is
//! corrected when it is opened ([`restrict`]).

use std::io;
use std::path::Path;

/// Lets every file that this process creates be readable by its owner alone, whatever mask it was started with.
pub fn restrict_new_files() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// Creates a folder for the owner alone, and the folders above it that are missing. One that exists is left as it is.
pub fn create_dir(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Takes the rights of group and others from everything in the folder whose name `is_ours`, and from the folder itself if it holds
/// nothing else. Where that fails, as it does in a folder of another user, it is logged.
pub fn restrict(folder: &Path, is_ours: impl Fn(&str) -> bool) {
    #[cfg(unix)]
    if let Err(error) = unix::restrict(folder, is_ours) {
        tracing::warn!(error = %error, path = %folder.display(), "other users of this machine may be able to read this folder");
    }
    #[cfg(not(unix))]
    let _ = (folder, is_ours);
}

/// Takes the rights of group and others from one file; does nothing to what is not a regular file, such as a pipe.
pub fn restrict_file(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if std::fs::metadata(path)?.is_file() {
        unix::close(path)?;
    }
    Ok(())
}

#[cfg(unix)]
mod unix {
    use std::fs::{Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::path::Path;

    /// The rights of the owner.
    const OWNER: u32 = 0o700;
    /// The rights of group and others.
    const OTHERS: u32 = 0o077;
    /// Marks a folder that users share, such as `/tmp`.
    const STICKY: u32 = 0o1000;

    pub fn restrict(folder: &Path, is_ours: impl Fn(&str) -> bool) -> io::Result<()> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            entries.push(entry?);
        }
        let about = std::fs::metadata(folder)?;
        // The folder is closed last, so where both it and its entries are closed, so is everything below.
        if !is_open(&about) && !entries.iter().any(|entry| entry.metadata().is_ok_and(|about| is_open(&about) && is_own(&about))) {
            return Ok(());
        }
        let (mut outcome, mut shared) = (Ok(()), about.permissions().mode() & STICKY != 0);
        for entry in entries {
            if is_ours(&entry.file_name().to_string_lossy()) {
                outcome = outcome.and(restrict_tree(&entry.path()));
            } else {
                shared = true;
            }
        }
        if shared { outcome } else { outcome.and(close(folder)) }
    }

    /// The same for all of it. Symbolic links are not followed, files of other users stay as they are, and a file may vanish meanwhile.
    fn restrict_tree(path: &Path) -> io::Result<()> {
        let outcome = std::fs::symlink_metadata(path).and_then(|about| {
            if about.is_symlink() || !is_own(&about) {
                return Ok(());
            }
            let mut outcome = Ok(());
            if about.is_dir() {
                for entry in std::fs::read_dir(path)? {
                    outcome = outcome.and(restrict_tree(&entry?.path()));
                }
            }
            outcome.and(close(path))
        });
        match outcome {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            outcome => outcome,
        }
    }

    pub fn close(path: &Path) -> io::Result<()> {
        let about = std::fs::metadata(path)?;
        if !is_open(&about) {
            return Ok(());
        }
        std::fs::set_permissions(path, Permissions::from_mode(about.permissions().mode() & OWNER))
    }

    fn is_open(about: &Metadata) -> bool {
        !about.is_symlink() && about.permissions().mode() & OTHERS != 0
    }

    fn is_own(about: &Metadata) -> bool {
        about.uid() == rustix::process::geteuid().as_raw()
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

    /// A folder open to everybody, with a file two folders below.
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
    fn a_folder_is_closed_with_all_that_is_in_it() {
        let (folder, file) = folder();
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join("link")).unwrap();
        let outside = mode(Path::new("/etc"));
        restrict(folder.path(), |_| true);
        let modes: Vec<u32> = file.ancestors().take(4).map(mode).collect();
        assert_eq!(modes, [0o600, 0o700, 0o700, 0o700]);
        assert_eq!(mode(Path::new("/etc")), outside);
    }

    #[test]
    fn what_belongs_to_others_is_left_alone() {
        let (folder, file) = folder();
        let foreign = folder.path().join("foreign");
        std::fs::write(&foreign, "x").unwrap();
        set_mode(&foreign, 0o644);
        restrict(folder.path(), |name| name == "files");
        assert_eq!([mode(folder.path()), mode(&foreign), mode(&file)], [0o755, 0o644, 0o600]);
        std::fs::remove_file(&foreign).unwrap();
        set_mode(folder.path(), 0o1777);
        set_mode(&file, 0o644);
        set_mode(&folder.path().join("files"), 0o755);
        restrict(folder.path(), |_| true);
        assert_eq!([mode(folder.path()), mode(&file)], [0o1777, 0o600], "a shared folder stays one");
    }

    #[test]
    fn new_folders_are_closed() {
        let folder = tempfile::tempdir().unwrap();
        create_dir(&folder.path().join("a/b")).unwrap();
        assert_eq!([mode(&folder.path().join("a")), mode(&folder.path().join("a/b"))], [0o700, 0o700]);
    }
}
