//! `quarry doctor`: looks for damage, contradictions and imminent failures, and repairs what is safe.

mod certificates;
mod configuration;
mod files;
mod finding;
mod fix;
mod index;
mod machine;
mod mail;
mod paths;
mod permissions;
mod records;

use super::data_folder::{self, FolderState};
use anyhow::Context;
use clap::Args;
use finding::Finding;
use fix::Fixed;
use jiff::Timestamp;
use quarry_app::store_location;
use quarry_config::Config;
use quarry_domain::clock::{Clock, SystemClock};
use quarry_store::checks::{Checkup, StoreAtRest};
use quarry_store::{Store, StoreError, StoreLocation, backup};
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;

/// The arguments of `quarry doctor`.
#[derive(Debug, Args)]
pub struct DoctorOptions {
    /// Repair what is safe, and keep copies of what is removed or changed in the data folder
    #[arg(long)]
    pub fix: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// Skip reading the contents of attachments, which takes long where there are many
    #[arg(long)]
    pub quick: bool,
}

/// Runs the command. The exit code is 1 if there are findings, with `--fix` if any remain.
pub fn run(
    config: &Config,
    options: &DoctorOptions,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    if let Err(error) = backup::check_complete(&config.data) {
        return report(
            &[interrupted_restore(&error)],
            &Fixed::default(),
            options,
            out,
        );
    }
    if config.server.is_none() && data_folder::state(&config.data)? != FolderState::Initialized {
        return Err(data_folder::not_initialized_error(&config.data).into());
    }
    if options.fix && !data_folder::has_records_or_secret(&config.data) {
        return Err(data_folder::not_initialized_error(&config.data).into());
    }
    let location = store_location::configured(config)?;
    let now = SystemClock.now();
    let mut findings = run_checks(config, &location, options, now);
    let mut fixed = Fixed::default();
    if options.fix && findings.iter().any(|finding| finding.fix.is_some()) {
        fixed = fix::apply(config, &location, &findings, now)?;
        findings = run_checks(config, &location, options, now);
    }
    report(&findings, &fixed, options, out)
}

/// Prints the findings, and returns the exit code.
fn report(
    findings: &[Finding],
    fixed: &Fixed,
    options: &DoctorOptions,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    if options.json {
        write_json(findings, fixed, out)?;
    } else {
        write_text(findings, fixed, out).context("the findings cannot be printed")?;
    }
    Ok(if findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Runs all checks. A check that fails is itself a finding. Changes no file: a store that no process uses
/// is read without locks, and once more if a process has written to it meanwhile.
fn run_checks(
    config: &Config,
    location: &StoreLocation,
    options: &DoctorOptions,
    now: Timestamp,
) -> Vec<Finding> {
    let mut checks = Checks {
        config,
        location,
        options,
        now,
        is_at_rest: true,
    };
    if let Some(store) = StoreAtRest::find(location) {
        let findings = checks.run();
        if store.is_unchanged() {
            return findings;
        }
    }
    checks.is_at_rest = false;
    checks.run()
}

/// The checks of a store.
struct Checks<'c> {
    config: &'c Config,
    location: &'c StoreLocation,
    options: &'c DoctorOptions,
    now: Timestamp,
    /// Whether no process uses the store.
    is_at_rest: bool,
}

impl Checks<'_> {
    fn run(&self) -> Vec<Finding> {
        let config = self.config;
        let mut findings = Vec::new();
        let are_records_usable = self.check_store(&mut findings);
        permissions::check(config, &mut findings);
        machine::check_disk(config, &mut findings);
        certificates::check(config, self.now, &mut findings);
        mail::check(config, &mut findings);
        paths::check(config, &mut findings);
        if are_records_usable {
            let store = if self.is_at_rest {
                Store::open_at_rest(self.location)
            } else {
                Store::open_secondary(self.location.clone())
            };
            match store {
                Ok(store) => {
                    index::check(config, &store, &mut findings);
                    store.close();
                }
                Err(error) => findings.push(unreadable(&error)),
            }
        }
        findings
    }

    /// Checks the records and what depends on them. Returns whether the index can be compared with them.
    fn check_store(&self, findings: &mut Vec<Finding>) -> bool {
        let checkup = if self.is_at_rest {
            Checkup::open_at_rest(self.location)
        } else {
            Checkup::open(self.location)
        };
        let checkup = match checkup {
            Ok(checkup) => checkup,
            Err(error) => {
                findings.push(unreadable(&error));
                return false;
            }
        };
        let outcome = records::check_schema(&checkup, findings).and_then(|are_rows_readable| {
            if !are_rows_readable {
                return Ok(false);
            }
            let are_types_valid = records::check_values(&checkup, findings)?;
            let are_rows_checked = match self.check_rows(&checkup, findings) {
                // The wrong types explain it.
                Err(_) if !are_types_valid => false,
                outcome => outcome.map(|()| true)?,
            };
            Ok(are_types_valid && are_rows_checked)
        });
        checkup.close();
        let has_secret = !findings
            .iter()
            .any(|finding| ["secret-missing", "secret-mismatch"].contains(&finding.name));
        match outcome {
            Ok(are_rows_readable) => are_rows_readable && has_secret,
            Err(error) => {
                findings.push(unreadable(&error));
                false
            }
        }
    }

    /// Checks the rows, and what depends on them. A check that fails does not end the others; the first
    /// error is returned.
    fn check_rows(&self, checkup: &Checkup, findings: &mut Vec<Finding>) -> Result<(), StoreError> {
        let rows = records::check_rows(checkup, self.now, findings);
        let contents = files::check_contents(checkup, !self.options.quick, self.now, findings);
        let secret = files::check_secret(checkup, findings);
        let configuration = configuration::check(self.config, checkup, findings);
        let clock = machine::check_clock(checkup, self.now, findings);
        rows.and(contents).and(secret).and(configuration).and(clock)
    }
}

fn interrupted_restore(error: &dyn std::fmt::Display) -> Finding {
    Finding::error(
        "restore-interrupted",
        error.to_string(),
        "Run `quarry restore` again.",
    )
}

fn unreadable(error: &dyn std::fmt::Display) -> Finding {
    Finding::error(
        "store-unreadable",
        format!("the records cannot be read: {error}"),
        "Check the database server, the disk and the permissions; otherwise restore a backup.",
    )
}

fn write_text(findings: &[Finding], fixed: &Fixed, out: &mut dyn Write) -> std::io::Result<()> {
    for name in &fixed.names {
        writeln!(out, "mended: {name}")?;
    }
    if let Some(folder) = &fixed.copies {
        writeln!(
            out,
            "what was removed or changed is in {}",
            folder.display()
        )?;
    }
    for finding in findings {
        finding.write(out)?;
    }
    let fixable = findings.iter().filter(|finding| finding.fix.is_some());
    match (findings.len(), fixable.count()) {
        (0, _) => writeln!(out, "nothing is wrong"),
        (1, 0) => writeln!(out, "1 finding"),
        (count, 0) => writeln!(out, "{count} findings"),
        (count, fixable) => writeln!(out, "findings: {count}; --fix mends {fixable}"),
    }
}

fn write_json(findings: &[Finding], fixed: &Fixed, out: &mut dyn Write) -> anyhow::Result<()> {
    let report = json!({
        "healthy": findings.is_empty(),
        "findings": findings.iter().map(Finding::to_json).collect::<Vec<_>>(),
        "fixed": fixed.names,
        "copies": fixed.copies.as_ref().map(|folder| folder.display().to_string()),
    });
    Ok(writeln!(out, "{report}")?)
}
