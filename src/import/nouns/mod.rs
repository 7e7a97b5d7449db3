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
mod roles;
mod settings;
mod time_entries;
mod trackers;
mod users;
mod versions;
mod watchers;
mod wikis;
mod workflow;

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
mod tests {
    use super::super::noun::Takes;
    use super::*;
    use std::collections::BTreeSet;

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
