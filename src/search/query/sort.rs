//! The order that a query asks for: `sort:`.

use super::parser::tokenize;
use super::qualifier::Qualifier;
use super::token::TokenKind;

/// The orders of a search.
pub const SEARCH_SORTS: [&str; 2] = ["relevance", "date"];

/// The orders of a list of issues: name, column, and whether the greatest comes first unless
/// `-asc` follows.
pub const LIST_SORTS: [(&str, &str, bool); 18] = [
    ("date", "created_on", true),
    ("created", "created_on", true),
    ("updated", "updated_on", true),
    ("closed", "closed_on", true),
    ("id", "id", true),
    ("priority", "priority", true),
    ("done", "done_ratio", true),
    ("estimated", "estimated_hours", true),
    ("spent", "spent_hours", true),
    ("start", "start_date", false),
    ("due", "due_date", false),
    ("subject", "subject", false),
    ("status", "status", false),
    ("tracker", "tracker", false),
    ("assignee", "assigned_to", false),
    ("author", "author", false),
    ("version", "fixed_version", false),
    ("project", "project", false),
];

/// An order, as a query names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sort {
    /// One of those of [`sort_names`].
    pub name: String,
    /// Whether the greatest comes first, if the query says so.
    pub is_descending: Option<bool>,
}

impl Sort {
    /// Parses a value such as `updated` or `due-desc`; `None` for others.
    pub fn parse(value: &str) -> Option<Sort> {
        let (name, is_descending) = match value.rsplit_once('-') {
            Some((name, "asc")) => (name, Some(false)),
            Some((name, "desc")) => (name, Some(true)),
            _ => (value, None),
        };
        let is_known =
            SEARCH_SORTS.contains(&name) || LIST_SORTS.iter().any(|(known, _, _)| *known == name);
        is_known.then(|| Sort {
            name: name.to_owned(),
            is_descending,
        })
    }

    /// Returns the column of a list of issues and whether the greatest comes first; `None` for the
    /// order of the list itself.
    pub fn column(&self) -> Option<(&'static str, bool)> {
        let (_, column, is_descending) =
            LIST_SORTS.iter().find(|(name, _, _)| *name == self.name)?;
        Some((column, self.is_descending.unwrap_or(*is_descending)))
    }
}

/// Returns the names of all orders, those of a search first.
pub fn sort_names() -> impl Iterator<Item = &'static str> {
    let of_lists = LIST_SORTS.iter().map(|(name, _, _)| *name);
    let of_lists = of_lists.filter(|name| !SEARCH_SORTS.contains(name));
    SEARCH_SORTS.into_iter().chain(of_lists)
}

/// Returns the last order that a query asks for.
pub fn sort_of(text: &str) -> Option<Sort> {
    let tokens = tokenize(text).ok()?;
    tokens.iter().rev().find_map(|token| match &token.kind {
        TokenKind::Qualifier(Qualifier::Sort, value) => Sort::parse(value.trim()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_order_of_a_query_counts() {
        let column = |text: &str| sort_of(text).and_then(|sort| sort.column());
        assert_eq!(column("pump sort:due"), Some(("due_date", false)));
        assert_eq!(
            column("sort:due pump sort:due-desc"),
            Some(("due_date", true))
        );
        assert_eq!(column("pump sort:relevance"), None);
        assert_eq!(sort_of("pump sort:nonsense"), None);
        assert_eq!(sort_of("pump \"sort:due\""), None);
    }
}
