//! The machine: disk space, and the clock.

use super::finding::Finding;
use jiff::{SignedDuration, Timestamp};
use quarry_config::Config;
use quarry_store::checks::Checkup;
use quarry_store::{StoreError, disk};

/// Less free space, in bytes, is a warning.
const LOW_SPACE: u64 = 1 << 30;
/// Maximum difference between the clock and that of the database server.
const MAX_DIFFERENCE: SignedDuration = SignedDuration::from_secs(5);

/// Checks the free space of the folders.
pub fn check_disk(config: &Config, findings: &mut Vec<Finding>) {
    let files = config
        .server
        .as_ref()
        .and_then(|server| server.files.as_ref());
    let folders = [Some(&config.data), Some(&config.index), files];
    let mut low = Vec::new();
    for folder in folders.into_iter().flatten() {
        if let Some(free) = disk::free_space(folder).filter(|free| *free < LOW_SPACE) {
            low.push(format!("{} has {} MiB left", folder.display(), free >> 20));
        }
    }
    if !low.is_empty() {
        let problem = "less than 1 GiB of disk space is left; writes fail when the disk is full";
        let action = "Remove other files, or move the folder to a larger disk.";
        findings.push(Finding::warning("disk-space", problem, action).with_details(low));
    }
}

/// Compares the clock with that of the database server.
pub fn check_clock(
    checkup: &Checkup,
    now: Timestamp,
    findings: &mut Vec<Finding>,
) -> Result<(), StoreError> {
    let Some(server) = checkup.server_time()? else {
        return Ok(());
    };
    let difference = now.duration_since(server).abs();
    if difference > MAX_DIFFERENCE {
        findings.push(Finding::warning(
            "clock",
            format!(
                "the clock of this machine differs by {} seconds from that of the database server",
                difference.as_secs()
            ),
            "Synchronize the clocks, for example with chrony.",
        ));
    }
    Ok(())
}
