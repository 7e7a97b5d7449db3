//! `quarry restore`: restores a backup, and checks that the service can start on it.

use super::backup::to_error;
use super::index;
use super::output::progress::StepProgress;
use anyhow::{Context, ensure};
use clap::Args;
use quarry_app::{App, store_location};
use quarry_config::{Config, Key};
use quarry_domain::administration::audit::{AuditEvent, Origin, RecordType};
use quarry_domain::clock::{Clock, SystemClock, SystemEntropy};
use quarry_domain::values::text::escape_controls;
use quarry_search::Search;
use quarry_store::backup::{
    Passphrase, PublishReport, RestoreRequest, RestoredBackup, SecretSource,
};
use quarry_store::{Store, StoreLocation};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// Restore a backup into a new data folder, and check that the service can start on it
///
/// Checks every byte, the structure of the database, its foreign keys and the number of rows. Then it
/// opens the store as the service does, and builds the index. Only after all checks are the data
/// moved to their final paths. A folder with data is refused without --force. The records of a
/// PostgreSQL database are restored by pg_restore into the empty database of --store.
#[derive(Debug, Args)]
pub struct RestoreArguments {
    /// Folder of the backups
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Name of the backup, as `quarry backup list` prints it [default: the latest]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Replace the data of the data folder, and keep the former data in a subfolder
    #[arg(long)]
    force: bool,
    /// File whose first line is the passphrase of an encrypted secret
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// File with the secret, for a backup without it
    #[arg(long, value_name = "FILE", conflicts_with = "new_secret")]
    secret_file: Option<PathBuf>,
    /// Create a new secret: every API key, second factor and OAuth secret must then be replaced
    #[arg(long)]
    new_secret: bool,
    /// Leave out files of attachments that are damaged in the backup
    #[arg(long)]
    skip_damaged: bool,
    /// Folder that all nodes share, for the files of a store in PostgreSQL
    #[arg(long, value_name = "DIR")]
    files: Option<PathBuf>,
}

impl RestoreArguments {
    /// Returns the values of the configuration keys.
    pub fn values(&self) -> [(Key, Option<String>); 1] {
        let files = self.files.as_ref().map(|path| path.display().to_string());
        [(Key::Files, files)]
    }
}

/// Result of the checks after the records were restored.
struct Verification {
    documents: u64,
}

/// Runs the command.
pub fn run(
    config: &Config,
    arguments: &RestoreArguments,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let location = store_location::configured(config)?;
    let passphrase = arguments
        .passphrase_file
        .as_deref()
        .map(Passphrase::from_file)
        .transpose()
        .map_err(to_error)?;
    let secret = match &arguments.secret_file {
        Some(path) => SecretSource::File(path.clone()),
        None if arguments.new_secret => SecretSource::New,
        None => SecretSource::Backup,
    };
    let request = RestoreRequest {
        folder: &arguments.folder,
        name: arguments.name.as_deref(),
        location: &location,
        secret,
        passphrase: passphrase.as_ref(),
        replaces: arguments.force,
        skips_damaged: arguments.skip_damaged,
        now: SystemClock.now(),
    };
    let restored = RestoredBackup::restore(&request, &mut StepProgress::default())
        .map_err(to_error)
        .context(NOT_RESTORED)?;
    let verification = verify_restored(config, &restored.location(), &restored.name).context(
        match &location.server {
            Some(_) => {
                "the database was filled, but does not pass the checks; drop it and create it again"
            }
            None => NOT_RESTORED,
        },
    )?;
    let name = restored.name.clone();
    let manifest = restored.manifest.clone();
    let lost = restored.lost.len();
    let left_out = restored.left_out.join(", ");
    let has_default_index = config.index == config.data.join("index");
    let published = restored
        .publish(has_default_index)
        .map_err(to_error)
        .context("the backup was restored, but could not be moved to its final path")?;
    let rows = manifest.rows();
    let tables = manifest.tables.len();
    writeln!(
        out,
        "restored {name}, made by Quarry {} with schema {}, into {}",
        manifest.program,
        manifest.schema,
        config.data.display()
    )?;
    writeln!(
        out,
        "checked: {rows} rows in {tables} tables, their structure and foreign keys; {} files; the service opens it; the index has all {} documents",
        manifest.contents.count.saturating_sub(lost as u64),
        verification.documents
    )?;
    if !left_out.is_empty() {
        let left_out = escape_controls(&left_out);
        writeln!(
            out,
            "warning: left out, because Quarry does not know them: {left_out}; the backup still has them"
        )?;
    }
    describe_exceptions(&published, manifest.problems() + lost as u64, out)?;
    let data = config.data.display();
    match config.server {
        Some(_) => writeln!(
            out,
            "start it with: quarry serve --data {data} --store URL, or with `store` in its configuration"
        )?,
        None => writeln!(out, "start it with: quarry serve --data {data}")?,
    }
    writeln!(
        out,
        "the service will then send the mails that waited when the backup was made; for a trial, start it with --mail off --mail-imap off --backup off"
    )?;
    Ok(())
}

const NOT_RESTORED: &str = "nothing was restored";

fn describe_exceptions(
    published: &PublishReport,
    missing: u64,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    if missing > 0 {
        writeln!(
            out,
            "missing: {missing} files of attachments, which the backup does not have"
        )?;
    }
    if let Some(folder) = &published.replaced {
        writeln!(
            out,
            "the former data are in {}; delete the folder when you no longer need it",
            folder.display()
        )?;
    }
    for name in &published.kept {
        writeln!(
            out,
            "the existing {name} was kept; that of the backup differs"
        )?;
    }
    Ok(())
}

/// Opens the restored store as the service does, records the restore in its audit log, builds its index,
/// and compares the two.
fn verify_restored(
    config: &Config,
    location: &StoreLocation,
    backup: &str,
) -> anyhow::Result<Verification> {
    let staged = Config {
        data: location.folder.clone(),
        index: location.folder.join("index"),
        mail: None,
        mail_imap: None,
        backup: None,
        backs_up_before_upgrade: false,
        ..config.clone()
    };
    let store = Store::open(location.clone()).context("the store cannot be opened")?;
    store.set_origin(Origin::CommandLine);
    let event = AuditEvent::new(RecordType::Backup, 0, "restored").with_details(backup);
    let outcome = store
        .record_event(event)
        .context("the store cannot be written")
        .and_then(|()| compare_index(&staged, &store));
    store.close();
    let verification = outcome?;
    let app = App::open(&staged, Arc::new(SystemClock), Arc::new(SystemEntropy))
        .context("the service cannot open it")?;
    let is_ready = app.search.status().indexed.is_some();
    app.close();
    ensure!(is_ready, "the service has no index");
    Ok(verification)
}

fn compare_index(staged: &Config, store: &Store) -> anyhow::Result<Verification> {
    index::rebuild(&staged.index, store).context("the index cannot be built")?;
    let report = Search::verify_index(&staged.index, store)?;
    ensure!(
        report.agrees(),
        "the index that was built differs from the records"
    );
    Ok(Verification {
        documents: report.documents,
    })
}
