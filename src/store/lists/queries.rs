//! Saved queries. Their filters are stored as JSON and checked when a list uses them.
//!
//! The columns hold what an import brings, which can be more than is known here: updates write only
//! what changes, and keep unknown keys.

use crate::engine::{Row, StatementError};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Value as Column, Write, json};
use quarry_domain::ids::{ProjectId, QueryId, RoleId, UserId};
use quarry_domain::query::saved::{Audience, QueryKind, SavedFilter, SavedQuery};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

const COLUMNS: &str = "id, name, description, project_id, user_id, visibility, filters_json, column_names_json, sort_criteria_json, group_by, \
                       options_json";

/// Converts a row, without the roles of its audience.
fn from_row(row: &Row<'_>, kind: QueryKind) -> Result<SavedQuery, StatementError> {
    Ok(SavedQuery {
        id: row.next()?,
        kind,
        name: row.next()?,
        description: row.next::<Option<String>>()?.unwrap_or_default(),
        project: row.next()?,
        owner: row.next()?,
        audience: match row.next::<i64>()? {
            2 => Audience::Everybody,
            1 => Audience::Roles(Vec::new()),
            _ => Audience::Owner,
        },
        filters: filters(&next_json(row)?),
        columns: texts(&next_json(row)?),
        order: order(&next_json(row)?),
        group_by: row.next::<Option<String>>()?.unwrap_or_default(),
        totals: texts(&next_json(row)?[TOTALS]),
    })
}

fn next_json(row: &Row<'_>) -> Result<Value, StatementError> {
    Ok(json::parse(row.next::<Option<String>>()?.as_deref()))
}

/// Adds the roles to the audiences.
fn with_roles(db: &Read<'_>, mut queries: Vec<SavedQuery>) -> Result<Vec<SavedQuery>, StoreError> {
    let ids = Column::Ids(queries.iter().map(|query| query.id.0).collect());
    let sql =
        "SELECT query_id, role_id FROM queries_roles WHERE query_id IN ids(?1) ORDER BY role_id";
    let mut roles: HashMap<QueryId, Vec<RoleId>> = HashMap::new();
    for (query, role) in db.rows(sql, &[ids], |row| Ok((row.next()?, row.next()?)))? {
        roles.entry(query).or_default().push(role);
    }
    for query in &mut queries {
        if let Audience::Roles(audience) = &mut query.audience {
            *audience = roles.remove(&query.id).unwrap_or_default();
        }
    }
    Ok(queries)
}

/// Returns the query with this id for this list, visible or not; [`SavedQuery::is_usable_by`]
/// checks who may use it.
pub fn find(db: &Read<'_>, kind: QueryKind, id: QueryId) -> Result<Option<SavedQuery>, StoreError> {
    let queries = db.rows(
        &format!("SELECT {COLUMNS} FROM queries WHERE id = ?1 AND type = ?2"),
        &[id.into(), kind.name().into()],
        |row| from_row(row, kind),
    )?;
    Ok(with_roles(db, queries)?.pop())
}

/// Returns the queries for one list by name, without the private ones of others than the user;
/// [`SavedQuery::is_listed_for`] checks who may see them.
pub fn list(
    db: &Read<'_>,
    kind: QueryKind,
    user: Option<UserId>,
) -> Result<Vec<SavedQuery>, StoreError> {
    let queries = db.rows(
        &format!(
            "SELECT {COLUMNS} FROM queries WHERE type = ?1 AND (visibility IN (1, 2) OR user_id = ?2) ORDER BY name, id"
        ),
        &[kind.name().into(), user.into()],
        |row| from_row(row, kind),
    )?;
    with_roles(db, queries)
}

/// Returns the queries of a user for one list by name.
pub fn list_own(
    db: &Read<'_>,
    kind: QueryKind,
    user: UserId,
) -> Result<Vec<SavedQuery>, StoreError> {
    let queries = db.rows(
        &format!(
            "SELECT {COLUMNS} FROM queries WHERE type = ?1 AND user_id = ?2 ORDER BY name, id"
        ),
        &[kind.name().into(), user.into()],
        |row| from_row(row, kind),
    )?;
    with_roles(db, queries)
}

