//! Ids of the rows in our tables, by where they come from: what a reference of the source may refer
//! to.

use std::collections::{HashMap, HashSet};

/// State of the row that a reference of the source refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefTarget {
    /// The row was imported.
    Imported,
    /// The row was imported once and has been deleted here since.
    Deleted,
    /// A row that was created here has the same id.
    Unrelated,
    /// There is no such row.
    Missing,
}

/// Ids of one table.
#[derive(Default)]
struct TableIds {
    imported: HashSet<i64>,
    deleted: HashSet<i64>,
    unrelated: HashSet<i64>,
}

/// Ids and trees of all tables, and facts of the source that concern several rows.
#[derive(Default)]
pub struct IdMap {
    tables: HashMap<&'static str, TableIds>,
    /// Parents by tree and id of the child.
    parents: HashMap<&'static str, HashMap<i64, i64>>,
    has_publicity_permission: bool,
    statuses: Statuses,
    /// Priorities of issues, the default first.
    priorities: Vec<i64>,
    membership_roles: HashSet<i64>,
}

/// The statuses of issues in the source.
#[derive(Default)]
pub struct Statuses {
    /// Those in which issues are closed.
    pub closed: HashSet<i64>,
    /// All of them, in their order.
    pub ordered: Vec<i64>,
    /// Those of new issues, by tracker.
    pub defaults: HashMap<i64, i64>,
}

impl IdMap {
    /// Sets whether the source has a permission for choosing who can see a project.
    pub fn set_publicity_permission(&mut self, exists: bool) {
        self.has_publicity_permission = exists;
    }

    /// Whether the source has a permission for choosing who can see a project. Before it existed,
    /// users who could edit a project could choose.
    pub fn has_publicity_permission(&self) -> bool {
        self.has_publicity_permission
    }

    /// Sets the statuses of the source.
    pub fn set_statuses(&mut self, statuses: Statuses) {
        self.statuses = statuses;
    }

    /// Returns the status of new issues of a tracker, or else the first one that was imported.
    pub fn default_status(&self, tracker: Option<i64>) -> Option<i64> {
        let of_tracker = tracker.and_then(|tracker| self.statuses.defaults.get(&tracker));
        let mut statuses = of_tracker.into_iter().chain(&self.statuses.ordered);
        let status = statuses.find(|id| self.contains("issue_statuses", **id));
        status.copied()
    }

    /// Sets the priorities of the source, the default first.
    pub fn set_priorities(&mut self, priorities: Vec<i64>) {
        self.priorities = priorities;
    }

    /// Returns the default priority, or else the first one that was imported.
    pub fn default_priority(&self) -> Option<i64> {
        let mut priorities = self.priorities.iter();
        let priority = priorities.find(|id| self.contains("enumerations", **id));
        priority.copied()
    }

    /// Sets the ids of the roles of memberships in the source, own and inherited ones.
    pub fn set_membership_roles(&mut self, ids: HashSet<i64>) {
        self.membership_roles = ids;
    }

    /// Whether the source has a role of a membership with this id.
    pub fn has_membership_role(&self, id: i64) -> bool {
        self.membership_roles.contains(&id)
    }

    /// Returns whether issues are closed in a status of the source.
    pub fn is_closed(&self, status: i64) -> bool {
        self.statuses.closed.contains(&status)
    }

    /// Sets the ids of a table: those that exist here now, and those that were imported at any
    /// time.
    pub fn set_table(
        &mut self,
        table: &'static str,
        existing: HashSet<i64>,
        imported: impl Iterator<Item = i64>,
    ) {
        let (imported, deleted): (HashSet<i64>, HashSet<i64>) =
            imported.partition(|id| existing.contains(id));
        let unrelated = existing.difference(&imported).copied().collect();
        self.tables.insert(
            table,
            TableIds {
                imported,
                deleted,
                unrelated,
            },
        );
    }

    /// Adds a row that was imported.
    pub fn insert(&mut self, table: &'static str, id: i64) {
        self.tables.entry(table).or_default().imported.insert(id);
    }

    /// Returns the state of the row that a reference refers to.
    pub fn target(&self, table: &str, id: i64) -> RefTarget {
        match self.tables.get(table) {
            Some(ids) if ids.imported.contains(&id) => RefTarget::Imported,
            Some(ids) if ids.deleted.contains(&id) => RefTarget::Deleted,
            Some(ids) if ids.unrelated.contains(&id) => RefTarget::Unrelated,
            _ => RefTarget::Missing,
        }
    }

    /// Sets the parent of a row; returns `false` when that would make a cycle.
    pub fn set_parent(&mut self, tree: &'static str, id: i64, parent: i64) -> bool {
        let parents = self.parents.entry(tree).or_default();
        let mut ancestor = Some(parent);
        while let Some(current) = ancestor {
            if current == id {
                return false;
            }
            ancestor = parents.get(&current).copied();
        }
        parents.insert(id, parent);
        true
    }

    /// Whether a row was imported and still exists.
    pub fn contains(&self, table: &str, id: i64) -> bool {
        self.target(table, id) == RefTarget::Imported
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_the_same_id_from_elsewhere_are_unrelated() {
        let mut ids = IdMap::default();
        ids.set_table("issues", HashSet::from([1, 3]), [1, 2].into_iter());
        let targets = [1, 2, 3, 4].map(|id| ids.target("issues", id));
        assert_eq!(
            targets,
            [
                RefTarget::Imported,
                RefTarget::Deleted,
                RefTarget::Unrelated,
                RefTarget::Missing
            ]
        );
        ids.insert("issues", 4);
        assert!(
            ids.contains("issues", 4) && !ids.contains("issues", 3) && !ids.contains("users", 1)
        );
    }

    #[test]
    fn parents_cannot_form_a_cycle() {
        let mut ids = IdMap::default();
        assert!(ids.set_parent("issues", 1, 2) && ids.set_parent("issues", 2, 3));
        assert!(
            !ids.set_parent("issues", 3, 1)
                && !ids.set_parent("issues", 4, 4)
                && ids.set_parent("issues", 3, 4)
        );
    }
}
