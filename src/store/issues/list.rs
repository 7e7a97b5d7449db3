//! Pages of issues, and how many there are in all.
//!
//! Invariant: which way the engine goes about a page depends on how many issues fit, never on what it guesses; a test reads its plans.

use super::fit::{self, Fit};
use super::{issue, total};
use crate::domain::custom_field::Customized;
use crate::domain::issue::Issue;
use crate::domain::query::issues::Condition;
use crate::domain::query::sort::{Column, Criterion};
use crate::domain::viewer::Viewer;
use crate::domain::visibility::Visible;
use crate::store::engine::{Row, StatementError, Value};
use crate::store::filter::{self, Reader};
use crate::store::page_size::page_len;
use crate::store::sort;
use crate::store::sql::Sql;
use crate::store::visibility::{self, Columns, condition};
use crate::store::{Read, StoreError, custom_fields};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// What part of all issues is a large one: a fourth.
const LARGE: i64 = 4;

/// The columns of an issue, then the size of its description: one of more than 64 KiB is loaded once it is known to fit into the page.
const COLUMNS: &str = "i.id, i.project_id, i.tracker_id, i.status_id, i.priority_id, i.author_id, i.assigned_to_id, i.category_id, i.fixed_version_id, \
                       i.parent_id, i.subject, CASE WHEN octet_length(i.description) <= 65536 THEN i.description END, i.is_private, i.start_date, \
                       i.due_date, i.done_ratio, i.estimated_hours, i.created_on, i.updated_on, i.closed_on, octet_length(i.description)";

/// An issue of a page, and the size of its description, which it may not have yet.
struct PageRow {
    issue: Arc<Issue>,
    description_bytes: usize,
}

impl PageRow {
    fn from_row(row: &Row<'_>) -> Result<PageRow, StatementError> {
        let bytes: Option<i64> = row.read(20)?;
        Ok(PageRow { issue: Arc::new(issue(row)?), description_bytes: bytes.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(0) })
    }

    fn from_issue(issue: Arc<Issue>) -> PageRow {
        let description_bytes = issue.description.as_deref().map_or(0, str::len);
        PageRow { issue, description_bytes }
    }

    /// Whether the description has not been loaded.
    fn is_partial(&self) -> bool {
        self.issue.description.is_none() && self.description_bytes > 0
    }
}

/// A page of the issues that fit.
pub struct Page<'a> {
    /// Who asks.
    pub viewer: &'a Viewer,
    /// What of it the viewer may see: the viewer's issues, or those of a part of the projects.
    pub visible: &'a Visible,
    /// What is asked of the issues; all of it must hold.
    pub conditions: &'a [Condition],
    /// Their order.
    pub order: &'a [Criterion],
    /// How many to skip.
    pub offset: i64,
    /// How many to give at most.
    pub limit: i64,
}

/// How the engine is to find the issues of a page.
enum Way {
    /// As it guesses: where nobody knows how many fit.
    Free,
    /// All that fit, project by project, and then put into order: where few fit.
    Gather,
    /// Through all issues in the order that is asked for, until the page is full: where many fit.
    Walk,
    /// Those that are known to fit, put into order.
    Known(Fit),
}

/// How many fit, whatever the page, and the issues of the page, as in [`list`].
pub fn page(db: &Read<'_>, page: &Page<'_>) -> Result<(i64, Vec<Arc<Issue>>), StoreError> {
    let fit = fit::of(db, page)?;
    let total = match &fit {
        Some(fit) => fit.count(),
        None => counted(db, page)?,
    };
    let found = if page.offset < total { read(db, page, fit)? } else { Vec::new() };
    Ok((total, found))
}

/// The issues of the page; fewer than its limit where their texts exceed the size of a page.
pub fn list(db: &Read<'_>, page: &Page<'_>) -> Result<Vec<Arc<Issue>>, StoreError> {
    let fit = fit::of(db, page)?;
    read(db, page, fit)
}

/// How many fit, whatever the page.
pub fn count(db: &Read<'_>, page: &Page<'_>) -> Result<i64, StoreError> {
    fit::of(db, page)?.map_or_else(|| counted(db, page), |fit| Ok(fit.count()))
}

fn counted(db: &Read<'_>, page: &Page<'_>) -> Result<i64, StoreError> {
    let mut sql = Sql::new("SELECT COUNT(*) FROM issues i WHERE ");
    fitting(db, &mut sql, page, visibility::FREE_ISSUE);
    db.number(sql.text(), sql.values())
}

