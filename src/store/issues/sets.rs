//! Sets of issues by what is no attribute of the search index: dates, people, relations and notes.

use super::super::{Read, StoreError};
use crate::lists::filter::{self, FilterContext};
use crate::lists::visibility::{self, ISSUE_INDEXED, JOURNAL};
use crate::transaction::sql::Sql;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility as visibility_rules;
use quarry_domain::query::issues::Condition;

/// A set of issues.
#[derive(Clone, Debug, PartialEq)]
pub enum IssueSet {
    /// Those that match all of these conditions.
    Matching(Vec<Condition>),
    /// Those with a note by one of these people that the viewer may read; `None` for a note by
    /// anybody.
    WithNotes(Option<Vec<i64>>),
}

/// Returns the ids of the issues in any of these sets that the viewer may see, in no order.
pub fn ids_in_any(
    db: &Read<'_>,
    viewer: &Viewer,
    sets: &[IssueSet],
) -> Result<Vec<i64>, StoreError> {
    let context = FilterContext {
        viewer,
        catalogue: db.catalogue(),
        project: None,
    };
    let mut sql = Sql::new("SELECT i.id FROM issues i WHERE ");
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
        }
        sql.push(")");
    }
    sql.push(")");
    db.column(sql.text(), sql.values())
}