/// Returns the number of queries of a user, for all lists.
pub fn count_of_user(db: &Read<'_>, user: UserId) -> Result<i64, StoreError> {
    db.query_i64(
        "SELECT COUNT(*) FROM queries WHERE user_id = ?1",
        &[user.into()],
    )
}

/// The columns that hold JSON.
#[derive(Default)]
struct StoredJson {
    filters: Option<String>,
    columns: Option<String>,
    order: Option<String>,
    options: Option<String>,
}

impl StoredJson {
    fn from_row(row: &Row<'_>) -> Result<StoredJson, StatementError> {
        Ok(StoredJson {
            filters: row.next()?,
            columns: row.next()?,
            order: row.next()?,
            options: row.next()?,
        })
    }
}

/// The columns that an update writes.
fn columns(query: &SavedQuery, stored: StoredJson) -> ColumnValues {
    let visibility = match query.audience {
        Audience::Owner => 0,
        Audience::Roles(_) => 1,
        Audience::Everybody => 2,
    };
    ColumnValues::new()
        .set("name", &query.name)
        .set("description", non_empty(&query.description))
        .set("project_id", query.project)
        .set("visibility", visibility)
        .set("filters_json", filters_json(query, stored.filters))
        .set("column_names_json", columns_json(query, stored.columns))
        .set("sort_criteria_json", order_json(query, stored.order))
        .set("group_by", non_empty(&query.group_by))
        .set("options_json", options_json(query, stored.options))
}

