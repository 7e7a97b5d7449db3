//! Which part of a list is asked for (contract 1.3). This exists once, for every list.

use crate::store::page_size::MAX_PAGE_BYTES;
use crate::wire::{Input, Meta};

/// What is given when nothing is said, and at most.
const USUAL: i64 = 25;
const MOST: i64 = 100;

/// Part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listing {
    /// How many to skip.
    pub offset: i64,
    /// How many to give at most, 1 to 100.
    pub limit: i64,
    /// Whether total, offset and limit are left out of the answer.
    pub bare: bool,
}

impl Listing {
    /// Reads `offset`, `limit`, `page` and `nometa`; what is not understood counts as not said.
    pub fn read(query: &Input) -> Listing {
        let number = |name: &str| query.get(name).and_then(Input::as_text).and_then(|text| text.trim().parse::<i64>().ok());
        let limit = match number("limit") {
            Some(limit) if limit >= 1 => limit.min(MOST),
            _ => USUAL,
        };
        let offset = match query.get("offset") {
            Some(_) => number("offset").unwrap_or(0).max(0),
            None => number("page").map_or(0, |page| page.saturating_sub(1).max(0).saturating_mul(limit)),
        };
        let bare = query.get("nometa").and_then(Input::as_text).is_some_and(|text| text == "1");
        Listing { offset, limit, bare }
    }

    /// What is said about a list with so many items in all, of which `loaded` are on this page. Where the texts of the items ended it
    /// early, its limit is their number, also for a request that wants no totals: the next page begins at offset plus limit.
    pub fn meta(&self, total: i64, loaded: usize) -> Vec<Meta> {
        let loaded = i64::try_from(loaded).unwrap_or(i64::MAX);
        let expected = self.limit.min(total.saturating_sub(self.offset));
        let is_cut = 0 < loaded && loaded < expected;
        let limit = if is_cut { loaded } else { self.limit };
        let page = Meta::Page { limit, always: is_cut || !self.bare, max_bytes: MAX_PAGE_BYTES };
        if self.bare {
            return vec![page];
        }
        vec![Meta::Number("total_count", total), Meta::Number("offset", self.offset), page]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> (i64, i64) {
        let listing = Listing::read(&crate::wire::from_query(query).unwrap());
        (listing.offset, listing.limit)
    }

    #[test]
    fn what_is_not_understood_counts_as_not_said() {
        assert_eq!(read(""), (0, 25));
        assert_eq!(read("limit=0"), (0, 25));
        assert_eq!(read("limit=-1&offset=-5"), (0, 25));
        assert_eq!(read("limit=101"), (0, 100));
        assert_eq!(read("limit=x&offset=x"), (0, 25));
        assert_eq!(read("limit=99999999999999999999"), (0, 25));
    }

    #[test]
    fn page_that_ends_early_has_the_limit_of_its_items() {
        let limits = |query: &str, total, loaded| {
            let meta = Listing::read(&crate::wire::from_query(query).unwrap()).meta(total, loaded);
            match meta.last() {
                Some(Meta::Page { limit, always, .. }) => (*limit, *always),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(limits("limit=10", 30, 10), (10, true));
        assert_eq!(limits("limit=10", 30, 4), (4, true));
        assert_eq!(limits("limit=10&offset=25", 30, 5), (10, true));
        assert_eq!(limits("limit=10&offset=40", 30, 0), (10, true));
        assert_eq!(limits("limit=10&nometa=1", 30, 10), (10, false));
        assert_eq!(limits("limit=10&nometa=1", 30, 4), (4, true));
    }

    #[test]
    fn a_page_counts_only_without_an_offset() {
        assert_eq!(read("page=3&limit=10"), (20, 10));
        assert_eq!(read("page=3&limit=10&offset=5"), (5, 10));
        assert_eq!(read("page=0"), (0, 25));
        assert_eq!(read("page=9223372036854775807&limit=100"), (i64::MAX, 100));
    }
}
