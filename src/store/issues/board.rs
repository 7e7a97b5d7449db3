//! Boards: how many issues each cell has, and the order that people give the cards.

use super::query::{IssueQuery, push_conditions};
use crate::engine::Value;
use crate::lists::visibility;
use crate::transaction::sql::Sql;
use crate::{Read, StoreError, Write};
use quarry_domain::ids::IssueId;
use quarry_domain::query::board::BoardField;
use std::collections::HashMap;

/// The distance between ranks that are given one after the other, so that cards fit in between.
const RANK_GAP: i64 = 1 << 20;

/// The value of the column, and that of the lane, of an issue; `None` is no value.
pub type Cell = (Option<i64>, Option<i64>);

/// Returns how many of the matching issues are in each cell of a board. Without a field for lanes the
/// value of the lane is `None`.
pub fn count_cells(
    db: &Read<'_>,
    query: &IssueQuery<'_>,
    (columns, lanes): (BoardField, Option<BoardField>),
) -> Result<Vec<(Cell, i64)>, StoreError> {
    let mut sql = Sql::new(&format!(
        "SELECT {}, {}, COUNT(*) FROM issues i WHERE ",
        column_name(columns),
        lanes.map_or("CAST(NULL AS BIGINT)", column_name)
    ));
    push_conditions(db, &mut sql, query, visibility::ISSUE_INDEXED);
    sql.push(" GROUP BY 1, 2");
    db.rows(sql.text(), sql.values(), |row| {
        Ok(((row.next()?, row.next()?), row.next()?))
    })
}

fn column_name(field: BoardField) -> &'static str {
    match field {
        BoardField::Status => "i.status_id",
        BoardField::Assignee => "i.assigned_to_id",
        BoardField::Version => "i.fixed_version_id",
        BoardField::Category => "i.category_id",
        BoardField::Tracker => "i.tracker_id",
        BoardField::Priority => "i.priority_id",
    }
}

/// Returns the ids of the first `limit` matching issues that have a rank, in its order, with their
/// cells.
pub fn ranked(
    db: &Read<'_>,
    query: &IssueQuery<'_>,
    (columns, lanes): (BoardField, Option<BoardField>),
    limit: usize,
) -> Result<Vec<(Cell, i64)>, StoreError> {
    let mut sql = Sql::new(&format!(
        "SELECT {}, {}, i.id FROM issue_ranks r JOIN issues i ON i.id = r.issue_id WHERE ",
        column_name(columns),
        lanes.map_or("CAST(NULL AS BIGINT)", column_name)
    ));
    push_conditions(db, &mut sql, query, visibility::ISSUE_UNINDEXED);
    sql.push(" ORDER BY r.rank, r.issue_id LIMIT ")
        .bind(i64::try_from(limit).unwrap_or(i64::MAX));
    db.rows(sql.text(), sql.values(), |row| {
        Ok(((row.next()?, row.next()?), row.next()?))
    })
}

/// Returns the ranks of those of the issues that have one.
pub fn ranks(db: &Read<'_>, issues: &[i64]) -> Result<HashMap<IssueId, i64>, StoreError> {
    let sql = "SELECT issue_id, rank FROM issue_ranks WHERE issue_id IN ids(?1)";
    let ranks = db.rows(sql, &[Value::Ids(issues.to_vec())], |row| {
        Ok((row.next()?, row.next()?))
    })?;
    Ok(ranks.into_iter().collect())
}

/// Ranks an issue below the cards `above`, in the order in which a column shows them; at the top
/// without any. Those without a rank get one, behind all that have one.
pub fn rank_below(db: &mut Write<'_>, issue: IssueId, above: &[IssueId]) -> Result<(), StoreError> {
    let above: Vec<i64> = above
        .iter()
        .filter(|id| **id != issue)
        .map(|id| id.0)
        .collect();
    let ranks = ranks(db, &above)?;
    let mut highest = outermost_rank(db, "MAX")?;
    for id in above.iter().copied().map(IssueId) {
        if !ranks.contains_key(&id) {
            highest += RANK_GAP;
            upsert_rank(db, id, highest)?;
        }
    }
    let Some(last) = above.last().copied().map(IssueId) else {
        let lowest = outermost_rank(db, "MIN")?;
        return upsert_rank(db, issue, lowest - RANK_GAP);
    };
    let rank = match rank_after(db, issue, last)? {
        Some(rank) => rank,
        None => {
            respace_ranks(db)?;
            // The distance is more than one now.
            rank_after(db, issue, last)?.unwrap_or(highest)
        }
    };
    upsert_rank(db, issue, rank)
}

/// Returns the lowest or highest rank (`MIN`, `MAX`); 0 without any.
fn outermost_rank(db: &Read<'_>, function: &str) -> Result<i64, StoreError> {
    db.query_i64(
        &format!("SELECT COALESCE({function}(rank), 0) FROM issue_ranks"),
        &[],
    )
}

/// Returns a rank between that of the card `above` and the next, other than that of the issue; `None`
/// if there is no room.
fn rank_after(db: &Read<'_>, issue: IssueId, above: IssueId) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT rank FROM issue_ranks WHERE issue_id = ?1";
    let rank = db.query_i64(sql, &[above.into()])?;
    let sql = "SELECT MIN(rank) FROM issue_ranks WHERE rank > ?1 AND issue_id <> ?2";
    let next: Option<Option<i64>> =
        db.first(sql, &[rank.into(), issue.into()], |row| row.next())?;
    Ok(match next.flatten() {
        None => Some(rank + RANK_GAP),
        Some(next) if next - rank > 1 => Some(rank + (next - rank) / 2),
        Some(_) => None,
    })
}

fn upsert_rank(db: &mut Write<'_>, issue: IssueId, rank: i64) -> Result<(), StoreError> {
    let sql = "INSERT INTO issue_ranks (issue_id, rank) VALUES (?1, ?2) \
               ON CONFLICT (issue_id) DO UPDATE SET rank = excluded.rank";
    db.execute(sql, &[issue.into(), rank.into()])?;
    Ok(())
}

/// Gives all ranks the same distance again.
fn respace_ranks(db: &mut Write<'_>) -> Result<(), StoreError> {
    let sql = "UPDATE issue_ranks SET rank = numbered.position * ?1 FROM \
               (SELECT issue_id, ROW_NUMBER() OVER (ORDER BY rank, issue_id) AS position FROM issue_ranks) numbered \
               WHERE numbered.issue_id = issue_ranks.issue_id";
    db.execute(sql, &[RANK_GAP.into()])?;
    Ok(())
}
