//! Updates issues that a commit message refers to (compatibility 13.3).

use super::history::details;
use super::parents::Derived;
use super::update::{record, set_closed_on, update_dependents};
use super::watching;
use crate::actions::ActionError;
use crate::domain::clock::Clock;
use crate::domain::custom_field::Values;
use crate::domain::ids::{IssueId, UserId};
use crate::domain::issue::Issue;
use crate::domain::setting::Setting;
use crate::domain::update_rules::UpdateRule;
use crate::domain::viewer::Viewer;
use crate::store::{Write, issues};
use std::sync::Arc;

/// Gives an open issue the status and the done ratio of the rule, and adds a note by the user, who
/// may lack every permission: the settings allow it. A status that does not exist, and a done ratio
/// that is derived, are left alone. Does nothing for a closed issue.
pub fn apply_rule(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    issue: IssueId,
    rule: &UpdateRule,
    note: &str,
    clock: &dyn Clock,
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let Some(before) = issues::find_any(db, issue)? else {
        return Ok(());
    };
    if catalogue
        .status(before.status)
        .is_some_and(|status| status.is_closed)
    {
        return Ok(());
    }
    let mut after = Issue {
        updated_on: clock.now(),
        ..before.clone()
    };
    let status = rule.status.and_then(|status| catalogue.status(status));
    after.status = status.map_or(before.status, |status| status.id);
    if catalogue.setting(Setting::IssueDoneRatio) == "issue_status" {
        after.done_ratio = status
            .and_then(|status| status.default_done_ratio)
            .unwrap_or(before.done_ratio);
    } else if !Derived::for_issue(db, issue)?.done_ratio {
        after.done_ratio = rule.done_ratio.unwrap_or(before.done_ratio);
    }
    set_closed_on(db, &before, &mut after, clock);
    issues::update(db, &after)?;
    let unchanged = Values::default();
    let details = details(&catalogue, (&before, &unchanged), (&after, &unchanged));
    record(db, &after, user, Some(note), false, &details)?;
    update_dependents(db, viewer, user, &before, &after, clock)?;
    Ok(watching::add_contributor(db, viewer, &after)?)
}
