//! `quarry index`: compares the search index with the records, and makes it anew.

use super::arguments::IndexCommand;
use super::{folder, table};
use crate::config::Config;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::ProjectId;
use crate::search::{Report, Search};
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

/// How many differences are written out for people; `--json` has all of them.
const SHOWN: usize = 50;

/// Does it; the exit code says whether index and records agree.
pub fn obey(config: &Config, command: IndexCommand, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let store = Arc::new(folder::open(&config.data)?);
    let search = Search::open(&config.index, Arc::clone(&store))
        .with_context(|| format!("the index in {} cannot be opened", config.index.display()))?;
    let outcome = match command {
        IndexCommand::Verify { json } => {
            let report = search.verify()?;
            let catalogue = store.catalogue()?;
            if json {
                write_json(&report, &catalogue, out)?
            } else {
                write_text(&report, &catalogue, out)?
            }
            if report.agrees() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        IndexCommand::Rebuild => {
            let bar = ProgressBar::new(0);
            bar.set_style(ProgressStyle::with_template("making the index {wide_bar} {human_pos} of {human_len}")?);
            search.rebuild(|done, all| {
                bar.set_length(all);
                bar.set_position(done);
            })?;
            bar.finish_and_clear();
            writeln!(out, "the index is made anew from {} records", bar.position())?;
            ExitCode::SUCCESS
        }
    };
    search.close();
    store.close();
    Ok(outcome)
}

fn identifier(catalogue: &Catalogue, project: ProjectId) -> String {
    catalogue.projects.get(&project).map_or_else(|| project.to_string(), |project| project.identifier.clone())
}

fn write_text(report: &Report, catalogue: &Catalogue, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut rows = vec![["type", "project", "records", "index"].map(str::to_owned)];
    rows.extend(report.counts.iter().map(|count| {
        let (kind, project) = (count.kind.parameter().to_owned(), identifier(catalogue, count.project));
        [kind, project, count.stored.to_string(), count.indexed.to_string()]
    }));
    table::write(out, &rows)?;
    let differences = report.differences.len();
    for difference in report.differences.iter().take(SHOWN) {
        writeln!(out, "{} {}: {}", difference.kind.parameter(), difference.id, difference.problem)?;
    }
    if differences > SHOWN {
        writeln!(out, "and {} more", differences - SHOWN)?;
    }
    if report.agrees() {
        writeln!(out, "index and records agree")?
    } else {
        writeln!(out, "{differences} differences")?
    }
    Ok(())
}

fn write_json(report: &Report, catalogue: &Catalogue, out: &mut dyn Write) -> anyhow::Result<()> {
    let counts = report.counts.iter().map(|count| {
        let project = identifier(catalogue, count.project);
        json!({"type": count.kind.parameter(), "project": project, "records": count.stored, "index": count.indexed})
    });
    let differences = report
        .differences
        .iter()
        .map(|difference| json!({"type": difference.kind.parameter(), "id": difference.id, "problem": difference.problem}));
    let report = json!({
        "agrees": report.agrees(),
        "counts": counts.collect::<Vec<_>>(),
        "differences": differences.collect::<Vec<_>>(),
    });
    Ok(writeln!(out, "{report}")?)
}
