//! `GET /time_entries.atom`: the list as a feed (RFC 4287).

use super::rows::{RowContext, issue_label};
use super::time_entry_pages;
use crate::components::feed::{Feed, FeedEntry};
use crate::prelude::*;
use crate::queries::ListAddress;
use quarry_domain::administration::setting::Setting;
use quarry_domain::issues::time_entry::TimeEntry;
use quarry_domain::query::time_entries::{Column, Criterion};
use quarry_http::resources::sentences::hours;

/// Returns the time entries of the list that the viewer may see, the latest logged first unless the
/// request sorts them.
pub fn atom(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = time_entry_pages::project(request, catalogue)?;
    let mut list = time_entry_pages::parse_list(request, db, &[])?;
    if request.query.get("sort").is_none() {
        list.order = vec![Criterion {
            column: Column::CreatedOn,
            descending: true,
        }];
    }
    let limit = catalogue.integer_setting(Setting::FeedsLimit);
    let entries = list.load_first(db, viewer, limit)?;
    let context = RowContext::load(db, viewer, &entries)?;
    let base = request.base_url();
    let path = time_entry_pages::list_path(project);
    let app = catalogue.setting(Setting::AppTitle);
    let title = match project {
        Some(project) => format!("Spent time · {} – {app}", project.name),
        None => format!("Spent time – {app}"),
    };
    let parameters = ListAddress::new(request).for_export();
    let updated = entries.iter().map(|entry| entry.updated_on).max();
    let entries = entries
        .iter()
        .map(|entry| feed_entry(&context, &base, entry));
    Feed::new(
        &title,
        format!("{base}{path}.atom{parameters}"),
        format!("{base}{path}{parameters}"),
        updated.unwrap_or_else(|| db.now()),
        entries.collect(),
    )
    .reply()
}

fn feed_entry(context: &RowContext<'_>, base: &str, entry: &TimeEntry) -> FeedEntry {
    let on = match context.issue(entry) {
        Some(issue) => issue_label(issue),
        None => context.catalogue.project_name(entry.project).to_owned(),
    };
    let author = context.person_name(entry);
    let title = format!("{} ({}): {on}", hours(entry.hours), context.activity(entry));
    // An entry has no page of its own: the list of the person and the day has it.
    let list = paths::below_project(context.catalogue, entry.project, time_entry_pages::LIST);
    let id = format!(
        "{base}{list}?user_id={}&spent_on={}#entry-{}",
        entry.user, entry.spent_on, entry.id
    );
    FeedEntry::new(
        &title,
        id,
        (entry.created_on, entry.updated_on),
        author,
        context.comments(entry),
    )
}
