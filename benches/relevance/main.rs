//! Relevance of search results: nDCG@10, MRR@10 and Recall@100 over test collections, compared with
//! other engines.
//!
//! `cargo bench --bench relevance` takes the sets of `fixtures/relevance`; `-- --sets DIR --split
//! dev|held --json FILE NAME…` takes others: every `DIR/NAME/` with `docs.jsonl.gz`,
//! `SPLIT.queries.jsonl` and `SPLIT.qrels.tsv` (and `comments.jsonl.gz`; `gzip` unpacks). `--quick`
//! takes the small sets of the fixtures alone, `--ours` leaves the others out, `--schema DIR` ranks
//! by the files there and not by `index-schema/`. Ours goes through the product's own path from the
//! text of a query to its hits. The times of the table are those of the runs that
//! were rated; criterion also watches how long one takes. Both compare with the run before.

mod figures;
mod others;
mod ours;
mod sets;

use criterion::Criterion;
use figures::Figures;
use ours::Variant;
use quarry::search::{Index, IndexConfig};
use serde_json::{Value, json};
use sets::{Failure, Set};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What is wanted.
struct Wanted {
    sets: PathBuf,
    split: String,
    json: Option<PathBuf>,
    ours_alone: bool,
    mapping: Arc<IndexConfig>,
    names: Vec<String>,
}

/// What one way of answering achieved on one form of the queries of a set.
struct Row {
    set: String,
    form: &'static str,
    engine: &'static str,
    figures: Figures,
}

/// What was measured so far.
struct Rows {
    last_run: LastRun,
    measured: Vec<Row>,
}

/// The smallest change of nDCG@10 that is shown.
const SHOWN: f64 = 0.000_05;

fn main() -> Result<(), Failure> {
    let Some(wanted) = wanted()? else {
        return Ok(());
    };
    let mut rows = Rows {
        last_run: LastRun::read(),
        measured: Vec::new(),
    };
    println!(
        "| set | form | by | queries | nDCG@10 | since the last run | MRR@10 | Recall@100 | dead ends | p50 ms | p95 ms |\n|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    );
    for name in sets::names(&wanted.sets, &wanted.split, &wanted.names)? {
        let directory = wanted.sets.join(&name);
        let set = Set::read(&directory, &name, &wanted.split, false)?;
        measure(&mut rows, &set, &wanted.mapping, wanted.ours_alone)?;
        if directory.join("comments.jsonl.gz").exists() {
            let set = Set::read(
                &directory,
                &format!("{name} with comments"),
                &wanted.split,
                true,
            )?;
            measure(&mut rows, &set, &wanted.mapping, true)?;
        }
    }
    rows.finish(wanted.json.as_deref())
}

fn wanted() -> Result<Option<Wanted>, Failure> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/relevance");
    let mapping = Arc::new(IndexConfig::embedded()?);
    let mut wanted = Wanted {
        sets: fixtures,
        split: "dev".to_owned(),
        json: None,
        ours_alone: false,
        mapping,
        names: Vec::new(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--bench" => {}
            // `cargo test --benches` only checks that it runs.
            "--test" => return Ok(None),
            "--sets" => wanted.sets = value()?.into(),
            "--split" => wanted.split = value()?,
            "--schema" => wanted.mapping = Arc::new(ours::mapping(Path::new(&value()?))?),
            "--json" => wanted.json = Some(value()?.into()),
            "--ours" => wanted.ours_alone = true,
            "--quick" => wanted.names = ["hadoop", "seamonkey"].map(str::to_owned).into(),
            name if name.starts_with('-') => {
                return Err(format!("there is no option {name}").into());
            }
            name => wanted.names.push(name.to_owned()),
        }
    }
    Ok(Some(wanted))
}

/// Runs the queries of a set in each of their forms.
fn measure(
    rows: &mut Rows,
    set: &Set,
    mapping: &Arc<IndexConfig>,
    ours_alone: bool,
) -> Result<(), Failure> {
    let index = ours::index(set, mapping)?;
    for variant in Variant::ALL
        .into_iter()
        .filter(|variant| set.is_dated() || !variant.recent)
    {
        let figures = Figures::measure(set, variant.form, |query| {
            ours::search(&index, query, variant)
        })?;
        rows.add(set, variant.name, "quarry", figures);
    }
    watch(set, &index, Variant::ALL[0]);
    if !ours_alone {
        for engine in others::all(set)? {
            let forms = [
                ("text", "any word"),
                ("short", "short"),
                (sets::PARAGRAPH, "paragraph"),
            ];
            for (form, name) in forms {
                let figures = Figures::measure(set, form, |query| engine.search(&query.text))?;
                rows.add(set, name, engine.name(), figures);
            }
        }
    }
    Ok(())
}