fn read(db: &Read<'_>, page: &Page<'_>, fit: Option<Fit>) -> Result<Vec<Arc<Issue>>, StoreError> {
    if let Some(fit) = fit.as_ref().filter(|_| by_number(page.order))
        && let Some(found) = known(db, page, fit)?
    {
        return within_page(db, found.into_iter().map(PageRow::from_issue).collect());
    }
    let sql = statement(db, page, &way(db, page, fit)?);
    within_page(db, db.rows(sql.text(), sql.values(), PageRow::from_row)?)
}

/// The first issues, as many as fit into a page with their texts, with every description.
fn within_page(db: &Read<'_>, mut rows: Vec<PageRow>) -> Result<Vec<Arc<Issue>>, StoreError> {
    let ids: Vec<i64> = rows.iter().map(|row| row.issue.id.0).collect();
    let values = custom_fields::sizes(db, Customized::Issue, &ids)?;
    rows.truncate(page_len(rows.iter().map(|row| row.description_bytes + values.get(&row.issue.id.0).copied().unwrap_or_default())));
    let partial: Vec<i64> = rows.iter().filter(|row| row.is_partial()).map(|row| row.issue.id.0).collect();
    if !partial.is_empty() {
        let sql = "SELECT id, description FROM issues WHERE id IN ids(?1)";
        let texts = db.rows(sql, &[Value::Ids(partial)], |row| Ok((row.read(0)?, row.read(1)?)))?;
        let mut texts: HashMap<i64, String> = texts.into_iter().collect();
        for row in rows.iter_mut().filter(|row| row.is_partial()) {
            Arc::make_mut(&mut row.issue).description = texts.remove(&row.issue.id.0);
        }
    }
    Ok(rows.into_iter().map(|row| row.issue).collect())
}

/// The page in the order of numbers, from what is known to fit. `None` where something has changed just now, between this snapshot and
/// what is known, and where a description is long.
fn known(db: &Read<'_>, page: &Page<'_>, fit: &Fit) -> Result<Option<Vec<Arc<Issue>>>, StoreError> {
    let ids = fit.page(page.offset, page.limit, descending(page.order));
    let read = |ids: Vec<i64>| {
        let sql = these(db, page, ids);
        let rows = db.rows(sql.text(), sql.values(), PageRow::from_row)?;
        let complete = rows.into_iter().filter(|row| !row.is_partial());
        Ok::<Vec<Issue>, StoreError>(complete.map(|row| Arc::unwrap_or_clone(row.issue)).collect())
    };
    let shelved = match db.shelf().filter(|_| fit.exact) {
        Some(shelf) => shelf.take(db, &ids, read)?,
        None => None,
    };
    let found = match shelved {
        Some(found) => found,
        None => read(ids.clone())?.into_iter().map(Arc::new).collect(),
    };
    let seen = found.iter().all(|issue| page.visible.admits(&issue.facts()));
    Ok((seen && found.len() == ids.len()).then_some(found))
}

/// How the engine goes about the page, a line for each step: for tests that hold it to its way.
pub fn plan(db: &Read<'_>, page: &Page<'_>) -> Result<Vec<String>, StoreError> {
    let fit = fit::of(db, page)?;
    let sql = match fit {
        Some(fit) if by_number(page.order) => these(db, page, fit.page(page.offset, page.limit, descending(page.order))),
        fit => statement(db, page, &way(db, page, fit)?),
    };
    db.plan(sql.text(), sql.values())
}

/// To gather costs as many steps as there are issues that fit. To walk costs as many as lie before the end of the page, if those that
/// fit lie evenly among all. Where nobody knows how many fit, a walk may be a long one: then the engine has its way.
fn way(db: &Read<'_>, page: &Page<'_>, fit: Option<Fit>) -> Result<Way, StoreError> {
    if let Some((fit, all)) = total::estimate(db, page)? {
        return Ok(if walks(page, fit, all) {
            Way::Walk
        } else if fit > all / LARGE {
            // To read all of a large part out of its order costs more than to read everything in order.
            Way::Free
        } else {
            Way::Gather
        });
    }
    let (Some(known), Some(all)) = (fit, total::all(db)?) else { return Ok(Way::Free) };
    Ok(if walks(page, known.count(), all) { Way::Walk } else { Way::Known(known) })
}

fn walks(page: &Page<'_>, fit: i64, all: i64) -> bool {
    walked(page.order).is_some() && steps(page, fit, all) < fit
}

