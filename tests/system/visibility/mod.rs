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
use quarry::store::Store;
use random::Random;
use std::sync::Arc;

/// Number of sets of records, and of catalogues for each; a world is one of each.
const RECORDS: u64 = 25;
const CATALOGUES: u64 = 40;

#[test]
fn store_search_and_memory_agree_with_the_oracle() {
    let threads = std::thread::available_parallelism().unwrap().get() as u64;
    let compared: u64 = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| scope.spawn(move || compare_sets(first, threads)))
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .sum()
    });
    println!(
        "{} worlds, {compared} pairs of viewer and record compared",
        RECORDS * CATALOGUES
    );
    assert!(compared > 500_000);
}

/// Compares every `step`th set of records from the `first`, and returns the number of pairs of
/// viewer and record.
fn compare_sets(first: u64, step: u64) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mapping = Arc::new(IndexConfig::embedded().unwrap());
    random::lay_out(&store);
    let mut compared = 0;
    for seed in (first..RECORDS).step_by(step.try_into().unwrap()) {
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
                let comparison = Comparison {
                    world,
                    catalogue: &catalogue,
                    user,
                    scopes,
                    sources: &sources,
                    index: &index,
                };
                compared += store.read(|db| comparison.compare(db)).unwrap();
            }
        }
    }
    compared
}
