//! `GET /issues`, `GET /projects/:id/issues` (contract 4.3).

use super::view::{self, Around};
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::ProjectId;
use crate::domain::nearest::nearest;
use crate::domain::permission::Permission;
use crate::domain::query::filter::{Condition, Context, Field, Test, short};
use crate::domain::query::sort;
use crate::domain::visibility::{self, Visible};
use crate::http::{Ask, Error, Listing, Reply};
use crate::store::issues::Page;
use crate::store::{Read, issues};
use std::sync::Arc;

/// Parameters that are no filters.
const OTHERS: &[&str] =
    &["project_id", "subproject_id", "offset", "limit", "page", "sort", "include", "key", "nometa", "strict", "set_filter", "format"];

/// A page of the issues that fit and that the viewer may see; open ones, unless `status_id` asks for others.
pub fn list(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let (listing, order) = (Listing::read(&ask.query), sort::parse(&ask.parameter("sort").unwrap_or_default()));
    if !ask.viewer().may_somewhere(Permission::ViewIssues) {
        return Err(Error::Forbidden);
    }
    let visible = scope(ask, &catalogue)?;
    let (conditions, warning) = conditions(ask)?;
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

/// The filters among the parameters. Names that are not known are passed over with a warning, or refused with `strict=1`
/// (contract part A).
fn conditions(ask: &Ask) -> Result<(Vec<Condition>, Option<String>), Error> {
    let context = Context { me: &ask.viewer().principals, today: ask.app.clock.today() };
    let (mut conditions, mut unknown, mut complaints) = (Vec::new(), Vec::new(), Vec::new());
    for (name, value) in ask.query.entries() {
        match (Field::parse(name), value.as_text()) {
            (Some(field), Some(text)) => match short(field, &text, &context) {
                Ok(condition) => conditions.push(condition),
                Err(complaint) => complaints.push(complaint),
            },
            (Some(_), None) => complaints.push(format!("{name} must be one text, such as {name}=1|2")),
            (None, _) if OTHERS.contains(&name.as_str()) => {}
            (None, _) => unknown.push(name.as_str()),
        }
    }
    let strict = ask.parameter("strict").and_then(|text| crate::domain::text::switch(&text)).unwrap_or(false);
    if strict {
        complaints.extend(unknown.iter().map(|name| unknown_filter(name)));
    }
    if !complaints.is_empty() {
        return Err(Error::Invalid(complaints));
    }
    if !conditions.iter().any(|condition| condition.field == Field::Status) {
        conditions.push(Condition { field: Field::Status, test: Test::Open });
    }
    let warning = (!unknown.is_empty()).then(|| {
        let printable = |name: &&str| name.chars().filter(|c| c.is_ascii_graphic() && *c != '"').take(60).collect::<String>();
        let names: Vec<String> = unknown.iter().take(10).map(printable).collect();
        format!("299 quarry \"unknown filters were ignored: {}\"", names.join(", "))
    });
    Ok((conditions, warning))
}

fn unknown_filter(name: &str) -> String {
    let shown: String = name.chars().take(60).collect();
    match nearest(&shown, Field::names().chain(OTHERS.iter().copied())) {
        Some(known) => format!("Unknown filter {shown}; did you mean {known}?"),
        None => format!("Unknown filter {shown}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_suggested() {
        assert_eq!(unknown_filter("asigned_to_id"), "Unknown filter asigned_to_id; did you mean assigned_to_id?");
        assert_eq!(unknown_filter("qwertyuiop"), "Unknown filter qwertyuiop");
    }
}
