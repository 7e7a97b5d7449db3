//! Creates, updates and deletes issues (compatibility 6.4 to 6.6).

use super::include::Included;
use super::list;
use super::view::ViewContext;
use crate::attachments::parse_uploads;
use crate::prelude::*;
use quarry_actions as actions;
use quarry_actions::content::attachments::NewUpload;
use quarry_actions::issues::SpentTime;
use quarry_domain::ids::IssueId;
use quarry_domain::issues::issue::IssueChange;
use quarry_domain::values::patch::Patch;
use quarry_wire::Input;

/// `POST /issues`, `POST /projects/:id/issues` (compatibility 6.4).
///
/// Creates an issue: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let mut change = parse_issue(request)?;
    let uploads = uploads(request)?;
    let in_project = !request.path_param("id").is_empty();
    if in_project {
        let catalogue = request.app.store.catalogue()?;
        let project = catalogue
            .project_by(request.path_param("id"))
            .ok_or(Error::NotFound)?;
        if !request.viewer().may(Permission::AddIssues, project.id) {
            return Err(Error::Forbidden);
        }
        change.project = Patch::Set(project.id.to_string());
    }
    let issue =
        request.write(move |db, viewer| actions::issues::create(db, viewer, &change, &uploads));
    let issue = issue.map_err(Error::by_framework)?;
    let (mut view_context, included) = request.app.read(|db| -> Result<_, Error> {
        Ok((
            ViewContext::load(db, &request.viewer_context, std::slice::from_ref(&issue))?,
            Included::for_issue(request, db, &issue)?,
        ))
    })?;
    view_context.with_spent = in_project;
    let location = format!("{}/issues/{}", request.base_url(), issue.id);
    Ok(list::issue_reply(request, issue, view_context, included).created(location))
}

/// `PUT /issues/:id` (compatibility 6.5).
///
/// Updates an issue: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    let change = parse_issue(request)?;
    let uploads = uploads(request)?;
    let issue = request
        .write(move |db, viewer| actions::issues::update(db, viewer, id, &change, &uploads))?;
    let (view_context, included) = request.app.read(|db| -> Result<_, Error> {
        Ok((
            ViewContext::load(db, &request.viewer_context, std::slice::from_ref(&issue))?,
            Included::for_issue(request, db, &issue)?,
        ))
    })?;
    Ok(list::issue_reply(request, issue, view_context, included))
}

/// Maximum number of issues in one request.
const MAX_ISSUES: usize = 1000;

/// `DELETE /issues/:id`, `DELETE /issues?ids[]=` (compatibility 6.5).
///
/// Deletes an issue and its subtasks: 200 without a body.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    delete_issues(request, vec![id])
}

/// Deletes several issues: all of them or none; 200 without a body.
pub fn delete_several(request: &RequestContext) -> Result<Reply, Error> {
    let texts: Vec<String> = match request.query.get("ids") {
        Some(Input::List(items)) => items
            .iter()
            .filter_map(Input::as_text)
            .map(|text| text.into_owned())
            .collect(),
        Some(value) => value
            .as_text()
            .into_iter()
            .flat_map(|text| text.split(',').map(str::to_owned).collect::<Vec<_>>())
            .collect(),
        None => Vec::new(),
    };
    let ids: Option<Vec<IssueId>> = texts
        .iter()
        .map(|text| text.trim().parse().ok().map(IssueId))
        .collect();
    let mut ids = ids.ok_or(Error::NotFound)?;
    ids.sort_unstable();
    ids.dedup();
    match ids.len() {
        0 => Err(Error::NotFound),
        1..=MAX_ISSUES => delete_issues(request, ids),
        _ => Err(Error::invalid(format!(
            "ids has more than {MAX_ISSUES} values"
        ))),
    }
}

fn delete_issues(request: &RequestContext, ids: Vec<IssueId>) -> Result<Reply, Error> {
    let spent = match param(request, "todo").as_deref() {
        None | Some("" | "destroy") => SpentTime::Delete,
        Some("nullify") => SpentTime::Keep,
        Some("reassign") => SpentTime::Reassign(IssueId(
            param(request, "reassign_to_id")
                .and_then(|text| text.trim().parse().ok())
                .unwrap_or(0),
        )),
        Some(_) => return Err(Error::invalid("todo must be destroy, nullify or reassign")),
    };
    request.write(move |db, viewer| actions::issues::delete(db, viewer, &ids, spent))?;
    Ok(Reply::ok())
}

/// Returns a parameter of the query or of the body.
fn param(request: &RequestContext, name: &str) -> Option<String> {
    request
        .query_param(name)
        .or_else(|| request.body.get(name).and_then(Input::as_text))
        .map(|text| text.into_owned())
}

/// Parses the object `issue`; without one nothing changes. A value of the wrong type is a 422 that
/// names it.
pub fn parse_issue(request: &RequestContext) -> Result<IssueChange, Error> {
    fields::issue::parse(request, &request.body)
}

/// Returns the uploads to attach to the issue.
pub fn uploads(request: &RequestContext) -> Result<Vec<NewUpload>, Error> {
    request
        .body
        .get("issue")
        .map_or_else(|| Ok(Vec::new()), parse_uploads)
}
