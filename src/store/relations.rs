//! Relations between issues.

use super::engine::{Row, StatementError, Value};
use super::{Read, StoreError, Write, issues};
use crate::domain::ids::{IssueId, RelationId};
use crate::domain::relation::{Relation, RelationType};
use crate::domain::viewer::Viewer;

/// Relations whose type is not known here, from a Redmine with plugins, are kept and not shown.
fn relation(row: &Row<'_>) -> Result<Option<Relation>, StatementError> {
    let Some(kind) = RelationType::parse(&row.read::<String>(3)?) else { return Ok(None) };
    Ok(Some(Relation { id: row.read(0)?, from: row.read(1)?, to: row.read(2)?, kind, delay: row.read(4)? }))
}

const COLUMNS: &str = "id, issue_from_id, issue_to_id, relation_type, delay";

/// The relation with this number, for whomever.
pub fn find(db: &Read<'_>, id: RelationId) -> Result<Option<Relation>, StoreError> {
    Ok(db.first(&format!("SELECT {COLUMNS} FROM issue_relations WHERE id = ?1"), &[id.into()], relation)?.flatten())
}

/// The relations at whose ends these issues are, by number, for whomever. One between two of them is there once.
pub fn list(db: &Read<'_>, issues: &[i64]) -> Result<Vec<Relation>, StoreError> {
    // Two terms of which each has its index; UNION leaves one of what both find.
    let sql = format!(
        "SELECT {COLUMNS} FROM issue_relations WHERE issue_from_id IN ids(?1) \
         UNION SELECT {COLUMNS} FROM issue_relations WHERE issue_to_id IN ids(?1) ORDER BY 1"
    );
    Ok(db.rows(&sql, &[Value::Ids(issues.to_vec())], relation)?.into_iter().flatten().collect())
}

/// The same, as far as the viewer may see the issues at both ends.
pub fn seen(db: &Read<'_>, viewer: &Viewer, issues: &[i64]) -> Result<Vec<Relation>, StoreError> {
    let relations = list(db, issues)?;
    let ends: Vec<i64> = relations.iter().flat_map(|relation| [relation.from.0, relation.to.0]).collect();
    let seen = issues::seen(db, viewer, &ends)?;
    Ok(relations.into_iter().filter(|relation| seen.contains(&relation.from) && seen.contains(&relation.to)).collect())
}

/// Whether the one issue relates to the other, in this direction, in whichever way.
pub fn exists(db: &Read<'_>, from: IssueId, to: IssueId) -> Result<bool, StoreError> {
    let sql = "SELECT COUNT(*) FROM issue_relations WHERE issue_from_id = ?1 AND issue_to_id = ?2";
    Ok(db.number(sql, &[from.into(), to.into()])? > 0)
}

/// Adds a relation; its number.
pub fn insert(db: &mut Write<'_>, relation: &Relation) -> Result<RelationId, StoreError> {
    db.insert(
        "INSERT INTO issue_relations (issue_from_id, issue_to_id, relation_type, delay) VALUES (?1, ?2, ?3, ?4) RETURNING id",
        &[relation.from.into(), relation.to.into(), relation.kind.name().into(), relation.delay.into()],
    )
}

/// Removes a relation.
pub fn remove(db: &mut Write<'_>, id: RelationId) -> Result<(), StoreError> {
    db.execute("DELETE FROM issue_relations WHERE id = ?1", &[id.into()])?;
    Ok(())
}

/// Removes the relations of an issue.
pub fn remove_of_issue(db: &mut Write<'_>, issue: IssueId) -> Result<(), StoreError> {
    db.execute("DELETE FROM issue_relations WHERE issue_from_id = ?1", &[issue.into()])?;
    db.execute("DELETE FROM issue_relations WHERE issue_to_id = ?1", &[issue.into()])?;
    Ok(())
}

/// Whether an open issue blocks this one.
pub fn is_blocked(db: &Read<'_>, issue: IssueId) -> Result<bool, StoreError> {
    let sql = "SELECT COUNT(*) FROM issue_relations r JOIN issues i ON i.id = r.issue_from_id JOIN issue_statuses s ON s.id = i.status_id \
               WHERE r.issue_to_id = ?1 AND r.relation_type = 'blocks' AND s.is_closed = 0";
    Ok(db.number(sql, &[issue.into()])? > 0)
}

/// Whether the one issue blocks the other, over however many between them.
pub fn blocks(db: &Read<'_>, from: IssueId, to: IssueId) -> Result<bool, StoreError> {
    let sql = "WITH RECURSIVE blocked (id) AS (SELECT id FROM issues WHERE id = ?1 \
               UNION SELECT r.issue_to_id FROM blocked b JOIN issue_relations r ON r.issue_from_id = b.id AND r.relation_type = 'blocks') \
               SELECT COUNT(*) FROM blocked WHERE id = ?2";
    Ok(db.number(sql, &[from.into(), to.into()])? > 0)
}
