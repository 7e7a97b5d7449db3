//! `GET /completions`: what the script of text areas offers while somebody types `@` or `#`.
//!
//! Invariant: it names only users and issues that the viewer may see, for a text of a record that
//! the viewer may see.

use crate::access;
use crate::prelude::*;
use quarry_actions::issues;
use quarry_actions::notices::mentions;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::index_feed::search_record::SearchRecord;
use quarry_domain::values::stable_sort::StableSort;
use quarry_http::resources::search::current_visibility;
use quarry_http::search_handler;
use quarry_search::SuggestRequest;
use quarry_store::index_feed::search_records;
use quarry_wire as wire;
use quarry_wire::Fields;

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route("/completions", get(search_handler(show)))
}

/// Maximum number of completions.
const MAX_ITEMS: usize = 8;

/// Minimum number of characters of words.
const MIN_CHARS: usize = 2;

/// Maximum number of characters of what was typed.
const MAX_CHARS: usize = 100;

/// Number of hits of which those of the project come first.
const CANDIDATES: usize = 16;

/// Maximum number of digits of the number of an issue.
const MAX_DIGITS: usize = 15;

/// A completion.
struct Item {
    /// What replaces the typed text.
    text: String,
    label: String,
    details: String,
}

/// Returns the completions of what was typed (`q`) after a character (`trigger`) in a text of the
/// issue or project in the query string, as for the preview.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let (project, issue) = record(request, db)?;
    let typed = request.query_param("q").unwrap_or_default();
    let items = if typed.chars().nth(MAX_CHARS).is_some() {
        Vec::new()
    } else {
        match request.query_param("trigger").as_deref() {
            Some("@") => users(request, db, (project, issue.as_ref()), &typed)?,
            Some("#") => issues_of(request, db, (project, issue.as_ref()), typed.trim())?,
            _ => return Err(Error::BadRequest("trigger must be @ or #".to_owned())),
        }
    };
    let text = wire::object_without_root(|w| {
        w.items("items", "item", items, |w: &mut Fields, item: Item| {
            w.field("text", item.text);
            w.field("label", item.label);
            w.field("details", item.details);
        });
    });
    Ok(Reply::json(text))
}

/// Returns the record of the text: its project, and the issue if it is one.
fn record(request: &RequestContext, db: &Read<'_>) -> Result<(ProjectId, Option<Issue>), Error> {
    if let Some(id) = request.query_param("issue") {
        let id = id
            .parse()
            .map(IssueId)
            .map_err(|_| access::missing(request))?;
        let issue = access::found(request, issues::find(db, request.viewer(), id))?;
        return Ok((issue.project, Some(issue)));
    }
    let reference = request.query_param("project").unwrap_or_default();
    let project = db
        .catalogue()
        .project_by(&reference)
        .filter(|project| request.viewer().may(Permission::ViewProject, project.id));
    let project = project.ok_or_else(|| access::missing(request))?;
    Ok((project.id, None))
}

fn users(
    request: &RequestContext,
    db: &Read<'_>,
    record: (ProjectId, Option<&Issue>),
    typed: &str,
) -> Result<Vec<Item>, Error> {
    // Who began with a quotation mark wants the full name.
    let quoted = typed.strip_prefix('"');
    let users = mentions::list(
        db,
        request.viewer(),
        record,
        quoted.unwrap_or(typed),
        MAX_ITEMS,
    )?;
    let items = users.into_iter().map(|user| Item {
        text: match quoted {
            Some(_) => format!("@\"{}\"", user.name),
            None => format!("@{}", user.login),
        },
        label: user.name.clone(),
        details: user.login.clone(),
    });
    Ok(items.collect())
}

/// Returns the issues whose number or subject begins so: by number, then those of the project, then
/// the others.
fn issues_of(
    request: &RequestContext,
    db: &Read<'_>,
    (project, issue): (ProjectId, Option<&Issue>),
    typed: &str,
) -> Result<Vec<Item>, Error> {
    let numbered = with_number(db, request.viewer(), typed)?;
    let mut ids = numbered.clone();
    for id in with_words(request, db, typed) {
        if !ids.contains(&id) && issue.is_none_or(|issue| issue.id.0 != id) {
            ids.push(id);
        }
    }
    let mut records = search_records::load(db, request.viewer(), Kind::Issue, &ids)?;
    let mut records: Vec<SearchRecord> = ids.iter().filter_map(|id| records.remove(id)).collect();
    records
        .stable_sort_by_key(|record| (!numbered.contains(&record.id), record.project != project));
    records.truncate(MAX_ITEMS);
    Ok(records.iter().map(|record| item(db, record)).collect())
}

fn item(db: &Read<'_>, record: &SearchRecord) -> Item {
    let project = db.catalogue().project_name(record.project);
    Item {
        text: format!("#{}", record.id),
        label: format!("#{} {}", record.id, record.title),
        details: project.to_owned(),
    }
}

/// Returns the visible issue with this number, and those whose numbers have one digit more.
fn with_number(db: &Read<'_>, viewer: &Viewer, typed: &str) -> Result<Vec<i64>, Error> {
    let is_number =
        (1..=MAX_DIGITS).contains(&typed.len()) && typed.bytes().all(|byte| byte.is_ascii_digit());
    let Some(number) = typed.parse::<i64>().ok().filter(|_| is_number) else {
        return Ok(Vec::new());
    };
    let candidates: Vec<i64> = std::iter::once(number)
        .chain(number * 10..number * 10 + 10)
        .collect();
    let visible = quarry_store::issues::visible_ids(db, viewer, &candidates)?;
    Ok(candidates
        .into_iter()
        .filter(|id| visible.contains(&IssueId(*id)))
        .collect())
}

/// Returns the issues with these words in their subjects; none while the index is not ready.
fn with_words(request: &RequestContext, db: &Read<'_>, typed: &str) -> Vec<i64> {
    if typed.chars().nth(MIN_CHARS - 1).is_none()
        || !request.viewer().has_scope(Permission::SearchProject)
    {
        return Vec::new();
    }
    let Ok(query) = request.app.search.parse_incomplete(typed) else {
        return Vec::new();
    };
    let Ok(visibility) = current_visibility(request, db) else {
        return Vec::new();
    };
    let hits = request.app.search.suggest(&SuggestRequest {
        query: &query,
        visibility: &visibility,
        kinds: &[Kind::Issue],
        projects: None,
        closed: None,
        limit: CANDIDATES,
        now: db.now(),
    });
    hits.unwrap_or_default()
        .into_iter()
        .map(|hit| hit.id)
        .collect()
}
