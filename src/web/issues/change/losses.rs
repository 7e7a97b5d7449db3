//! What the deletion of issues takes with it, as the viewer has confirmed it.

use crate::components::form_field::typed;
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_store::issues;
use twox_hash::XxHash3_64;

/// The field with the fingerprint of what the page has shown.
pub const CONFIRMED: &str = "confirmed";
/// What people read when more would be deleted than they have seen.
pub const MORE_LOST: &str = "Subtasks or time have been added or removed since this page was shown. Nothing is deleted yet: check what goes with it.";

/// What is deleted with issues, as far as the viewer sees it.
pub struct Losses {
    /// The issues and their subtasks.
    pub visible: Vec<i64>,
    /// The time that is logged on them.
    pub hours: f64,
    /// Whether there are subtasks or time.
    is_more: bool,
}

impl Losses {
    /// Finds out what would be deleted.
    pub fn load(db: &Read<'_>, viewer: &Viewer, ids: &[IssueId]) -> Result<Losses, Error> {
        let mut visible: Vec<i64> = Vec::new();
        for id in issues::subtrees(db, ids)? {
            if issues::find(db, visibility::issues(viewer), id)?.is_some() {
                visible.push(id.0);
            }
        }
        visible.sort_unstable();
        let hours = issues::time_entries::hours_by_issue(db, viewer, &visible)?;
        let hours: f64 = hours.values().sum();
        let is_more = hours > 0.0 || visible.len() > ids.len();
        Ok(Losses {
            visible,
            hours,
            is_more,
        })
    }

    /// Returns what a form carries, to notice that there is something else.
    pub fn fingerprint(&self) -> String {
        let text = format!("{:?} {:.2}", self.visible, self.hours);
        format!("{:016x}", XxHash3_64::oneshot(text.as_bytes()))
    }
}

/// Whether the deletion would take something that the form did not show. A form that does not say what
/// it showed has shown neither subtasks nor time.
pub fn has_more(request: &RequestContext, db: &Read<'_>, ids: &[IssueId]) -> Result<bool, Error> {
    let losses = Losses::load(db, request.viewer(), ids)?;
    Ok(match typed(&request.body, CONFIRMED) {
        Some(confirmed) => confirmed != losses.fingerprint(),
        None => losses.is_more,
    })
}
