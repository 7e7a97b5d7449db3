//! Issue priorities, time entry activities and document categories (compatibility 11.3).

use crate::domain::catalogue::{Enumeration, EnumerationKind};
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::wire::Fields;

/// `GET /enumerations/:id`: the values of one enumeration, by position.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let (root, item, kind) = match request.path_param("id") {
        "issue_priorities" => ("issue_priorities", "issue_priority", EnumerationKind::IssuePriority),
        "time_entry_activities" => ("time_entry_activities", "time_entry_activity", EnumerationKind::TimeEntryActivity),
        "document_categories" => ("document_categories", "document_category", EnumerationKind::DocumentCategory),
        _ => return Err(Error::NotFound),
    };
    let describe = |w: &mut Fields, value: Enumeration| {
        w.field("id", value.id.0);
        w.field("name", &value.name);
        w.field("is_default", value.is_default);
        w.field("active", value.active);
    };
    Ok(Reply::list(root, item, db.catalogue().enumerations_of(kind).cloned().collect(), describe, Vec::new()))
}
