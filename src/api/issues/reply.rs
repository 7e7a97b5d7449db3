//! The reply of a single issue. A long history is sent piece by piece: an issue may have thousands of long notes.

use super::include::{History, Included};
use super::view::{self, Around};
use crate::actions::journals;
use crate::api::journals::view::journal;
use crate::domain::ids::JournalId;
use crate::domain::issue::Issue;
use crate::http::{Ask, Error, Pieces, Reply};
use crate::wire::{self, Fields};
use std::sync::Arc;

/// Returns 200 with the issue and what was asked for along with it.
pub fn issue(ask: &Ask, issue: Issue, around: Around, included: Included) -> Reply {
    let Some(parts) = included.history_parts() else {
        return Reply::object("issue", move |w| describe(w, &issue, &around, &included));
    };
    let (app, asker) = (Arc::clone(&ask.app), Arc::clone(&ask.asker));
    let parts: Vec<Vec<JournalId>> = parts.to_vec();
    let mut parts = parts.into_iter();
    Reply::pieces(move |format| {
        let (head, tail) = wire::object_in_parts(format, "issue", |w| describe(w, &issue, &around, &included));
        let mut is_first = true;
        let next = move || -> Result<Option<String>, Error> {
            for ids in parts.by_ref() {
                let (entries, catalogue) = app.store.read(|db| -> Result<_, Error> {
                    Ok((journals::some(db, &asker.viewer, &issue, &ids)?, Arc::clone(db.catalogue())))
                })?;
                if !entries.is_empty() {
                    let piece = wire::items(format, "journal", is_first, &entries, |w, entry| journal(w, entry, &catalogue));
                    is_first = false;
                    return Ok(Some(piece));
                }
            }
            Ok(None)
        };
        Pieces { head, next: Box::new(next), tail }
    })
}

fn describe(w: &mut Fields, issue: &Issue, around: &Around, included: &Included) {
    view::issue(w, issue, around);
    included.describe(w, issue);
}

/// The entries of a history in the order in which they are shown, divided into parts that are read one after the other; `None` for a
/// history that is short enough to be read at once.
pub fn divided(sizes: &[(JournalId, usize)], max_whole: usize, max_part: usize) -> Option<History> {
    let total: usize = sizes.iter().map(|(_, bytes)| bytes).sum();
    if total <= max_whole {
        return None;
    }
    let mut parts: Vec<Vec<JournalId>> = Vec::new();
    let mut bytes_of_last = usize::MAX;
    for (id, bytes) in sizes {
        bytes_of_last = bytes_of_last.saturating_add(*bytes);
        match parts.last_mut().filter(|_| bytes_of_last <= max_part) {
            Some(part) => part.push(*id),
            None => {
                parts.push(vec![*id]);
                bytes_of_last = *bytes;
            }
        }
    }
    Some(History::Parts(parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_history_is_divided_and_nothing_is_lost() {
        let sizes = |sizes: &[usize]| (1..).zip(sizes).map(|(id, bytes)| (JournalId(id), *bytes)).collect::<Vec<_>>();
        assert!(divided(&sizes(&[4, 4, 2]), 10, 5).is_none());
        let Some(History::Parts(parts)) = divided(&sizes(&[4, 1, 1, 20, 0, 3, 3]), 10, 5) else { panic!() };
        let parts: Vec<Vec<i64>> = parts.into_iter().map(|part| part.into_iter().map(|id| id.0).collect()).collect();
        assert_eq!(parts, [vec![1, 2], vec![3], vec![4], vec![5, 6], vec![7]]);
    }
}
