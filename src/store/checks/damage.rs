//! Damage that a check has found.

use super::repair::Repair;

/// Maximum number of examples of one kind of damage.
const MAX_EXAMPLES: usize = 5;

/// Damaged records of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Number of damaged rows or other items.
    pub count: usize,
    /// Descriptions of a few of them.
    pub examples: Vec<String>,
    /// The automatic repair; `None` if a person must decide.
    pub repair: Option<Repair>,
}

impl Damage {
    /// Creates the damage from a description of each damaged row; `None` if there is none.
    pub(super) fn from_examples(examples: Vec<String>, repair: Option<Repair>) -> Option<Damage> {
        let count = examples.len();
        let mut examples = examples;
        examples.truncate(MAX_EXAMPLES);
        (count > 0).then_some(Damage {
            count,
            examples,
            repair,
        })
    }
}
