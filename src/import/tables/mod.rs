//! The mappings of all tables of Redmine, in the order of import: referred rows come before the
//! rows that refer to them.
//!
//! References to the same table, or to a later one, are imported by a patch of their own. Each
//! module holds the mappings of one subject. May import: `domain` ids and kinds, and from `import`
//! the vocabulary of mappings.

mod attachments;
mod boards;
mod custom_fields;
mod enumerations;
mod groups;
pub mod issues;
mod journals;
pub mod members;
mod news;
mod projects;
mod queries;
mod repositories;
pub mod roles;
mod settings;
mod time_entries;
mod trackers;
mod users;
mod versions;
mod watchers;
mod wikis;
mod workflow;

use super::table_mapping::TableMapping;

/// All mappings by subject.
pub const ALL: &[&[TableMapping]] = &[
    settings::ALL,
    users::ALL,
    groups::ALL,
    roles::ALL,
    trackers::ALL,
    workflow::ALL,
    projects::ALL,
    members::ALL,
    enumerations::ALL,
    versions::ALL,
    custom_fields::SETTINGS,
    issues::ALL,
    journals::ALL,
    time_entries::ALL,
    news::ALL,
    repositories::ALL,
    wikis::ALL,
    boards::ALL,
    queries::ALL,
    custom_fields::VALUES,
    attachments::ALL,
    watchers::ALL,
];

/// Returns all mappings in the order of import.
pub fn all() -> impl DoubleEndedIterator<Item = &'static TableMapping> {
    ALL.iter().flat_map(|mappings| mappings.iter())
}

/// Tables with internal data of Redmine, such as the schema version and running CSV imports; not
/// imported.
pub const INTERNAL_TABLES: &[&str] = &[
    "schema_migrations",
    "ar_internal_metadata",
    "imports",
    "import_items",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::ColumnType;
    use quarry_store::imported::{TargetRows, find};
    use std::collections::BTreeSet;

    #[test]
    fn labels_are_unique() {
        let labels: BTreeSet<&str> = all().map(|mapping| mapping.label).collect();
        assert_eq!(labels.len(), all().count());
    }

    #[test]
    fn target_tables_and_columns_exist() {
        let folder = tempfile::tempdir().unwrap();
        let store = quarry_store::Store::open(folder.path()).unwrap();
        for mapping in all() {
            let rows = store.read(|db| find(db, &mapping.target(), -1));
            assert_eq!(
                rows.unwrap_or_else(|error| panic!("{}: {error}", mapping.label))
                    .len(),
                0
            );
        }
        store.close();
    }

    #[test]
    fn references_refer_to_tables_that_are_imported_before() {
        let mut imported = BTreeSet::new();
        for mapping in all() {
            for field in mapping.fields {
                match field.column_type {
                    ColumnType::Ref(table) => {
                        assert!(imported.contains(table), "{}: {table}", mapping.label)
                    }
                    ColumnType::PolymorphicRef(_, tables) => {
                        assert!(
                            tables.iter().all(|(_, table)| imported.contains(table)),
                            "{}",
                            mapping.label
                        );
                    }
                    _ => {}
                }
            }
            assert!(
                mapping.owner.is_none_or(|owner| imported.contains(owner)),
                "{}",
                mapping.label
            );
            if mapping.target_rows == TargetRows::Row {
                imported.insert(mapping.table);
            }
        }
    }
}
