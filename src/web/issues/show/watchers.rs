//! `/issues/:id/watchers/…`: adds and removes watchers of an issue.

use crate::access;
use crate::components::avatar::Person;
use crate::components::form_field::{FieldKind, FormField, choice, typed};
use crate::components::form_page::FormPage;
use crate::form::save;
use crate::issues::issue_pages;
use crate::prelude::*;
use quarry_actions::content::watchers;
use quarry_actions::content::watchers::WatchTarget;
use quarry_domain::access::visibility;
use quarry_domain::ids::PrincipalId;
use quarry_domain::validation::ValidationError;
use quarry_store::content::watchers as stored_watchers;
use std::collections::BTreeSet;

/// Maximum number of watchers on the page of an issue.
const MAX_ROWS: usize = 100;
/// Maximum number of users and groups in the list. The others are found by name.
const MAX_CANDIDATES: usize = 30;
/// The field with the words to search for.
const NAME: &str = "name";
/// What a search says that finds nobody.
const NOBODY: &str = "No user or group that can be added has this name. Enter another one.";
/// The users and groups to add, as in the API.
const PRINCIPALS: &str = "user_ids[]";

/// The watchers on the page of an issue.
pub struct Watchers {
    pub rows: Vec<WatcherRow>,
    /// The address of the form that adds some, if the viewer may do that.
    pub new_path: Option<String>,
}

/// A watcher.
pub struct WatcherRow {
    pub person: Person,
    /// The address that removes them, if the viewer may do that.
    pub delete_path: Option<String>,
}

/// Loads the watchers that the viewer may see.
pub fn load(request: &RequestContext, db: &Read<'_>, issue: &Issue) -> Result<Watchers, Error> {
    let viewer = request.viewer();
    let catalogue = db.catalogue();
    let path = format!("{}/watchers", paths::issue(issue.id));
    let may_see = viewer.may(Permission::ViewIssueWatchers, issue.project);
    let may_delete = viewer.may(Permission::DeleteIssueWatchers, issue.project);
    let ids = match may_see {
        true => stored_watchers::list(db, issue.id.into())?,
        false => Vec::new(),
    };
    let visible = ids
        .into_iter()
        .filter(|id| visibility::can_see_principal(viewer, catalogue, *id));
    Ok(Watchers {
        rows: visible
            .take(MAX_ROWS)
            .map(|id| WatcherRow {
                person: Person::with_picture(viewer, catalogue, id),
                delete_path: may_delete.then(|| format!("{path}/{id}/delete")),
            })
            .collect(),
        new_path: may_add(request, issue).then(|| format!("{path}/new")),
    })
}

fn may_add(request: &RequestContext, issue: &Issue) -> bool {
    request
        .viewer()
        .may(Permission::AddIssueWatchers, issue.project)
}

fn find_issue(request: &RequestContext, db: &Read<'_>) -> Result<Issue, Error> {
    let issue = issue_pages::find(request, db)?;
    if may_add(request, &issue) {
        Ok(issue)
    } else {
        Err(Error::Forbidden)
    }
}

/// `GET /issues/:id/watchers/new`: the form.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, ValidationErrors::new())
}

/// `POST`: adds the chosen users and groups. Without a choice, adds the only one with the typed
/// name, or shows those with that name to choose from. With `do=search` it only shows them.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    if typed(&request.body, "do").is_some_and(|text| text == "search") {
        return request
            .app
            .read(|db| page(request, db, ValidationErrors::new()));
    }
    let (issue, principals, found) = request.app.read(|db| -> Result<_, Error> {
        let issue = find_issue(request, db)?;
        let mut principals = chosen(request, db, &issue)?;
        let words = typed(&request.body, NAME).unwrap_or_default();
        let mut count = 0;
        if principals.is_empty() && !words.trim().is_empty() {
            let target = WatchTarget::Issue(issue.id);
            let found = watchers::candidates(db, request.viewer(), &target, &words, 1)?;
            count = found.total;
            if found.total == 1 {
                principals = found.principals;
            }
        }
        Ok((issue, principals, count))
    })?;
    let id = issue.id;
    save(
        request,
        || {
            if principals.is_empty() {
                return Err(Error::Invalid(no_choice(request, found).into()));
            }
            request.write(move |db, viewer| -> Result<(), ActionError> {
                watchers::create(db, viewer, &WatchTarget::Issue(id), &principals)
            })
        },
        |()| Ok((paths::issue(id), "The watchers were added.".to_owned())),
        |db, errors| page(request, db, errors),
    )
}

