//! Pages of issues, and how many there are in all.
//!
//! Invariant: which way the engine goes about a page depends on how many issues fit, never on what it guesses; a test reads its plans.

use super::{COLUMNS, issue, total};
use crate::domain::issue::Issue;
use crate::domain::query::issues::Condition;
use crate::domain::query::sort::{Column, Criterion};
use crate::domain::viewer::Viewer;
use crate::domain::visibility::Visible;
use crate::store::filter::{self, Reader};
use crate::store::sort;
use crate::store::sql::Sql;
use crate::store::visibility::{self, condition};
use crate::store::{Read, StoreError};
use std::borrow::Cow;

/// What part of all issues is a large one: a fourth.
const LARGE: i64 = 4;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// As it guesses: where nobody knows how many fit.
    Free,
    /// All that fit, project by project, and then put into order: where few fit.
    Gather,
    /// Through all issues in the order that is asked for, until the page is full: where many fit.
    Walk,
}

/// The issues of the page.
pub fn list(db: &Read<'_>, page: &Page<'_>) -> Result<Vec<Issue>, StoreError> {
    let sql = statement(db, page, way(db, page)?);
    db.rows(sql.text(), sql.values(), issue)
}

/// How many fit, whatever the page.
pub fn count(db: &Read<'_>, page: &Page<'_>) -> Result<i64, StoreError> {
    if let Some(total) = total::of(db, page)? {
        return Ok(total);
    }
    let mut sql = Sql::new("SELECT COUNT(*) FROM issues i WHERE ");
    fitting(db, &mut sql, page, Way::Free);
    // What the issues themselves say changes with a change of an issue alone; what is around them may change otherwise.
    if page.conditions.iter().all(|condition| condition.field.is_of_the_issue_itself()) {
        return db.total(sql.text(), sql.values());
    }
    db.number(sql.text(), sql.values())
}

/// How the engine goes about the page, a line for each step: for tests that hold it to its way.
pub fn plan(db: &Read<'_>, page: &Page<'_>) -> Result<Vec<String>, StoreError> {
    let sql = statement(db, page, way(db, page)?);
    db.plan(sql.text(), sql.values())
}

/// To gather costs as many steps as there are issues that fit. To walk costs as many as lie before the end of the page, if those that
/// fit lie evenly among all. Where something else is asked than a status, nobody knows how many fit, and a walk may be a long one:
/// then the engine has its way.
fn way(db: &Read<'_>, page: &Page<'_>) -> Result<Way, StoreError> {
    let Some((fit, all)) = total::estimate(db, page)? else { return Ok(Way::Free) };
    let steps = page.offset.saturating_add(page.limit).saturating_mul(all) / fit.max(1);
    Ok(match walked(page.order) {
        Some(_) if steps < fit => Way::Walk,
        // To read all of a large part out of its order costs more than to read everything in order.
        _ if fit > all / LARGE => Way::Free,
        _ => Way::Gather,
    })
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

fn statement(db: &Read<'_>, page: &Page<'_>, way: Way) -> Sql {
    let reader = Reader { viewer: page.viewer, catalogue: db.catalogue() };
    let mut sql = Sql::new(&format!("SELECT {COLUMNS} FROM issues i"));
    if way == Way::Gather {
        // What is put into order are numbers alone; only the issues of the page are read whole.
        sql.push(" WHERE i.id IN (SELECT i.id FROM issues i");
        part(db, &mut sql, page, way);
        sql.push(")");
        sort::order(&mut sql, page.order, reader);
        return sql;
    }
    part(db, &mut sql, page, way);
    sql
}

/// The part of the statement that says which issues, in which order, and which of these.
fn part(db: &Read<'_>, sql: &mut Sql, page: &Page<'_>, way: Way) {
    if let (Way::Walk, Some(Some(index))) = (way, walked(page.order)) {
        sql.push(" along(").push(index).push(")");
    }
    sql.push(" WHERE ");
    fitting(db, sql, page, way);
    sort::order(sql, page.order, Reader { viewer: page.viewer, catalogue: db.catalogue() });
    sql.push(" LIMIT ").bind(page.limit).push(" OFFSET ").bind(page.offset);
}

fn fitting(db: &Read<'_>, sql: &mut Sql, page: &Page<'_>, way: Way) {
    let reader = Reader { viewer: page.viewer, catalogue: db.catalogue() };
    let columns = match way {
        Way::Free => visibility::FREE_ISSUE,
        Way::Gather => visibility::LED_ISSUE,
        Way::Walk => visibility::ISSUE,
    };
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
        Visible::InProjects(some) if db.catalogue().projects.keys().all(|project| some.contains(*project)) => {
            Cow::Owned(Visible::Everything)
        }
        Visible::Any(parts) => Cow::Owned(Visible::Any(plain(parts))),
        Visible::All(parts) => Cow::Owned(Visible::All(plain(parts))),
        other => Cow::Borrowed(other),
    }
}
