//! Single attributes of a field after a change.

use quarry_domain::validation::ValidationErrors;
use quarry_domain::values::patch::Patch;
use std::collections::HashSet;
use std::hash::Hash;

/// Maximum value of the minimum and maximum length.
const MAX_LENGTH: usize = 2_147_483_647;

/// Returns a length after a change.
pub(super) fn length(
    errors: &mut ValidationErrors,
    (attribute, label): (&str, &str),
    change: &Patch<i64>,
    before: Option<usize>,
) -> Option<usize> {
    let Patch::Set(length) = change else {
        return if change.is_present() { None } else { before };
    };
    let length = usize::try_from(*length)
        .ok()
        .filter(|length| *length <= MAX_LENGTH);
    if length.is_none() {
        errors.add(
            attribute,
            label,
            "must be a whole number from 0 to 2147483647",
        );
    }
    length
}

/// Returns a set of ids after a change; an unknown one is an error.
pub(super) fn ids<Id: Copy + Eq + Hash>(
    errors: &mut ValidationErrors,
    (attribute, label): (&str, &str),
    change: &Patch<Vec<Id>>,
    before: &HashSet<Id>,
    exists: impl Fn(Id) -> bool,
) -> HashSet<Id> {
    if !change.is_present() {
        return before.clone();
    }
    let after: HashSet<Id> = change.value().into_iter().flatten().copied().collect();
    if !after.iter().all(|id| exists(*id)) {
        errors.add(attribute, label, "is invalid");
    }
    after
}
