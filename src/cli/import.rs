//! `quarry import redmine`: moves a Redmine in, says what became of it, and makes the index of what has come.

use super::arguments::{ImportCommand, Redmine};
use super::folder::{self, State};
use super::misuse::Misuse;
use super::table;
use crate::config::{Config, Environment};
use crate::import::{Counts, Options, Progress, Report, run};
use crate::search::{is_kept, is_made, rebuild_beside};
use crate::store::{Store, file_mode};
use anyhow::Context;
use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Environment variable with the password of the database.
const VARIABLE: &str = "QUARRY_IMPORT_PASSWORD";
/// How many problems are written out for people; `--report` has all of them.
const SHOWN: usize = 50;
/// From how many rows on the index is made anew rather than brought up to date by the service.
const MANY: u64 = 20_000;

/// Does it; the exit code says whether every row could be taken.
pub fn obey(config: &Config, environment: &Environment, command: &ImportCommand, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let ImportCommand::Redmine(redmine) = command;
    let password = password(redmine, environment)?;
    let is_fresh = match folder::state(&config.data)? {
        State::Ours => false,
        State::Fresh => true,
        State::Foreign(file) => return Err(folder::foreign(&config.data, &file).into()),
        State::HalfLoaded => return Err(Misuse(format!("{} holds half of the demonstration world", config.data.display())).into()),
    };
    if let Some(folder) = redmine.files.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(Misuse(format!("there is no folder {}", folder.display())).into());
    }
    // Before anything is done, so that a report that cannot be written does not come as a surprise.
    let mut report_to = match &redmine.report {
        Some(path) => {
            let file = File::create(path).and_then(|file| file_mode::restrict_file(path).map(|()| file));
            Some(file.map_err(|error| Misuse(format!("the report {} cannot be written: {error}", path.display())))?)
        }
        None => None,
    };
    let report = if is_fresh && redmine.dry_run {
        // Nothing is to be made, so the rows are judged against an empty store elsewhere.
        let scratch = std::env::temp_dir().join(format!("quarry-dry-run-{}", std::process::id()));
        // Fails where somebody else has put a folder of this name.
        std::fs::create_dir(&scratch).with_context(|| format!("{} cannot be made", scratch.display()))?;
        let report = import(&scratch, config, redmine, password.as_deref());
        std::fs::remove_dir_all(&scratch).with_context(|| format!("{} cannot be removed", scratch.display()))?;
        report?
    } else {
        import(&config.data, config, redmine, password.as_deref())?
    };
    write_report(&report, out)?;
    if let Some(file) = &mut report_to {
        let text = serde_json::to_string_pretty(&report)?;
        file.write_all((text + "\n").as_bytes()).context("the report cannot be written")?;
    }
    let files = report.files.unwrap_or_default();
    let whole = report.total().broken == 0 && files.missing + files.wrong == 0;
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the password of the database from the file, otherwise from the environment; the URL may have it too.
fn password(redmine: &Redmine, environment: &Environment) -> anyhow::Result<Option<String>> {
    let Some(path) = &redmine.database_password_file else { return Ok(environment.find(VARIABLE).map(str::to_owned)) };
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| Misuse(format!("--database-password-file {} cannot be read: {error}", path.display())))?;
    match text.lines().next() {
        Some(password) if !password.is_empty() => Ok(Some(password.to_owned())),
        _ => Err(Misuse(format!("--database-password-file {} has no password in its first line", path.display())).into()),
    }
}

fn import(data: &Path, config: &Config, redmine: &Redmine, password: Option<&str>) -> anyhow::Result<Report> {
    // Looked at first, so that a mistyped address makes no folder.
    crate::import::look(&redmine.database, password)?;
    let store = Store::open(data).with_context(|| format!("the data folder {} cannot be opened", data.display()))?;
    let options = Options { database: &redmine.database, password, files: redmine.files.as_deref(), dry_run: redmine.dry_run };
    let outcome = run(&store, &options, &mut Bars(None)).map_err(anyhow::Error::from).and_then(|report| {
        let total = report.total();
        let is_due = !is_made(&config.index) || total.taken + total.updated + total.removed >= MANY;
        // A service that runs has followed all the while.
        if !redmine.dry_run && is_due && !is_kept(&config.index) {
            index(config, &store)?;
        }
        Ok(report)
    });
    store.close();
    outcome
}

