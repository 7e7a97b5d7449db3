//! Pagination of lists: `offset`, `limit`, `page` and `nometa` (compatibility 3.3).

use quarry_store::lists::page_size::MAX_PAGE_BYTES;
use quarry_wire::{Input, Meta};

/// Number of items on a page without `limit`.
const DEFAULT_LIMIT: i64 = 25;
/// Maximum number of items on a page.
const MAX_LIMIT: i64 = 100;

/// The requested part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pagination {
    /// Number of items to skip.
    pub offset: i64,
    /// Maximum number of items, 1 to 100.
    pub limit: i64,
    /// Whether the response leaves out total, offset and limit.
    pub without_totals: bool,
}

impl Pagination {
    /// Parses `offset`, `limit`, `page` and `nometa`; invalid values count as absent.
    pub fn from_query(query: &Input) -> Pagination {
        Pagination::with_default_limit(query, DEFAULT_LIMIT)
    }

    /// As [`Pagination::from_query`], with another number of items on a page without `limit`.
    pub fn with_default_limit(query: &Input, default_limit: i64) -> Pagination {
        let limit = match integer(query, "limit") {
            Some(limit) if limit >= 1 => limit.min(MAX_LIMIT),
            _ => default_limit,
        };
        let offset = match query.get("offset") {
            Some(_) => integer(query, "offset").unwrap_or(0).max(0),
            None => integer(query, "page").map_or(0, |page| {
                page.saturating_sub(1).max(0).saturating_mul(limit)
            }),
        };
        let without_totals = query
            .get("nometa")
            .and_then(Input::as_text)
            .is_some_and(|text| text == "1");
        Pagination {
            offset,
            limit,
            without_totals,
        }
    }

    /// Returns the requested part of a list that is in memory, and the number of all its items.
    pub fn slice<T>(&self, items: Vec<T>) -> (Vec<T>, i64) {
        let total = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let offset = usize::try_from(self.offset).unwrap_or(usize::MAX);
        let limit = usize::try_from(self.limit).unwrap_or(0);
        (items.into_iter().skip(offset).take(limit).collect(), total)
    }

    /// Returns the limit of a page with `loaded` of `total` items. It is the number of its items if
    /// the page was cut short because its texts are long, so that the next page starts at offset
    /// plus limit.
    pub fn page_limit(&self, total: i64, loaded: usize) -> i64 {
        let loaded = i64::try_from(loaded).unwrap_or(i64::MAX);
        let expected = self.limit.min(total.saturating_sub(self.offset));
        if 0 < loaded && loaded < expected {
            loaded
        } else {
            self.limit
        }
    }

    /// Returns the metadata of a page with `loaded` of `total` items. A page that was cut short has
    /// its limit with `nometa`, too.
    pub fn meta(&self, total: i64, loaded: usize) -> Vec<Meta> {
        let limit = self.page_limit(total, loaded);
        let is_cut = limit != self.limit;
        let page = Meta::Page {
            limit,
            always: is_cut || !self.without_totals,
            max_bytes: MAX_PAGE_BYTES,
        };
        if self.without_totals {
            return vec![page];
        }
        vec![
            Meta::Integer("total_count", total),
            Meta::Integer("offset", self.offset),
            page,
        ]
    }
}

fn integer(query: &Input, name: &str) -> Option<i64> {
    query
        .get(name)
        .and_then(Input::as_text)
        .and_then(|text| text.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(query: &str) -> (i64, i64) {
        let pagination = Pagination::from_query(&quarry_wire::from_query(query).unwrap());
        (pagination.offset, pagination.limit)
    }

    #[test]
    fn invalid_values_count_as_absent() {
        assert_eq!(parse(""), (0, 25));
        assert_eq!(parse("limit=0"), (0, 25));
        assert_eq!(parse("limit=-1&offset=-5"), (0, 25));
        assert_eq!(parse("limit=101"), (0, 100));
        assert_eq!(parse("limit=x&offset=x"), (0, 25));
        assert_eq!(parse("limit=99999999999999999999"), (0, 25));
    }

    #[test]
    fn limit_of_a_cut_page_is_the_number_of_its_items() {
        let limits = |query: &str, total, loaded| {
            let meta = Pagination::from_query(&quarry_wire::from_query(query).unwrap())
                .meta(total, loaded);
            match meta.last() {
                Some(Meta::Page { limit, always, .. }) => (*limit, *always),
                meta => panic!("{meta:?}"),
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
    fn slice_has_the_requested_items_and_the_total() {
        let slice = |query: &str| {
            Pagination::from_query(&quarry_wire::from_query(query).unwrap())
                .slice(vec![1, 2, 3, 4, 5])
        };
        assert_eq!(slice("limit=2&offset=3"), (vec![4, 5], 5));
        assert_eq!(slice("limit=2&offset=4"), (vec![5], 5));
        assert_eq!(slice("limit=2&offset=9223372036854775807"), (Vec::new(), 5));
    }

    #[test]
    fn page_is_ignored_when_there_is_an_offset() {
        assert_eq!(parse("page=3&limit=10"), (20, 10));
        assert_eq!(parse("page=3&limit=10&offset=5"), (5, 10));
        assert_eq!(parse("page=0"), (0, 25));
        assert_eq!(parse("page=9223372036854775807&limit=100"), (i64::MAX, 100));
    }
}
