//! Pages of issues, and how many match in all.
//!
//! Invariant: where the number of matches is known, it decides the plan of the statement, not
//! SQLite's estimate. A test checks the plans.

use super::from_row;
use super::matching_ids::{self, MatchingIds};
use super::query::{IssueQuery, push_conditions};
use crate::administration::custom_fields;
use crate::engine::{Row, StatementError, Value};
use crate::lists::page_size::page_len;
use crate::lists::sort;
use crate::lists::visibility;
use crate::transaction::sql::Sql;
use crate::{Read, StoreError};
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::issues::issue::Issue;
use quarry_domain::query::columns::{Column, Criterion};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// Matches are many when they are more than the number of all issues divided by this.
const MANY_MATCHES_DIVISOR: i64 = 4;

/// The columns of an issue, then the size of its description. A description over 64 KiB is loaded
/// once it is known to fit into the page.
static COLUMNS: LazyLock<String> = LazyLock::new(|| {
    let description = "CASE WHEN octet_length(i.description) <= 65536 THEN i.description END";
    let columns = super::COLUMNS.replace("i.description", description);
    columns + ", octet_length(i.description)"
});

/// An issue of a page, and the size of its description, which may not be loaded yet.
struct PageRow {
    issue: Arc<Issue>,
    description_bytes: usize,
}

impl PageRow {
    fn from_row(row: &Row<'_>) -> Result<PageRow, StatementError> {
        Ok(PageRow {
            issue: Arc::new(from_row(row)?),
            description_bytes: row
                .next::<Option<i64>>()?
                .and_then(|bytes| usize::try_from(bytes).ok())
                .unwrap_or(0),
        })
    }

    fn from_issue(issue: Arc<Issue>) -> PageRow {
        let description_bytes = issue.description.as_deref().map_or(0, str::len);
        PageRow {
            issue,
            description_bytes,
        }
    }

    /// Whether the description has not been loaded.
    fn is_partial(&self) -> bool {
        self.issue.description.is_none() && self.description_bytes > 0
    }
}

/// How the statement finds the issues of a page.
enum Plan {
    /// Lets SQLite choose by its estimates.
    EngineChoice,
    /// Scans all issues in the requested order until the page is full: for many matches.
    ScanInOrder,
    /// Looks up the matching ids and sorts them.
    Ids(MatchingIds),
}

/// Returns how many issues match in all, and the issues of the page as [`list`] does.
pub fn list_and_count(
    db: &Read<'_>,
    query: &IssueQuery<'_>,
) -> Result<(i64, Vec<Arc<Issue>>), StoreError> {
    let matching = MatchingIds::load(db, query)?;
    let total = match &matching {
        Some(matching) => matching.count(),
        None => count_rows(db, query)?,
    };
    let issues = if query.offset < total {
        load(db, query, matching)?
    } else {
        Vec::new()
    };
    Ok((total, issues))
}

/// Returns the issues of the page; fewer than its limit when their texts exceed the maximum size of
/// a page.
pub fn list(db: &Read<'_>, query: &IssueQuery<'_>) -> Result<Vec<Arc<Issue>>, StoreError> {
    let matching = MatchingIds::load(db, query)?;
    load(db, query, matching)
}

/// Returns how many issues match in all.
pub fn count(db: &Read<'_>, query: &IssueQuery<'_>) -> Result<i64, StoreError> {
    MatchingIds::load(db, query)?
        .map_or_else(|| count_rows(db, query), |matching| Ok(matching.count()))
}

fn count_rows(db: &Read<'_>, query: &IssueQuery<'_>) -> Result<i64, StoreError> {
    let mut sql = Sql::new("SELECT COUNT(*) FROM issues i WHERE ");
    push_conditions(db, &mut sql, query, visibility::ISSUE_INDEXED);
    db.query_i64(sql.text(), sql.values())
}

fn load(
    db: &Read<'_>,
    query: &IssueQuery<'_>,
    matching: Option<MatchingIds>,
) -> Result<Vec<Arc<Issue>>, StoreError> {
    if let Some(matching) = matching.as_ref().filter(|_| is_by_id(query.order))
        && let Some(issues) = load_by_id(db, query, matching)?
    {
        return limit_page_size(db, issues.into_iter().map(PageRow::from_issue).collect());
    }
    let sql = statement(db, query, &choose_plan(db, query, matching)?);
    limit_page_size(db, db.rows(sql.text(), sql.values(), PageRow::from_row)?)
}

