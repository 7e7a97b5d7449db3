//! Relevance of search results: nDCG@10, MRR@10 and Recall@100 over sets with relevance judgements,
//! compared with other engines and, query by query, with an earlier run. docs/relevance.md has the
//! formats of sets and what the figures mean; `-- --help` lists the options.
//!
//! Ours goes through the product's own path from the text of a query to its hits. The times of the
//! table are those of the runs that were rated; criterion also watches how long a query takes. What
//! needs no index is in the library `quarry-evaluation` (`tests/evaluation/`), with its tests.

mod failure;
mod others;
mod ours;
mod rows;

use clap::Parser;
use criterion::Criterion;
use failure::Failure;
use others::{OtherEngine, OtherIndex};
use ours::Variant;
use quarry::search::{Index, IndexConfig};
use quarry_evaluation::baseline::{Baseline, SavedRun};
use quarry_evaluation::comparison::Comparison;
use quarry_evaluation::figures::{Figures, Found};
use quarry_evaluation::options::{BaselineUse, Options};
use quarry_evaluation::report::{self, Row};
use quarry_evaluation::set::{Query, Set};
use quarry_evaluation::set_files::{self, SetFiles};
use rows::{Engine, PlannedRow};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Number of queries of each row with `--test`.
const TEST_QUERIES: usize = 2;

/// The bench: what is measured, and what was so far.
struct Bench {
    options: Options,
    config: Arc<IndexConfig>,
    baseline_use: BaselineUse,
    baseline: Baseline,
    rows: Vec<Row>,
    runs: Vec<SavedRun>,
    warnings: Vec<String>,
    /// Number of rows that were listed, tested or measured.
    selected: usize,
}

