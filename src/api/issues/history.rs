//! The history of a single issue: complete, or in parts that are read while they are sent.

use quarry_actions::issues::journals;
use quarry_app::ViewerContext;
use quarry_domain::ids::JournalId;
use quarry_domain::issues::issue::Issue;
use quarry_domain::issues::journal::Journal;
use quarry_http::Error;
use quarry_store::Read;
use quarry_store::accounts::users;
use quarry_store::lists::page_size::MAX_PAGE_BYTES;

/// Maximum size in bytes of a part of a long history; a part has at least one journal.
const MAX_PART_BYTES: usize = 512 * 1024;

/// Journals of an issue that the viewer can see, in the order of display.
pub enum History {
    /// All journals.
    Complete(Vec<Journal>),
    /// Ids of the journals of a long history, by part.
    Parts(Vec<Vec<JournalId>>),
}

/// Loads the history of an issue; only ids when it is larger than a page of a list.
pub fn load(
    db: &Read<'_>,
    viewer_context: &ViewerContext,
    issue: &Issue,
) -> Result<History, Error> {
    let newest_first = prefers_newest_first(db, viewer_context)?;
    let mut sizes = journals::sizes(db, &viewer_context.viewer, issue)?;
    if newest_first {
        sizes.reverse();
    }
    if let Some(parts) = split(&sizes, MAX_PAGE_BYTES, MAX_PART_BYTES) {
        return Ok(parts);
    }
    let mut entries = journals::list(db, &viewer_context.viewer, issue)?;
    if newest_first {
        entries.reverse();
    }
    Ok(History::Complete(entries))
}

/// Splits a history of more than `max_complete` bytes into parts of at most `max_part` bytes;
/// returns `None` for a shorter one.
fn split(sizes: &[(JournalId, usize)], max_complete: usize, max_part: usize) -> Option<History> {
    let total: usize = sizes.iter().map(|(_, bytes)| bytes).sum();
    if total <= max_complete {
        return None;
    }
    let mut parts: Vec<Vec<JournalId>> = Vec::new();
    let mut last_part_bytes = usize::MAX;
    for (id, bytes) in sizes {
        last_part_bytes = last_part_bytes.saturating_add(*bytes);
        match parts.last_mut().filter(|_| last_part_bytes <= max_part) {
            Some(part) => part.push(*id),
            None => {
                parts.push(vec![*id]);
                last_part_bytes = *bytes;
            }
        }
    }
    Some(History::Parts(parts))
}

/// Returns whether the preferences of the user order journals newest first.
fn prefers_newest_first(db: &Read<'_>, viewer_context: &ViewerContext) -> Result<bool, Error> {
    let Some(user) = viewer_context.viewer.user else {
        return Ok(false);
    };
    Ok(users::preferences(db, user)?.newest_first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_history_is_split_without_loss() {
        assert!(split(&sizes(&[4, 4, 2]), 10, 5).is_none());
        let Some(History::Parts(parts)) = split(&sizes(&[4, 1, 1, 20, 0, 3, 3]), 10, 5) else {
            panic!()
        };
        let parts: Vec<Vec<i64>> = parts
            .into_iter()
            .map(|part| part.into_iter().map(|id| id.0).collect())
            .collect();
        assert_eq!(parts, [vec![1, 2], vec![3], vec![4], vec![5, 6], vec![7]]);
    }

    fn sizes(sizes: &[usize]) -> Vec<(JournalId, usize)> {
        (1..)
            .zip(sizes)
            .map(|(id, bytes)| (JournalId(id), *bytes))
            .collect::<Vec<_>>()
    }
}
