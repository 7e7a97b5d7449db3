//! The sort order in a change of a saved query.

use super::QueryChange;
use crate::prelude::*;
use quarry_domain::query::columns;
use quarry_domain::query::columns::MAX_CRITERIA;
use quarry_domain::query::saved::SavedQuery;
use quarry_domain::validation::ValidationError;

impl QueryChange {
    /// Returns the sort order after the change.
    pub(super) fn order(
        &self,
        errors: &mut ValidationErrors,
        catalogue: &Catalogue,
        viewer: &Viewer,
        before: &SavedQuery,
    ) -> Vec<(String, String)> {
        let requested = match &self.order {
            Patch::Unset => return before.order.clone(),
            Patch::Clear => return Vec::new(),
            Patch::Set(requested) => requested,
        };
        let criteria = requested
            .iter()
            .flat_map(|text| text.split(','))
            .map(|criterion| {
                let (name, direction) = criterion
                    .trim()
                    .split_once(':')
                    .unwrap_or((criterion.trim(), "asc"));
                let is_same = |kept: &&(String, String)| {
                    kept.0 == name && (kept.1 == "desc") == (direction == "desc")
                };
                before
                    .order
                    .iter()
                    .find(is_same)
                    .cloned()
                    .unwrap_or_else(|| (name.to_owned(), direction.to_owned()))
            });
        let order: Vec<(String, String)> = criteria.collect();
        if order == before.order {
            return order;
        }
        if order.len() > MAX_CRITERIA {
            errors.push(order_error(&format!(
                "are too many (maximum is {MAX_CRITERIA})"
            )));
            return order;
        }
        for (name, direction) in order
            .iter()
            .filter(|criterion| !before.order.contains(criterion))
        {
            if !columns::is_sortable(catalogue, viewer, name) {
                errors.push(order_error(&format!(
                    "is invalid (issues cannot be sorted by {name})"
                )));
            } else if direction != "asc" && direction != "desc" {
                errors.push(order_error(&format!(
                    "is invalid (the direction of {name} must be asc or desc)"
                )));
            }
        }
        order
    }
}

fn order_error(message: &str) -> ValidationError {
    ValidationError::new("sort_criteria", "Sort criteria", message)
}
