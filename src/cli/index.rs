//! `quarry index`: compares the search index with the records, and makes it anew, whether or not a service keeps it.

use super::arguments::IndexCommand;
use super::{folder, table};
use crate::config::Config;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::ProjectId;
use crate::search::{Difference, Report, Search, rebuild_beside};
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;

/// How many differences are written out for people; `--json` has all that are known.
const SHOWN: usize = 50;

/// Does it; the exit code says whether index and records agree.
pub fn obey(config: &Config, command: &IndexCommand, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let store = folder::open(&config.data)?;
    let index = config.index.display();
    let outcome = match command {
        IndexCommand::Verify { json } => {
            let compared = Search::verify_beside(&config.index, &store);
            let report = compared.with_context(|| format!("the index in {index} cannot be compared"))?;
            let catalogue = store.catalogue()?;
            if *json { write_json(&report, &catalogue, out)? } else { write_text(&report, &catalogue, out)? }
            if report.agrees() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        IndexCommand::Rebuild => {
            let bar = ProgressBar::no_length();
            bar.set_style(ProgressStyle::with_template("{spinner} making the index: {human_pos} documents")?);
            let made = rebuild_beside(&config.index, &store, |documents| bar.set_position(documents));
            bar.finish_and_clear();
            made.with_context(|| format!("the index in {index} cannot be made anew"))?;
            writeln!(out, "the index is made anew: {} documents", bar.position())?;
            ExitCode::SUCCESS
        }
    };
    store.close();
    Ok(outcome)
}

fn write_text(report: &Report, catalogue: &Catalogue, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut rows = vec![["type", "project", "records", "documents"].map(str::to_owned)];
    rows.extend(report.counts.iter().map(|(kind, project, records, documents)| {
        [kind.parameter().to_owned(), identifier(catalogue, *project), records.to_string(), documents.to_string()]
    }));
    rows.push(["all".to_owned(), "all".to_owned(), report.records.to_string(), report.documents.to_string()]);
    table::write(out, &rows)?;
    for (kind, id, difference) in report.differences.iter().take(SHOWN) {
        writeln!(out, "{} {id}: {}", kind.parameter(), sentence(*difference, catalogue))?;
    }
    let differences = report.differences.len();
    if differences > SHOWN {
        writeln!(out, "and {} more", differences - SHOWN)?;
    }
    if report.agrees() { writeln!(out, "index and records agree")? } else { writeln!(out, "index and records differ")? }
    Ok(())
}

fn write_json(report: &Report, catalogue: &Catalogue, out: &mut dyn Write) -> anyhow::Result<()> {
    let counts = report.counts.iter().map(|(kind, project, records, documents)| {
        json!({"type": kind.parameter(), "project": identifier(catalogue, *project), "records": records, "documents": documents})
    });
    let differences = report.differences.iter().map(|(kind, id, difference)| {
        json!({"type": kind.parameter(), "id": id, "problem": sentence(*difference, catalogue)})
    });
    let report = json!({
        "agrees": report.agrees(),
        "records": report.records,
        "documents": report.documents,
        "counts": counts.collect::<Vec<_>>(),
        "differences": differences.collect::<Vec<_>>(),
    });
    Ok(writeln!(out, "{report}")?)
}

fn sentence(difference: Difference, catalogue: &Catalogue) -> String {
    match difference {
        Difference::Missing => "is not in the index".to_owned(),
        Difference::Orphaned => "is in the index, but there is no such record".to_owned(),
        Difference::Change(record, document) => format!("is of change {record}, in the index of change {document}"),
        Difference::Project(record, document) => {
            format!("is in {}, by the index in {}", identifier(catalogue, record), identifier(catalogue, document))
        }
        Difference::Repeated => "is in the index more than once".to_owned(),
    }
}

fn identifier(catalogue: &Catalogue, project: ProjectId) -> String {
    catalogue.projects.get(&project).map_or_else(|| project.to_string(), |project| project.identifier.clone())
}
