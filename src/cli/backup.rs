//! `quarry backup`: creates, lists and verifies backups.

use super::data_folder;
use super::output::progress::StepProgress;
use super::output::table;
use super::output::usage_error::UsageError;
use anyhow::Context;
use clap::{Args, Subcommand};
use quarry_app::{backups, store_location};
use quarry_config::{BackupSecret, Config};
use quarry_domain::administration::backup::{KeepPolicy, LastBackup};
use quarry_domain::clock::{Clock, SystemClock};
use quarry_domain::values::text::escape_controls;
use quarry_store::backup::{
    self, BackupError, BackupReport, ListedBackup, Manifest, Passphrase, VerifyReport,
};
use quarry_store::{Store, StoreError};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Maximum number of problems of one backup in the output.
const MAX_PROBLEMS: usize = 50;

/// Make a backup in a folder, or list or verify its backups
///
/// A backup has the records, the files of attachments, the configuration file and, if requested, the
/// secret. A service may be running. Files of attachments are stored once for all backups of the
/// folder. The SHA-256 of every file is in the manifest, or in a list that the manifest covers. The
/// records of a PostgreSQL database are copied by pg_dump. The exit code is 1 if files of attachments
/// are missing or damaged in the store.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct BackupArguments {
    /// The command.
    #[command(subcommand)]
    command: Option<BackupCommand>,
    #[command(flatten)]
    create: NewBackup,
}

/// The arguments of a new backup.
#[derive(Debug, Args)]
struct NewBackup {
    /// Folder of the backups, which may be new (write ./list for a folder named list)
    #[arg(required = true, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Include the secret, and a configuration file with passwords, unencrypted
    #[arg(long)]
    secret: bool,
    /// Include both, encrypted with the passphrase in the first line of this file
    #[arg(long, value_name = "FILE", conflicts_with = "secret")]
    passphrase_file: Option<PathBuf>,
    /// Delete older backups except the latest of each of the last days, weeks and months, such as
    /// 7d,4w,6m (also h for hours, y for years) [default: keep all]
    #[arg(long, value_name = "COUNTS", value_parser = parse_keep)]
    keep: Option<KeepPolicy>,
    /// Leave out the records of a PostgreSQL database, which is backed up in another way
    #[arg(long)]
    without_records: bool,
}

/// The commands of `quarry backup`.
#[derive(Debug, Subcommand)]
pub enum BackupCommand {
    /// List the backups of a folder, the oldest first
    ///
    /// The exit code is 1 when the manifest of a backup cannot be read.
    List {
        /// Folder of the backups
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// Print one JSON array instead of a table
        #[arg(long)]
        json: bool,
    },
    /// Check every byte of the backups of a folder, and the structure of their databases
    ///
    /// The exit code is 1 when a backup is damaged, or its secret has another passphrase.
    Verify {
        /// Folder of the backups
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// Name of the backup [default: all]
        #[arg(value_name = "NAME")]
        name: Option<String>,
        /// Decrypt the secret, too, with the passphrase in the first line of this file
        #[arg(long, value_name = "FILE")]
        passphrase_file: Option<PathBuf>,
    },
}

fn parse_keep(text: &str) -> Result<KeepPolicy, &'static str> {
    KeepPolicy::parse(text)
        .ok_or("write numbers of hours, days, weeks, months and years, such as 7d,4w,6m, or all")
}

/// Runs the command. The exit code is 1 if something could not be copied or is damaged.
pub fn run(
    config: &Config,
    arguments: &BackupArguments,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        None => create(config, &arguments.create, out),
        Some(BackupCommand::List { folder, json }) => {
            let backups = backup::list(folder).map_err(to_error)?;
            if *json {
                write_json(&backups, out)?;
            } else {
                write_table(&backups, out)?;
            }
            Ok(exit_code(
                backups.iter().all(|backup| backup.manifest.is_ok()),
            ))
        }
        Some(BackupCommand::Verify {
            folder,
            name,
            passphrase_file,
        }) => {
            let passphrase = passphrase_file
                .as_deref()
                .map(Passphrase::from_file)
                .transpose()
                .map_err(to_error)?;
            let mut progress = StepProgress::default();
            let reports =
                backup::verify(folder, name.as_deref(), passphrase.as_ref(), &mut progress)
                    .map_err(to_error)?;
            write_reports(&reports, out)
        }
    }
}

/// Converts the error; a wrong usage becomes a [`UsageError`] with its exit code.
pub fn to_error(error: BackupError) -> anyhow::Error {
    if error.is_usage() {
        UsageError(error.to_string()).into()
    } else {
        error.into()
    }
}

fn create(config: &Config, arguments: &NewBackup, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let folder = arguments.folder.as_deref().unwrap_or(Path::new(""));
    if config.server.is_none() {
        if data_folder::state(&config.data)? != data_folder::FolderState::Initialized {
            return Err(data_folder::not_initialized_error(&config.data).into());
        }
        if arguments.without_records {
            let message = "--without-records is for a PostgreSQL database";
            return Err(UsageError(message.to_owned()).into());
        }
    }
    let secret = match (&arguments.passphrase_file, arguments.secret) {
        (Some(path), _) => BackupSecret::Encrypt(path.clone()),
        (None, true) => BackupSecret::Include,
        (None, false) => BackupSecret::Omit,
    };
    let options = backups::BackupOptions {
        folder,
        secret: &secret,
        keep: arguments.keep.as_ref(),
        without_records: arguments.without_records,
    };
    let mut progress = StepProgress::default();
    let report = backups::create(config, &options, SystemClock.now(), &mut progress)
        .map_err(to_error)
        .context("no backup was made")?;
    if report.manifest.has_current_schema()
        && let Err(error) = note(
            config,
            backups::describe(&report, folder),
            arguments.without_records,
        )
    {
        tracing::warn!(error = %error, "the backup could not be recorded in the store");
    }
    write_created(&report, out).context("the backup was made, but its report cannot be printed")?;
    if let Some(problem) = report.problem {
        return Err(to_error(problem))
            .context("the backup was made, but old ones cannot be deleted");
    }
    Ok(exit_code(report.manifest.problems() == 0))
}

