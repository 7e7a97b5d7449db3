//! `quarry index`: compares the search index with the records, and rebuilds it, whether or not a
//! service is running.

use super::data_folder;
use super::output::progress::StepProgress;
use super::output::table;
use anyhow::Context;
use clap::Subcommand;
use quarry_config::Config;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::ProjectId;
use quarry_domain::values::text::shorten;
use quarry_search::{Difference, Report, Search, SearchError, rebuild_index};
use quarry_store::Store;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// Maximum number of differences in the text output; `--json` has all of them.
const MAX_DIFFERENCES: usize = 50;

/// Maximum number of comparisons while the index is catching up.
const MAX_ATTEMPTS: u32 = 10;
/// Time between comparisons.
const RETRY_DELAY: Duration = Duration::from_millis(300);

/// Maximum length of the message of an error in characters.
const MAX_MESSAGE: usize = 150;

/// The commands of `quarry index`.
#[derive(Debug, Subcommand)]
pub enum IndexCommand {
    /// Compare the index with the records: counts per type and project, and differences
    ///
    /// The exit code is 1 when there are differences. The index of a running service may be a
    /// moment behind its last change.
    Verify {
        /// Print one JSON object instead of text
        #[arg(long)]
        json: bool,
    },
    /// Rebuild the index from the records; a running service keeps serving requests
    Rebuild,
}

/// Runs the command. The exit code of `verify` states whether index and records agree.
pub fn run(
    config: &Config,
    command: &IndexCommand,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let store = data_folder::open(config)?;
    let index = config.index.display();
    let outcome = match command {
        IndexCommand::Verify { json } => {
            let report = verify(config, &store)
                .map_err(brief_error)
                .with_context(|| format!("the index in {index} cannot be compared"))?;
            let catalogue = store.catalogue()?;
            if *json {
                write_json(&report, &catalogue, out)?
            } else {
                write_text(&report, &catalogue, out)?
            }
            if report.agrees() {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        IndexCommand::Rebuild => {
            let documents = rebuild(&config.index, &store)
                .with_context(|| format!("the index in {index} cannot be rebuilt"))?;
            store.record_event(AuditEvent::new(RecordType::Index, 0, "rebuilt"))?;
            writeln!(out, "the index was rebuilt: {documents} documents")?;
            ExitCode::SUCCESS
        }
    };
    store.close();
    Ok(outcome)
}

/// Builds the index in this folder from the records, and shows the progress. Returns the number of
/// documents.
pub fn rebuild(folder: &Path, store: &Store) -> Result<u64, SearchError> {
    let progress = StepProgress::default();
    progress.start_step("documents of the index", 0);
    let mut documents = 0;
    let outcome = rebuild_index(folder, store, |count| {
        documents = count;
        progress.set_position(count);
    });
    progress.finish_step();
    outcome.map(|()| documents)
}

/// Compares index and records, repeatedly while a running service seems to be updating the index.
pub fn verify(config: &Config, store: &Store) -> Result<Report, SearchError> {
    for _ in 0..MAX_ATTEMPTS {
        let report = Search::verify_index(&config.index, store)?;
        if report.agrees() || report.differs() {
            return Ok(report);
        }
        std::thread::sleep(RETRY_DELAY);
    }
    Search::verify_index(&config.index, store)
}

/// Returns the message of an error in one line. That of tantivy may quote a whole file.
pub fn brief_message(error: &SearchError) -> String {
    let message = match error {
        SearchError::Damaged => {
            "files of the search index are missing, truncated or altered; `quarry index rebuild` rebuilds it"
                .to_owned()
        }
        error => error.to_string(),
    };
    let words: Vec<&str> = message.split_whitespace().collect();
    shorten(&words.join(" "), MAX_MESSAGE)
}

fn brief_error(error: SearchError) -> anyhow::Error {
    match error {
        SearchError::Damaged | SearchError::Tantivy(_) => anyhow::anyhow!(brief_message(&error)),
        error => error.into(),
    }
}

fn write_text(report: &Report, catalogue: &Catalogue, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut rows = vec![["type", "project", "records", "documents"].map(str::to_owned)];
    rows.extend(
        report
            .counts
            .iter()
            .map(|(kind, project, records, documents)| {
                [
                    kind.parameter().to_owned(),
                    identifier(catalogue, *project),
                    records.to_string(),
                    documents.to_string(),
                ]
            }),
    );
    rows.push([
        "all".to_owned(),
        "all".to_owned(),
        report.records.to_string(),
        report.documents.to_string(),
    ]);
    table::write(out, &rows)?;
    for (kind, id, difference) in report.differences.iter().take(MAX_DIFFERENCES) {
        writeln!(
            out,
            "{} {id}: {}",
            kind.parameter(),
            describe(*difference, catalogue)
        )?;
    }
    let differences = report.differences.len();
    if differences > MAX_DIFFERENCES {
        writeln!(out, "and {} more", differences - MAX_DIFFERENCES)?;
    }
    if report.agrees() {
        writeln!(out, "index and records agree")?;
    } else if report.differs() {
        writeln!(
            out,
            "index and records differ; rebuild the index with `quarry index rebuild`"
        )?;
    } else {
        let waiting = report.waiting;
        writeln!(
            out,
            "the index is behind by {waiting} records; start the service, or rebuild the index with `quarry index rebuild`"
        )?;
    }
    Ok(())
}

fn write_json(report: &Report, catalogue: &Catalogue, out: &mut dyn Write) -> anyhow::Result<()> {
    let counts = report.counts.iter().map(|(kind, project, records, documents)| {
        json!({"type": kind.parameter(), "project": identifier(catalogue, *project), "records": records, "documents": documents})
    });
    let differences = report
        .differences
        .iter()
        .map(|(kind, id, difference)| json!({"type": kind.parameter(), "id": id, "problem": describe(*difference, catalogue)}));
    let report = json!({
        "agrees": report.agrees(),
        "waiting": report.waiting,
        "records": report.records,
        "documents": report.documents,
        "counts": counts.collect::<Vec<_>>(),
        "differences": differences.collect::<Vec<_>>(),
    });
    Ok(writeln!(out, "{report}")?)
}

fn describe(difference: Difference, catalogue: &Catalogue) -> String {
    match difference {
        Difference::Missing => "is not in the index".to_owned(),
        Difference::Orphaned => "is in the index, but there is no such record".to_owned(),
        Difference::Change(record, document) => {
            format!("is of change {record}, in the index of change {document}")
        }
        Difference::Project(record, document) => {
            format!(
                "is in {}, by the index in {}",
                identifier(catalogue, record),
                identifier(catalogue, document)
            )
        }
        Difference::Repeated => "is in the index more than once".to_owned(),
    }
}

fn identifier(catalogue: &Catalogue, project: ProjectId) -> String {
    catalogue
        .projects
        .get(&project)
        .map_or_else(|| project.to_string(), |project| project.identifier.clone())
}
