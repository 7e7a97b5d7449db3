//! Deletes issues with everything that belongs to them.

use crate::content::attachments;
use crate::issues::{journals, relations, time_entries};
use crate::lists::polymorphic;
use crate::projects::changesets;
use crate::transaction::changes;
use crate::{StoreError, Value, Write};
use quarry_domain::ids::IssueId;
use quarry_domain::index_feed::kind::Kind;

/// Deletes these issues, which must be complete subtrees, with journals, time entries, watchers and
/// attachments (compatibility 6.5).
pub fn delete(db: &mut Write<'_>, issues: &[IssueId]) -> Result<(), StoreError> {
    let ids = Value::Ids(issues.iter().map(|issue| issue.0).collect());
    db.execute(
        "UPDATE issues SET parent_id = NULL WHERE id IN ids(?1)",
        &[ids],
    )?;
    polymorphic::delete_by_owners(
        db,
        "Issue",
        &issues.iter().map(|issue| issue.0).collect::<Vec<_>>(),
    )?;
    for issue in issues.iter().copied() {
        journals::delete_by_issue(db, issue)?;
        time_entries::delete_by_issue(db, issue)?;
        relations::delete_by_issue(db, issue)?;
        changesets::unlink_all(db, issue)?;
        attachments::delete_by_container(db, Kind::Issue, issue.0)?;
        db.execute("DELETE FROM issues WHERE id = ?1", &[issue.into()])?;
        changes::record(db, Kind::Issue, issue)?;
    }
    Ok(())
}
