//! Saved queries. Their filters are stored as JSON and checked when a list uses them.
//!
//! The columns hold what an import brings, which can be more than is known here: updates write only
//! what changes, and keep unknown keys.

use super::engine::{Row, StatementError};
use super::{Read, StoreError, Value as Column, Write, json};
use crate::domain::ids::{ProjectId, QueryId, RoleId, UserId};
use crate::domain::query::saved::{Audience, QueryKind, SavedFilter, SavedQuery};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Returns the query with this id for this list, visible or not; [`SavedQuery::is_usable_by`]
/// checks who may use it.
pub fn find(db: &Read<'_>, kind: QueryKind, id: QueryId) -> Result<Option<SavedQuery>, StoreError> {
    let roles: Vec<RoleId> = db.column(
        "SELECT role_id FROM queries_roles WHERE query_id = ?1 ORDER BY role_id",
        &[id.into()],
    )?;
    db.first(
        &format!("{COLUMNS} WHERE id = ?1 AND type = ?2"),
        &[id.into(), kind.name().into()],
        |row| from_row(row, kind, &roles),
    )
}

const COLUMNS: &str = "SELECT id, project_id, user_id, visibility, filters_json, sort_criteria_json, group_by, name, description, \
                       column_names_json, options_json FROM queries";

fn from_row(
    row: &Row<'_>,
    kind: QueryKind,
    roles: &[RoleId],
) -> Result<SavedQuery, StatementError> {
    let json = |index: usize| {
        Ok::<Value, StatementError>(json::parse(row.get::<Option<String>>(index)?.as_deref()))
    };
    Ok(SavedQuery {
        id: row.get(0)?,
        kind,
        name: row.get(7)?,
        description: row.get::<Option<String>>(8)?.unwrap_or_default(),
        project: row.get(1)?,
        owner: row.get(2)?,
        audience: match row.get::<i64>(3)? {
            2 => Audience::Everybody,
            1 => Audience::Roles(roles.to_vec()),
            _ => Audience::Owner,
        },
        filters: filters(&json(4)?),
        columns: texts(&json(9)?),
        order: order(&json(5)?),
        group_by: row.get::<Option<String>>(6)?.unwrap_or_default(),
        totals: texts(&json(10)?[TOTALS]),
    })
}

/// Returns the queries for one list by name, without the private ones of others than the user;
/// [`SavedQuery::is_listed_for`] checks who may see them.
pub fn list(
    db: &Read<'_>,
    kind: QueryKind,
    user: Option<UserId>,
) -> Result<Vec<SavedQuery>, StoreError> {
    let mut roles: HashMap<QueryId, Vec<RoleId>> = HashMap::new();
    let sql = "SELECT query_id, role_id FROM queries_roles ORDER BY role_id";
    for (query, role) in db.rows(sql, &[], |row| Ok((row.next()?, row.next()?)))? {
        roles.entry(query).or_default().push(role);
    }
    let sql = format!(
        "{COLUMNS} WHERE type = ?1 AND (visibility IN (1, 2) OR user_id = ?2) ORDER BY name, id"
    );
    db.rows(&sql, &[kind.name().into(), user.into()], |row| {
        let id: QueryId = row.next()?;
        from_row(row, kind, roles.get(&id).map_or(&[][..], Vec::as_slice))
    })
}

/// Returns the number of queries of a user, for all lists.
pub fn count_of_user(db: &Read<'_>, user: UserId) -> Result<i64, StoreError> {
    db.query_i64(
        "SELECT COUNT(*) FROM queries WHERE user_id = ?1",
        &[user.into()],
    )
}

/// Inserts a query and returns its id.
pub fn insert(db: &mut Write<'_>, query: &SavedQuery) -> Result<QueryId, StoreError> {
    let id = db.insert(
        "INSERT INTO queries (type, name, project_id, user_id) VALUES (?1, ?2, ?3, ?4) RETURNING id",
        &[query.kind.name().into(), (&query.name).into(), query.project.into(), query.owner.into()],
    )?;
    update(
        db,
        &SavedQuery {
            id,
            ..query.clone()
        },
    )?;
    Ok(id)
}

/// Updates a query, except for its owner. Filters that stay the same keep what else an import
/// stored with them, and so do the options other than the totals.
pub fn update(db: &mut Write<'_>, query: &SavedQuery) -> Result<(), StoreError> {
    let id = Column::from(query.id);
    let sql = "SELECT filters_json, column_names_json, sort_criteria_json, options_json FROM queries WHERE id = ?1";
    let stored = |row: &Row<'_>| Ok([row.next()?, row.next()?, row.next()?, row.next()?]);
    let [filters, columns, order, options]: [Option<String>; 4] = db
        .first(sql, std::slice::from_ref(&id), stored)?
        .unwrap_or_default();
    let visibility = match query.audience {
        Audience::Owner => 0,
        Audience::Roles(_) => 1,
        Audience::Everybody => 2,
    };
    let optional_text = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    db.execute(
        "UPDATE queries SET name = ?2, description = ?3, project_id = ?4, visibility = ?5, filters_json = ?6, column_names_json = ?7, \
         sort_criteria_json = ?8, group_by = ?9, options_json = ?10 WHERE id = ?1",
        &[
            id.clone(),
            (&query.name).into(),
            optional_text(&query.description).into(),
            query.project.into(),
            visibility.into(),
            filters_json(query, filters).into(),
            columns_json(query, columns).into(),
            order_json(query, order).into(),
            optional_text(&query.group_by).into(),
            options_json(query, options).into(),
        ],
    )?;
    db.execute(
        "DELETE FROM queries_roles WHERE query_id = ?1",
        std::slice::from_ref(&id),
    )?;
    for role in query.audience.roles() {
        db.execute(
            "INSERT INTO queries_roles (query_id, role_id) VALUES (?1, ?2)",
            &[id.clone(), (*role).into()],
        )?;
    }
    let keeps_default = |project: &ProjectId| query.can_be_default_of(*project);
    let projects: Vec<ProjectId> = db.column(
        "SELECT id FROM projects WHERE default_issue_query_id = ?1",
        &[id],
    )?;
    let former: Vec<ProjectId> = projects
        .into_iter()
        .filter(|project| !keeps_default(project))
        .collect();
    clear_defaults(db, &former)
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
        db.catalogue_changed()
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
    let is_unchanged =
        |filter: &SavedFilter| former.iter().flatten().any(|former| former == filter);
    let entry = |filter: &SavedFilter| match json.get(&filter.name) {
        Some(kept) if is_unchanged(filter) => kept.clone(),
        _ => json!({"operator": filter.operator, "values": filter.values}),
    };
    let filters = query
        .filters
        .as_ref()?
        .iter()
        .map(|filter| (filter.name.clone(), entry(filter)));
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
