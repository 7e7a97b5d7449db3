//! Loads the compressed demonstration data, line by line, in batches.

use super::importer::DemoImporter;
use super::records::Record;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use quarry_actions::ActionError;
use quarry_actions::administration::{install, settings};
use quarry_domain::administration::setting::Setting;
use quarry_store::{Store, demo_data};
use ruzstd::decoding::StreamingDecoder;
use std::io::{BufRead, BufReader};

/// The compressed data; `fixtures/demo/README.md` describes its content and origin.
const DEMO_DATA: &[u8] = include_bytes!("../../../fixtures/demo/world.jsonl.zst");
/// Number of records per transaction.
const BATCH_SIZE: usize = 2000;

/// Fills an empty store with the default data and the demonstration data.
pub fn demo_data(store: &Store) -> anyhow::Result<()> {
    store.write::<_, ActionError>(install::default_data)?;
    store.write::<_, ActionError>(|db| settings::update(db, Setting::RestApiEnabled, "1"))?;
    let bar = ProgressBar::new(DEMO_DATA.len() as u64);
    // The bar is drawn only on a terminal, so that logs stay readable.
    bar.set_style(ProgressStyle::with_template(
        "loading the demonstration data {wide_bar} {percent:>3}%",
    )?);
    let mut lines = BufReader::new(StreamingDecoder::new(bar.wrap_read(DEMO_DATA))?);
    let mut importer = DemoImporter::new(&*store.catalogue()?);
    let mut batch = Vec::with_capacity(BATCH_SIZE);
    let mut line = Vec::new();
    let mut number = 0u64;
    loop {
        line.clear();
        // Texts contain other line separators, so lines end at this byte only.
        let has_line = lines.read_until(b'\n', &mut line)? > 0;
        if has_line {
            number += 1;
            let record: Record = serde_json::from_slice(&line)
                .with_context(|| format!("line {number} of the demonstration data"))?;
            batch.push(record);
        }
        if batch.len() == BATCH_SIZE || !has_line {
            importer = insert_batch(
                store,
                importer,
                std::mem::replace(&mut batch, Vec::with_capacity(BATCH_SIZE)),
            )
            .with_context(|| format!("before line {} of the demonstration data", number + 1))?;
        }
        if !has_line {
            break;
        }
    }
    store.write(demo_data::mark)?;
    bar.finish_and_clear();
    tracing::info!(records = number, "loaded the demonstration data");
    Ok(())
}

/// Inserts a batch in one transaction. The importer moves to the writer thread and back.
fn insert_batch(
    store: &Store,
    mut importer: DemoImporter,
    batch: Vec<Record>,
) -> anyhow::Result<DemoImporter> {
    store.write::<_, anyhow::Error>(move |db| {
        for record in &batch {
            importer.insert(db, record)?;
        }
        Ok(importer)
    })
}
