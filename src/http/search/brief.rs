//! Hits in short: records that the index proposes, read through the store with the viewer's own condition, without their notes.

use crate::domain::kind::Kind;
use crate::http::{Ask, Error};
use crate::search::Hit;
use crate::store::Read;
use crate::store::found::{self, Found};
use crate::store::page_size::MAX_PAGE_BYTES;
use crate::wire::Meta;
use std::collections::HashMap;

/// A record that was found, and its score as a part of the best hit's.
pub type Brief = (Found, Option<f32>);

/// Hits that were read, and the limit of their list where their texts ended it early.
pub struct Page {
    /// The hits.
    pub results: Vec<Brief>,
    cut_to: Option<usize>,
}

impl Page {
    /// What is said about the list, for which `limit` was asked: as in every list, its limit is the number of its items where it ends
    /// early.
    pub fn meta(&self, limit: usize) -> Vec<Meta> {
        let limit = i64::try_from(self.cut_to.unwrap_or(limit)).unwrap_or(i64::MAX);
        vec![Meta::Page { limit, always: true, max_bytes: MAX_PAGE_BYTES }]
    }
}

/// The hits as the store knows them, in their order, as many as fit into a page with their texts. What the store does not show to the
/// viewer is not shown.
pub fn brief(ask: &Ask, db: &Read<'_>, hits: &[Hit]) -> Result<Page, Error> {
    let ids: Vec<(Kind, i64)> = hits.iter().map(|hit| (hit.kind, hit.id)).collect();
    let (found, considered) = found::load_page(db, ask.viewer(), &ids)?;
    let mut records: HashMap<(Kind, i64), Found> = found.into_iter().map(|record| ((record.kind, record.id), record)).collect();
    let results = hits.iter().filter_map(|hit| Some((records.remove(&(hit.kind, hit.id))?, hit.score))).collect();
    Ok(Page { results, cut_to: (considered < hits.len()).then_some(considered) })
}

/// How many are asked for with `limit`, from 1 to `most`; anything else is a 422.
pub fn limit(ask: &Ask, usual: usize, most: usize) -> Result<usize, Error> {
    let Some(said) = ask.parameter("limit").filter(|said| !said.is_empty()) else { return Ok(usual) };
    let number = said.trim().parse::<usize>().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| Error::invalid(format!("limit must be a number from 1 to {most}")))
}
