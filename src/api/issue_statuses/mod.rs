//! Statuses of issues (contract 9).

use crate::http::{Ask, Error, Reply};
use crate::store::Read;

/// `GET /issue_statuses`: all, in the order of their positions.
pub fn list(_: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let describe = |w: &mut crate::wire::Fields, status: crate::domain::catalogue::Status| {
        w.field("id", status.id.0);
        w.field("name", &status.name);
        w.field("is_closed", status.is_closed);
    };
    Ok(Reply::list("issue_statuses", "issue_status", db.catalogue().statuses.clone(), describe, Vec::new()))
}
