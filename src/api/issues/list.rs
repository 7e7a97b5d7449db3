//! Lists issues and shows one (compatibility 6.1 and 6.3).

use super::include::Included;
use super::view::{self, ViewContext};
use crate::journals::write_journal;
use crate::prelude::*;
use quarry_actions::issues::{self, journals};
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::{IssueId, JournalId};
use quarry_domain::issues::issue::Issue;
use quarry_http::ChunkStream;
use quarry_http::resources::issue_list;
use quarry_http::resources::issue_list::{IssueList, IssuePage};
use quarry_wire as wire;
use std::sync::Arc;

/// `GET /issues`, `GET /projects/:id/issues` (compatibility 6.3).
///
/// Returns a page of the matching issues that the viewer can see; only open ones, unless the
/// request filters by status.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let IssuePage {
        issues: page,
        total,
        pagination,
        warning,
        ..
    } = issue_list::load(request, db)?;
    let view_context = ViewContext::load(db, &request.viewer_context, &page)?;
    let included = Included::for_list(request, db, &page)?;
    let meta = pagination.meta(total, page.len());
    let reply = Reply::list(
        "issues",
        "issue",
        page,
        move |w: &mut Fields, issue: Arc<Issue>| {
            view::issue(w, &issue, &view_context);
            included.write(w, &issue);
        },
        meta,
    );
    Ok(reply.with_warning(warning))
}

/// `GET /issues.ndjson`, `GET /projects/:id/issues.ndjson`.
///
/// Returns the matching issues, one JSON object a line, at most as many as an export may have.
pub fn export(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let list = IssueList::parse(request, db)?;
    let limit = db.catalogue().integer_setting(Setting::IssuesExportLimit);
    let found = list.load_first(db, request.viewer(), limit)?;
    let view_context = ViewContext::load(db, &request.viewer_context, &found)?;
    let mut lines = String::new();
    for issue in &found {
        lines.push_str(&wire::object_without_root(|w| {
            view::issue(w, issue, &view_context);
        }));
        lines.push('\n');
    }
    let reply = Reply::document("application/x-ndjson", lines.into_bytes());
    Ok(reply.with_warning(list.warning))
}

/// `GET /issues/:id` (compatibility 6.1).
///
/// Returns the issue with the included data; 403 when the viewer cannot see it, 404 when it does
/// not exist.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    let issue = issues::find(db, request.viewer(), id)?;
    let view_context =
        ViewContext::load(db, &request.viewer_context, std::slice::from_ref(&issue))?;
    let included = Included::for_issue(request, db, &issue)?;
    Ok(issue_reply(request, issue, view_context, included))
}

/// Returns 200 with the issue and the included data.
pub fn issue_reply(
    request: &RequestContext,
    issue: Issue,
    view_context: ViewContext,
    included: Included,
) -> Reply {
    let Some(parts) = included.history_parts() else {
        return Reply::object("issue", move |w| {
            write_issue(w, &issue, &view_context, &included)
        });
    };
    let app = Arc::clone(&request.app);
    let viewer_context = Arc::clone(&request.viewer_context);
    let parts: Vec<Vec<JournalId>> = parts.to_vec();
    let mut parts = parts.into_iter();
    Reply::stream(move |format| {
        let (head, tail) = wire::split_object(format, "issue", |w| {
            write_issue(w, &issue, &view_context, &included)
        });
        let mut is_first = true;
        let next = move || -> Result<Option<String>, Error> {
            for ids in parts.by_ref() {
                let (entries, catalogue) = app.read(|db| -> Result<_, Error> {
                    Ok((
                        journals::list_by_ids(db, &viewer_context.viewer, &issue, &ids)?,
                        Arc::clone(db.catalogue()),
                    ))
                })?;
                if !entries.is_empty() {
                    let chunk = wire::items(format, "journal", is_first, &entries, |w, entry| {
                        write_journal(w, entry, &catalogue)
                    });
                    is_first = false;
                    return Ok(Some(chunk));
                }
            }
            Ok(None)
        };
        ChunkStream {
            head,
            next: Box::new(next),
            tail,
        }
    })
}

fn write_issue(w: &mut Fields, issue: &Issue, view_context: &ViewContext, included: &Included) {
    view::issue(w, issue, view_context);
    included.write(w, issue);
}
