//! Makes the scheduled backups, on the node that leads.
//!
//! A backup that was due while the service was stopped is made soon after its start. A failed
//! backup is tried again every half hour; administrators get a mail about the first failure.

use super::metrics::record_run;
use quarry_actions::administration::backups as notes;
use quarry_app::{App, backups};
use quarry_config::BackupConfig;
use quarry_store::backup::BackupError;
use quarry_store::copy::Progress;
use quarry_store::{StoreError, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

/// Time between checks whether a backup is due.
const INTERVAL: Duration = Duration::from_secs(10);
/// Time after which a failed backup is tried again.
const RETRY_DELAY: Duration = Duration::from_secs(1800);

/// Makes backups when they are due, until the sender of `stop` is dropped.
pub fn run(app: &App, stop: &Receiver<()>) {
    let Some(config) = &app.config.backup else {
        return;
    };
    let is_running = || stop.try_recv() == Err(TryRecvError::Empty);
    let mut pause = INTERVAL;
    while stop.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        pause = INTERVAL;
        if !app.node.is_leader() {
            continue;
        }
        match make_due(app, config, &is_running) {
            // `InUse`: a command makes, restores or checks a backup at the moment.
            Ok(_) | Err(BackupError::Stopped | BackupError::InUse(_)) => {}
            Err(BackupError::Store(error)) if error.is_unavailable() => {}
            Err(_) => pause = RETRY_DELAY,
        }
    }
}

/// Makes a backup if one is due. Returns whether it did.
pub fn run_once(app: &App) -> Result<bool, BackupError> {
    match &app.config.backup {
        Some(config) => make_due(app, config, &|| true),
        None => Ok(false),
    }
}

fn make_due(
    app: &App,
    config: &BackupConfig,
    is_running: &dyn Fn() -> bool,
) -> Result<bool, BackupError> {
    let now = app.clock.now();
    if !app.backup_status()?.is_due(&config.times, now) {
        return Ok(false);
    }
    let options = backups::BackupOptions {
        folder: &config.folder,
        secret: &config.secret,
        keep: Some(&config.keep),
        without_records: false,
    };
    let mut progress = SilentProgress(is_running);
    let created = record_run(app, "backup", || {
        backups::create(&app.config, &options, now, &mut progress)
    });
    match created {
        Ok(report) => {
            let last = backups::describe(&report, &config.folder);
            tracing::info!(
                backup = last.name,
                bytes = last.bytes,
                deleted = report.deleted.len(),
                "made a backup"
            );
            if last.problems > 0 {
                tracing::warn!(
                    files = last.problems,
                    "files of attachments are missing or damaged in the store; the manifest of the backup names them"
                );
            }
            if let Some(problem) = report.problem {
                tracing::warn!(error = %problem, "old backups could not be deleted");
            }
            note(app, move |db| notes::note_success(db, &last));
            Ok(true)
        }
        Err(error) => {
            let is_temporary = matches!(error, BackupError::Stopped | BackupError::InUse(_));
            if !is_temporary {
                let text = error.to_string();
                tracing::error!(error = text, "the scheduled backup has failed");
                let folder = config.folder.display().to_string();
                note(app, move |db| notes::note_failure(db, &folder, &text));
            }
            Err(error)
        }
    }
}

/// Stores the state that administrators see. A failure is only logged, as backups do not depend on it.
fn note(app: &App, work: impl FnOnce(&mut Write<'_>) -> Result<(), StoreError> + Send + 'static) {
    if let Err(error) = app.store.write_with_reserve(work) {
        tracing::warn!(error = %error, "the state of the backups could not be stored");
    }
}

/// Progress without output, which ends the backup when the service stops.
struct SilentProgress<'a>(&'a dyn Fn() -> bool);

impl Progress for SilentProgress<'_> {
    fn start(&mut self, _: &str, _: u64) {}

    fn advance(&mut self, _: u64) {}

    fn finish(&mut self) {}

    fn should_continue(&self) -> bool {
        (self.0)()
    }
}