fn index(config: &Config, store: &Store) -> anyhow::Result<()> {
    let bar = ProgressBar::no_length();
    bar.set_style(style("making the search index: {human_pos} documents, {rate}"));
    rebuild_beside(&config.index, store, |documents| bar.set_position(documents)).with_context(|| {
        format!("the index in {} cannot be made; everything is taken, make it with `quarry index rebuild`", config.index.display())
    })?;
    bar.finish_and_clear();
    Ok(())
}

/// How a bar looks, with whole rows a second as its rate.
fn style(template: &str) -> ProgressStyle {
    let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        // A bar cannot fail; at worst it shows no rate.
        let _ = write!(out, "{}/s", HumanCount(state.per_sec() as u64));
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("rate", rate)
}

/// A bar for each table; where there is nobody to look at it, it is not drawn.
struct Bars(Option<ProgressBar>);

impl Progress for Bars {
    fn begin(&mut self, what: &str, rows: u64) {
        let bar = ProgressBar::new(rows);
        bar.set_style(style("{msg:28} {wide_bar} {human_pos}/{human_len} {rate}"));
        bar.set_message(what.to_owned());
        self.0 = Some(bar);
    }

    fn advance(&mut self, rows: u64) {
        self.0.iter().for_each(|bar| bar.inc(rows));
    }

    fn end(&mut self) {
        if let Some(bar) = self.0.take() {
            bar.finish_and_clear();
        }
    }
}

fn write_report(report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut rows = vec![["table", "taken", "unchanged", "updated", "kept ours", "removed", "skipped", "broken"].map(str::to_owned)];
    let row = |label: &str, counts: &Counts| {
        let Counts { taken, unchanged, updated, kept, removed, skipped, broken } = counts;
        let [taken, unchanged, updated, kept, removed, skipped, broken] =
            [taken, unchanged, updated, kept, removed, skipped, broken].map(|count| count.to_string());
        [label.to_owned(), taken, unchanged, updated, kept, removed, skipped, broken]
    };
    rows.extend(report.tables.iter().filter(|(_, counts)| *counts != Counts::default()).map(|(label, counts)| row(label, counts)));
    let total = report.total();
    rows.push(row("all", &total));
    table::write(out, &rows)?;
    if let Some(files) = &report.files {
        writeln!(out, "\nfiles: {} copied, {} missing, {} with another digest", files.copied, files.missing, files.wrong)?;
    }
    for problem in report.problems.iter().take(SHOWN) {
        writeln!(out, "{} {}: {}: {}", problem.table, problem.id, problem.outcome, problem.reason)?;
    }
    let problems = report.problems.len();
    if problems > SHOWN {
        writeln!(out, "and {} more, all of which --report writes", problems - SHOWN)?;
    }
    let left: Vec<_> = report.left.iter().filter(|left| left.rows > 0).collect();
    if !left.is_empty() {
        writeln!(out, "\nleft behind:")?;
        let rows: Vec<[String; 3]> = left.iter().map(|left| [left.what.clone(), left.rows.to_string(), left.reason.to_owned()]).collect();
        table::write(out, &rows)?;
    }
    for sentence in &report.said {
        writeln!(out, "{sentence}")?;
    }
    let columns: Vec<String> = report.columns_left.iter().map(|(name, rows)| format!("{name} ({rows})")).collect();
    for (what, names) in [("columns left behind", &columns), ("not in this version of Redmine", &report.missing)] {
        if !names.is_empty() {
            writeln!(out, "{what}: {}", names.join(", "))?;
        }
    }
    if report.dry_run {
        writeln!(out, "nothing was written")?;
    } else if !total.is_changed() && report.files.is_none_or(|files| files.copied == 0) {
        writeln!(out, "nothing changed")?;
    }
    Ok(())
}
