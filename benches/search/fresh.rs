//! From write to found: an issue with a word that was never used before is written over one connection, and searched at once
//! over another. Every one must be found by the first search.

use super::World;
use super::client::Client;
use std::time::Instant;

const WRITES: usize = 1000;

/// Prints how many were found at once, and how long it took from the request that writes to the answer that finds.
pub fn measure(world: &World) {
    let (mut writer, mut reader) = (Client::connect(&world.address, &world.all), Client::connect(&world.address, &world.all));
    let (mut found, mut taken, mut written) = (0, Vec::with_capacity(WRITES), Vec::with_capacity(WRITES));
    for n in 0..WRITES {
        let word = format!("neverbefore{n}seen");
        let begun = Instant::now();
        writer.write(&format!(r#"{{"issue":{{"project_id":1,"subject":"{word}"}}}}"#));
        written.push(begun.elapsed().as_secs_f64() * 1e3);
        found += usize::from(reader.search(&word) == 1);
        taken.push(begun.elapsed().as_secs_f64() * 1e3);
    }
    taken.sort_by(f64::total_cmp);
    written.sort_by(f64::total_cmp);
    let at = |times: &[f64], percent: usize| times[times.len() * percent / 100];
    let (world, documents) = (world.name, world.documents);
    println!("write, then search ({world}, {documents} docs): {found} of {WRITES} found by the next search");
    println!(
        "  write p50 {:.1} ms, p99 {:.1} ms; write to found p50 {:.1} ms, p99 {:.1} ms",
        at(&written, 50),
        at(&written, 99),
        at(&taken, 50),
        at(&taken, 99)
    );
}
