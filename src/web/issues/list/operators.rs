//! The operators of filters in words, and the values that each needs.

use quarry_domain::query::filter::{FilterType, HISTORY_OPERATORS, operators};

/// What is entered beside an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Nothing.
    Nothing,
    /// Any number of choices, or one text.
    Values,
    /// One number or day.
    One,
    /// Two numbers or days.
    Two,
    /// A number of days.
    Days,
    /// Projects.
    Projects,
}

impl Operand {
    /// Returns the name by which the script shows the matching controls.
    pub fn name(self) -> &'static str {
        match self {
            Operand::Nothing => "nothing",
            Operand::Values => "values",
            Operand::One => "one",
            Operand::Two => "two",
            Operand::Days => "days",
            Operand::Projects => "projects",
        }
    }
}

/// The operators in the order in which they are offered: the operator, its name in lists, and what
/// it needs.
const TABLE: [(&str, &str, Operand); 41] = [
    ("=", "is", Operand::Values),
    ("!", "is not", Operand::Values),
    ("~", "contains", Operand::Values),
    ("!~", "does not contain", Operand::Values),
    ("*~", "contains one of", Operand::Values),
    ("^", "begins with", Operand::Values),
    ("$", "ends with", Operand::Values),
    ("o", "open", Operand::Nothing),
    ("c", "closed", Operand::Nothing),
    (">=", "at least", Operand::One),
    ("<=", "at most", Operand::One),
    ("><", "between", Operand::Two),
    ("t", "today", Operand::Nothing),
    ("ld", "yesterday", Operand::Nothing),
    ("nd", "tomorrow", Operand::Nothing),
    ("w", "this week", Operand::Nothing),
    ("lw", "last week", Operand::Nothing),
    ("l2w", "the last two weeks", Operand::Nothing),
    ("nw", "next week", Operand::Nothing),
    ("m", "this month", Operand::Nothing),
    ("lm", "last month", Operand::Nothing),
    ("nm", "next month", Operand::Nothing),
    ("y", "this year", Operand::Nothing),
    ("t-", "days ago", Operand::Days),
    (">t-", "less than days ago", Operand::Days),
    ("<t-", "more than days ago", Operand::Days),
    ("><t-", "in the past days", Operand::Days),
    ("t+", "in days", Operand::Days),
    ("<t+", "in less than days", Operand::Days),
    (">t+", "in more than days", Operand::Days),
    ("><t+", "in the next days", Operand::Days),
    ("ev", "has been", Operand::Values),
    ("!ev", "has never been", Operand::Values),
    ("cf", "changed from", Operand::Values),
    ("=p", "an issue in the projects", Operand::Projects),
    ("=!p", "an issue outside the projects", Operand::Projects),
    ("!p", "no issue in the projects", Operand::Projects),
    ("*o", "an open issue", Operand::Nothing),
    ("!o", "no open issue", Operand::Nothing),
    ("*", "any", Operand::Nothing),
    ("!*", "none", Operand::Nothing),
];

/// Returns the operators of a type: operator, name and what it needs.
pub fn of_type(kind: FilterType) -> Vec<(&'static str, &'static str, Operand)> {
    let known = operators(kind);
    let is_offered = |operator: &str| {
        known.contains(&operator)
            || kind == FilterType::Status && HISTORY_OPERATORS.contains(&operator)
    };
    let offered = TABLE.iter().filter(|(operator, ..)| is_offered(operator));
    offered
        .map(|(operator, label, operand)| {
            let (label, operand) = for_type(kind, operator).unwrap_or((*label, *operand));
            (*operator, label, operand)
        })
        .collect()
}

/// Returns the name and the operand of an operator that differ for this type.
fn for_type(kind: FilterType, operator: &str) -> Option<(&'static str, Operand)> {
    match (kind, operator) {
        (FilterType::Date | FilterType::PastDate, ">=") => Some(("on or after", Operand::One)),
        (FilterType::Date | FilterType::PastDate, "<=") => Some(("on or before", Operand::One)),
        (
            FilterType::Date
            | FilterType::PastDate
            | FilterType::Number
            | FilterType::Hours
            | FilterType::Integer
            | FilterType::Id,
            "=",
        ) => Some(("is", Operand::One)),
        (FilterType::Parent | FilterType::IssueTree, "~") => Some(("is below", Operand::Values)),
        (FilterType::Subtask, "~") => Some(("is above", Operand::Values)),
        (FilterType::Status, "*") => Some(("all", Operand::Nothing)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_domain::query::filter::Records;

    #[test]
    fn every_operator_is_offered() {
        let kinds = [
            FilterType::Status,
            FilterType::List(Records::Unnamed),
            FilterType::Flag,
            FilterType::OptionalList(Records::Users),
            FilterType::OptionalChoice(Records::Unnamed),
            FilterType::Hours,
            FilterType::Integer,
            FilterType::Subject,
            FilterType::AnyText,
            FilterType::Line,
            FilterType::PastDate,
            FilterType::Date,
            FilterType::Relation,
            FilterType::Parent,
            FilterType::Subtask,
        ];
        for kind in kinds {
            let offered = of_type(kind);
            for operator in operators(kind) {
                assert!(
                    offered.iter().any(|(offered, ..)| offered == operator),
                    "{kind:?} {operator}"
                );
            }
        }
        assert_eq!(of_type(FilterType::Status).len(), 8);
        let trees = [
            (FilterType::Parent, "is below"),
            (FilterType::Subtask, "is above"),
        ];
        for (kind, expected) in trees {
            let offered = of_type(kind);
            let label = offered.iter().find(|(operator, ..)| *operator == "~");
            assert_eq!(label.unwrap().1, expected);
        }
    }
}
