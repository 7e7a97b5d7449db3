//! The contents of a saved search: the parameters of the address of the search page.

use super::QueryChange;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::query::saved::{SavedFilter, SavedQuery};
use quarry_domain::validation::ValidationErrors;
use quarry_domain::values::patch::Patch;

/// The parameters, without those of the content types.
const PARAMETERS: [&str; 9] = [
    "q",
    "scope",
    "all_words",
    "partial",
    "titles_only",
    "open_issues",
    "attachments",
    "topic",
    "sort",
];
/// Maximum length of the words in characters, which is that of a query.
const MAX_QUERY_LENGTH: usize = 8_000;
/// Maximum length of another value in characters.
const MAX_VALUE_LENGTH: usize = 40;

impl QueryChange {
    /// Returns the parameters after the change. Each has one value.
    pub(super) fn search_parameters(
        &self,
        errors: &mut ValidationErrors,
        before: &SavedQuery,
    ) -> Option<Vec<SavedFilter>> {
        let Patch::Set(requested) = &self.filters else {
            return before.filters.clone();
        };
        let query = requested.iter().find(|parameter| parameter.name == "q");
        if query.is_none_or(|query| query.values.concat().trim().is_empty()) {
            errors.add("q", "Search", "cannot be blank");
        }
        for parameter in requested {
            let max = match parameter.name.as_str() {
                "q" => MAX_QUERY_LENGTH,
                _ => MAX_VALUE_LENGTH,
            };
            if !is_parameter(&parameter.name) || parameter.values.len() != 1 {
                let message = format!(
                    "is invalid ({} is unknown, or has several values)",
                    parameter.name
                );
                errors.add("filters", "Search", &message);
            }
            for value in &parameter.values {
                errors.limit_text("q", "Search", value, max);
            }
        }
        Some(requested.clone())
    }
}

fn is_parameter(name: &str) -> bool {
    PARAMETERS.contains(&name) || Kind::ALL.into_iter().any(|kind| kind.parameter() == name)
}
