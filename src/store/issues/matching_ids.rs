//! The ids of the issues that match a list query, from the cached sets of
//! [`crate::transaction::cache`].
//!
//! A search for a part of a text is a set of its own, shared by all viewers where possible, and is
//! intersected with the set of the remaining conditions.

use super::query::{IssueQuery, push_conditions};
use crate::lists::filter;
use crate::lists::filter::FilterContext;
use crate::lists::visibility::{ISSUE_INDEXED, ISSUE_UNINDEXED};
use crate::transaction::cache::{IssueIds, SetKey, SetQuery};
use crate::transaction::sql::Sql;
use crate::{Read, StoreError, Value};
use quarry_domain::access::visible::Visible;
use quarry_domain::query::filter::Predicate;
use quarry_domain::query::issues::{Condition, Field};
use std::sync::Arc;

/// The issues that are in all of these sets; there is at least one set.
pub struct MatchingIds {
    sets: Vec<Arc<IssueIds>>,
    /// Whether the sets are those of the snapshot, and not of a later one.
    pub is_current: bool,
}

impl MatchingIds {
    /// Returns the issues that match the query; `None` within a transaction, and where the result
    /// depends on values that are written without a recorded change of the issue.
    pub fn load(db: &Read<'_>, query: &IssueQuery<'_>) -> Result<Option<MatchingIds>, StoreError> {
        if !query
            .conditions
            .iter()
            .all(|condition| is_cacheable(condition.field))
        {
            return Ok(None);
        }
        let (text_conditions, conditions): (Vec<Condition>, Vec<Condition>) =
            query.conditions.iter().cloned().partition(is_text_search);
        let rest = IssueQuery {
            conditions: &conditions,
            offset: 0,
            limit: 0,
            order: &[],
            ..*query
        };
        let version = db.catalogue().version;
        let context = query.filter_context(db);
        let Some((set, mut is_current)) = db.issue_set(&RemainingQuery {
            db,
            query: &rest,
            version,
            context,
        })?
        else {
            return Ok(None);
        };
        let mut sets = vec![set];
        for condition in &text_conditions {
            // The text of an issue depends neither on the viewer nor on the catalogue.
            let is_own_text = matches!(condition.field, Field::Subject | Field::Description);
            let mut sql = Sql::default();
            filter::issues::push_condition(&mut sql, condition, context);
            let text_query = TextQuery {
                db,
                condition,
                sql,
                version: if is_own_text { 0 } else { version },
            };
            let Some((set, is_set_current)) = db.issue_set(&text_query)? else {
                return Ok(None);
            };
            sets.push(set);
            is_current &= is_set_current;
        }
        Ok(Some(MatchingIds { sets, is_current }))
    }

    /// Returns the number of matching issues.
    pub fn count(&self) -> i64 {
        match self.sets.as_slice() {
            [set] => set.len(),
            [left, right] => left.intersection_len(right),
            _ => self.intersection().len(),
        }
    }

    /// Returns at most `limit` ids in their order, from position `offset` on.
    pub fn page(&self, offset: i64, limit: i64, descending: bool) -> Vec<i64> {
        match self.sets.as_slice() {
            [set] => set.page(offset, limit, descending),
            _ => self.intersection().page(offset, limit, descending),
        }
    }

    fn intersection(&self) -> IssueIds {
        let mut sets = self.sets.iter();
        let first = sets
            .next()
            .map_or_else(IssueIds::default, |set| IssueIds::clone(set));
        sets.fold(first, |intersection, set| intersection.intersection(set))
    }
}

/// Returns the number of all issues, visible or not: for cost estimates, never for an answer.
/// `None` within a transaction.
pub fn count_all(db: &Read<'_>, query: &IssueQuery<'_>) -> Result<Option<i64>, StoreError> {
    let all = IssueQuery {
        visible: &Visible::Everything,
        conditions: &[],
        offset: 0,
        limit: 0,
        order: &[],
        ..*query
    };
    Ok(MatchingIds::load(db, &all)?.map(|ids| ids.count()))
}

/// Whether values of the field change only with a recorded change of the issue, or with another
/// version of the catalogue.
fn is_cacheable(field: Field) -> bool {
    filter::issues::is_own_column(field)
        || matches!(
            field,
            Field::Subproject | Field::AnySearchable | Field::Notes
        )
}

/// Whether the condition searches for a part of a text.
fn is_text_search(condition: &Condition) -> bool {
    let is_part = matches!(
        condition.predicate,
        Predicate::Contains(_)
            | Predicate::ContainsAny(_)
            | Predicate::NotContains(_)
            | Predicate::StartsWith(_)
            | Predicate::EndsWith(_)
    );
    is_part
        && matches!(
            condition.field,
            Field::Subject | Field::Description | Field::AnySearchable | Field::Notes
        )
}

/// The visibility of the viewer and all conditions but the text searches.
struct RemainingQuery<'a> {
    db: &'a Read<'a>,
    query: &'a IssueQuery<'a>,
    version: i64,
    context: FilterContext<'a>,
}

impl SetQuery for RemainingQuery<'_> {
    fn key(&self) -> SetKey {
        let mut conditions = Sql::default();
        for condition in self.query.conditions {
            filter::issues::push_condition(&mut conditions, condition, self.context);
        }
        SetKey::from_hash((self.version, self.query.visible, conditions))
    }

    fn load(&self) -> Result<IssueIds, StoreError> {
        let mut sql = Sql::new("SELECT i.id FROM issues i WHERE ");
        push_conditions(self.db, &mut sql, self.query, ISSUE_INDEXED);
        load_ids(self.db, &sql)
    }

    fn filter(&self, issues: &[i64]) -> Result<Vec<i64>, StoreError> {
        let mut sql = Sql::default();
        push_conditions(self.db, &mut sql, self.query, ISSUE_UNINDEXED);
        filter_ids(self.db, sql, issues)
    }
}

/// A search for a part of a text.
struct TextQuery<'a> {
    db: &'a Read<'a>,
    condition: &'a Condition,
    sql: Sql,
    version: i64,
}

impl SetQuery for TextQuery<'_> {
    fn key(&self) -> SetKey {
        SetKey::from_hash((self.version, &self.sql))
    }

    fn load(&self) -> Result<IssueIds, StoreError> {
        if let (Field::Subject, Some(scan)) = (self.condition.field, self.db.subject_scan())
            && let Some(ids) = scan.find(self.db, &self.condition.predicate)?
        {
            return Ok(ids);
        }
        load_ids(
            self.db,
            &self
                .sql
                .clone()
                .prefixed_with("SELECT i.id FROM issues i WHERE ", []),
        )
    }

    fn filter(&self, issues: &[i64]) -> Result<Vec<i64>, StoreError> {
        filter_ids(self.db, self.sql.clone(), issues)
    }
}

fn filter_ids(db: &Read<'_>, condition: Sql, issues: &[i64]) -> Result<Vec<i64>, StoreError> {
    let select = format!(
        "SELECT i.id FROM ids(?{}) x CROSS JOIN issues i WHERE i.id = x.value AND ",
        condition.next_parameter()
    );
    let sql = condition.prefixed_with(&select, [Value::Ids(issues.to_vec())]);
    db.column(sql.text(), sql.values())
}

fn load_ids(db: &Read<'_>, sql: &Sql) -> Result<IssueIds, StoreError> {
    let mut ids: Vec<i64> = db.column(sql.text(), sql.values())?;
    ids.sort_unstable();
    Ok(IssueIds::from_sorted(ids))
}