/// Returns as many of the first issues as fit into the maximum size of a page, with all
/// descriptions loaded.
fn limit_page_size(db: &Read<'_>, mut rows: Vec<PageRow>) -> Result<Vec<Arc<Issue>>, StoreError> {
    let ids: Vec<i64> = rows.iter().map(|row| row.issue.id.0).collect();
    let values = custom_fields::value_sizes(db, Customized::Issue, &ids)?;
    rows.truncate(page_len(rows.iter().map(|row| {
        row.description_bytes + values.get(&row.issue.id.0).copied().unwrap_or_default()
    })));
    let partial: Vec<i64> = rows
        .iter()
        .filter(|row| row.is_partial())
        .map(|row| row.issue.id.0)
        .collect();
    if !partial.is_empty() {
        let sql = "SELECT id, description FROM issues WHERE id IN ids(?1)";
        let texts = db.rows(sql, &[Value::Ids(partial)], |row| {
            Ok((row.next()?, row.next()?))
        })?;
        let mut texts: HashMap<i64, String> = texts.into_iter().collect();
        for row in rows.iter_mut().filter(|row| row.is_partial()) {
            Arc::make_mut(&mut row.issue).description = texts.remove(&row.issue.id.0);
        }
    }
    Ok(rows.into_iter().map(|row| row.issue).collect())
}

/// Returns the page in the order of ids. `None` when an issue has changed between this snapshot and
/// the matching ids, and when a description is large.
fn load_by_id(
    db: &Read<'_>,
    query: &IssueQuery<'_>,
    matching: &MatchingIds,
) -> Result<Option<Vec<Arc<Issue>>>, StoreError> {
    let ids = matching.page(query.offset, query.limit, is_descending(query.order));
    let cached = match db.issue_cache().filter(|_| matching.is_current) {
        Some(cache) => cache.get_or_load(db, db.catalogue().version, &ids, |ids| {
            load_complete(db, query, ids)
        })?,
        None => None,
    };
    let issues = match cached {
        Some(issues) => issues,
        None => load_complete(db, query, ids.clone())?
            .into_iter()
            .map(Arc::new)
            .collect(),
    };
    let all_visible = issues
        .iter()
        .all(|issue| query.visible.matches(&issue.access_attributes()));
    Ok((all_visible && issues.len() == ids.len()).then_some(issues))
}

/// Returns those of these issues that match and whose descriptions are not large.
fn load_complete(
    db: &Read<'_>,
    query: &IssueQuery<'_>,
    ids: Vec<i64>,
) -> Result<Vec<Issue>, StoreError> {
    let sql = statement_of_ids(db, query, ids);
    let rows = db.rows(sql.text(), sql.values(), PageRow::from_row)?;
    Ok(rows
        .into_iter()
        .filter(|row| !row.is_partial())
        .map(|row| Arc::unwrap_or_clone(row.issue))
        .collect())
}

/// Returns the engine's plan of the query, one line per step: for tests.
pub fn plan(db: &Read<'_>, query: &IssueQuery<'_>) -> Result<Vec<String>, StoreError> {
    let matching = MatchingIds::load(db, query)?;
    let sql = match matching {
        Some(matching) if is_by_id(query.order) => statement_of_ids(
            db,
            query,
            matching.page(query.offset, query.limit, is_descending(query.order)),
        ),
        matching => statement(db, query, &choose_plan(db, query, matching)?),
    };
    db.plan(sql.text(), sql.values())
}

/// Chooses the cheapest plan. Sorting the matches takes as many steps as there are matches. A scan
/// takes as many as there are issues before the end of the page, if the matches are spread evenly.
/// Where the number of matches is not known, a scan may be long: then SQLite chooses.
fn choose_plan(
    db: &Read<'_>,
    query: &IssueQuery<'_>,
    matching: Option<MatchingIds>,
) -> Result<Plan, StoreError> {
    let (Some(matching), Some(all)) = (matching, matching_ids::count_all(db, query)?) else {
        return Ok(Plan::EngineChoice);
    };
    let count = matching.count();
    Ok(if is_scan_cheaper(query, count, all) {
        Plan::ScanInOrder
    } else if count > all / MANY_MATCHES_DIVISOR {
        // Looking up many issues out of their order costs more than reading all of them in order.
        Plan::EngineChoice
    } else {
        Plan::Ids(matching)
    })
}

