//! Reads the packed world line by line and hands it to the store in batches.

use super::records::Record;
use super::world::World;
use crate::actions::{Refused, install, settings};
use crate::domain::setting::Setting;
use crate::store::Store;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{BufRead, BufReader};

/// The world; `fixtures/demo/README.md` says what is in it and where it comes from.
const PACKED: &[u8] = include_bytes!("../../../fixtures/demo/world.jsonl.zst");
/// How many records are one transaction.
const BATCH: usize = 2000;

/// Fills an empty store with the default data and the world.
pub fn world(store: &Store) -> anyhow::Result<()> {
    store.write::<_, Refused>(install::default_data)?;
    store.write::<_, Refused>(|db| settings::change(db, Setting::RestApiEnabled, "1"))?;
    let bar = ProgressBar::new(PACKED.len() as u64);
    // A bar for people; elsewhere it is not drawn, so that logs stay readable.
    bar.set_style(ProgressStyle::with_template("loading the demonstration world {wide_bar} {percent:>3}%")?);
    let mut lines = BufReader::new(zstd::Decoder::new(bar.wrap_read(PACKED))?);
    let mut world = World::new(&*store.catalogue()?);
    let mut batch = Vec::with_capacity(BATCH);
    let (mut line, mut number) = (Vec::new(), 0u64);
    loop {
        line.clear();
        // Texts hold other line ends, so only this byte parts the lines.
        let more = lines.read_until(b'\n', &mut line)? > 0;
        if more {
            number += 1;
            let record: Record = serde_json::from_slice(&line).with_context(|| format!("line {number} of the world"))?;
            batch.push(record);
        }
        if batch.len() == BATCH || !more {
            world = put(store, world, std::mem::replace(&mut batch, Vec::with_capacity(BATCH)))
                .with_context(|| format!("before line {} of the world", number + 1))?;
        }
        if !more {
            break;
        }
    }
    bar.finish_and_clear();
    tracing::info!(records = number, "the demonstration world is loaded");
    Ok(())
}

/// One transaction. The world goes to the thread that writes, and comes back.
fn put(store: &Store, mut world: World, batch: Vec<Record>) -> anyhow::Result<World> {
    store.write::<_, anyhow::Error>(move |db| {
        for record in &batch {
            world.put(db, record)?;
        }
        Ok(world)
    })
}
