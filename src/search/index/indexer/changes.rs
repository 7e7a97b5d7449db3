//! Applies changes of the store to the writer of a generation, and commits them.

use super::{ActiveGeneration, BULK_THRESHOLD, Indexer};
use crate::error::SearchError;
use crate::index::commit_meta::CommitMeta;
use quarry_domain::index_feed::change::Change;
use quarry_domain::index_feed::kind::Kind;
use quarry_store::index_feed::{epochs, indexed_records};
use quarry_store::transaction::changes;
use quarry_store::{Read, StoreError};

/// Number of changes that are read at once.
const BATCH_SIZE: usize = 200;
/// Maximum amount of a commit, so that long texts do not delay the changes after them for long.
const MAX_COMMIT: Amount = Amount {
    changes: 1_000,
    bytes: 2 << 20,
};
/// Maximum amount of such a commit.
const MAX_BULK_COMMIT: Amount = Amount {
    changes: 20_000,
    bytes: 64 << 20,
};

/// An amount of changes: their number, and the bytes of their text.
#[derive(Clone, Copy, Default)]
struct Amount {
    changes: usize,
    bytes: usize,
}

impl Indexer {
    /// Applies and commits the waiting changes, or a large part of them.
    pub(super) fn catch_up(&self, active: &mut ActiveGeneration) -> Result<(), SearchError> {
        self.apply_changes(active)?;
        self.commit(active)
    }

    /// Applies the waiting changes to the writer, or a part of them when there are many.
    pub(super) fn apply_changes(&self, active: &mut ActiveGeneration) -> Result<(), SearchError> {
        let max = if self.store.last_change() - active.applied > BULK_THRESHOLD {
            MAX_BULK_COMMIT
        } else {
            MAX_COMMIT
        };
        let mut applied = Amount::default();
        loop {
            let (next, epoch, batch) = self.apply_batch(active, active.applied)?;
            active.applied = next;
            active.applied_epoch = epoch;
            applied = Amount {
                changes: applied.changes + batch.changes,
                bytes: applied.bytes + batch.bytes,
            };
            if batch.changes < BATCH_SIZE
                || applied.changes >= max.changes
                || applied.bytes >= max.bytes
            {
                return Ok(());
            }
        }
    }

    /// Commits the applied changes with their metadata, and reloads the index. Fails when the store
    /// goes on in another history, which lacks changes that the index or the writer has.
    pub(super) fn commit(&self, active: &mut ActiveGeneration) -> Result<(), SearchError> {
        let is_known = self.store.read(|db| -> Result<_, StoreError> {
            Ok(epochs::token_at(db, active.change)? == active.epoch
                && epochs::token_at(db, active.applied)? == active.applied_epoch)
        })?;
        if !is_known {
            return Err(SearchError::Damaged);
        }
        let meta = CommitMeta {
            fingerprint: self.config.fingerprint.clone(),
            change: active.applied,
            epoch: active.applied_epoch.clone(),
        };
        active.writer.commit(&meta.to_string())?;
        active.index.reload()?;
        active.change = active.applied;
        active.epoch = meta.epoch;
        Ok(())
    }

    /// Applies a batch of changed records to the writer. Returns the last change, its epoch and the
    /// amount.
    fn apply_batch(
        &self,
        active: &ActiveGeneration,
        after: i64,
    ) -> Result<(i64, String, Amount), SearchError> {
        let batch = self.store.read(|db| read_batch(db, after))?;
        for change in &batch.changes {
            let key = active.index.key(change.kind, change.id);
            active.writer.delete(key);
        }
        // Records with long texts are read in parts. A record that has changed meanwhile is indexed
        // again in a later batch.
        let mut bytes = 0;
        for (kind, ids) in batch.parts {
            let records = self
                .store
                .read(|db| indexed_records::load(db, kind, &ids))?;
            for source in records {
                bytes += source.text_bytes();
                active.writer.add(active.index.document(&source))?;
            }
        }
        let amount = Amount {
            changes: batch.changes.len(),
            bytes,
        };
        Ok((batch.last, batch.epoch, amount))
    }
}

/// Changes that are applied together.
struct Batch {
    /// The last change.
    last: i64,
    /// Its epoch; empty when there is no such change.
    epoch: String,
    changes: Vec<Change>,
    /// The changed records by content type, in parts of a limited size.
    parts: Vec<(Kind, Vec<i64>)>,
}

fn read_batch(db: &Read<'_>, after: i64) -> Result<Batch, StoreError> {
    let changes = changes::after(db, after, BATCH_SIZE)?;
    let last = match changes.last() {
        Some(last) if changes.len() == BATCH_SIZE => last.seq,
        _ => changes::last(db)?.max(after),
    };
    let mut parts = Vec::new();
    for kind in Kind::ALL {
        let of_kind = changes.iter().filter(|change| change.kind == kind);
        let ids: Vec<i64> = of_kind.map(|change| change.id).collect();
        if !ids.is_empty() {
            let split = indexed_records::split_by_size(db, kind, ids)?;
            parts.extend(split.into_iter().map(|ids| (kind, ids)));
        }
    }
    Ok(Batch {
        last,
        epoch: epochs::token_at(db, last)?,
        changes,
        parts,
    })
}
