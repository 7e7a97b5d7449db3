//! `GET /issues/:id/similar`, `POST /issues/similar`: finds issues with similar content (not in
//! Redmine).

use crate::prelude::*;
use crate::search::{ViewContext, write_summary};
use jiff::Timestamp;
use quarry_actions::issues;
use quarry_domain::ids::IssueId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::validation::ValidationErrors;
use quarry_domain::values::id_set::IdSet;
use quarry_domain::values::patch::Patch;
use quarry_domain::values::text::{is_blank, parse_bool};
use quarry_http::resources::search::{Summary, current_visibility, limit_param, load_summaries};
use quarry_http::resources::unknown_params;
use quarry_search::SimilarRequest;
use quarry_store::index_feed::search_records;
use std::sync::Arc;

const PARAMETERS: &[&str] = &[
    "project_id",
    "open_issues",
    "description",
    "limit",
    "key",
    "format",
];

/// Default number of results.
const DEFAULT_LIMIT: usize = 5;

/// Maximum number of results.
const MAX_LIMIT: usize = 25;

/// Finds issues similar to the subject, the description and the visible notes of an issue. 403 when
/// the viewer cannot see the issue, 404 when it does not exist.
pub fn similar(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    let issue = issues::find(db, request.viewer(), id)?;
    let read = search_records::load_with_related(db, request.viewer(), Kind::Issue, &[id.0])?
        .remove(&id.0)
        .ok_or(Error::NotFound)?;
    let source = Source {
        subject: read.title,
        description: read.text.unwrap_or_default(),
        notes: read.notes,
        except: Some(id),
        written: issue.created_on,
    };
    find_similar(request, db, &source)
}

/// Finds issues similar to a draft: the subject and description of an issue that does not exist
/// yet.
pub fn similar_to_draft(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let mut body = BodyFields::from_body(request, "issue")?;
    let subject = text_of(body.text("subject", "Subject"));
    let description = text_of(body.text("description", "Description"));
    body.check()?;
    let mut errors = ValidationErrors::new();
    let max = db.catalogue().max_text_length();
    errors.limit_text("subject", "Subject", &subject, max);
    errors.limit_text("description", "Description", &description, max);
    errors.into_result().map_err(Error::Invalid)?;
    if is_blank(&subject) && is_blank(&description) {
        return Err(Error::invalid_attribute(
            "subject",
            "Subject",
            "cannot be blank when there is no description",
        ));
    }
    find_similar(
        request,
        db,
        &Source {
            subject,
            description,
            notes: Vec::new(),
            except: None,
            written: db.now(),
        },
    )
}

fn text_of(patch: Patch<String>) -> String {
    patch.value().cloned().unwrap_or_default()
}

/// Text to compare with, as far as the viewer can see it.
struct Source {
    subject: String,
    description: String,
    notes: Vec<String>,
    except: Option<IssueId>,
    written: Timestamp,
}

fn find_similar(request: &RequestContext, db: &Read<'_>, source: &Source) -> Result<Reply, Error> {
    let warning = unknown_params::check(request, PARAMETERS.iter().copied())?;
    let catalogue = db.catalogue();
    let limit = limit_param(request, DEFAULT_LIMIT, MAX_LIMIT)?;
    let open_issues = boolean_param(request, "open_issues", false)?;
    let with_description = boolean_param(request, "description", true)?;
    let statuses = catalogue.statuses.iter();
    let closed = open_issues.then(|| {
        statuses
            .filter(|status| status.is_closed)
            .map(|status| status.id)
            .collect()
    });
    let visibility = current_visibility(request, db)?;
    let hits = request.app.search.similar(&SimilarRequest {
        subject: &source.subject,
        description: &source.description,
        notes: &source.notes,
        except: source.except,
        visibility: &visibility,
        projects: projects(request, catalogue)?.as_ref(),
        closed: closed.as_ref(),
        written: source.written,
        limit,
    })?;
    let view_context = ViewContext {
        catalogue: Arc::clone(catalogue),
        base: request.base_url(),
        with_description,
        with_extras: true,
    };
    let page = load_summaries(request, db, &hits)?;
    let meta = page.meta(limit);
    Ok(Reply::list(
        "results",
        "result",
        page.results,
        move |w: &mut Fields, (record, score): Summary| {
            write_summary(w, &record, score, &view_context)
        },
        meta,
    )
    .with_warning(warning))
}

/// Returns the requested project and its descendants; `None` for all projects.
fn projects(request: &RequestContext, catalogue: &Catalogue) -> Result<Option<IdSet>, Error> {
    let Some(project_id) = request
        .filter_param("project_id")?
        .filter(|id| !id.is_empty())
    else {
        return Ok(None);
    };
    let project = catalogue.project_by(&project_id).ok_or(Error::NotFound)?.id;
    if !request.viewer().may(Permission::ViewIssues, project) {
        return Err(Error::Forbidden);
    }
    Ok(Some(catalogue.subtree(project).into_iter().collect()))
}

fn boolean_param(request: &RequestContext, name: &str, default: bool) -> Result<bool, Error> {
    let Some(value) = request.query_param(name) else {
        return Ok(default);
    };
    parse_bool(&value).ok_or_else(|| Error::invalid(format!("{name} must be 1 or 0")))
}
