//! `quarry store copy`: copies a whole store.

use super::data_folder::folder_owner::FolderOwner;
use super::output::progress::StepProgress;
use super::output::table;
use super::output::usage_error::UsageError;
use anyhow::Context;
use clap::{Args, Subcommand};
use quarry_app::store_location;
use quarry_config::{Config, ServerConfig};
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_store::copy::{self, CopyError, CopyReport};
use quarry_store::{Store, StoreError, StoreLocation};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The commands of `quarry store`.
#[derive(Debug, Subcommand)]
pub enum StoreCommand {
    /// Copy all records, the files of attachments and the secret to an empty store
    ///
    /// A store is a data folder (SQLite), or the URL of a PostgreSQL database. The secret is always
    /// in a data folder: for a URL, in that of --from-data or --to-data. Files are in the data
    /// folder, or with PostgreSQL in the database, unless --from-files or --to-files names the
    /// folder that all nodes share. The search index is not copied; it is built at the first start.
    /// A service may run on the source, but the copy lacks what is written after it has begun. An
    /// interrupted copy cannot be used; run the command again to start over. The exit code is 1
    /// when files are missing or damaged.
    Copy(StoreCopy),
}

/// The arguments of `quarry store copy`.
#[derive(Debug, Args)]
pub struct StoreCopy {
    /// Store to copy: a data folder, or postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "STORE")]
    pub from: String,
    /// Store to copy to: a new data folder, or an empty database
    #[arg(long, value_name = "STORE")]
    pub to: String,
    /// Data folder with the secret of a source in PostgreSQL [default: that of --data]
    #[arg(long, value_name = "DIR")]
    pub from_data: Option<PathBuf>,
    /// Data folder for the secret of a copy in PostgreSQL [default: that of --data]
    #[arg(long, value_name = "DIR")]
    pub to_data: Option<PathBuf>,
    /// Shared folder with the files of a source in PostgreSQL [default: the database]
    #[arg(long, value_name = "DIR")]
    pub from_files: Option<PathBuf>,
    /// Shared folder for the files of a copy in PostgreSQL [default: the database]
    #[arg(long, value_name = "DIR")]
    pub to_files: Option<PathBuf>,
}

/// Maximum number of missing files that are listed, and of damaged ones.
const MAX_LISTED: usize = 20;
/// Maximum number of connections to a database; each side of a copy needs one.
const CONNECTIONS: usize = 3;