fn is_scan_cheaper(query: &IssueQuery<'_>, matches: i64, all: i64) -> bool {
    scan_index(query.order).is_some() && scan_steps(query, matches, all) < matches
}

/// Estimates how many issues a scan reads until the end of the page.
fn scan_steps(query: &IssueQuery<'_>, matches: i64, all: i64) -> i64 {
    query.offset.saturating_add(query.limit).saturating_mul(all) / matches.max(1)
}

/// Whether the list is sorted by id.
fn is_by_id(order: &[Criterion]) -> bool {
    order
        .first()
        .is_none_or(|criterion| criterion.column == Column::Id)
}

/// Whether the first criterion is descending.
fn is_descending(order: &[Criterion]) -> bool {
    order.first().is_none_or(|criterion| criterion.descending)
}

/// Returns the index to scan issues in the requested order; `Some(None)` for the primary key,
/// `None` where no index has that order.
fn scan_index(order: &[Criterion]) -> Option<Option<&'static str>> {
    match order.first().map(|criterion| criterion.column) {
        None | Some(Column::Id) => Some(None),
        Some(Column::UpdatedOn) => Some(Some("issues_by_updated_on")),
        Some(Column::CreatedOn) => Some(Some("issues_by_created_on")),
        Some(_) => None,
    }
}

fn statement(db: &Read<'_>, query: &IssueQuery<'_>, plan: &Plan) -> Sql {
    let context = query.filter_context(db);
    let mut sql = Sql::new(&format!("SELECT {} FROM ", *COLUMNS));
    if matches!(plan, Plan::Ids(_)) {
        // Only ids are sorted; the rows of the page are then looked up by primary key. Statistics
        // of ANALYZE lead SQLite to a skip-scan of an index of dates for `i.id IN (…)`, never for
        // this join.
        sql.push("(SELECT i.id AS value FROM ");
        push_page(db, &mut sql, query, plan);
        sql.push(") x CROSS JOIN issues i WHERE i.id = x.value");
        sort::order(&mut sql, query.order, context);
        return sql;
    }
    push_page(db, &mut sql, query, plan);
    sql
}

/// Selects those of the issues with these ids that match, in the requested order.
fn statement_of_ids(db: &Read<'_>, query: &IssueQuery<'_>, ids: Vec<i64>) -> Sql {
    let mut sql = Sql::new(&format!("SELECT {} FROM ", *COLUMNS));
    push_ids_table(&mut sql, ids);
    push_conditions(db, &mut sql, query, visibility::ISSUE_UNINDEXED);
    sort::order(&mut sql, query.order, query.filter_context(db));
    sql
}

/// Adds the ids as the outer table of the join, whatever else the statement has.
fn push_ids_table(sql: &mut Sql, ids: Vec<i64>) {
    sql.push_ids(ids)
        .push(" x CROSS JOIN issues i WHERE i.id = x.value AND ");
}

/// Adds the tables, conditions, order and limit of the page.
fn push_page(db: &Read<'_>, sql: &mut Sql, query: &IssueQuery<'_>, plan: &Plan) {
    let columns = match plan {
        Plan::EngineChoice => visibility::ISSUE_INDEXED,
        Plan::ScanInOrder | Plan::Ids(_) => visibility::ISSUE_UNINDEXED,
    };
    match (plan, scan_index(query.order)) {
        (Plan::Ids(matching), _) => push_ids_table(sql, matching.page(0, i64::MAX, true)),
        (Plan::ScanInOrder, Some(Some(index))) => {
            sql.push("issues i along(").push(index).push(") WHERE ");
        }
        _ => {
            sql.push("issues i WHERE ");
        }
    }
    push_conditions(db, sql, query, columns);
    sort::order(sql, query.order, query.filter_context(db));
    sql.push(" LIMIT ")
        .bind(query.limit)
        .push(" OFFSET ")
        .bind(query.offset);
}