fn main() -> ExitCode {
    match run(Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("relevance: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the saved runs, in that of cargo.
fn baselines() -> PathBuf {
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    temporary.parent().unwrap_or(temporary).join("relevance")
}

fn run(options: Options) -> Result<(), Failure> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/relevance");
    let folder = options.sets.clone().unwrap_or(fixtures);
    let found = set_files::find(&folder, options.split.as_deref())?;
    let config = match &options.schema {
        Some(folder) => IndexConfig::read(folder)?,
        None => IndexConfig::embedded()?,
    };
    let baseline_use = options.baseline_use();
    let name = &baseline_use.name;
    let baseline = if options.list || options.is_test() {
        Baseline::default()
    } else if baseline_use.is_strict {
        Baseline::load_existing(&baselines(), name)?
    } else {
        Baseline::load(&baselines(), name)?.unwrap_or_default()
    };
    let mut bench = Bench {
        options,
        config: Arc::new(config),
        baseline_use,
        baseline,
        rows: Vec::new(),
        runs: Vec::new(),
        warnings: Vec::new(),
        selected: 0,
    };
    for missing in found.incomplete {
        bench.warn(missing);
    }
    for files in &found.sets {
        bench.measure_set(files, false)?;
        if files.comments.is_some() {
            bench.measure_set(files, true)?;
        }
    }
    bench.finish()
}

impl Bench {
    /// Prints a warning, and keeps it for `--json`.
    fn warn(&mut self, warning: String) {
        eprintln!("warning: {warning}");
        self.warnings.push(warning);
    }

    /// Measures what is selected of a set.
    fn measure_set(&mut self, files: &SetFiles, with_comments: bool) -> Result<(), Failure> {
        let mut planned = rows::planned(&files.set_name(with_comments), with_comments);
        planned.retain(|row| self.options.selects(&row.key));
        planned.retain(|row| !self.options.ours || matches!(row.engine, Engine::Ours(_)));
        if planned.is_empty() {
            return Ok(());
        }
        let set = Set::read(files, with_comments)?;
        for warning in &set.warnings {
            self.warn(format!("{}: {warning}", set.name));
        }
        for missing in rows::retain_measurable(&mut planned, &set) {
            self.warn(format!("{}: {missing}", set.name));
        }
        self.selected += planned.len();
        if self.options.list {
            for row in &planned {
                println!("{}: benchmark", row.key.id());
            }
            return Ok(());
        }
        self.measure_rows(&set, &planned)
    }

    /// Fails if `--baseline` names one that lacks a row.
    fn check_baseline(&self, planned: &[PlannedRow]) -> Result<(), Failure> {
        let BaselineUse {
            name, is_strict, ..
        } = &self.baseline_use;
        let missing = planned
            .iter()
            .find(|row| *is_strict && self.baseline.find(&row.key).is_none());
        match missing {
            Some(row) => Err(format!(
                "the baseline {name} has no {}; --baseline-lenient {name} compares what it has",
                row.key.id()
            )
            .into()),
            None => Ok(()),
        }
    }

    fn measure_rows(&mut self, set: &Set, planned: &[PlannedRow]) -> Result<(), Failure> {
        if !self.options.is_test() {
            self.check_baseline(planned)?;
            println!("{}", report::table_head(set));
        }
        let first_row = self.rows.len();
        let mut own_index: Option<Index> = None;
        let mut other_index: Option<(OtherEngine, Box<dyn OtherIndex>)> = None;
        for row in planned {
            match row.engine {
                Engine::Ours(variant) => {
                    let index = match own_index.take() {
                        Some(index) => index,
                        None => ours::index(set, &self.config)?,
                    };
                    let index = own_index.insert(index);
                    let figures =
                        self.figures(set, row, |query| ours::search(index, query, variant))?;
                    self.add(set, row, figures);
                }
                Engine::Other(engine) => {
                    let index = match other_index.take() {
                        Some((known, index)) if known == engine => index,
                        _ => engine.index(set)?,
                    };
                    let (_, index) = other_index.insert((engine, index));
                    let figures = self.figures(set, row, |query| index.search(&query.text))?;
                    self.add(set, row, figures);
                }
            }
        }
        let rows = &self.rows[first_row..];
        let comparison = report::comparison(rows, &self.baseline_use.name);
        let queries = planned.iter().map(|row| row.queries.as_slice());
        let rows: Vec<(&Row, &[Query])> = rows.iter().zip(queries).collect();
        let moved = report::moved(&rows, set, self.options.moved);
        comparison
            .iter()
            .chain(&moved)
            .for_each(|text| print!("{text}"));
        let watched = planned.iter().find_map(|row| match row.engine {
            Engine::Ours(variant) => Some((row, variant)),
            Engine::Other(_) => None,
        });
        if let (Some((row, variant)), Some(index)) = (watched, &own_index)
            && !self.options.no_times
            && !self.options.is_test()
        {
            self.watch(row, index, variant);
        }
        Ok(())
    }

    /// Runs the queries of a row; with `--test` a few of them.
    fn figures(
        &self,
        set: &Set,
        row: &PlannedRow,
        search: impl FnMut(&Query) -> Result<Found, Failure>,
    ) -> Result<Figures, Failure> {
        let mut queries = row.queries.as_slice();
        if self.options.is_test() {
            queries = &queries[..queries.len().min(TEST_QUERIES)];
        }
        Figures::measure(&set.documents, queries, search)
    }

    /// Prints a row of the table, and keeps it.
    fn add(&mut self, set: &Set, planned: &PlannedRow, figures: Figures) {
        let id = planned.key.id();
        if self.options.is_test() {
            println!("Testing {id}\nSuccess");
            return;
        }
        if let Some((first, count)) = &figures.refused {
            self.warn(format!(
                "{id}: queries that are refused and find nothing: {count}, first {first}"
            ));
        }
        let saved = self.baseline.find(&planned.key);
        let comparison = saved.map(|saved| Comparison::of(&saved.queries, &figures.queries));
        let others = saved
            .map(|saved| saved.documents)
            .filter(|documents| *documents != set.documents.len());
        let row = Row {
            key: planned.key.clone(),
            means: figures.means,
            comparison,
        };
        println!("{}", row.to_text());
        if let Some(documents) = others {
            self.warn(format!(
                "{id}: the set had {documents} documents in the baseline, and has {} now",
                set.documents.len()
            ));
        }
        self.rows.push(row);
        self.runs.push(SavedRun {
            key: planned.key.clone(),
            documents: set.documents.len(),
            queries: figures.queries,
        });
    }

    /// Lets criterion watch the time of one query after the other.
    fn watch(&self, row: &PlannedRow, index: &Index, variant: Variant) {
        let queries = &row.queries;
        let mut turn = queries.iter().cycle();
        let options = &self.options;
        let mut criterion = Criterion::default()
            .sample_size(options.sample_size)
            .warm_up_time(Duration::from_secs_f64(options.warm_up_time))
            .measurement_time(Duration::from_secs_f64(options.measurement_time));
        let name = self.baseline_use.name.clone();
        criterion = if self.baseline_use.is_saved {
            criterion.save_baseline(name)
        } else {
            criterion.retain_baseline(name, false)
        };
        if options.noplot {
            criterion = criterion.without_plots();
        }
        println!();
        criterion.bench_function(&row.key.id(), |bencher| {
            bencher.iter(|| {
                turn.next().map(|query| {
                    ours::search(index, query, variant).map(|found| found.documents.len())
                })
            });
        });
    }

    /// Saves the figures. Fails if nothing was selected.
    fn finish(self) -> Result<(), Failure> {
        if self.selected == 0 {
            let reason = if self.options.quick {
                "--quick runs hadoop and seamonkey alone, and there is no row of them"
            } else {
                "no row of a set passes the filters and has queries"
            };
            return Err(format!("nothing is measured: {reason}; --list prints the rows").into());
        }
        if self.options.list || self.options.is_test() {
            return Ok(());
        }
        if let Some(file) = &self.options.json {
            let report = json!({
                "baseline": self.baseline_use.name,
                "warnings": self.warnings,
                "rows": self.rows.iter().map(Row::to_json).collect::<Vec<Value>>(),
            });
            let text = serde_json::to_string_pretty(&report)?;
            std::fs::write(file, text)
                .map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
        }
        if self.baseline_use.is_saved {
            let mut baseline = self.baseline;
            baseline.replace(self.runs);
            let path = baseline.save(&baselines(), &self.baseline_use.name)?;
            println!(
                "\nThe figures of each query are saved as {}.",
                path.display()
            );
        }
        Ok(())
    }
}
