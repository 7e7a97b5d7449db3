//! Which rows of which of our tables there are: what a reference may lead to.

use std::collections::{HashMap, HashSet};

/// Where a reference of the source leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    /// To a row that was taken.
    There,
    /// To a row that was taken once and removed here since.
    Removed,
    /// To a row that was made here, and only has the same number.
    Made,
    /// Nowhere.
    Nowhere,
}

/// The rows of one table.
#[derive(Default)]
struct Rows {
    taken: HashSet<i64>,
    removed: HashSet<i64>,
    made: HashSet<i64>,
}

/// The rows by table, which of them stand below which, and what else of the source matters for several rows.
#[derive(Default)]
pub struct Known(HashMap<&'static str, Rows>, HashMap<&'static str, HashMap<i64, i64>>, bool);

impl Known {
    /// Says whether the source has a permission of its own for who can see a project.
    pub fn set_publicity(&mut self, is_known: bool) {
        self.2 = is_known;
    }

    /// Whether the source has a permission of its own for who can see a project; before it had, whoever edits projects said so.
    pub fn has_publicity(&self) -> bool {
        self.2
    }

    /// Sets the rows of a table: those that are there, and those that were taken at any time.
    pub fn set(&mut self, table: &'static str, there: HashSet<i64>, taken: impl Iterator<Item = i64>) {
        let (taken, removed): (HashSet<i64>, HashSet<i64>) = taken.partition(|number| there.contains(number));
        let made = there.difference(&taken).copied().collect();
        self.0.insert(table, Rows { taken, removed, made });
    }

    /// Adds one that is taken now.
    pub fn add(&mut self, table: &'static str, number: i64) {
        self.0.entry(table).or_default().taken.insert(number);
    }

    /// Where a reference to this row leads.
    pub fn lead(&self, table: &str, number: i64) -> Lead {
        match self.0.get(table) {
            Some(rows) if rows.taken.contains(&number) => Lead::There,
            Some(rows) if rows.removed.contains(&number) => Lead::Removed,
            Some(rows) if rows.made.contains(&number) => Lead::Made,
            _ => Lead::Nowhere,
        }
    }

    /// Puts a row below another one of its kind; `false` when that one stands below it already.
    pub fn put_below(&mut self, tree: &'static str, number: i64, above: i64) -> bool {
        let tree = self.1.entry(tree).or_default();
        let mut next = Some(above);
        while let Some(found) = next {
            if found == number {
                return false;
            }
            next = tree.get(&found).copied();
        }
        tree.insert(number, above);
        true
    }

    /// Whether there is such a row of the source's here.
    pub fn has(&self, table: &str, number: i64) -> bool {
        self.lead(table, number) == Lead::There
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_only_has_the_same_number_is_another_one() {
        let mut known = Known::default();
        known.set("issues", HashSet::from([1, 3]), [1, 2].into_iter());
        let leads = [1, 2, 3, 4].map(|number| known.lead("issues", number));
        assert_eq!(leads, [Lead::There, Lead::Removed, Lead::Made, Lead::Nowhere]);
        known.add("issues", 4);
        assert!(known.put_below("issues", 1, 2) && known.put_below("issues", 2, 3));
        assert!(!known.put_below("issues", 3, 1) && !known.put_below("issues", 4, 4) && known.put_below("issues", 3, 4));
        assert!(known.has("issues", 4) && !known.has("issues", 3) && !known.has("users", 1));
    }
}
