//! `/issues/:id/relations/…`: adds and deletes relations of an issue.

use crate::access;
use crate::components::form_field::{FieldKind, FormField, choice, typed};
use crate::components::form_page::FormPage;
use crate::form::save;
use crate::issues::issue_pages;
use crate::issues::issue_reference::{self, IssueReference};
use crate::prelude::*;
use quarry_actions::issues::relations;
use quarry_actions::issues::relations::RelationChange;
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::RelationId;
use quarry_domain::issues::relation::RelationType;
use quarry_domain::values::patch::Patch;

/// The types that a form offers, in their order.
const TYPES: [RelationType; 9] = [
    RelationType::Relates,
    RelationType::Blocks,
    RelationType::Blocked,
    RelationType::Precedes,
    RelationType::Follows,
    RelationType::Duplicates,
    RelationType::Duplicated,
    RelationType::CopiedTo,
    RelationType::CopiedFrom,
];
const TO: &str = "relation[issue_to_id]";
const TYPE: &str = "relation[relation_type]";
const DELAY: &str = "relation[delay]";

/// Whether the viewer may add relations to the issue.
pub fn may_add(request: &RequestContext, db: &Read<'_>, issue: &Issue) -> bool {
    let viewer = request.viewer();
    viewer.may(Permission::ManageIssueRelations, issue.project)
        && viewer.author_id(db.catalogue()).is_some()
}

fn find_issue(request: &RequestContext, db: &Read<'_>) -> Result<Issue, Error> {
    let issue = issue_pages::find(request, db)?;
    if may_add(request, db, &issue) {
        Ok(issue)
    } else {
        Err(Error::Forbidden)
    }
}

/// `GET /issues/:id/relations/new`: the form.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, None, ValidationErrors::new())
}

/// `POST`: adds the relation. Words that several issues match lead back to the form, with these
/// issues to choose from.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let (issue, named) = request.app.read(|db| -> Result<_, Error> {
        let issue = find_issue(request, db)?;
        let named = if is_list(&sent_text(request, TO)) {
            None
        } else {
            issue_reference::find(request, db, TO, scope(db, &issue))?
        };
        Ok((issue, named))
    })?;
    let optional = |name: &str| match sent_text(request, name) {
        text if text.trim().is_empty() => Patch::Unset,
        text => Patch::Set(text),
    };
    let change = RelationChange {
        to: match &named {
            Some(IssueReference::One(id)) => Patch::Set(id.to_string()),
            _ => optional(TO),
        },
        kind: optional(TYPE),
        delay: optional(DELAY),
    };
    let id = issue.id;
    save(
        request,
        || {
            let is_list = named.is_none() && !sent_text(request, TO).trim().is_empty();
            if !is_list && !matches!(named, Some(IssueReference::One(_))) {
                let error = issue_reference::error(&to_field(""), named.as_ref());
                return Err(Error::Invalid(error.into()));
            }
            request.write(move |db, viewer| relations::create(db, viewer, id, &change))
        },
        |_| Ok((paths::issue(id), "The relation was added.".to_owned())),
        |db, errors| page(request, db, named.as_ref(), errors),
    )
}

fn sent_text(request: &RequestContext, name: &str) -> String {
    typed(&request.body, name).unwrap_or_default()
}

/// Whether a text is a list of ids such as `12, #14`, as the API takes it.
fn is_list(text: &str) -> bool {
    text.contains(',')
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || c == '#' || c == ',' || c.is_whitespace())
}

/// Returns the project to which relations are limited; `None` for all.
fn scope(db: &Read<'_>, issue: &Issue) -> Option<ProjectId> {
    let is_limited = !db.catalogue().is_on(Setting::CrossProjectIssueRelations);
    is_limited.then_some(issue.project)
}

fn to_field(value: &str) -> FormField {
    FormField::new(FieldKind::Line, TO, "Issue", value).required()
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    named: Option<&IssueReference>,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let issue = find_issue(request, db)?;
    let kind =
        typed(&request.body, TYPE).unwrap_or_else(|| RelationType::Relates.name().to_owned());
    let kinds = TYPES.map(|kind| choice(kind.name(), kind.label()));
    let kind = FormField::new(FieldKind::Select, TYPE, format!("#{} …", issue.id), kind)
        .with_choices(kinds)
        .focused();
    let to = issue_reference::searchable(to_field(&sent_text(request, TO)), scope(db, &issue));
    let delay = FormField::new(
        FieldKind::Integer,
        DELAY,
        "Delay",
        sent_text(request, DELAY),
    )
    .with_hint("Working days in between, for “precedes” and “follows”.");
    let mut fields = vec![kind];
    match named {
        Some(named) => fields.extend(issue_reference::fields(to, named)),
        None => fields.push(to),
    }
    fields.push(delay);
    let frame = issue_pages::frame(request, db, &issue, "Add a relation");
    FormPage::new(
        frame,
        format!("{}/relations/new", paths::issue(issue.id)),
        fields,
    )
    .with_heading("Add a relation")
    .with_submit("Add")
    .with_cancel(paths::issue(issue.id))
    .with_errors(errors)
    .render()
}

/// `POST /issues/:id/relations/:relation/delete`: deletes the relation.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: RelationId = request.id_param("relation")?;
    let issue = request.app.read(|db| -> Result<_, Error> {
        let issue = issue_pages::find(request, db)?;
        let relation = access::found(request, relations::find(db, request.viewer(), id))?;
        if relation.from == issue.id || relation.to == issue.id {
            Ok(issue.id)
        } else {
            Err(access::missing(request))
        }
    })?;
    request.write(move |db, viewer| relations::delete(db, viewer, id))?;
    issue_pages::back(request, issue, "The relation was deleted.")
}
