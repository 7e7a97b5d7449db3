//! The maximum size of the texts on a page of a list.
//!
//! Texts may be long, imported ones without limit. A page ends early rather than exceed this size.

/// Maximum size of the texts of a page in bytes, and of its items in the response. A page always
/// has at least one item.
pub const MAX_PAGE_BYTES: usize = 8 * 1024 * 1024;

/// Returns how many of the first items fit into a page, by the size of the texts of each in bytes;
/// at least one.
pub fn page_len(sizes: impl IntoIterator<Item = usize>) -> usize {
    let mut total: usize = 0;
    let fitting = sizes.into_iter().take_while(|size| {
        total = total.saturating_add(*size);
        total <= MAX_PAGE_BYTES
    });
    fitting.count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_has_the_items_that_fit_and_at_least_one() {
        assert_eq!(page_len([MAX_PAGE_BYTES - 1, 1, 0, 1]), 3);
        assert_eq!(page_len([usize::MAX, usize::MAX]), 1);
        assert_eq!(page_len([1, MAX_PAGE_BYTES]), 1);
        assert_eq!(page_len(std::iter::repeat_n(0, 100)), 100);
    }
}
