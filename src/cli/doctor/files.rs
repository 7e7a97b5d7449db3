//! The contents of attachments, and the secret.

use super::finding::{Finding, Fix};
use jiff::Timestamp;
use quarry_store::StoreError;
use quarry_store::checks::Checkup;

/// Checks the contents of attachments.
pub fn check_contents(
    checkup: &Checkup,
    with_hashes: bool,
    now: Timestamp,
    findings: &mut Vec<Finding>,
) -> Result<(), StoreError> {
    let damage = checkup.files(with_hashes, now)?;
    if !damage.missing.is_empty() {
        let problem = format!("{} files of attachments are missing", damage.missing.len());
        let action = "Copy the files of these names from a backup into the folder `files`.";
        findings
            .push(Finding::error("files-missing", problem, action).with_details(damage.missing));
    }
    if !damage.changed.is_empty() {
        let problem = format!(
            "{} files of attachments have changed since they were stored",
            damage.changed.len()
        );
        let action = "Restore them from a backup. Check the disk: it may be failing.";
        findings
            .push(Finding::error("files-changed", problem, action).with_details(damage.changed));
    }
    if !damage.sizes.is_empty() {
        let problem = format!(
            "{} attachments have other sizes than their contents, so that downloads fail",
            damage.sizes.len()
        );
        let action = "Stop the service, and set the column `filesize` with `sqlite3` or `psql`.";
        findings.push(Finding::error("file-sizes", problem, action).with_details(damage.sizes));
    }
    if !damage.unreadable.is_empty() {
        let problem = format!(
            "{} files of attachments cannot be read, or something else is in their place",
            damage.unreadable.len()
        );
        let action = "Let the user of the service read them. Replace links and folders by the files of these names from a backup.";
        findings.push(
            Finding::error("files-unreadable", problem, action).with_details(damage.unreadable),
        );
    }
    if !damage.unknown.is_empty() {
        let problem = format!(
            "{} files in the folder `files` belong to no attachment",
            damage.unknown.len()
        );
        let names = damage.unknown.iter().map(|path| path.display().to_string());
        let finding = Finding::warning("files-unknown", problem, "Move them away.");
        let finding = finding.with_details(names.collect::<Vec<_>>());
        findings.push(finding.with_fix(Fix::MoveFiles(damage.unknown)));
    }
    Ok(())
}

/// Checks the secret, with which API keys and others are encrypted.
pub fn check_secret(checkup: &Checkup, findings: &mut Vec<Finding>) -> Result<(), StoreError> {
    match checkup.secret_fits() {
        Ok(true) => {}
        Ok(false) => findings.push(Finding::error(
            "secret-mismatch",
            "the file `secret` is not the one that encrypted API keys and second factors",
            "Restore `secret` from the backup that the records are from.",
        )),
        Err(error @ (StoreError::NoSecret(_) | StoreError::Secret(_))) => {
            findings.push(Finding::error(
                "secret-missing",
                error.to_string(),
                "Restore `secret` from a backup, or create a new one with `quarry secret reset`.",
            ));
        }
        Err(error) => return Err(error),
    }
    Ok(())
}
