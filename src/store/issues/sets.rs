//! Sets of issues by what is no attribute of the search index: dates, people, relations and notes.

use super::super::{Read, StoreError};
use crate::lists::filter::{self, FilterContext};
use crate::lists::visibility::{self, ISSUE_INDEXED, JOURNAL};
use crate::transaction::sql::Sql;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility as visibility_rules;
use quarry_domain::ids::UserId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::notices::mentions;
use quarry_domain::query::change::Change;
use quarry_domain::query::issues::Condition;

/// A set of issues.
#[derive(Clone, Debug, PartialEq)]
pub enum IssueSet {
    /// Those that match all of these conditions.
    Matching(Vec<Condition>),
    /// Those with a note by one of these people that the viewer may read; `None` for a note by
    /// anybody.
    WithNotes(Option<Vec<i64>>),
    /// Those in which the viewer may see a change.
    Changed(Change),
    /// Those whose description, or a note of which that the viewer may read, mentions one of these
    /// users.
    Mentioning(Vec<i64>),
    /// Those about which this user has an unread notice; none with `None`.
    Unread(Option<UserId>),
}

/// Returns the ids of the issues in any of these sets that the viewer may see, in no order; with
/// `only`, of no others.
pub fn ids_in_any(
    db: &Read<'_>,
    viewer: &Viewer,
    sets: &[IssueSet],
    only: Option<&[i64]>,
) -> Result<Vec<i64>, StoreError> {
    let context = FilterContext {
        viewer,
        catalogue: db.catalogue(),
        project: None,
    };
    let mut sql = Sql::new("SELECT i.id FROM issues i WHERE ");
    push_only(&mut sql, only);
    visibility::push_visible(&mut sql, visibility_rules::issues(viewer), ISSUE_INDEXED);
    sql.push(" AND (1 = 0");
    for set in sets {
        sql.push(" OR (1 = 1");
        match set {
            IssueSet::Matching(conditions) => {
                for condition in conditions {
                    sql.push(" AND ");
                    filter::issues::push_condition(&mut sql, condition, context);
                }
            }
            IssueSet::WithNotes(people) => {
                sql.push(" AND EXISTS (SELECT 1 FROM journals j WHERE j.issue_id = i.id AND j.notes <> '' AND ");
                visibility::push_visible(&mut sql, visibility_rules::notes(viewer), JOURNAL);
                if let Some(people) = people {
                    sql.push(" AND j.user_id IN").bind_ids(people);
                }
                sql.push(")");
            }
            IssueSet::Changed(change) => {
                sql.push(" AND ");
                filter::history::push_change(&mut sql, change, context);
            }
            IssueSet::Mentioning(users) => {
                sql.push(" AND i.id IN")
                    .push_ids(mentioning(db, viewer, users, only)?);
            }
            IssueSet::Unread(user) => {
                sql.push(" AND EXISTS (SELECT 1 FROM notices n WHERE n.thread_kind = ")
                    .bind(i64::from(Kind::Issue.code()))
                    .push(" AND n.thread_id = i.id AND n.is_read = 0 AND n.user_id = ")
                    .bind(user.map_or(0, |user| user.0))
                    .push(")");
            }
        }
        sql.push(")");
    }
    sql.push(")");
    db.column(sql.text(), sql.values())
}

/// Returns the ids of the issues that mention one of these users where the viewer may read it.
fn mentioning(
    db: &Read<'_>,
    viewer: &Viewer,
    users: &[i64],
    only: Option<&[i64]>,
) -> Result<Vec<i64>, StoreError> {
    if users.is_empty() {
        return Ok(Vec::new());
    }
    let catalogue = db.catalogue();
    let mut descriptions =
        Sql::new("SELECT i.id, i.description FROM issues i WHERE i.description LIKE '%@%' AND ");
    push_only(&mut descriptions, only);
    let issues = visibility_rules::issues(viewer);
    visibility::push_visible(&mut descriptions, issues, ISSUE_INDEXED);
    let mut notes = Sql::new(
        "SELECT i.id, j.notes FROM journals j JOIN issues i ON i.id = j.issue_id WHERE j.notes LIKE '%@%' AND ",
    );
    push_only(&mut notes, only);
    visibility::push_visible(&mut notes, visibility_rules::notes(viewer), JOURNAL);
    let mut ids = Vec::new();
    for sql in [descriptions, notes] {
        let found = db.rows(sql.text(), sql.values(), |row| {
            let text: String = row.get(1)?;
            let mentioned = mentions::mentioned_users(catalogue, &text);
            let is_mentioned = mentioned.iter().any(|user| users.contains(&user.0));
            let id: i64 = row.get(0)?;
            Ok(is_mentioned.then_some(id))
        })?;
        ids.extend(found.into_iter().flatten());
    }
    Ok(ids)
}

/// Adds the condition that an issue is one of these.
fn push_only(sql: &mut Sql, only: Option<&[i64]>) {
    if let Some(ids) = only {
        sql.push("i.id IN").bind_ids(ids).push(" AND ");
    }
}
