//! Hits in short: records that the index proposes, read through the store with the viewer's own condition, without their notes.

use crate::domain::kind::Kind;
use crate::http::{Ask, Error};
use crate::search::Hit;
use crate::store::Read;
use crate::store::found::{self, Found};
use std::collections::HashMap;

/// A record that was found, and its score as a part of the best hit's.
pub type Brief = (Found, Option<f32>);

/// The hits as the store knows them, in their order. What the store does not show to the viewer is not shown.
pub fn brief(ask: &Ask, db: &Read<'_>, hits: &[Hit]) -> Result<Vec<Brief>, Error> {
    let mut records: HashMap<(Kind, i64), Found> = HashMap::new();
    for kind in Kind::ALL {
        let ids: Vec<i64> = hits.iter().filter(|hit| hit.kind == kind).map(|hit| hit.id).collect();
        if !ids.is_empty() {
            records.extend(found::load_own(db, ask.viewer(), kind, &ids)?.into_iter().map(|(id, record)| ((kind, id), record)));
        }
    }
    Ok(hits.iter().filter_map(|hit| Some((records.remove(&(hit.kind, hit.id))?, hit.score))).collect())
}

/// How many are asked for with `limit`, from 1 to `most`; anything else is a 422.
pub fn limit(ask: &Ask, usual: usize, most: usize) -> Result<usize, Error> {
    let Some(said) = ask.parameter("limit").filter(|said| !said.is_empty()) else { return Ok(usual) };
    let number = said.trim().parse::<usize>().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| Error::invalid(format!("limit must be a number from 1 to {most}")))
}
