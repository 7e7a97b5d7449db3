//! `GET /issues`, `GET /projects/:id/issues` (contract 4.3).

use super::include::Included;
use super::view::{self, Around};
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::CustomFieldId;
use crate::domain::issue::Issue;
use crate::domain::permission::Permission;
use crate::domain::query::filter::{Context, Test};
use crate::domain::query::issues::{self as query, Condition, Field};
use crate::domain::query::sort::{self, Criterion};
use crate::domain::visibility;
use crate::http::filters::{self, Saved};
use crate::http::{Ask, Error, Listing, Reply, place};
use crate::store::issues::Page;
use crate::store::{Read, issues};
use crate::wire::Fields;
use std::sync::Arc;

/// Parameters that are no filters.
const OTHERS: &[&str] = &["project_id", "offset", "limit", "page", "sort", "include", "nometa", "query_id"];

/// A page of the issues that fit and that the viewer may see; open ones, unless the request says more about statuses.
pub fn list(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let (listing, viewer) = (Listing::read(&ask.query), ask.viewer());
    if !viewer.may_somewhere(Permission::ViewIssues) {
        return Err(Error::Forbidden);
    }
    let root = place::named(ask, &catalogue, Permission::ViewIssues)?;
    let around = root.map(|root| catalogue.subtree(root));
    let known = query::known(&catalogue, viewer, around.as_deref());
    let context = Context::new(viewer, &catalogue, ask.app.clock.today());
    let saved = filters::saved(ask, db, "IssueQuery", root, &known, &context)?;
    let asked = filters::read(ask, &known, OTHERS, &context)?;
    let order = order(ask, &catalogue, saved.as_ref());
    let by_itself = !asked.long && saved.as_ref().is_none_or(|saved| saved.conditions.is_none());
    let mut conditions: Vec<Condition> = saved.and_then(|saved| saved.conditions).into_iter().flatten().chain(asked.conditions).collect();
    if by_itself && conditions.iter().all(|condition| condition.field != Field::Status) {
        conditions.push(Condition { field: Field::Status, test: Test::Open });
    }
    let all = visibility::issues(viewer);
    let below = conditions.iter().filter(|condition| condition.field == Field::Subproject).map(|condition| &condition.test);
    let visible = match root {
        Some(root) => all.within(Arc::new(place::projects(&catalogue, root, below).into_iter().collect())),
        None => all.clone(),
    };
    let page = Page { viewer, visible: &visible, conditions: &conditions, order: &order, offset: listing.offset, limit: listing.limit };
    let (total, found) = issues::page(db, &page)?;
    let around = Around::load(db, &ask.asker, &found)?;
    let included = Included::of_list(ask, db, &found)?;
    let describe = move |w: &mut Fields, issue: Arc<Issue>| {
        view::issue(w, &issue, &around);
        included.describe(w, &issue);
    };
    let meta = listing.meta(total, found.len());
    let reply = Reply::list("issues", "issue", found, describe, meta);
    Ok(reply.warned(asked.warning))
}

/// The order that is asked for, or that of the saved query.
fn order(ask: &Ask, catalogue: &Catalogue, saved: Option<&Saved<Field>>) -> Vec<Criterion> {
    let known = |field: CustomFieldId| query::custom_fields(catalogue, ask.viewer()).any(|known| known.id == field);
    match (ask.parameter("sort").filter(|text| !text.trim().is_empty()), saved) {
        (Some(text), _) => sort::parse(&text, known),
        (None, Some(saved)) => sort::criteria(saved.order.iter().map(|(name, direction)| (name.as_str(), direction.as_str())), known),
        (None, None) => Vec::new(),
    }
}
