//! Saved queries. Their filters are stored as JSON and checked when a list uses them.

use super::engine::{Row, StatementError};
use super::{Read, StoreError, json};
use crate::domain::ids::{QueryId, RoleId};
use crate::domain::query::saved::{Audience, SavedFilter, SavedQuery};
use serde_json::Value;
use std::collections::HashMap;

/// Returns the query with this id and type (`IssueQuery`), visible or not; [`SavedQuery::is_usable_by`] checks who may use it.
pub fn find(db: &Read<'_>, kind: &str, id: QueryId) -> Result<Option<SavedQuery>, StoreError> {
    let roles: Vec<RoleId> = db.column("SELECT role_id FROM queries_roles WHERE query_id = ?1", &[id.into()])?;
    db.first(&format!("{COLUMNS} WHERE id = ?1 AND type = ?2"), &[id.into(), kind.into()], |row| from_row(row, &roles))
}

const COLUMNS: &str = "SELECT id, project_id, user_id, visibility, filters_json, sort_criteria_json, group_by, name FROM queries";

fn from_row(row: &Row<'_>, roles: &[RoleId]) -> Result<SavedQuery, StatementError> {
    Ok(SavedQuery {
        id: row.get(0)?,
        project: row.get(1)?,
        owner: row.get(2)?,
        audience: match row.get::<i64>(3)? {
            2 => Audience::Everybody,
            1 => Audience::Roles(roles.to_vec()),
            _ => Audience::Owner,
        },
        filters: filters(&json::parse(row.get::<Option<String>>(4)?.as_deref())),
        order: order(&json::parse(row.get::<Option<String>>(5)?.as_deref())),
        group_by: row.get::<Option<String>>(6)?.unwrap_or_default(),
    })
}

/// A saved query and its name.
#[derive(Clone, Debug)]
pub struct NamedQuery {
    /// The query.
    pub query: SavedQuery,
    /// Its name.
    pub name: String,
}

/// Returns all queries of one type by name, visible or not.
pub fn list(db: &Read<'_>, kind: &str) -> Result<Vec<NamedQuery>, StoreError> {
    let mut roles: HashMap<QueryId, Vec<RoleId>> = HashMap::new();
    for (query, role) in db.rows("SELECT query_id, role_id FROM queries_roles", &[], |row| Ok((row.get(0)?, row.get(1)?)))? {
        roles.entry(query).or_default().push(role);
    }
    db.rows(&format!("{COLUMNS} WHERE type = ?1 ORDER BY name, id"), &[kind.into()], |row| {
        let id: QueryId = row.get(0)?;
        Ok(NamedQuery { query: from_row(row, roles.get(&id).map_or(&[][..], Vec::as_slice))?, name: row.get(7)? })
    })
}

fn filters(json: &Value) -> Option<Vec<SavedFilter>> {
    let entries = json.as_object()?.iter();
    let filters = entries.map(|(name, filter)| SavedFilter {
        name: name.clone(),
        operator: filter.get("operator").map(json::to_text).unwrap_or_default(),
        values: filter.get("values").and_then(Value::as_array).into_iter().flatten().map(json::to_text).collect(),
    });
    Some(filters.collect())
}

fn order(json: &Value) -> Vec<(String, String)> {
    let criteria = json.as_array().into_iter().flatten().filter_map(Value::as_array);
    criteria.filter_map(|pair| Some((json::to_text(pair.first()?), pair.get(1).map(json::to_text).unwrap_or_default()))).collect()
}
