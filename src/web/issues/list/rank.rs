//! `POST /issues/rank`: moves an issue to another place of a list that is sorted by rank, the order by
//! hand. The query string is that of the list.

use crate::access;
use crate::form::field as sent;
use crate::frame::Flash;
use crate::frame::local_path::local_path;
use crate::frame::render::redirect_with;
use crate::prelude::*;
use crate::queries::ListAddress;
use quarry_actions::issues::card_moves::{CardMove, MAX_ABOVE, MoveOutcome, may_move, move_card};
use quarry_actions::issues::find;
use quarry_domain::query::columns::Column;
use quarry_http::resources::issue_list::IssueList;
use quarry_store::issues::board::ranks;
use std::sync::Arc;

/// The parameter with the address of the list.
const BACK: &str = "back";

/// The forms in the rows of a list by which issues are moved.
pub struct RankForms {
    /// The address of the forms, with the parameters of the list.
    pub path: String,
    /// The address of the list.
    pub back: String,
    /// For each issue of the page, the places one up and one down, counted from 1 on the page. `None`
    /// if the viewer may not move it.
    pub places: Vec<Option<Places>>,
}

/// The places to which an issue can be moved by a button.
pub struct Places {
    pub up: Option<i64>,
    pub down: Option<i64>,
}

impl RankForms {
    /// Returns the forms for the issues of a page; `None` unless the list is sorted by rank first and
    /// the viewer may move one of them.
    pub fn new(
        (request, catalogue): (&RequestContext, &Catalogue),
        (list, address): (&IssueList, &ListAddress),
        (total, issues): (i64, &[Arc<Issue>]),
    ) -> Option<RankForms> {
        if !is_by_rank(list) {
            return None;
        }
        let viewer = request.viewer();
        let offset = list.pagination.offset;
        let places = (1..).zip(issues).map(|(place, issue)| {
            may_move(catalogue, viewer, issue).then(|| Places {
                up: (offset + place > 1).then_some(place - 1),
                down: (offset + place < total).then_some(place + 1),
            })
        });
        let places: Vec<Option<Places>> = places.collect();
        let project = list.project.map(|project| project.to_string());
        let project = project.as_deref().map(|id| ("project_id", Some(id)));
        let changes: Vec<_> = project.into_iter().collect();
        places.iter().any(Option::is_some).then(|| RankForms {
            path: format!("/issues/rank{}", address.with(&changes)),
            back: request.path_and_query(),
            places,
        })
    }
}

fn is_by_rank(list: &IssueList) -> bool {
    let first = list.order.first();
    list.group.is_none()
        && first.is_some_and(|first| first.column == Column::Rank && !first.descending)
}

/// Moves the issue `issue_id` to the place `position`, counted from 1 on the page of the list.
pub fn save(request: &RequestContext) -> Result<Reply, Error> {
    request.require_user()?;
    let issue = sent(request, "issue_id").trim().parse().ok().map(IssueId);
    let issue = issue.ok_or_else(|| Error::invalid("issue_id must be the id of an issue"))?;
    let position = sent(request, "position").trim().parse().ok();
    let position: i64 = position.ok_or_else(|| {
        Error::invalid("position must be the number of a place in the list, from 1")
    })?;
    let above = request.app.read(|db| {
        access::found(request, find(db, request.viewer(), issue))?;
        issues_above(request, db, issue, position)
    })?;
    let back = sent(request, BACK);
    let back = local_path(&back).unwrap_or("/issues?sort=rank").to_owned();
    let Some(above) = above else {
        let flash = Flash::error(format!(
            "#{issue} was not moved: the first {MAX_ABOVE} places of the list can be ordered by hand, and those behind issues that have a rank."
        ));
        return Ok(redirect_with(request, back, &flash));
    };
    let card = CardMove {
        issue,
        changes: Vec::new(),
        cards_above: Some(above),
    };
    match request.write(move |db, viewer| move_card(db, viewer, &card))? {
        MoveOutcome::Refused(reason) => {
            let flash = Flash::error(format!("#{issue} was not moved: {reason}."));
            Ok(redirect_with(request, back, &flash))
        }
        _ => Ok(Reply::see_other(back)),
    }
}

/// Returns the issues above the place, as far as they need a rank; `None` if they are too many.
fn issues_above(
    request: &RequestContext,
    db: &Read<'_>,
    issue: IssueId,
    position: i64,
) -> Result<Option<Vec<IssueId>>, Error> {
    let list = IssueList::parse(request, db)?;
    if !is_by_rank(&list) {
        return Err(Error::invalid("sort must be rank"));
    }
    let max = i64::try_from(MAX_ABOVE).unwrap_or(i64::MAX);
    let count = list.pagination.offset.saturating_add(position) - 1;
    let count = count.max(0);
    let first = (count - max).max(0);
    // The issue itself may be one of them.
    let range = (first, count - first + 1);
    let issues = list.load_range(db, request.viewer(), &list.conditions, range)?;
    let ids = issues.iter().map(|issue| issue.id.0);
    let mut ids: Vec<i64> = ids.filter(|id| *id != issue.0).collect();
    ids.truncate(usize::try_from(count - first).unwrap_or(0));
    // Issues without a rank are last, so behind one with a rank none is missing.
    if first > 0 && ranks(db, ids.get(..1).unwrap_or_default())?.is_empty() {
        return Ok(None);
    }
    Ok(Some(ids.into_iter().map(IssueId).collect()))
}
