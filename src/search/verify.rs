//! Does the index say what the store says?

use std::collections::{BTreeMap, HashMap, HashSet};

use super::collector::each_key;
use super::error::SearchError;
use super::index::Index;
use crate::domain::ids::ProjectId;
use crate::domain::kind::Kind;
use crate::store::{Read, Store, StoreError, changes, searchable};

/// At most so many differences are named.
const NAMED: usize = 1_000;

/// How index and store compare.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Records in the store.
    pub records: u64,
    /// Documents in the index.
    pub documents: u64,
    /// Changes that the index has yet to take in; what they are about is not compared.
    pub waiting: u64,
    /// How many there are of each content type in each project: records, documents.
    pub counts: Vec<(Kind, ProjectId, u64, u64)>,
    /// What differs, at most a thousand of it.
    pub differences: Vec<(Kind, i64, Difference)>,
}

/// How a record and its document differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The record is not in the index.
    Missing,
    /// The document has no record.
    Orphaned,
    /// The document is of an earlier or later change of the record: the record's, the document's.
    Change(i64, i64),
    /// The document is in another project: the record's, the document's.
    Project(ProjectId, ProjectId),
    /// The index has the record more than once.
    Repeated,
}

impl Report {
    /// Whether the index has everything that the store has, and nothing else.
    pub fn agrees(&self) -> bool {
        self.waiting == 0 && !self.differs()
    }

    /// Whether something differs that will not settle by itself.
    pub fn differs(&self) -> bool {
        let unequal = self.waiting == 0 && self.counts.iter().any(|(_, _, records, documents)| records != documents);
        unequal || !self.differences.is_empty()
    }
}

/// Compares every document with its record. What has changed since the last commit of the index is counted as waiting.
pub(super) fn verify(index: &Index, store: &Store) -> Result<Report, SearchError> {
    let mut documents: HashMap<(Kind, i64), (i64, ProjectId)> = HashMap::new();
    let mut found: Vec<(Kind, i64, Difference)> = Vec::new();
    let known = index.mark()?.map_or(0, |mark| mark.change);
    index.reload()?;
    each_key(&index.searcher(), |kind, id, class, change| {
        if documents.insert((kind, id), (change.cast_signed(), class.project())).is_some() {
            found.push((kind, id, Difference::Repeated));
        }
    })?;
    let mut report = Report { documents: documents.len() as u64, ..Report::default() };
    let mut counts: BTreeMap<(Kind, ProjectId), (u64, u64)> = BTreeMap::new();
    for ((kind, _), (_, project)) in &documents {
        counts.entry((*kind, *project)).or_default().1 += 1;
    }
    let moving = store.read(|db: &Read<'_>| -> Result<_, StoreError> {
        for kind in Kind::ALL {
            for (id, change, project) in searchable::stamps(db, kind)? {
                report.records += 1;
                counts.entry((kind, project)).or_default().0 += 1;
                match documents.remove(&(kind, id)) {
                    None => found.push((kind, id, Difference::Missing)),
                    Some((indexed, _)) if indexed != change => found.push((kind, id, Difference::Change(change, indexed))),
                    Some((_, other)) if other != project => found.push((kind, id, Difference::Project(project, other))),
                    Some(_) => {}
                }
            }
        }
        let later = changes::after(db, known, usize::MAX >> 1)?;
        Ok(later.into_iter().map(|change| (change.kind, change.id)).collect::<HashSet<_>>())
    })?;
    found.extend(documents.into_keys().map(|(kind, id)| (kind, id, Difference::Orphaned)));
    found.retain(|(kind, id, _)| !moving.contains(&(*kind, *id)));
    found.sort_unstable_by_key(|(kind, id, _)| (*kind, *id));
    found.truncate(NAMED);
    report.waiting = moving.len() as u64;
    report.counts = counts.into_iter().map(|((kind, project), (records, documents))| (kind, project, records, documents)).collect();
    report.differences = found;
    Ok(report)
}
