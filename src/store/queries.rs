//! Saved queries.

use super::engine::{Row, StatementError};
use super::{Read, StoreError, json};
use crate::domain::ids::{QueryId, RoleId};
use crate::domain::query::saved::{Audience, KeptFilter, SavedQuery};
use serde_json::Value;
use std::collections::HashMap;

/// The query with this number among those of one type (`IssueQuery`), for whomever; who may use it says
/// [`SavedQuery::serves`].
pub fn find(db: &Read<'_>, kind: &str, id: QueryId) -> Result<Option<SavedQuery>, StoreError> {
    let roles: Vec<RoleId> = db.column("SELECT role_id FROM queries_roles WHERE query_id = ?1", &[id.into()])?;
    db.first(&format!("{COLUMNS} WHERE id = ?1 AND type = ?2"), &[id.into(), kind.into()], |row| query(row, &roles))
}

const COLUMNS: &str = "SELECT id, project_id, user_id, visibility, filters_json, sort_criteria_json, name FROM queries";

fn query(row: &Row<'_>, roles: &[RoleId]) -> Result<SavedQuery, StatementError> {
    Ok(SavedQuery {
        id: row.read(0)?,
        project: row.read(1)?,
        owner: row.read(2)?,
        audience: match row.read::<i64>(3)? {
            2 => Audience::Everybody,
            1 => Audience::Roles(roles.to_vec()),
            _ => Audience::Owner,
        },
        filters: filters(&json::read(row.read::<Option<String>>(4)?.as_deref())),
        order: order(&json::read(row.read::<Option<String>>(5)?.as_deref())),
    })
}

/// A saved query with its name.
#[derive(Clone, Debug)]
pub struct Named {
    /// The query.
    pub query: SavedQuery,
    /// How it is called.
    pub name: String,
}

/// All of one type, by name, for whomever.
pub fn list(db: &Read<'_>, kind: &str) -> Result<Vec<Named>, StoreError> {
    let mut roles: HashMap<QueryId, Vec<RoleId>> = HashMap::new();
    for (query, role) in db.rows("SELECT query_id, role_id FROM queries_roles", &[], |row| Ok((row.read(0)?, row.read(1)?)))? {
        roles.entry(query).or_default().push(role);
    }
    db.rows(&format!("{COLUMNS} WHERE type = ?1 ORDER BY name, id"), &[kind.into()], |row| {
        let id: QueryId = row.read(0)?;
        Ok(Named { query: query(row, roles.get(&id).map_or(&[][..], Vec::as_slice))?, name: row.read(6)? })
    })
}

fn filters(kept: &Value) -> Option<Vec<KeptFilter>> {
    let entries = kept.as_object()?.iter();
    let filters = entries.map(|(name, filter)| KeptFilter {
        name: name.clone(),
        operator: filter.get("operator").map(json::plain).unwrap_or_default(),
        values: filter.get("values").and_then(Value::as_array).into_iter().flatten().map(json::plain).collect(),
    });
    Some(filters.collect())
}

fn order(kept: &Value) -> Vec<(String, String)> {
    let criteria = kept.as_array().into_iter().flatten().filter_map(Value::as_array);
    criteria.filter_map(|pair| Some((json::plain(pair.first()?), pair.get(1).map(json::plain).unwrap_or_default()))).collect()
}
