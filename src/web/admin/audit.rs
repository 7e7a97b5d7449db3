//! `/admin/audit`: who changed rights, settings, members and projects.

use crate::components::avatar::Person;
use crate::components::list_page::{Cell, ListPage};
use crate::components::pager::Pager;
use crate::components::time::Moment;
use crate::frame::Frame;
use quarry_domain::administration::audit::StoredEvent;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::values::text::capitalize;
use quarry_http::{Error, Pagination, Reply, RequestContext};
use quarry_store::Read;
use quarry_store::administration::audit_events;

/// Number of events on a page without `limit`.
const DEFAULT_LIMIT: i64 = 50;

/// Lists the events, the latest first.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let pagination = Pagination::with_default_limit(&request.query, DEFAULT_LIMIT);
    let total = audit_events::count(db)?;
    let events = audit_events::list(db, pagination.offset, pagination.limit)?;
    let rows = events.into_iter().map(|event| {
        vec![
            Cell::Text(sentence(&event)),
            Cell::Text(event.details.unwrap_or_default()),
            user_cell(catalogue, &event.user),
            Cell::Text(event.address),
            Cell::Moment(Some(Moment::new(event.created_on))),
        ]
    });
    let columns = ["Change", "Details", "By", "Address", "When"];
    let pager = Pager::for_list(request, pagination.offset, pagination.limit, total);
    let frame = Frame::for_administration(request, db, "Audit log");
    ListPage::new(frame, &columns, rows.collect())
        .with_introduction("Changes of rights, settings, members and projects. The service log also records them, and every login.")
        .with_empty("Nothing has been changed yet.", "Changes of rights and settings appear here.")
        .with_pager(pager, total)
        .render()
}

/// Returns what happened, such as "Membership Bob: created in harbour".
fn sentence(event: &StoredEvent) -> String {
    let record = capitalize(&event.record.replace('_', " "));
    let name = match &event.name {
        Some(name) => format!(" {name}"),
        None if event.record_id > 0 => format!(" {}", event.record_id),
        None => String::new(),
    };
    let project = event.project.as_ref();
    let project = project.map_or_else(String::new, |project| format!(" in {project}"));
    format!("{record}{name}: {}{project}", event.change)
}

fn user_cell(catalogue: &Catalogue, user: &Option<quarry_domain::ids::UserId>) -> Cell {
    match user.filter(|id| catalogue.users.contains_key(id)) {
        Some(id) => Cell::Person(Person::new(catalogue, id.into())),
        None => Cell::Text(match user {
            Some(id) => format!("user {id}, deleted"),
            None => "not logged in".to_owned(),
        }),
    }
}
