//! The folder of backups and the data folder must not contain each other: a backup in the data folder is
//! lost with it, and a data folder in the folder of backups is copied with the backups.

use super::error::BackupError;
use std::path::{Component, Path, PathBuf};

/// Fails if one of the folders is the other one or is in it. They may be missing.
pub fn check_separate(data: &Path, backups: &Path) -> Result<(), BackupError> {
    let resolved_data = resolve(data);
    let resolved_backups = resolve(backups);
    if resolved_data.starts_with(&resolved_backups) || resolved_backups.starts_with(&resolved_data)
    {
        return Err(BackupError::Nested {
            backups: backups.display().to_string(),
            data: data.display().to_string(),
        });
    }
    Ok(())
}

/// Returns the absolute path without symbolic links. Of a path that does not exist, the existing part is
/// resolved.
fn resolve(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut resolved = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::ParentDir => {
                resolved.pop();
            }
            component => resolved.push(component),
        }
        if let Ok(canonical) = resolved.canonicalize() {
            resolved = canonical;
        }
    }
    resolved
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn folders_that_contain_each_other_are_refused_also_through_links() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        std::fs::create_dir_all(path("data/sub")).unwrap();
        std::os::unix::fs::symlink(path("data"), path("link")).unwrap();
        for (data, backups) in [
            ("data", "data"),
            ("data", "data/sub"),
            ("data", "data/new/folder"),
            ("data", "link/new"),
            ("link", "data/new"),
            ("data", "other/../data/new"),
            ("data", "link/sub/../new"),
            ("data/sub/new", "data"),
            ("new/data", "new"),
        ] {
            let refused = check_separate(&path(data), &path(backups));
            assert!(
                matches!(refused, Err(BackupError::Nested { .. })),
                "{data} {backups}"
            );
        }
        for (data, backups) in [
            ("data", "backups"),
            ("data", "data-backups"),
            ("data", "data/../backups"),
            ("new/data", "new/backups"),
        ] {
            check_separate(&path(data), &path(backups)).unwrap();
        }
    }
}
