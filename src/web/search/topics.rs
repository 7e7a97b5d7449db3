//! One result for each topic: further messages of a topic on the same page are left out, with a link
//! to all its matches.

use super::address::Address;
use super::hits::Group;
use crate::prelude::*;
use quarry_http::resources::search::{SearchParams, count};
use std::collections::HashMap;

/// Keeps the best result of each topic.
pub fn collapse(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    address: &Address,
    groups: &mut [Group],
) -> Result<(), Error> {
    let mut counts: HashMap<i64, usize> = HashMap::new();
    for topic in groups
        .iter()
        .flat_map(|group| &group.rows)
        .filter_map(|row| row.topic)
    {
        *counts.entry(topic).or_default() += 1;
    }
    counts.retain(|_, count| *count > 1);
    for group in groups {
        let mut kept = Vec::with_capacity(group.rows.len());
        for mut row in group.rows.drain(..) {
            let Some(topic) = row.topic else {
                kept.push(row);
                continue;
            };
            match counts.get_mut(&topic) {
                None => kept.push(row),
                Some(0) => {}
                Some(left) => {
                    *left = 0;
                    row.more = Some(matches_in(request, db, params, address, topic)?);
                    kept.push(row);
                }
            }
        }
        group.rows = kept;
    }
    Ok(())
}

/// Returns the number of further matches in a topic, and the address of all of them; `None` if the
/// query is long.
fn matches_in(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    address: &Address,
    topic: i64,
) -> Result<(i64, Option<String>), Error> {
    let params = SearchParams {
        topic: Some(topic),
        facets: Vec::new(),
        ..params.clone()
    };
    let found = count(request, db, &params, &address.query)?;
    let address = Address {
        topic: Some(topic),
        ..address.clone()
    };
    Ok((found.total - 1, address.link()))
}
