//! `/admin/audit/:id`: one event with the values before and after.

use super::{By, sentence};
use crate::components::avatar::Person;
use crate::components::time::Moment;
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_domain::administration::audit::{StoredEvent, ValueChange, with_user_names};
use quarry_store::administration::audit_events;

#[derive(Template)]
#[template(path = "administration/admin/audit/show.html")]
struct AuditEventPage {
    frame: Frame,
    title: String,
    event: StoredEvent,
    by: By,
    moment: Moment,
    switched_by: Option<Person>,
    /// The details, with the names of users.
    details: Option<String>,
    changes: Vec<Change>,
}

struct Change {
    field: String,
    before: String,
    after: String,
}

/// Shows the event.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let event = audit_events::find(db, request.id_param::<i64>("id")?)?.ok_or(Error::NotFound)?;
    let title = sentence(catalogue, &event);
    let changes = event.changes.iter();
    let page = AuditEventPage {
        frame: Frame::for_administration(request, db, "Audit log").with_width(Width::Medium),
        by: By::new(catalogue, &event),
        moment: Moment::new(event.created_on),
        switched_by: super::person(catalogue, event.switched_by),
        changes: changes
            .map(|change| describe(catalogue, &event, change))
            .collect(),
        details: event.details_with_names(catalogue),
        title,
        event,
    };
    render(&page.frame, &page)
}

fn describe(catalogue: &Catalogue, event: &StoredEvent, change: &ValueChange) -> Change {
    let text = |value: &Option<String>| {
        let value = value.clone().unwrap_or_default();
        if event.changes_users(change) {
            with_user_names(catalogue, &value)
        } else {
            value
        }
    };
    Change {
        field: change.field.clone(),
        before: text(&change.before),
        after: text(&change.after),
    }
}
