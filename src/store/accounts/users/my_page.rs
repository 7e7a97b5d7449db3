//! The blocks of My page, among the preferences of users as Redmine stores them: names of blocks in up
//! to three columns, and the query of each block with a saved query apart from them.

use super::preferences;
use crate::{Read, StoreError, Write, json};
use quarry_domain::accounts::my_page::Block;
use quarry_domain::ids::{QueryId, UserId};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// The key of the names of blocks by column.
const LAYOUT: &str = "my_page_layout";
/// The columns, in the order in which we show them.
const COLUMNS: [&str; 3] = ["top", "left", "right"];
/// The key of the settings of blocks.
const SETTINGS: &str = "my_page_settings";
/// The name of the first block with a saved query; others have a number behind it.
const QUERY: &str = "issuequery";
/// In the settings of such a block: the id of its query.
const QUERY_ID: &str = "query_id";

/// Returns the blocks that a user has chosen; `None` for a user who has chosen none. Blocks that are
/// not known here are left out.
pub fn find(db: &Read<'_>, user: UserId) -> Result<Option<Vec<Block>>, StoreError> {
    let Some(values) = preferences::load(db, user)? else {
        return Ok(None);
    };
    let Some(layout) = values.get(LAYOUT).and_then(Value::as_object) else {
        return Ok(None);
    };
    let settings = values.get(SETTINGS);
    let mut blocks = Vec::new();
    for name in names(layout) {
        let block = match is_query(&name) {
            true => query_of(settings, &name).map(Block::Query),
            false => Block::from_name(&name),
        };
        blocks.extend(block.filter(|block| !blocks.contains(block)));
    }
    blocks.truncate(Block::MAX);
    Ok(Some(blocks))
}

/// Updates the blocks of a user. Blocks that are not known here, and the settings of blocks, stay as they
/// are. With `None` the layout is removed, with the blocks that are not known here.
pub fn update(
    db: &mut Write<'_>,
    user: UserId,
    blocks: Option<&[Block]>,
) -> Result<(), StoreError> {
    let mut values = preferences::load_or_default(db, user)?;
    let layout = values.remove(LAYOUT).unwrap_or_default();
    let others = layout.as_object().map(names).unwrap_or_default();
    let others: Vec<String> = others
        .into_iter()
        .filter(|name| !is_query(name) && Block::from_name(name).is_none())
        .collect();
    let mut settings = match values.remove(SETTINGS) {
        Some(Value::Object(settings)) => settings,
        _ => Map::new(),
    };
    // The settings of queries, such as the columns, by the query.
    let mut of_queries = HashMap::new();
    for (name, of_query) in std::mem::take(&mut settings) {
        match is_query(&name) {
            true => {
                let id = of_query.get(QUERY_ID).map(json::to_text);
                of_queries.insert(id.unwrap_or_default().trim().to_owned(), of_query);
            }
            false => {
                settings.insert(name, of_query);
            }
        }
    }
    let mut names = Vec::new();
    let mut queries = 0;
    for block in blocks.unwrap_or_default() {
        match block {
            Block::Query(id) => {
                let name = match queries {
                    0 => QUERY.to_owned(),
                    count => format!("{QUERY}__{count}"),
                };
                queries += 1;
                let id = id.to_string();
                let own = of_queries.remove(&id);
                settings.insert(name.clone(), own.unwrap_or_else(|| json!({ QUERY_ID: id })));
                names.push(name);
            }
            block => names.push(block.name()),
        }
    }
    if blocks.is_some() {
        values.insert(LAYOUT.to_owned(), json!({ "top": names, "left": others }));
    }
    if !settings.is_empty() {
        values.insert(SETTINGS.to_owned(), Value::Object(settings));
    }
    preferences::save(db, user, values)
}

/// Returns the names of the blocks of a layout.
fn names(layout: &Map<String, Value>) -> Vec<String> {
    let columns = COLUMNS.iter().filter_map(|column| layout.get(*column));
    let names = columns.filter_map(Value::as_array).flatten();
    names.map(json::to_text).collect()
}

fn is_query(name: &str) -> bool {
    name.split("__").next() == Some(QUERY)
}

/// Returns the query in the settings of a block.
fn query_of(settings: Option<&Value>, name: &str) -> Option<QueryId> {
    let id = settings?.get(name)?.get(QUERY_ID)?;
    json::to_text(id).trim().parse().ok().map(QueryId)
}