/// Runs the command. The exit code states whether all files were copied.
pub fn run(
    config: &Config,
    command: &StoreCommand,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let StoreCommand::Copy(arguments) = command;
    let StoreCopy {
        from,
        to,
        from_data,
        to_data,
        from_files,
        to_files,
    } = arguments;
    let source = parse_place(
        "from",
        config,
        from,
        from_data.as_ref(),
        from_files.as_ref(),
    )?;
    let target = parse_place("to", config, to, to_data.as_ref(), to_files.as_ref())?;
    if is_same(&source, &target) {
        return Err(UsageError("--from and --to are the same store".to_owned()).into());
    }
    let _owner = FolderOwner::of(&target.folder, target.files.clone());
    let report = copy::copy(&source, &target, &mut StepProgress::default());
    let report = report.map_err(|error| match error {
        CopyError::NoRecords(_)
        | CopyError::NotEmpty(_)
        | CopyError::InUse(_)
        | CopyError::OtherSecret(_) => UsageError(error.to_string()).into(),
        error => anyhow::Error::from(error).context("the store cannot be copied"),
    })?;
    if let Err(error) = record_copy(&source, &target) {
        tracing::warn!(error = %error, "the copy could not be recorded in its audit log");
    }
    write_report(&report, out).context("the store was copied, but the report cannot be printed")?;
    let is_complete = report.files.missing.is_empty() && report.files.damaged.is_empty();
    Ok(if is_complete {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Records in the copy from which store it was made.
fn record_copy(source: &StoreLocation, target: &StoreLocation) -> Result<(), StoreError> {
    let store = Store::open_secondary(target.clone())?;
    let event = AuditEvent::new(RecordType::Store, 0, "created as a copy");
    let recorded = store.record_event(event.with_details(location_name(source)));
    store.close();
    recorded
}

/// Returns the data folder, or the URL of the database without its password.
fn location_name(location: &StoreLocation) -> String {
    match &location.server {
        Some(server) => server.name().to_owned(),
        None => location.folder.display().to_string(),
    }
}

/// Returns the location that an option names, with the data folder and the shared folder of a
/// database.
fn parse_place(
    option: &str,
    config: &Config,
    text: &str,
    data: Option<&PathBuf>,
    files: Option<&PathBuf>,
) -> anyhow::Result<StoreLocation> {
    let is_url = text.starts_with("postgres://") || text.starts_with("postgresql://");
    if !is_url {
        if !Path::new(text).exists() && is_like_a_connection(text) {
            return Err(UsageError(format!(
                "--{option} must be a data folder or postgres://USER@HOST/DATABASE"
            ))
            .into());
        }
        if data.is_some() || files.is_some() {
            return Err(UsageError(format!(
                "--{option}-data and --{option}-files are for a database: the data folder {text} has its own secret and files"
            ))
            .into());
        }
        return Ok(StoreLocation::from(Path::new(text)));
    }
    // The password file of the configuration is only for the database of the configuration.
    let configured = config.server.as_ref().filter(|server| server.url == text);
    let server = ServerConfig {
        url: text.to_owned(),
        password_file: configured.and_then(|server| server.password_file.clone()),
        max_connections: CONNECTIONS,
        files: files.cloned(),
    };
    let data = data.unwrap_or(&config.data);
    Ok(store_location::on_server(data, &server)?)
}

/// Whether a text that is no folder was probably meant to connect to a database. It may have a
/// password, which no message shows.
fn is_like_a_connection(text: &str) -> bool {
    let has_user = text
        .split_once('@')
        .is_some_and(|(user, _)| user.contains(':'));
    has_user || text.contains("://") || text.contains("password=")
}

fn is_same(source: &StoreLocation, target: &StoreLocation) -> bool {
    match (&source.server, &target.server) {
        (None, None) => {
            let path = |location: &StoreLocation| std::fs::canonicalize(&location.folder).ok();
            path(source).is_some_and(|source| Some(source) == path(target))
        }
        (Some(source), Some(target)) => source.name() == target.name(),
        _ => false,
    }
}

fn write_report(report: &CopyReport, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut rows = vec![["table", "rows"].map(str::to_owned)];
    let filled = report.tables.iter().filter(|(_, count)| *count > 0);
    rows.extend(filled.map(|(name, count)| [name.clone(), count.to_string()]));
    let total: u64 = report.tables.iter().map(|(_, count)| count).sum();
    rows.push(["all".to_owned(), total.to_string()]);
    table::write(out, &rows)?;
    writeln!(
        out,
        "\nfiles: {} copied, {} bytes",
        report.files.count, report.files.bytes
    )?;
    for (problem, digests) in [
        ("missing in the source", &report.files.missing),
        ("damaged in the source, not copied", &report.files.damaged),
    ] {
        for sha256 in digests.iter().take(MAX_LISTED) {
            writeln!(out, "  {sha256} is {problem}")?;
        }
        if digests.len() > MAX_LISTED {
            writeln!(out, "  and {} more", digests.len() - MAX_LISTED)?;
        }
    }
    if report.replaced_nuls > 0 {
        writeln!(
            out,
            "texts with the character NUL, which PostgreSQL cannot store: {}; NUL was replaced by U+FFFD",
            report.replaced_nuls
        )?;
    }
    writeln!(
        out,
        "the number of rows and their checksums are equal in all {} tables",
        report.tables.len()
    )?;
    writeln!(
        out,
        "the copy has no search index yet; the service builds it when it starts on the copy"
    )?;
    Ok(())
}
