//! `GET /issues.atom`: the list as a feed (RFC 4287).

use crate::access;
use crate::queries::ListAddress;
use askama::Template;
use jiff::Timestamp;
use quarry_domain::access::permission::Permission;
use quarry_domain::administration::setting::Setting;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::issues::issue::Issue;
use quarry_domain::query::sort::{Column, Criterion};
use quarry_http::resources::issue_list::IssueList;
use quarry_http::resources::paths;
use quarry_http::{Error, Reply, RequestContext};
use quarry_markup::strip::strip;
use quarry_store::Read;

/// Maximum number of characters of a summary.
const MAX_SUMMARY_CHARS: usize = 2_000;

#[derive(Template)]
#[template(path = "issues/list/feed.xml")]
struct Feed {
    title: String,
    /// Its address, which is also its id.
    id: String,
    /// The address of the page.
    page: String,
    updated: String,
    entries: Vec<Entry>,
}

struct Entry {
    title: String,
    /// The address of the issue, which is also the id of the entry.
    id: String,
    updated: String,
    published: String,
    author: String,
    summary: String,
}

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
    let feed = Feed {
        title: xml_text(&title),
        id: format!("{base}{path}.atom{parameters}"),
        page: format!("{base}{path}{parameters}"),
        updated: rfc_3339(updated.unwrap_or_else(|| db.now())),
        entries: issues
            .iter()
            .map(|issue| Entry::new(catalogue, &base, issue))
            .collect(),
    };
    let text = feed
        .render()
        .map_err(|error| Error::Internal(error.to_string()))?;
    Ok(Reply::document(
        "application/atom+xml; charset=utf-8",
        text.into_bytes(),
    ))
}

impl Entry {
    fn new(catalogue: &Catalogue, base: &str, issue: &Issue) -> Entry {
        let name = |name: Option<&str>| name.unwrap_or_default().to_owned();
        let tracker = catalogue
            .tracker(issue.tracker)
            .map(|tracker| tracker.name.as_str());
        let status = catalogue
            .status(issue.status)
            .map(|status| status.name.as_str());
        let title = format!(
            "{} #{} ({}): {}",
            name(tracker),
            issue.id,
            name(status),
            issue.subject
        );
        let description = issue.description.as_deref().unwrap_or_default();
        // Includes space for markup.
        let beginning: String = description.chars().take(4 * MAX_SUMMARY_CHARS).collect();
        let summary: String = strip(&beginning).chars().take(MAX_SUMMARY_CHARS).collect();
        Entry {
            title: xml_text(&title),
            id: format!("{base}{}", paths::issue(issue.id)),
            updated: rfc_3339(issue.updated_on),
            published: rfc_3339(issue.created_on),
            author: xml_text(&name(catalogue.principal_name(issue.author.into()))),
            summary: xml_text(&summary),
        }
    }
}

fn rfc_3339(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Removes the characters that XML 1.0 cannot have.
fn xml_text(text: &str) -> String {
    let is_valid = |c: &char| {
        matches!(c, '\t' | '\n' | '\r') || *c >= ' ' && !matches!(c, '\u{FFFE}' | '\u{FFFF}')
    };
    text.chars().filter(is_valid).collect()
}
