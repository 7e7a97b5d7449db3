//! `GET /issues/:id/similar`, `POST /issues/similar`: the issues that probably say the same (ours; Redmine has no such address).

use crate::actions::issues;
use crate::api::search::view::{self, Around};
use crate::domain::catalogue::Catalogue;
use crate::domain::given::Given;
use crate::domain::id_set::IdSet;
use crate::domain::ids::IssueId;
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::text::{is_blank, switch};
use crate::domain::validation::Complaints;
use crate::http::search::{Brief, brief, limit};
use crate::http::{Ask, Error, Reply, Said, judge_names};
use crate::search::Like;
use crate::store::{Read, found};
use crate::wire::Fields;
use jiff::Timestamp;
use std::sync::Arc;

const PARAMETERS: &[&str] = &["project_id", "open_issues", "description", "limit", "key", "format"];
/// How many are given when nothing is said, and at most.
const USUAL: usize = 5;
const MOST: usize = 25;

/// What is like the issue, as far as the viewer may read it: its subject, its description, and its notes. 403 where the viewer may
/// not see the issue, 404 where there is none.
pub fn similar(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let id: IssueId = ask.number("id")?;
    let issue = issues::find(db, ask.viewer(), id)?;
    let read = found::load(db, ask.viewer(), Kind::Issue, &[id.0])?.remove(&id.0).ok_or(Error::NotFound)?;
    let text = Text { subject: read.title, description: read.text, notes: read.notes, except: Some(id), written: issue.created_on };
    answer(ask, db, &text)
}

/// What is like a draft: subject and description of an issue that is not written yet.
pub fn similar_to_draft(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let mut said = Said::of(ask, "issue")?;
    let text = |given: Given<String>| given.value().cloned().unwrap_or_default();
    let subject = text(said.text("subject", "Subject"));
    let description = text(said.text("description", "Description"));
    said.finish()?;
    let mut complaints = Complaints::new();
    let max = db.catalogue().max_text_length();
    complaints.limit_text("Subject", &subject, max);
    complaints.limit_text("Description", &description, max);
    complaints.into_result().map_err(Error::Invalid)?;
    if is_blank(&subject) && is_blank(&description) {
        return Err(Error::invalid("Subject cannot be blank when there is no description"));
    }
    answer(ask, db, &Text { subject, description, notes: Vec::new(), except: None, written: ask.app.clock.now() })
}

/// A text that the viewer may read.
struct Text {
    subject: String,
    description: String,
    notes: Vec<String>,
    except: Option<IssueId>,
    written: Timestamp,
}

fn answer(ask: &Ask, db: &Read<'_>, text: &Text) -> Result<Reply, Error> {
    let warning = judge_names(ask, PARAMETERS.iter().copied())?;
    let catalogue = db.catalogue();
    let limit = limit(ask, USUAL, MOST)?;
    let (open_issues, with_description) = (is_on(ask, "open_issues", false)?, is_on(ask, "description", true)?);
    let statuses = catalogue.statuses.iter();
    let closed = open_issues.then(|| statuses.filter(|status| status.is_closed).map(|status| status.id).collect());
    let hits = ask.app.search.similar(&Like {
        subject: &text.subject,
        description: &text.description,
        notes: &text.notes,
        except: text.except,
        visibility: &ask.asker.visibility,
        projects: projects(ask, catalogue)?.as_ref(),
        closed: closed.as_ref(),
        written: text.written,
        limit,
    })?;
    let around = Around { catalogue: Arc::clone(catalogue), base: ask.base(), with_description, with_extras: true };
    let describe = move |w: &mut Fields, (found, score): Brief| view::brief(w, &found, score, &around);
    let page = brief(ask, db, &hits)?;
    let meta = page.meta(limit);
    Ok(Reply::list("results", "result", page.results, describe, meta).warned(warning))
}

/// The project that is named and those below it; `None` for all.
fn projects(ask: &Ask, catalogue: &Catalogue) -> Result<Option<IdSet>, Error> {
    let Some(named) = ask.parameter("project_id").filter(|named| !named.is_empty()) else { return Ok(None) };
    let project = catalogue.project_by(&named).ok_or(Error::NotFound)?.id;
    if !ask.viewer().may(Permission::ViewIssues, project) {
        return Err(Error::Forbidden);
    }
    Ok(Some(catalogue.subtree(project).into_iter().collect()))
}

fn is_on(ask: &Ask, name: &str, unsaid: bool) -> Result<bool, Error> {
    let Some(value) = ask.parameter(name) else { return Ok(unsaid) };
    switch(&value).ok_or_else(|| Error::invalid(format!("{name} must be 1 or 0")))
}
