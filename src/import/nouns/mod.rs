//! Every table of a Redmine, in the order in which they are taken: what is referred to comes before what refers to it.
//! What refers to its own kind, or forwards, is taken in a second step of its own.

mod attachments;
mod boards;
mod custom_fields;
mod enumerations;
mod groups;
mod issues;
mod journals;
mod members;
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

pub use users::PASSWORDS;

use super::noun::Noun;

/// All of them.
pub const ALL: &[&[Noun]] = &[
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

/// All of them in their order.
pub fn all() -> impl DoubleEndedIterator<Item = &'static Noun> {
    ALL.iter().flat_map(|nouns| nouns.iter())
}

/// Tables that are no records of people: schema, sessions, and imports under way. What is in them has no place here.
pub const MEANINGLESS: &[&str] = &["schema_migrations", "ar_internal_metadata", "imports", "import_items"];

#[cfg(test)]
pub use tests::made;

#[cfg(test)]
mod tests {
    use super::super::field::{Asked, Row, may};
    use super::super::known::Known;
    use super::super::noun::Takes;
    use super::super::source::Cell;
    use super::*;
    use crate::store::Value;
    use crate::store::secrets::Secrets;
    use std::collections::BTreeSet;

    /// What a column that is made in its own way is for this row; there is one project, 1.
    pub fn made(make: fn(&Asked<'_>) -> Result<Value, String>, row: &[(&'static str, Cell)]) -> Result<Value, String> {
        let folder = tempfile::tempdir().unwrap();
        let secrets = Secrets::load_or_create(folder.path()).unwrap();
        let mut known = Known::default();
        known.add("projects", 1);
        let (columns, cells): (Vec<&'static str>, Vec<Cell>) = row.iter().cloned().unzip();
        let field = may(columns[0], super::super::field::How::Made(make));
        make(&Asked { row: Row { columns: &columns, cells: &cells }, field: &field, known: &known, secrets: &secrets })
    }

    #[test]
    fn every_description_has_a_name_of_its_own() {
        let labels: BTreeSet<&str> = all().map(|noun| noun.label).collect();
        assert_eq!(labels.len(), all().count());
    }

    #[test]
    fn every_table_and_column_exists_here() {
        let folder = tempfile::tempdir().unwrap();
        let store = crate::store::Store::open(folder.path()).unwrap();
        for noun in all() {
            let found = store.read(|db| crate::store::imported::find(db, &noun.target(), -1));
            assert_eq!(found.unwrap_or_else(|error| panic!("{}: {error}", noun.label)).len(), 0);
        }
        store.close();
    }

    #[test]
    fn a_reference_leads_to_what_was_taken_before() {
        let mut taken = BTreeSet::new();
        for noun in all() {
            for field in noun.fields {
                match field.how {
                    super::super::field::How::Ref(table) => assert!(taken.contains(table), "{}: {table}", noun.label),
                    super::super::field::How::RefBy(_, tables) => {
                        assert!(tables.iter().all(|(_, table)| taken.contains(table)), "{}", noun.label);
                    }
                    _ => {}
                }
            }
            assert!(noun.owner.is_none_or(|owner| taken.contains(owner)), "{}", noun.label);
            if noun.place == crate::store::imported::Place::Row {
                taken.insert(noun.table);
            }
        }
        assert!(all().any(|noun| noun.takes == Takes::On("is_default")));
    }
}
