//! `GET /issues.atom`: the list as a feed (RFC 4287).

use crate::access;
use crate::components::feed::{Feed, FeedEntry};
use crate::prelude::*;
use crate::queries::ListAddress;
use quarry_domain::administration::setting::Setting;
use quarry_domain::query::columns::{Column, Criterion};
use quarry_http::resources::issue_list::IssueList;

/// Returns the issues of the list that the viewer may see, the latest changes first unless the
/// request sorts them.
pub fn atom(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = if request.path_param("id").is_empty() {
        None
    } else {
        Some(access::project(request, catalogue, Permission::ViewIssues)?)
    };
    let mut list = access::found(request, IssueList::parse(request, db))?;
    if list.order.is_empty() {
        list.order.push(Criterion {
            column: Column::UpdatedOn,
            descending: true,
        });
    }
    let limit = catalogue.integer_setting(Setting::FeedsLimit);
    let issues = list.load_first(db, viewer, limit)?;
    let base = request.base_url();
    let path = format!("{}/issues", project.map(paths::project).unwrap_or_default());
    let updated = issues.iter().map(|issue| issue.updated_on).max();
    let app = catalogue.setting(Setting::AppTitle);
    let saved = list.saved.as_ref();
    let name = saved.map_or("Issues", |query| query.name.as_str());
    let title = match project {
        Some(project) => format!("{name} · {} – {app}", project.name),
        None => format!("{name} – {app}"),
    };
    let parameters = ListAddress::new(request).for_export();
    let entries = issues.iter().map(|issue| entry(catalogue, &base, issue));
    Feed::new(
        &title,
        format!("{base}{path}.atom{parameters}"),
        format!("{base}{path}{parameters}"),
        updated.unwrap_or_else(|| db.now()),
        entries.collect(),
    )
    .reply()
    .map(|reply| reply.with_warning(list.warning))
}

fn entry(catalogue: &Catalogue, base: &str, issue: &Issue) -> FeedEntry {
    let tracker = catalogue.tracker(issue.tracker);
    let status = catalogue.status(issue.status);
    let title = format!(
        "{} #{} ({}): {}",
        tracker.map_or("", |tracker| &tracker.name),
        issue.id,
        status.map_or("", |status| &status.name),
        issue.subject
    );
    let author = catalogue.principal_name(issue.author.into());
    FeedEntry::new(
        &title,
        format!("{base}{}", paths::issue(issue.id)),
        (issue.created_on, issue.updated_on),
        author.unwrap_or_default(),
        issue.description.as_deref().unwrap_or_default(),
    )
}