fn non_empty(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// Inserts a query; the id 0 means the next free one. Returns its id.
pub fn insert(db: &mut Write<'_>, query: &SavedQuery) -> Result<QueryId, StoreError> {
    let columns = columns(query, StoredJson::default())
        .set_id(query.id)
        .set("type", query.kind.name())
        .set("user_id", query.owner);
    let id = db.insert_record("queries", columns)?;
    insert_roles(db, id, &query.audience)?;
    Ok(id)
}

/// Updates a query, except for its owner. Filters that stay the same keep what else an import
/// stored with them, and so do the options other than the totals.
pub fn update(db: &mut Write<'_>, query: &SavedQuery) -> Result<(), StoreError> {
    let id = query.id;
    let sql = "SELECT filters_json, column_names_json, sort_criteria_json, options_json FROM queries WHERE id = ?1";
    let stored = db
        .first(sql, &[id.into()], StoredJson::from_row)?
        .unwrap_or_default();
    db.update_record("queries", id, columns(query, stored))?;
    db.execute(
        "DELETE FROM queries_roles WHERE query_id = ?1",
        &[id.into()],
    )?;
    insert_roles(db, id, &query.audience)?;
    let projects: Vec<ProjectId> = db.column(
        "SELECT id FROM projects WHERE default_issue_query_id = ?1",
        &[id.into()],
    )?;
    let former: Vec<ProjectId> = projects
        .into_iter()
        .filter(|project| !query.can_be_default_of(*project))
        .collect();
    clear_defaults(db, &former)
}

fn insert_roles(db: &mut Write<'_>, id: QueryId, audience: &Audience) -> Result<(), StoreError> {
    for role in audience.roles() {
        db.execute(
            "INSERT INTO queries_roles (query_id, role_id) VALUES (?1, ?2)",
            &[id.into(), (*role).into()],
        )?;
    }
    Ok(())
}

/// Deletes a query. Projects whose default query it was have none.
pub fn delete(db: &mut Write<'_>, id: QueryId) -> Result<(), StoreError> {
    let projects: Vec<ProjectId> = db.column(
        "SELECT id FROM projects WHERE default_issue_query_id = ?1",
        &[id.into()],
    )?;
    clear_defaults(db, &projects)?;
    db.execute(
        "DELETE FROM queries_roles WHERE query_id = ?1",
        &[id.into()],
    )?;
    db.execute("DELETE FROM queries WHERE id = ?1", &[id.into()])?;
    Ok(())
}

/// Replaces a value in a filter of all queries. Without a replacement the value is left out, and so
/// is the filter if it has no other one.
pub fn replace_filter_value(
    db: &mut Write<'_>,
    filter: &str,
    value: &str,
    replacement: Option<&str>,
) -> Result<(), StoreError> {
    let sql = "SELECT id, filters_json FROM queries WHERE filters_json IS NOT NULL";
    let stored: Vec<(QueryId, String)> = db.rows(sql, &[], |row| Ok((row.next()?, row.next()?)))?;
    for (id, text) in stored {
        let mut filters = json::parse(Some(&text));
        if replace_value(&mut filters, filter, value, replacement) {
            let columns = ColumnValues::new().set("filters_json", filters.to_string());
            db.update_record("queries", id, columns)?;
        }
    }
    Ok(())
}

/// Returns whether it has changed the filters.
fn replace_value(
    filters: &mut Value,
    filter: &str,
    value: &str,
    replacement: Option<&str>,
) -> bool {
    let Some(filters) = filters.as_object_mut() else {
        return false;
    };
    let values = filters.get_mut(filter).and_then(|it| it.get_mut("values"));
    let Some(values) = values.and_then(Value::as_array_mut) else {
        return false;
    };
    let mut kept: Vec<Value> = Vec::new();
    for old in values.iter() {
        let new = match json::to_text(old) == value {
            true => replacement.map(|text| json!(text)),
            false => Some(old.clone()),
        };
        kept.extend(new.filter(|new| !kept.contains(new)));
    }
    if kept == *values {
        return false;
    }
    if kept.is_empty() {
        filters.remove(filter);
    } else {
        *values = kept;
    }
    true
}

fn clear_defaults(db: &mut Write<'_>, projects: &[ProjectId]) -> Result<(), StoreError> {
    for project in projects {
        db.execute(
            "UPDATE projects SET default_issue_query_id = NULL WHERE id = ?1",
            &[(*project).into()],
        )?;
    }
    if projects.is_empty() {
        Ok(())
    } else {
        db.unaudited_catalogue_changed()
    }
}

/// The key of the totals in the options.
const TOTALS: &str = "totalable_names";

fn filters_json(query: &SavedQuery, stored: Option<String>) -> Option<String> {
    let json = json::parse(stored.as_deref());
    let former = filters(&json);
    if former == query.filters {
        return stored;
    }
    let former = former.unwrap_or_default();
    let filters = query.filters.as_ref()?.iter().map(|filter| {
        let filter_json = match json.get(&filter.name) {
            Some(kept) if former.contains(filter) => kept.clone(),
            _ => json!({"operator": filter.operator, "values": filter.values}),
        };
        (filter.name.clone(), filter_json)
    });
    Some(Value::Object(filters.collect::<Map<_, _>>()).to_string())
}

fn columns_json(query: &SavedQuery, stored: Option<String>) -> Option<String> {
    if texts(&json::parse(stored.as_deref())) == query.columns {
        return stored;
    }
    Some(json::from_texts(&query.columns)).filter(|_| !query.columns.is_empty())
}

fn order_json(query: &SavedQuery, stored: Option<String>) -> Option<String> {
    if order(&json::parse(stored.as_deref())) == query.order {
        return stored;
    }
    Some(json!(query.order).to_string()).filter(|_| !query.order.is_empty())
}

fn options_json(query: &SavedQuery, stored: Option<String>) -> Option<String> {
    let mut options = json::parse(stored.as_deref());
    if texts(&options[TOTALS]) == query.totals {
        return stored;
    }
    if !options.is_object() {
        options = json!({});
    }
    options[TOTALS] = json!(query.totals);
    Some(options.to_string())
}

fn texts(json: &Value) -> Vec<String> {
    json.as_array()
        .into_iter()
        .flatten()
        .map(json::to_text)
        .collect()
}

fn filters(json: &Value) -> Option<Vec<SavedFilter>> {
    let entries = json.as_object()?.iter();
    let filters = entries.map(|(name, filter)| SavedFilter {
        name: name.clone(),
        operator: filter
            .get("operator")
            .map(json::to_text)
            .unwrap_or_default(),
        values: filter
            .get("values")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .map(json::to_text)
            .collect(),
    });
    Some(filters.collect())
}

fn order(json: &Value) -> Vec<(String, String)> {
    let criteria = json
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_array);
    criteria
        .filter_map(|pair| {
            Some((
                json::to_text(pair.first()?),
                pair.get(1).map(json::to_text).unwrap_or_default(),
            ))
        })
        .collect()
}
