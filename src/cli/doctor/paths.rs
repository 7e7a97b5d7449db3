//! Files and folders that the configuration names, apart from those of mail and certificates.

use super::finding::Finding;
use quarry_app::MetricsExporter;
use quarry_config::{BackupSecret, Config, secret_file};
use std::io;
use std::path::Path;

/// Checks the files with secrets and the folder of backups.
pub fn check(config: &Config, findings: &mut Vec<Finding>) {
    if let Some(file) = &config.monitoring.metrics_token_file
        && let Err(error) = MetricsExporter::check_token(file)
    {
        findings.push(Finding::error(
            "metrics-token",
            error.to_string(),
            "Write the token into its first line, readable by the user of the service, or remove `metrics_token_file`.",
        ));
    }
    let Some(backup) = &config.backup else { return };
    if let BackupSecret::Encrypt(file) = &backup.secret
        && let Err(problem) = secret_file::load(file)
    {
        findings.push(Finding::error(
            "backup-passphrase",
            format!(
                "the file of `backup_passphrase_file`, {}, cannot be used: {problem}",
                file.display()
            ),
            "Write the passphrase into its first line, readable by the user of the service.",
        ));
    }
    if let Err(error) = check_folder(&backup.folder) {
        findings.push(Finding::error(
            "backup-folder",
            format!(
                "no backup can be written into {}, the folder of `backup`: {error}",
                backup.folder.display()
            ),
            "Create the folder, let the user of the service write to it, or change `backup`.",
        ));
    }
}

/// Checks that the folder is writable or, if it is missing, can be created. Writes nothing.
fn check_folder(folder: &Path) -> io::Result<()> {
    for path in folder.ancestors() {
        // The parent of a relative path of one part is the working directory.
        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        match path.metadata() {
            // A link to nowhere is in the way of the folder.
            Err(error)
                if error.kind() == io::ErrorKind::NotFound && path.symlink_metadata().is_err() => {}
            Err(error) => return Err(error),
            Ok(metadata) if !metadata.is_dir() => {
                let message = format!("{} is not a folder", path.display());
                return Err(io::Error::other(message));
            }
            Ok(_) => return check_writable(path),
        }
    }
    Ok(())
}

#[cfg(unix)]
fn check_writable(folder: &Path) -> io::Result<()> {
    use rustix::fs::{Access, access};
    access(folder, Access::WRITE_OK | Access::EXEC_OK).map_err(|error| {
        let error = io::Error::from(error);
        io::Error::new(error.kind(), format!("{}: {error}", folder.display()))
    })
}

#[cfg(not(unix))]
fn check_writable(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::check_folder;
    use std::fs;

    #[test]
    fn folder_of_backups_is_writable_or_can_be_created() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        check_folder(folder.path()).unwrap();
        check_folder(&path("new/deep")).unwrap();
        fs::write(path("file"), "x").unwrap();
        for name in ["file", "file/new"] {
            assert!(check_folder(&path(name)).is_err(), "{name}");
        }
        std::os::unix::fs::symlink(path("nowhere"), path("link")).unwrap();
        assert!(check_folder(&path("link")).is_err());
        assert!(!path("new").exists());
    }
}
