//! `quarry import redmine`: imports a Redmine, prints a report, and builds the index.

use super::arguments::{ImportCommand, Redmine};
use super::data_folder::{self, FolderState};
use super::index;
use super::output::progress::StepProgress;
use super::output::table;
use super::output::usage_error::UsageError;
use anyhow::Context;
use quarry_app::store_location;
use quarry_config::{Config, Environment, secret_file};
use quarry_domain::values::text::escape_controls;
use quarry_import as import;
use quarry_import::{Counts, Options, Report};
use quarry_search::index_exists;
use quarry_store::copy;
use quarry_store::data_folder::file_mode;
use quarry_store::data_folder::folder_lock::FolderLock;
use quarry_store::{Store, StoreLocation};
use std::fs::File;
use std::io::Write;
use std::process::ExitCode;

/// The environment variable with the database password.
const PASSWORD_VARIABLE: &str = "QUARRY_IMPORT_PASSWORD";
/// Maximum number of problems in the text output; `--report` has all of them.
const MAX_PROBLEMS: usize = 50;
/// Number of changed rows from which on the index is rebuilt here, rather than updated by the
/// service.
const MIN_ROWS_FOR_REBUILD: u64 = 20_000;

/// Runs the command. The exit code states whether all rows were imported.
pub fn run(
    config: &Config,
    environment: &Environment,
    command: &ImportCommand,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let ImportCommand::Redmine(redmine) = command;
    let password = password(redmine, environment)?;
    let location = store_location::configured(config)?;
    let is_fresh = match data_folder::state(&config.data)? {
        _ if location.server.is_some() => copy::state(&location)? == copy::State::Empty,
        FolderState::Initialized => false,
        FolderState::Empty => true,
        FolderState::Foreign(file) => {
            return Err(data_folder::foreign_error(&config.data, &file).into());
        }
        FolderState::PartialDemo => {
            return Err(UsageError(format!(
                "{} contains incomplete demonstration data",
                config.data.display()
            ))
            .into());
        }
    };
    if let Some(folder) = redmine.files.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(UsageError(format!("there is no folder {}", folder.display())).into());
    }
    // Opened first, so that an unwritable report is noticed before the import.
    let mut report_file = match &redmine.report {
        Some(path) => {
            let file =
                File::create(path).and_then(|file| file_mode::restrict_file(path).map(|()| file));
            Some(file.map_err(|error| {
                UsageError(format!(
                    "the report {} cannot be written: {error}",
                    path.display()
                ))
            })?)
        }
        None => None,
    };
    let report = if is_fresh && redmine.dry_run {
        // A dry run must not create the data folder, so it runs against an empty store elsewhere.
        let scratch = std::env::temp_dir().join(format!("quarry-dry-run-{}", std::process::id()));
        // Fails if the folder exists, because it may belong to another user.
        std::fs::create_dir(&scratch)
            .with_context(|| format!("{} cannot be created", scratch.display()))?;
        let report = import_redmine(
            StoreLocation::from(&scratch),
            config,
            redmine,
            password.as_deref(),
        );
        std::fs::remove_dir_all(&scratch)
            .with_context(|| format!("{} cannot be removed", scratch.display()))?;
        report?
    } else {
        import_redmine(location, config, redmine, password.as_deref())?
    };
    write_report(&report, out)?;
    if let Some(file) = &mut report_file {
        let text = serde_json::to_string_pretty(&report)?;
        file.write_all((text + "\n").as_bytes())
            .context("the report cannot be written")?;
    }
    let files = report.files.unwrap_or_default();
    let is_complete = report.total().broken == 0 && files.missing + files.mismatched == 0;
    Ok(if is_complete {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Returns the database password from the file, or else from the environment. The URL may contain
/// it too.
fn password(redmine: &Redmine, environment: &Environment) -> anyhow::Result<Option<String>> {
    let Some(path) = &redmine.database_password_file else {
        return Ok(environment.find_secret(PASSWORD_VARIABLE)?);
    };
    match secret_file::load(path) {
        Ok(password) => Ok(Some(password)),
        Err(problem) => Err(UsageError(format!(
            "--database-password-file {} cannot be used: {problem}",
            path.display()
        ))
        .into()),
    }
}

fn import_redmine(
    location: StoreLocation,
    config: &Config,
    redmine: &Redmine,
    password: Option<&str>,
) -> anyhow::Result<Report> {
    // Checked first, so that a mistyped URL creates no folder.
    import::check_source(&redmine.database, password)?;
    let folder = location.folder.clone();
    let name = match &location.server {
        Some(server) => server.name().to_owned(),
        None => format!("the data folder {}", folder.display()),
    };
    let store =
        data_folder::open_store(location).with_context(|| format!("{name} cannot be opened"))?;
    let options = Options {
        database: &redmine.database,
        password,
        files: redmine.files.as_deref(),
        dry_run: redmine.dry_run,
        expects_no_users: false,
    };
    let outcome = import::run(&store, &options, &mut StepProgress::default())
        .map_err(anyhow::Error::from)
        .and_then(|report| {
            let total = report.total();
            let is_due = !index_exists(&config.index)
                || total.taken + total.updated + total.removed >= MIN_ROWS_FOR_REBUILD;
            // A running service has updated the index meanwhile.
            if !redmine.dry_run && is_due && !FolderLock::is_held(&folder) {
                build_index(config, &store)?;
            }
            Ok(report)
        });
    store.close();
    outcome
}

fn build_index(config: &Config, store: &Store) -> anyhow::Result<()> {
    index::rebuild(&config.index, store).map(drop).with_context(|| {
        format!("the import is complete, but the index in {} cannot be built; build it with `quarry index rebuild`", config.index.display())
    })
}

fn row(label: &str, counts: &Counts) -> [String; 8] {
    [
        label.to_owned(),
        counts.taken.to_string(),
        counts.unchanged.to_string(),
        counts.updated.to_string(),
        counts.kept.to_string(),
        counts.removed.to_string(),
        counts.skipped.to_string(),
        counts.broken.to_string(),
    ]
}

fn write_report(report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut rows = vec![
        [
            "table",
            "taken",
            "unchanged",
            "updated",
            "kept ours",
            "removed",
            "skipped",
            "broken",
        ]
        .map(str::to_owned),
    ];
    let changed = report
        .tables
        .iter()
        .filter(|(_, counts)| *counts != Counts::default());
    rows.extend(changed.map(|(label, counts)| row(label, counts)));
    let total = report.total();
    rows.push(row("all", &total));
    table::write(out, &rows)?;
    if let Some(files) = &report.files {
        writeln!(
            out,
            "\nfiles: {} copied, {} missing, {} with another digest",
            files.copied, files.missing, files.mismatched
        )?;
    }
    for problem in report.problems.iter().take(MAX_PROBLEMS) {
        let line = format!(
            "{} {}: {}: {}",
            problem.table, problem.id, problem.outcome, problem.reason
        );
        writeln!(out, "{}", escape_controls(&line))?;
    }
    let problems = report.problems.len();
    if problems > MAX_PROBLEMS {
        writeln!(
            out,
            "and {} more; --report writes all of them",
            problems - MAX_PROBLEMS
        )?;
    }
    let left_behind: Vec<_> = report.left.iter().filter(|left| left.rows > 0).collect();
    if !left_behind.is_empty() {
        writeln!(out, "\nleft behind:")?;
        let rows: Vec<[String; 3]> = left_behind
            .iter()
            .map(|left| {
                [
                    left.what.clone(),
                    left.rows.to_string(),
                    left.reason.to_owned(),
                ]
            })
            .collect();
        table::write(out, &rows)?;
    }
    for note in &report.notes {
        writeln!(out, "{}", escape_controls(note))?;
    }
    let columns: Vec<String> = report
        .columns_left
        .iter()
        .map(|(name, rows)| format!("{name} ({rows})"))
        .collect();
    for (what, names) in [
        ("columns left behind", &columns),
        ("not in this version of Redmine", &report.missing),
    ] {
        if !names.is_empty() {
            writeln!(out, "{what}: {}", escape_controls(&names.join(", ")))?;
        }
    }
    if report.dry_run {
        writeln!(out, "nothing was written")?;
    } else if !total.is_changed() && report.files.is_none_or(|files| files.copied == 0) {
        writeln!(out, "nothing changed")?;
    }
    Ok(())
}
