//! Merges the texts of two people who change a wiki page at the same time.

use super::find::find;
use super::save::SavedPage;
use crate::prelude::*;
use quarry_domain::content::wiki::{WikiChange, WikiPage};
use quarry_domain::values::text::{is_blank, with_lf, with_line_ends_of};
use quarry_domain::values::text_merge::merge;
use quarry_store::content::wiki;

/// How often a change is based on the current version, when others save at the same moment, before
/// a person has to merge it.
const MAX_ATTEMPTS: usize = 20;

/// A change that is based on the current version of its page.
pub struct RebasedChange {
    pub change: WikiChange,
    /// Whether its text has what somebody else has changed meanwhile.
    pub is_merged: bool,
}

/// Bases a change on the current version of the page that the title resolves to: its text is merged
/// by lines with what has changed since its base version. Its lines end as those of the page.
/// A change without a text stays as it is, and [`save`](super::save()) refuses it.
///
/// Comparing takes time, so this does not belong into a transaction that writes.
///
/// # Errors
/// `Conflict` if both texts have changed the same lines, so that a person has to merge them; otherwise
/// as for [`find`](super::find()), except that a page that does not exist is no error.
pub fn rebase(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
    title: &str,
    change: WikiChange,
) -> Result<RebasedChange, ActionError> {
    let unchanged = |change| RebasedChange {
        change,
        is_merged: false,
    };
    if change.text.value().is_none_or(|text| is_blank(text)) {
        return Ok(unchanged(change));
    }
    let page = match find(db, viewer, project, Some(title)) {
        Ok(page) => page.into_page(),
        Err(ActionError::NotFound) => return Ok(unchanged(change)),
        Err(error) => return Err(error),
    };
    let current = text_of(db, &page, page.version)?.unwrap_or_default();
    let own = change.text.value().map(|text| with_lf(text));
    let own = own.unwrap_or_default();
    let base = change.base_version.value().copied().unwrap_or(page.version);
    let merged = if base == page.version {
        own.clone()
    } else {
        let old = text_of(db, &page, base)?;
        let current = with_lf(&current);
        let merged = match old {
            Some(old) => merge(&with_lf(&old), &own, &current),
            None => Some(current.clone()).filter(|current| *current == own),
        };
        merged.ok_or_else(|| ActionError::Conflict(String::new()))?
    };
    let is_merged = merged != own;
    // Browsers send other line ends, which are no change.
    let text = if merged == with_lf(&current) {
        current
    } else {
        with_line_ends_of(&current, &merged)
    };
    Ok(RebasedChange {
        change: WikiChange {
            text: Patch::Set(text),
            base_version: Patch::Set(page.version),
            ..change
        },
        is_merged,
    })
}

/// A page that was saved by [`save_merged`].
pub struct MergedPage {
    pub saved: SavedPage,
    /// Whether its text has what somebody else has changed meanwhile.
    pub is_merged: bool,
}

/// Saves a change, merged with what others save meanwhile. Each attempt reads with `rebase`, which
/// compares texts, and then writes with `save`: two transactions, so that nobody waits for the
/// comparison to write.
///
/// # Errors
/// Those of both; a conflict that `save` returns again after the last attempt.
pub fn save_merged<E>(
    rebase: &dyn Fn() -> Result<RebasedChange, E>,
    save: &dyn Fn(WikiChange) -> Result<SavedPage, E>,
    is_conflict: fn(&E) -> bool,
) -> Result<MergedPage, E> {
    let mut attempt = 1;
    loop {
        let RebasedChange { change, is_merged } = rebase()?;
        match save(change) {
            Err(error) if attempt < MAX_ATTEMPTS && is_conflict(&error) => attempt += 1,
            saved => return saved.map(|saved| MergedPage { saved, is_merged }),
        }
    }
}

fn text_of(db: &Read<'_>, page: &WikiPage, version: i64) -> Result<Option<String>, ActionError> {
    let version = wiki::find_version(db, page.id, version)?;
    Ok(version.map(|version| version.text))
}
