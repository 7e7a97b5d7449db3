//! `GET /issues`, `GET /projects/:id/issues` (contract 4.3).

use super::view::{self, Around};
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::ProjectId;
use crate::domain::permission::Permission;
use crate::domain::query::filter::{Condition, Context, Field, Test, short};
use crate::domain::query::sort;
use crate::domain::visibility::{self, Visible};
use crate::http::{Ask, Error, Listing, Reply, judge_names};
use crate::store::issues::Page;
use crate::store::{Read, issues};
use std::sync::Arc;

/// Parameters that are no filters.
const OTHERS: &[&str] =
    &["project_id", "subproject_id", "offset", "limit", "page", "sort", "include", "key", "nometa", "set_filter", "format"];

/// A page of the issues that fit and that the viewer may see; open ones, unless `status_id` asks for others.
pub fn list(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let (listing, order) = (Listing::read(&ask.query), sort::parse(&ask.parameter("sort").unwrap_or_default()));
    if !ask.viewer().may_somewhere(Permission::ViewIssues) {
        return Err(Error::Forbidden);
    }
    let visible = scope(ask, &catalogue)?;
    let conditions = conditions(ask)?;
    let warning = judge_names(ask, Field::names().chain(OTHERS.iter().copied()))?;
    let page = Page {
        viewer: ask.viewer(),
        visible: &visible,
        conditions: &conditions,
        order: &order,
        offset: listing.offset,
        limit: listing.limit,
    };
    let total = issues::count(db, &page)?;
    let found = if listing.offset < total { issues::list(db, &page)? } else { Vec::new() };
    let around = Around::load(db, &ask.asker, &found)?;
    let reply = Reply::list("issues", "issue", found, move |w, issue| view::issue(w, &issue, &around), listing.meta(total));
    Ok(reply.warned(warning))
}

/// The project in the path or in `project_id` narrows the list to it and what is below it; it is no filter, but a place that
/// must exist and be open to the viewer.
fn scope(ask: &Ask, catalogue: &Catalogue) -> Result<Visible, Error> {
    let all = visibility::issues(ask.viewer());
    let named = match ask.place("id") {
        "" => ask.parameter("project_id"),
        id => Some(id.into()),
    };
    let Some(named) = named else { return Ok(all.clone()) };
    if named.trim().is_empty() {
        return Err(Error::invalid("Project cannot be blank"));
    }
    let project = catalogue.project_by(&named).ok_or(Error::NotFound)?.id;
    if !ask.viewer().may(Permission::ViewIssues, project) {
        return Err(Error::Forbidden);
    }
    let below: Vec<ProjectId> = match ask.parameter("subproject_id").as_deref() {
        Some("!*") => vec![project],
        Some(ids) if !ids.is_empty() && ids != "*" => {
            let wanted: Vec<i64> = ids.split('|').filter_map(|id| id.trim().parse().ok()).collect();
            catalogue.subtree(project).into_iter().filter(|id| *id == project || wanted.contains(&id.0)).collect()
        }
        _ => catalogue.subtree(project),
    };
    Ok(all.within(Arc::new(below.into_iter().collect())))
}

/// The filters among the parameters.
fn conditions(ask: &Ask) -> Result<Vec<Condition>, Error> {
    let context = Context { me: &ask.viewer().principals, today: ask.app.clock.today() };
    let (mut conditions, mut complaints) = (Vec::new(), Vec::new());
    for (name, value) in ask.query.entries() {
        match (Field::parse(name), value.as_text()) {
            (Some(field), Some(text)) => match short(field, &text, &context) {
                Ok(condition) => conditions.push(condition),
                Err(complaint) => complaints.push(complaint),
            },
            (Some(_), None) => complaints.push(format!("{name} must be one text, such as {name}=1|2")),
            (None, _) => {}
        }
    }
    if !complaints.is_empty() {
        return Err(Error::Invalid(complaints));
    }
    if !conditions.iter().any(|condition| condition.field == Field::Status) {
        conditions.push(Condition { field: Field::Status, test: Test::Open });
    }
    Ok(conditions)
}
