//! `/admin/audit`: who logged in, and who changed rights, settings, members and projects.

mod export;
mod filter;
mod show;

pub use export::export;
pub use show::show;

use crate::components::avatar::Person;
use crate::components::pager::{Pager, with_params};
use crate::components::time::Moment;
use crate::frame::Frame;
use crate::frame::render::render;
use crate::prelude::*;
use filter::Params;
use quarry_domain::administration::audit::{RecordType, StoredEvent, ValueChange, record_label};
use quarry_domain::values::text::{capitalize, shorten};
use quarry_http::Pagination;
use quarry_store::administration::audit_events;

/// Number of events on a page without `limit`.
const DEFAULT_LIMIT: i64 = 50;

#[derive(Template)]
#[template(path = "administration/admin/audit/list.html")]
struct AuditPage {
    frame: Frame,
    total: i64,
    params: Params,
    records: Vec<(&'static str, String)>,
    rows: Vec<Row>,
    pager: Pager,
    csv: String,
    json: String,
}

struct Row {
    path: String,
    sentence: String,
    details: String,
    by: By,
    address: String,
    moment: Moment,
}

/// Who did something.
struct By {
    person: Option<Person>,
    /// Who it was where no user is known, or by what the user did it.
    text: String,
}

impl By {
    fn new(catalogue: &Catalogue, event: &StoredEvent) -> By {
        let person = person(catalogue, event.user);
        let text = match (event.user, event.switched_by) {
            (None, _) if event.origin.is_empty() => "not logged in".to_owned(),
            (None, _) => event.origin.clone(),
            (Some(id), _) if person.is_none() => format!("user {id}, deleted"),
            (_, Some(admin)) => {
                let name = catalogue.principal_name(admin.into());
                name.map_or_else(
                    || format!("switched to by user {admin}, deleted"),
                    |name| format!("switched to by {name}"),
                )
            }
            _ => match &event.application {
                Some(application) => format!("{}: {application}", event.origin),
                None => event.origin.clone(),
            },
        };
        By { person, text }
    }
}

fn person(catalogue: &Catalogue, user: Option<UserId>) -> Option<Person> {
    user.filter(|id| catalogue.users.contains_key(id))
        .map(|id| Person::new(catalogue, id.into()))
}

/// Number of changed values in a row of the list.
const SHOWN_CHANGES: usize = 3;
/// Maximum number of characters of a value in a row of the list.
const SHOWN_CHARS: usize = 60;

/// Lists the events, the latest first.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let params = Params::parse(request)?;
    let filter = params.filter();
    let pagination = Pagination::with_default_limit(&request.query, DEFAULT_LIMIT);
    let total = audit_events::count(db, &filter)?;
    let events = audit_events::list(db, &filter, pagination.offset, pagination.limit)?;
    let rows = events.into_iter().map(|event| Row {
        path: format!("/admin/audit/{}", event.id),
        sentence: sentence(catalogue, &event),
        details: event
            .details_with_names(catalogue)
            .unwrap_or_else(|| summary(&event)),
        by: By::new(catalogue, &event),
        address: event.address,
        moment: Moment::new(event.created_on),
    });
    let export = |format: &str| {
        let changes = [("format", Some(format)), ("page", None), ("offset", None)];
        format!("/admin/audit/export{}", with_params(request, &changes))
    };
    let page = AuditPage {
        total,
        records: RecordType::NAMES
            .iter()
            .map(|record| (*record, capitalize(&record_label(record))))
            .collect(),
        rows: rows.collect(),
        pager: Pager::for_list(request, pagination.offset, pagination.limit, total),
        csv: export("csv"),
        json: export("json"),
        params,
        frame: Frame::for_administration(request, db, "Audit log"),
    };
    render(&page.frame, &page)
}

/// Returns what happened, such as "Membership Bob: created in harbour".
fn sentence(catalogue: &Catalogue, event: &StoredEvent) -> String {
    let project = event.project.as_ref();
    let project = project.map_or_else(String::new, |project| format!(" in {project}"));
    format!(
        "{}: {}{project}",
        capitalize(&event.subject(catalogue)),
        event.change
    )
}

/// Returns the first values that have changed.
fn summary(event: &StoredEvent) -> String {
    let changes = event.changes.iter().take(SHOWN_CHANGES);
    let mut shown: Vec<String> = changes.map(summarize).collect();
    let more = event.changes.len().saturating_sub(SHOWN_CHANGES);
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    shown.join("; ")
}

/// Returns a change of a value in one line, such as "public: yes → no".
fn summarize(change: &ValueChange) -> String {
    let text = |value: &str| match value {
        "" => "none".to_owned(),
        value => shorten(value, SHOWN_CHARS),
    };
    let values = match (&change.before, &change.after) {
        (Some(before), Some(after)) => format!("{} → {}", text(before), text(after)),
        (Some(value), None) | (None, Some(value)) => text(value),
        (None, None) => String::new(),
    };
    format!("{}: {values}", change.field)
}
