//! Compares the index with the store.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Index;
use crate::error::SearchError;
use crate::execute::collector::for_each_record;
use quarry_domain::ids::ProjectId;
use quarry_domain::index_feed::kind::Kind;
use quarry_store::index_feed::indexed_records;
use quarry_store::transaction::changes;
use quarry_store::{Read, Store, StoreError};

/// Maximum number of reported differences.
const MAX_DIFFERENCES: usize = 1_000;

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Records in the store.
    pub records: u64,
    /// Documents in the index.
    pub documents: u64,
    /// Changes that are not indexed yet; their records are not compared.
    pub waiting: u64,
    /// Numbers of records and of documents, by content type and project.
    pub counts: Vec<(Kind, ProjectId, u64, u64)>,
    /// The differences, at most a thousand.
    pub differences: Vec<(Kind, i64, Difference)>,
}

/// A difference between a record and its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The record is not in the index.
    Missing,
    /// The document has no record.
    Orphaned,
    /// The document is of another change of the record: that of the record, that of the document.
    Change(i64, i64),
    /// The document is in another project: that of the record, that of the document.
    Project(ProjectId, ProjectId),
    /// The index has the record more than once.
    Repeated,
}

impl Report {
    /// Whether the index has everything that the store has, and nothing else.
    pub fn agrees(&self) -> bool {
        self.waiting == 0 && !self.differs()
    }

    /// Whether there are differences that further indexing will not resolve.
    pub fn differs(&self) -> bool {
        let unequal = self.waiting == 0
            && self
                .counts
                .iter()
                .any(|(_, _, records, documents)| records != documents);
        unequal || !self.differences.is_empty()
    }
}

/// Compares all documents with their records. Changes since the last commit of the index count as
/// waiting.
pub(crate) fn verify(index: &Index, store: &Store) -> Result<Report, SearchError> {
    let mut documents: HashMap<(Kind, i64), (i64, ProjectId)> = HashMap::new();
    let mut differences: Vec<(Kind, i64, Difference)> = Vec::new();
    let indexed_change = index.commit_meta()?.map_or(0, |meta| meta.change);
    index.reload()?;
    for_each_record(&index.searcher(), |kind, id, class, change| {
        if documents
            .insert((kind, id), (change.cast_signed(), class.project()))
            .is_some()
        {
            differences.push((kind, id, Difference::Repeated));
        }
    })?;
    let mut report = Report {
        documents: documents.len() as u64,
        ..Report::default()
    };
    let mut counts: BTreeMap<(Kind, ProjectId), (u64, u64)> = BTreeMap::new();
    for ((kind, _), (_, project)) in &documents {
        counts.entry((*kind, *project)).or_default().1 += 1;
    }
    let pending = store.read(|db: &Read<'_>| -> Result<_, StoreError> {
        for kind in Kind::ALL {
            for (id, change, project) in indexed_records::stamps(db, kind)? {
                report.records += 1;
                counts.entry((kind, project)).or_default().0 += 1;
                match documents.remove(&(kind, id)) {
                    None => differences.push((kind, id, Difference::Missing)),
                    Some((indexed, _)) if indexed != change => {
                        differences.push((kind, id, Difference::Change(change, indexed)))
                    }
                    Some((_, indexed)) if indexed != project => {
                        differences.push((kind, id, Difference::Project(project, indexed)))
                    }
                    Some(_) => {}
                }
            }
        }
        let later = changes::after(db, indexed_change, usize::MAX >> 1)?;
        Ok(later
            .into_iter()
            .map(|change| (change.kind, change.id))
            .collect::<HashSet<_>>())
    })?;
    differences.extend(
        documents
            .into_keys()
            .map(|(kind, id)| (kind, id, Difference::Orphaned)),
    );
    differences.retain(|(kind, id, _)| !pending.contains(&(*kind, *id)));
    differences.sort_unstable_by_key(|(kind, id, _)| (*kind, *id));
    differences.truncate(MAX_DIFFERENCES);
    report.waiting = pending.len() as u64;
    report.counts = counts
        .into_iter()
        .map(|((kind, project), (records, documents))| (kind, project, records, documents))
        .collect();
    report.differences = differences;
    Ok(report)
}