/// Records the backup in the store, so that administrators see it and its age.
fn note(config: &Config, last: LastBackup, without_records: bool) -> Result<(), StoreError> {
    let store = Store::open_secondary(store_location::configured(config)?)?;
    let noted = store.write_with_reserve(move |db| {
        if without_records {
            quarry_actions::administration::backups::note_without_records(db, &last);
            Ok(())
        } else {
            quarry_actions::administration::backups::note_success(db, &last)
        }
    });
    store.close();
    noted
}

fn write_created(report: &BackupReport, out: &mut dyn Write) -> anyhow::Result<()> {
    let manifest = &report.manifest;
    let (new, new_bytes) = report.new_contents;
    let rows = manifest.rows();
    writeln!(
        out,
        "backup {}: {rows} rows, {} files, {} bytes",
        report.name,
        manifest.contents.count,
        manifest.size()
    )?;
    writeln!(
        out,
        "new files since the last backup: {new}, {new_bytes} bytes"
    )?;
    for (what, why) in &manifest.left_out {
        writeln!(out, "left out: {what} ({why})")?;
    }
    for (problem, digests) in [
        ("is missing in the store", &manifest.contents.missing),
        ("is damaged in the store", &manifest.contents.damaged),
    ] {
        for sha256 in digests.iter().take(MAX_PROBLEMS) {
            writeln!(out, "not backed up: the file {sha256} {problem}")?;
        }
        if digests.len() > MAX_PROBLEMS {
            writeln!(out, "and {} more", digests.len() - MAX_PROBLEMS)?;
        }
    }
    for name in &report.deleted {
        writeln!(out, "deleted: {name}")?;
    }
    Ok(())
}

/// Returns whether the secret is included, encrypted or left out.
fn secret_state(manifest: &Manifest) -> &'static str {
    if manifest.file("secret").is_some() {
        "included"
    } else if manifest.file("secret.encrypted").is_some() {
        "encrypted"
    } else {
        "left out"
    }
}

fn write_table(backups: &[ListedBackup], out: &mut dyn Write) -> anyhow::Result<()> {
    let mut rows = vec![
        [
            "backup", "program", "schema", "files", "bytes", "secret", "problems",
        ]
        .map(str::to_owned),
    ];
    for backup in backups {
        rows.push(match &backup.manifest {
            Ok(manifest) => [
                backup.name.clone(),
                manifest.program.clone(),
                manifest.schema.to_string(),
                manifest.contents.count.to_string(),
                manifest.size().to_string(),
                secret_state(manifest).to_owned(),
                manifest.problems().to_string(),
            ],
            Err(_) => {
                let unknown = String::new;
                let name = format!("{} (damaged)", backup.name);
                [
                    name,
                    unknown(),
                    unknown(),
                    unknown(),
                    unknown(),
                    unknown(),
                    unknown(),
                ]
            }
        });
    }
    table::write(out, &rows)?;
    for backup in backups {
        if let Err(error) = &backup.manifest {
            let problem = error.to_string();
            writeln!(out, "{}: {}", backup.name, escape_controls(&problem))?;
        }
    }
    Ok(())
}

fn exit_code(is_intact: bool) -> ExitCode {
    if is_intact {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn write_json(backups: &[ListedBackup], out: &mut dyn Write) -> anyhow::Result<()> {
    let backups = backups.iter().map(|backup| match &backup.manifest {
        Ok(manifest) => json!({
            "name": backup.name,
            "created_on": manifest.created_on.to_string(),
            "program": manifest.program,
            "schema": manifest.schema,
            "files": manifest.contents.count,
            "bytes": manifest.size(),
            "secret": secret_state(manifest),
            "missing": manifest.contents.missing,
            "damaged": manifest.contents.damaged,
        }),
        Err(error) => json!({"name": backup.name, "error": error.to_string()}),
    });
    let backups: serde_json::Value = backups.collect();
    Ok(writeln!(out, "{backups}")?)
}

fn write_reports(reports: &[VerifyReport], out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut is_intact = true;
    for report in reports {
        if report.has_other_passphrase {
            is_intact = false;
            writeln!(
                out,
                "{}: the passphrase is wrong, so that its secret was not checked",
                report.name
            )?;
            if report.problems.is_empty() {
                continue;
            }
        }
        if let (Some(manifest), true) = (&report.manifest, report.problems.is_empty()) {
            let left_out = match secret_state(manifest) {
                "left out" => "; without the secret",
                _ => "",
            };
            let files = manifest.contents.count;
            let size = manifest.size();
            writeln!(
                out,
                "{}: intact, {files} files, {size} bytes{left_out}",
                report.name
            )?;
            continue;
        }
        is_intact = false;
        writeln!(out, "{}: damaged", report.name)?;
        for problem in report.problems.iter().take(MAX_PROBLEMS) {
            writeln!(out, "  {}", escape_controls(problem))?;
        }
        if report.problems.len() > MAX_PROBLEMS {
            writeln!(out, "  and {} more", report.problems.len() - MAX_PROBLEMS)?;
        }
    }
    Ok(exit_code(is_intact))
}