/// How many issues a walk to the end of the page goes by.
fn steps(page: &Page<'_>, fit: i64, all: i64) -> i64 {
    page.offset.saturating_add(page.limit).saturating_mul(all) / fit.max(1)
}

/// Whether the list is in the order of numbers.
fn by_number(order: &[Criterion]) -> bool {
    order.first().is_none_or(|criterion| criterion.column == Column::Id)
}

/// Whether the largest of what the list is ordered by comes first.
fn descending(order: &[Criterion]) -> bool {
    order.first().is_none_or(|criterion| criterion.descending)
}

/// The index that has the issues in the order of the criteria; none where it is that of their numbers. `None` where there is no such
/// way.
fn walked(order: &[Criterion]) -> Option<Option<&'static str>> {
    match order.first().map(|criterion| criterion.column) {
        None | Some(Column::Id) => Some(None),
        Some(Column::UpdatedOn) => Some(Some("issues_by_updated_on")),
        Some(Column::CreatedOn) => Some(Some("issues_by_created_on")),
        Some(_) => None,
    }
}

fn statement(db: &Read<'_>, page: &Page<'_>, way: &Way) -> Sql {
    let reader = Reader { viewer: page.viewer, catalogue: db.catalogue() };
    let mut sql = Sql::new(&format!("SELECT {COLUMNS} FROM "));
    if matches!(way, Way::Gather | Way::Known(_)) {
        // What is put into order are numbers alone; only the issues of the page are read whole.
        sql.push("issues i WHERE i.id IN (SELECT i.id FROM ");
        part(db, &mut sql, page, way);
        sql.push(")");
        sort::order(&mut sql, page.order, reader);
        return sql;
    }
    part(db, &mut sql, page, way);
    sql
}

/// The issues of these numbers, as far as they fit, in the order that is asked for.
fn these(db: &Read<'_>, page: &Page<'_>, ids: Vec<i64>) -> Sql {
    let mut sql = Sql::new(&format!("SELECT {COLUMNS} FROM "));
    from_numbers(&mut sql, ids);
    fitting(db, &mut sql, page, visibility::ISSUE);
    sort::order(&mut sql, page.order, Reader { viewer: page.viewer, catalogue: db.catalogue() });
    sql
}

/// The numbers lead the plan, whatever else is asked.
fn from_numbers(sql: &mut Sql, ids: Vec<i64>) {
    sql.push_ids(ids).push(" x CROSS JOIN issues i WHERE i.id = x.value AND ");
}

/// The part of the statement that says which issues, in which order, and which of these.
fn part(db: &Read<'_>, sql: &mut Sql, page: &Page<'_>, way: &Way) {
    let columns = match way {
        Way::Free => visibility::FREE_ISSUE,
        Way::Gather => visibility::LED_ISSUE,
        Way::Walk | Way::Known(_) => visibility::ISSUE,
    };
    match (way, walked(page.order)) {
        (Way::Known(fit), _) => from_numbers(sql, fit.page(0, i64::MAX, true)),
        (Way::Walk, Some(Some(index))) => drop(sql.push("issues i along(").push(index).push(") WHERE ")),
        _ => drop(sql.push("issues i WHERE ")),
    }
    fitting(db, sql, page, columns);
    sort::order(sql, page.order, Reader { viewer: page.viewer, catalogue: db.catalogue() });
    sql.push(" LIMIT ").bind(page.limit).push(" OFFSET ").bind(page.offset);
}

/// The condition of the page, its visibility over these columns.
pub(super) fn fitting(db: &Read<'_>, sql: &mut Sql, page: &Page<'_>, columns: Columns) {
    let reader = Reader { viewer: page.viewer, catalogue: db.catalogue() };
    condition(sql, &plainer(page.visible, db), columns);
    for asked in page.conditions {
        sql.push(" AND ");
        filter::issues::condition(sql, asked, reader);
    }
}

/// The same with every list of all projects left out: a list costs the engine a table.
fn plainer<'v>(visible: &'v Visible, db: &Read<'_>) -> Cow<'v, Visible> {
    let plain = |parts: &[Visible]| parts.iter().map(|part| plainer(part, db).into_owned()).collect();
    match visible {
        Visible::InProjects(some) if db.catalogue().is_every_project(some) => Cow::Owned(Visible::Everything),
        Visible::Any(parts) => Cow::Owned(Visible::Any(plain(parts))),
        Visible::All(parts) => Cow::Owned(Visible::All(plain(parts))),
        other => Cow::Borrowed(other),
    }
}
