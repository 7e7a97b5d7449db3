//! Visibility in random worlds: for every viewer and record, four implementations must agree
//! whether it is visible: the expression in memory, as SQL, and in the index, and an oracle written
//! independently from compatibility 5.

mod api;
mod comparison;
mod containers;
mod explanations;
mod files;
mod oracle;
mod pages;
mod random;
mod suggestions;

use comparison::Comparison;
use quarry::search::{Index, IndexConfig};
use quarry::store::{Read, Store};
use quarry_world::environment;
use random::Random;
use std::sync::Arc;

/// Number of sets of records in all rounds, and of catalogues for each; a world is one of each.
const RECORDS: u64 = 25;
const CATALOGUES: u64 = 40;

#[test]
fn store_search_and_memory_agree_with_the_oracle() {
    let threads = std::thread::available_parallelism().unwrap().get() as u64;
    let sets = environment::rounds("QUARRY_RECORDS", RECORDS);
    let first = environment::seed();
    let compared: u64 = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                let seeds = (first + thread..first + sets).step_by(threads as usize);
                scope.spawn(move || compare_sets(seeds))
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .sum()
    });
    println!(
        "{} worlds, {compared} pairs of viewer and record compared",
        sets * CATALOGUES
    );
    assert!(compared > 20_000 * sets);
}

/// Compares the sets of records with these seeds, and returns the number of pairs of viewer and
/// record.
fn compare_sets(seeds: impl Iterator<Item = u64>) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mapping = Arc::new(IndexConfig::embedded().unwrap());
    random::lay_out(&store);
    let mut compared = 0;
    for seed in seeds {
        random::write_records(&store, seed);
        let sources = random::sources(&store);
        let index = Index::in_memory(Arc::clone(&mapping)).unwrap();
        index.add_all(sources.clone()).unwrap();
        let plain = store.catalogue().unwrap();
        for part in 0..CATALOGUES {
            let world = seed * CATALOGUES + part;
            let catalogue = random::catalogue(&plain, &mut Random::new(world + 1_000_000));
            let mut random = Random::new(world + 2_000_000);
            let users = std::iter::once(None)
                .chain(catalogue.users.keys().copied().map(Some))
                .map(|user| (user, None));
            // An application may act for any of the users.
            let token = (
                Some(random::any_user(&catalogue, &mut random)),
                Some(random::scopes(&mut random)),
            );
            for (user, scopes) in users.chain([token]) {
                let compare = |db: &Read<'_>| {
                    let comparison = Comparison {
                        world,
                        catalogue: &catalogue,
                        user,
                        scopes,
                        sources: &sources,
                        index: &index,
                        db,
                    };
                    comparison.compare(db)
                };
                compared += store.read(compare).unwrap();
            }
        }
    }
    compared
}
