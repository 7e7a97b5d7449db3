//! Records that are their own ancestors.

use super::damage::Damage;
use crate::StoreError;
use crate::transaction::snapshot::Snapshot;
use std::collections::{HashMap, HashSet};

/// The tables whose rows have a parent of the same table.
const TREES: [&str; 6] = [
    "projects",
    "issues",
    "wiki_pages",
    "boards",
    "messages",
    "enumerations",
];

/// Checks each tree.
pub(super) fn cycles(db: &Snapshot<'_>) -> Result<Option<Damage>, StoreError> {
    let mut examples = Vec::new();
    for table in TREES {
        let sql = format!("SELECT id, parent_id FROM {table} WHERE parent_id IS NOT NULL");
        let rows = db.rows(&sql, &[], |row| Ok((row.next()?, row.next()?)))?;
        let parents: HashMap<i64, i64> = rows.into_iter().collect();
        let found = members_of_cycles(&parents).into_iter();
        examples.extend(found.map(|id| format!("row {id} of {table} is its own ancestor")));
    }
    Ok(Damage::from_examples(examples, None))
}

/// Returns the ids that are on a cycle, in ascending order.
fn members_of_cycles(parents: &HashMap<i64, i64>) -> Vec<i64> {
    let mut finished: HashSet<i64> = HashSet::new();
    let mut cyclic = Vec::new();
    for start in parents.keys() {
        let mut path = Vec::new();
        let mut seen = HashSet::new();
        let mut next = Some(*start);
        while let Some(id) = next.filter(|id| !finished.contains(id)) {
            if !seen.insert(id) {
                let begin = path.iter().position(|member| *member == id).unwrap_or(0);
                cyclic.extend_from_slice(&path[begin..]);
                break;
            }
            path.push(id);
            next = parents.get(&id).copied();
        }
        finished.extend(path);
    }
    cyclic.sort_unstable();
    cyclic
}

#[cfg(test)]
mod tests {
    use super::members_of_cycles;

    #[test]
    fn only_members_of_cycles_are_found() {
        let parents = [(1, 2), (2, 3), (3, 2), (4, 5), (6, 6), (7, 1)];
        assert_eq!(members_of_cycles(&parents.into()), [2, 3, 6]);
    }
}