/// Returns the users and groups that are chosen in the sent form and can be added.
fn chosen(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
) -> Result<Vec<PrincipalId>, Error> {
    let sent = typed(&request.body, PRINCIPALS).unwrap_or_default();
    let ids = sent.lines().filter_map(|id| id.parse().ok());
    let ids: BTreeSet<i64> = ids.take(MAX_ROWS).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let target = WatchTarget::Issue(issue.id);
    let all = watchers::candidates(db, request.viewer(), &target, "", usize::MAX)?;
    let all = all.principals.into_iter();
    Ok(all.filter(|id| ids.contains(&id.0)).collect())
}

fn no_choice(request: &RequestContext, found: usize) -> ValidationError {
    let words = typed(&request.body, NAME).unwrap_or_default();
    if words.trim().is_empty() {
        return ValidationError::new(PRINCIPALS, "", "Choose somebody, or enter a name.");
    }
    let message = match found {
        0 => NOBODY,
        _ => {
            "Several users or groups match. Choose from the list below, or enter more of the name."
        }
    };
    ValidationError::new(NAME, "", message)
}

fn page(request: &RequestContext, db: &Read<'_>, errors: ValidationErrors) -> Result<Reply, Error> {
    let issue = find_issue(request, db)?;
    let catalogue = db.catalogue();
    let words = typed(&request.body, NAME).unwrap_or_default();
    let target = WatchTarget::Issue(issue.id);
    let found = watchers::candidates(db, request.viewer(), &target, &words, MAX_CANDIDATES)?;
    let name = FormField::new(FieldKind::Line, NAME, "Name", words.clone())
        .with_hint("Part of a name or login. If one person has it, that person is added.")
        .narrowing(PRINCIPALS)
        .focused();
    let mut fields = vec![name];
    let others = found.total - found.principals.len();
    // Those who were chosen before the search stay in the list.
    let is_new = |id: &PrincipalId| !found.principals.contains(id);
    let chosen = chosen(request, db, &issue)?.into_iter().filter(is_new);
    let listed = chosen.chain(found.principals.iter().copied());
    let choices = listed.filter_map(|id| Some(choice(id, catalogue.principal_name(id)?)));
    let hint = match (found.principals.len(), others) {
        (0, _) if errors.is_empty() => NOBODY.to_owned(),
        (0, _) => String::new(),
        (_, 0) => String::new(),
        (_, others) => format!("{others} more match. Enter a longer part of the name."),
    };
    let sent = typed(&request.body, PRINCIPALS).unwrap_or_default();
    let list = FormField::new(FieldKind::Checkboxes, PRINCIPALS, "Users and groups", sent)
        .with_attribute(PRINCIPALS)
        .with_choices(choices)
        .with_hint(hint);
    if found.principals.is_empty() && words.trim().is_empty() {
        fields.clear();
    } else {
        fields.push(list);
    }
    let frame = issue_pages::frame(request, db, &issue, "Add watchers");
    let is_empty = fields.is_empty();
    let page = FormPage::new(
        frame,
        format!("{}/watchers/new", paths::issue(issue.id)),
        fields,
    )
    .with_heading("Add watchers")
    .with_submit("Add")
    .with_cancel(paths::issue(issue.id));
    if is_empty {
        return page
            .with_paragraph("Everybody whom you can see watches this issue already.")
            .without_submit()
            .render();
    }
    page.with_errors(errors).render()
}

/// `POST /issues/:id/watchers/:user/delete`: removes a watcher.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let issue = request.app.read(|db| issue_pages::find(request, db))?;
    let id: IssueId = issue.id;
    let watcher = PrincipalId(request.id_param("user")?);
    if !request
        .viewer()
        .may(Permission::DeleteIssueWatchers, issue.project)
    {
        return Err(Error::Forbidden);
    }
    access::found(
        request,
        request.write(move |db, viewer| {
            watchers::delete(db, viewer, &WatchTarget::Issue(id), watcher)
        }),
    )?;
    issue_pages::back(request, id, "The watcher was removed.")
}