/// Lets criterion watch the time of one query after the other.
fn watch(set: &Set, index: &Index, variant: Variant) {
    let queries = set.queries(variant.form);
    let mut turn = queries.iter().map(|(query, _)| query).cycle();
    let mut criterion = Criterion::default()
        .sample_size(20)
        .measurement_time(Duration::from_secs(2));
    criterion.bench_function(&format!("{}, {}", set.name, variant.name), |bencher| {
        bencher.iter(|| {
            turn.next()
                .map(|query| ours::search(index, query, variant).map(|found| found.documents.len()))
        });
    });
}

impl Rows {
    /// Prints a row of the table, and keeps it.
    fn add(&mut self, set: &Set, form: &'static str, engine: &'static str, figures: Figures) {
        let f = figures;
        let row = Row {
            set: set.name.clone(),
            form,
            engine,
            figures,
        };
        println!(
            "| {} | {form} | {engine} | {} | {:.4} | {} | {:.4} | {:.4} | {:.1} % | {:.2} | {:.2} |",
            set.name,
            f.queries,
            f.ndcg,
            self.last_run.change(&row),
            f.mrr,
            f.recall,
            f.dead_ends * 100.0,
            f.p50,
            f.p95
        );
        self.measured.push(row);
    }

    /// Prints what is better and worse, and keeps the figures for the next run.
    fn finish(&self, file: Option<&Path>) -> Result<(), Failure> {
        let changed = self.measured.iter().filter_map(|row| {
            let before = self.last_run.ndcg(row)?;
            let change = row.figures.ndcg - before;
            (change.abs() >= SHOWN).then_some(change > 0.0)
        });
        let (better, worse): (Vec<bool>, Vec<bool>) = changed.partition(|is_better| *is_better);
        println!(
            "\nnDCG@10 is better in {} rows and worse in {} than in the last run.\n\
            To try a ranking of your own, copy `index-schema/` to a folder DIR, edit `index.toml` there, and run `cargo bench --bench relevance -- --schema DIR`.",
            better.len(),
            worse.len()
        );
        let rows = self.measured.iter().map(|Row { set, form, engine, figures: f }| {
            json!({"set": set, "form": form, "by": engine, "queries": f.queries, "ndcg_at_10": f.ndcg, "mrr_at_10": f.mrr,
                "recall_at_100": f.recall, "dead_ends": f.dead_ends, "p50_ms": f.p50, "p95_ms": f.p95})
        });
        let rows = serde_json::to_string_pretty(&rows.collect::<Vec<_>>())?;
        if let Some(file) = file {
            std::fs::write(file, &rows)?;
        }
        Ok(std::fs::write(LastRun::file(), rows)?)
    }
}

/// The figures of the run before, of the same or other sets.
struct LastRun(Vec<Value>);

impl LastRun {
    fn file() -> PathBuf {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("relevance.json")
    }

    /// Reads them; there are none before the second run.
    fn read() -> LastRun {
        let text = std::fs::read_to_string(LastRun::file()).unwrap_or_default();
        LastRun(serde_json::from_str(&text).unwrap_or_default())
    }

    /// Returns nDCG@10 of the same row.
    fn ndcg(&self, row: &Row) -> Option<f64> {
        let is_same = |other: &&Value| {
            other["set"] == row.set && other["form"] == row.form && other["by"] == row.engine
        };
        self.0.iter().find(is_same)?["ndcg_at_10"].as_f64()
    }

    /// Returns the change of nDCG@10, as it is shown.
    fn change(&self, row: &Row) -> String {
        match self.ndcg(row) {
            Some(before) if (row.figures.ndcg - before).abs() >= SHOWN => {
                format!("{:+.4}", row.figures.ndcg - before)
            }
            Some(_) => "=".to_owned(),
            None => "–".to_owned(),
        }
    }
}
