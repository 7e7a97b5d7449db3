//! Checks whether the search index matches the records.

use super::finding::{Finding, Fix};
use crate::cli::index;
use quarry_config::Config;
use quarry_search::{SearchError, is_index, is_index_entry};
use quarry_store::Store;
use std::path::Path;

/// Compares the index with the records.
pub fn check(config: &Config, store: &Store, findings: &mut Vec<Finding>) {
    if !is_index(&config.index)
        && let Some(entry) = first_entry(&config.index)
    {
        findings.push(Finding::error(
            "index-folder",
            format!(
                "{} is not the folder of a search index: it contains {entry}",
                config.index.display()
            ),
            "Set `index` to the folder of the index, or to a new one.",
        ));
        return;
    }
    let finding = match index::verify(config, store) {
        Ok(report) if report.agrees() => return,
        Ok(report) => Finding::error(
            "index-differs",
            format!(
                "the search index differs from the records: {} documents for {} records, {} differences",
                report.documents,
                report.records,
                report.differences.len()
            ),
            "Rebuild it (`quarry index rebuild`).",
        ),
        Err(SearchError::NotReady) => Finding::warning(
            "index-missing",
            "there is no search index yet",
            "Build it (`quarry index rebuild`); otherwise the service builds it at its next start.",
        ),
        Err(error) => Finding::error(
            "index-damaged",
            format!(
                "the search index cannot be read: {}",
                index::brief_message(&error)
            ),
            "Rebuild it (`quarry index rebuild`).",
        ),
    };
    findings.push(finding.with_fix(Fix::RebuildIndex));
}

fn first_entry(folder: &Path) -> Option<String> {
    let entries = std::fs::read_dir(folder).ok()?;
    let mut names = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    // A build that was interrupted leaves only own entries.
    names.find(|name| name != "lost+found" && !is_index_entry(name))
}
