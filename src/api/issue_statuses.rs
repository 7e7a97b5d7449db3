//! The resource `/issue_statuses` (compatibility 11.3 and 14).

use crate::admin_routes::{AdminResource, admin_routes, show};
use crate::prelude::*;
use quarry_domain::administration::issue_status::IssueStatus;
use quarry_domain::ids::StatusId;
use quarry_domain::values::position::position_in;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    admin_routes::<IssueStatus>(
        read_handler(list),
        read_handler(show::<IssueStatus>).for_administrators(),
    )
}

/// `GET /issue_statuses` (compatibility 11.3).
///
/// Returns all statuses, by position.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let administration = request.includes_administration()?;
    let catalogue = Arc::clone(db.catalogue());
    Ok(Reply::list(
        "issue_statuses",
        "issue_status",
        db.catalogue().statuses.clone(),
        move |w: &mut Fields, status: IssueStatus| {
            write_status(w, &status);
            if administration {
                write_administration(w, &status, &catalogue);
            }
        },
        Vec::new(),
    ))
}

impl AdminResource for IssueStatus {
    const PATH: &'static str = "/issue_statuses";

    fn reply(db: &Read<'_>, id: StatusId) -> Result<Reply, Error> {
        let catalogue = Arc::clone(db.catalogue());
        let status = catalogue.status(id).ok_or(Error::NotFound)?.clone();
        Ok(Reply::object("issue_status", move |w| {
            write_status(w, &status);
            write_administration(w, &status, &catalogue);
        }))
    }
}

/// Writes the fields of a status that everybody sees.
pub fn write_status(w: &mut Fields, status: &IssueStatus) {
    w.field("id", status.id.0);
    w.field("name", &status.name);
    w.field("is_closed", status.is_closed);
    w.field("description", status.description.as_deref());
}

/// Writes the further fields that administrators see.
pub fn write_administration(w: &mut Fields, status: &IssueStatus, catalogue: &Catalogue) {
    w.field("default_done_ratio", status.default_done_ratio);
    w.field(
        "position",
        position_in(
            catalogue.statuses.iter().map(|sibling| sibling.id),
            status.id,
        ),
    );
}
