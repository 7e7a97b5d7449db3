//! Relations between issues. A relation is stored in one direction; callers reverse its type for
//! the other end.

use crate::engine::{Row, StatementError, Value};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write, issues};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::ids::{IssueId, RelationId};
use quarry_domain::issues::relation::Relation;

const COLUMNS: &str = "id, issue_from_id, issue_to_id, relation_type, delay";

/// Converts a row; `None` for an unknown type of relation, such as of a Redmine plugin.
fn from_row(row: &Row<'_>) -> Result<Option<Relation>, StatementError> {
    Ok(Some(Relation {
        id: row.next()?,
        from: row.next()?,
        to: row.next()?,
        kind: match row.next::<String>()?.parse() {
            Ok(kind) => kind,
            Err(_) => return Ok(None),
        },
        delay: row.next()?,
    }))
}

/// Returns the relation with this id, visible or not.
pub fn find(db: &Read<'_>, id: RelationId) -> Result<Option<Relation>, StoreError> {
    Ok(db
        .first(
            &format!("SELECT {COLUMNS} FROM issue_relations WHERE id = ?1"),
            &[id.into()],
            from_row,
        )?
        .flatten())
}

/// Returns the relations of these issues by id, visible or not. A relation between two of them
/// occurs once.
pub fn list(db: &Read<'_>, issues: &[i64]) -> Result<Vec<Relation>, StoreError> {
    // Each SELECT has its index; UNION removes duplicates.
    let sql = format!(
        "SELECT {COLUMNS} FROM issue_relations WHERE issue_from_id IN ids(?1) \
         UNION SELECT {COLUMNS} FROM issue_relations WHERE issue_to_id IN ids(?1) ORDER BY 1"
    );
    Ok(db
        .rows(&sql, &[Value::Ids(issues.to_vec())], from_row)?
        .into_iter()
        .flatten()
        .collect())
}

/// Returns the relations of these issues whose both ends the viewer may see.
pub fn list_visible(
    db: &Read<'_>,
    viewer: &Viewer,
    issues: &[i64],
) -> Result<Vec<Relation>, StoreError> {
    let relations = list(db, issues)?;
    let ends: Vec<i64> = relations
        .iter()
        .flat_map(|relation| [relation.from.0, relation.to.0])
        .collect();
    let visible = issues::visible_ids(db, viewer, &ends)?;
    Ok(relations
        .into_iter()
        .filter(|relation| visible.contains(&relation.from) && visible.contains(&relation.to))
        .collect())
}

/// Whether there is a relation of any type in this direction.
pub fn exists(db: &Read<'_>, from: IssueId, to: IssueId) -> Result<bool, StoreError> {
    let sql = "SELECT COUNT(*) FROM issue_relations WHERE issue_from_id = ?1 AND issue_to_id = ?2";
    Ok(db.query_i64(sql, &[from.into(), to.into()])? > 0)
}

/// Inserts a relation; its id is ignored. Returns the new id.
pub fn insert(db: &mut Write<'_>, relation: &Relation) -> Result<RelationId, StoreError> {
    let columns = ColumnValues::new()
        .set("issue_from_id", relation.from)
        .set("issue_to_id", relation.to)
        .set("relation_type", relation.kind.name())
        .set("delay", relation.delay);
    db.insert_record("issue_relations", columns)
}

/// Deletes a relation.
pub fn delete(db: &mut Write<'_>, id: RelationId) -> Result<(), StoreError> {
    db.execute("DELETE FROM issue_relations WHERE id = ?1", &[id.into()])?;
    Ok(())
}

/// Deletes the relations of an issue.
pub fn delete_by_issue(db: &mut Write<'_>, issue: IssueId) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM issue_relations WHERE issue_from_id = ?1",
        &[issue.into()],
    )?;
    db.execute(
        "DELETE FROM issue_relations WHERE issue_to_id = ?1",
        &[issue.into()],
    )?;
    Ok(())
}

/// Whether an open issue blocks this one.
pub fn is_blocked(db: &Read<'_>, issue: IssueId) -> Result<bool, StoreError> {
    let sql = "SELECT COUNT(*) FROM issue_relations r JOIN issues i ON i.id = r.issue_from_id JOIN issue_statuses s ON s.id = i.status_id \
               WHERE r.issue_to_id = ?1 AND r.relation_type = 'blocks' AND s.is_closed = 0";
    Ok(db.query_i64(sql, &[issue.into()])? > 0)
}

/// Whether `from` blocks `to`, directly or through other issues.
pub fn blocks(db: &Read<'_>, from: IssueId, to: IssueId) -> Result<bool, StoreError> {
    let sql = "WITH RECURSIVE blocked (id) AS (SELECT id FROM issues WHERE id = ?1 \
               UNION SELECT r.issue_to_id FROM blocked b JOIN issue_relations r ON r.issue_from_id = b.id AND r.relation_type = 'blocks') \
               SELECT COUNT(*) FROM blocked WHERE id = ?2";
    Ok(db.query_i64(sql, &[from.into(), to.into()])? > 0)
}
