//! Measures one size of data, in this order: indexing, searches, searches during rebuilds, and the
//! time from a write until it is found.

use super::client::Client;
use super::freshness::{self, Freshness};
use super::fts5_baseline::Fts5Baseline;
use super::load::{Latencies, Load};
use super::service::{self, Memory, Service};
use super::shapes::{self, Shape};
use super::tantivy_baseline::TantivyBaseline;
use super::words::Words;
use super::world::{VIEWERS, World};
use std::iter::repeat_with;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Maximum number of words in a query.
pub const MAX_WORDS: usize = 5;
/// Numbers of concurrent clients.
pub const CLIENTS: [usize; 2] = [1, 8];
/// Rates of writes, a second.
const WRITE_RATES: [usize; 3] = [20, 200, 2_000];
/// Number of different queries of a line.
const QUERIES: usize = 5_000;
/// Number of rebuilds while searches run.
const REBUILDS: usize = 3;

/// Latencies of queries with one number of words.
pub struct Line {
    pub clients: usize,
    pub words: usize,
    /// The service over HTTP, for each of the viewers.
    pub http: [Latencies; VIEWERS.len()],
    /// tantivy alone; with rows and excerpts; SQLite's FTS5.
    pub tantivy: Latencies,
    pub tantivy_with_rows: Latencies,
    pub fts5: Latencies,
}

pub struct Outcome {
    pub documents: usize,
    /// Bytes of the texts and of the index.
    pub text: usize,
    pub index: u64,
    /// Bytes of the FTS5 index, and seconds to build it; `None` when searches are not measured.
    pub fts5: Option<(u64, f64)>,
    /// Seconds to generate the data, and to build the index.
    pub generation_seconds: f64,
    pub indexing_seconds: f64,
    /// Memory of the process that built the index, of the service once it was ready, and after the
    /// searches.
    pub indexing: Memory,
    pub at_rest: Memory,
    pub after_searches: Memory,
    /// Seconds from the start of the service until it was ready.
    pub ready_seconds: f64,
    /// Memory of the service at the end.
    pub after_writes: Memory,
    pub lines: Vec<Line>,
    /// Groups and qualifiers, and a page of prefixes that match many terms.
    pub shapes: Vec<Shape>,
    pub prefixes: Option<Latencies>,
    pub rebuild: Option<Rebuild>,
    pub freshness: Vec<Freshness>,
}

/// Searches at half the rate that eight clients reach, alone and during a rebuild: the rebuild with
/// the median ratio of p99.
pub struct Rebuild {
    pub alone: Latencies,
    pub during: Latencies,
    pub seconds: f64,
}

impl Rebuild {
    /// Returns the p99 during the rebuild divided by the p99 alone.
    pub fn p99_ratio(&self) -> f64 {
        self.during.p99() / self.alone.p99()
    }
}

/// A part of the measurement; data and index are built for each of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Searches,
    Shapes,
    Rebuild,
    Writes,
}

impl Part {
    pub const ALL: [(&str, Part); 4] = [
        ("searches", Part::Searches),
        ("shapes", Part::Shapes),
        ("rebuild", Part::Rebuild),
        ("writes", Part::Writes),
    ];
}

pub fn measure(documents: usize, words: &Words, time: Duration, only: Option<Part>) -> Outcome {
    let is_selected = |part: Part| only.is_none_or(|only| only == part);
    let world = World::generate(documents, words);
    let log = |what: &str| eprintln!("{documents} documents: {what}");
    log(&format!("generated in {:.1} s", world.generation_seconds));
    let (indexing_seconds, indexing) = service::rebuild(world.folder.path());
    let index = world.index_bytes();
    log(&format!("indexed in {indexing_seconds:.1} s"));
    let fts5 =
        is_selected(Part::Searches).then(|| Fts5Baseline::build(&world.store, world.folder.path()));
    let service = Service::start(world.folder.path());
    let at_rest = service.memory();
    let mut lines = Vec::new();
    if let Some(fts5) = &fts5 {
        log(&format!(
            "indexed by FTS5 in {:.1} s",
            fts5.indexing_seconds
        ));
        let tantivy = TantivyBaseline::open(&world);
        for clients in CLIENTS {
            lines.extend(
                (1..=MAX_WORDS)
                    .map(|words| line(&world, &service, &tantivy, fts5, clients, words, time)),
            );
        }
        log("searches measured");
    }
    let mut shapes = Vec::new();
    if is_selected(Part::Shapes) {
        shapes = shapes::measure(&world, &service, time);
        log("groups and qualifiers measured");
    }
    let prefixes =
        is_selected(Part::Shapes).then(|| shapes::measure_prefixes(&world, &service, time));
    let after_searches = service.memory();
    let rebuild = is_selected(Part::Rebuild).then(|| {
        let max_rate = searches(&world, &service, None, &|elapsed| elapsed < time * 3).rate;
        // A shared machine changes its speed: measured before and after each rebuild.
        let without_rebuild = || {
            searches(&world, &service, Some(max_rate / 2.0), &|elapsed| {
                elapsed < time * 4
            })
        };
        let mut before = without_rebuild();
        let measure_rebuild = || {
            let (during, seconds) = during_rebuild(&world, &service, max_rate / 2.0);
            let after = without_rebuild();
            let mut alone = Latencies::merged([&before, &after]);
            alone.rate = after.rate;
            before = after;
            log(&format!(
                "indexed in {seconds:.1} s during searches, p99 {:.2} ms instead of {:.2} ms",
                during.p99(),
                alone.p99()
            ));
            Rebuild {
                alone,
                during,
                seconds,
            }
        };
        let mut rebuilds: Vec<Rebuild> = repeat_with(measure_rebuild).take(REBUILDS).collect();
        rebuilds.sort_by(|a, b| a.p99_ratio().total_cmp(&b.p99_ratio()));
        rebuilds.swap_remove(REBUILDS / 2)
    });
    let rates = WRITE_RATES.iter().filter(|_| is_selected(Part::Writes));
    let freshness = rates
        .map(|rate| freshness::measure(&world, &service, words, *rate, time * 3))
        .collect();
    Outcome {
        documents: world.documents,
        text: world.text,
        index,
        fts5: fts5.map(|fts5| (fts5.bytes(), fts5.indexing_seconds)),
        generation_seconds: world.generation_seconds,
        indexing_seconds,
        ready_seconds: service.ready_seconds,
        indexing,
        at_rest,
        after_searches,
        after_writes: service.memory(),
        lines,
        shapes,
        prefixes,
        rebuild,
        freshness,
    }
}

fn line(
    world: &World,
    service: &Service,
    tantivy: &TantivyBaseline<'_>,
    fts5: &Fts5Baseline,
    clients: usize,
    words: usize,
    time: Duration,
) -> Line {
    let load = Load {
        clients,
        rate: None,
    };
    let continues = |elapsed: Duration| elapsed < time;
    let http = std::array::from_fn(|viewer| {
        let queries = world.queries(viewer, words, QUERIES);
        let search = |client: &mut Client, turn: usize| {
            let query = &queries[turn % QUERIES];
            assert!(
                client.search(query) > 0,
                "{query} occurs in an issue that the viewer sees"
            );
        };
        load.run(
            continues,
            |_| Client::connect(&service.address, &world.keys[viewer]),
            search,
        )
    });
    let queries = world.queries(VIEWERS.len() - 1, words, QUERIES);
    let query = |turn: usize| queries[turn % QUERIES].as_str();
    Line {
        clients,
        words,
        http,
        tantivy: load.run(
            continues,
            |_| (),
            |(), turn| assert!(tantivy.search(query(turn)) > 0),
        ),
        tantivy_with_rows: load.run(
            continues,
            |_| (),
            |(), turn| {
                std::hint::black_box(tantivy.search_with_rows(query(turn)));
            },
        ),
        fts5: load.run(
            continues,
            |_| fts5.connect(),
            |connection, turn| assert!(connection.search(query(turn)) > 0),
        ),
    }
}

/// Searches as each viewer and with each number of words in turn, at a rate or as fast as responses
/// arrive.
fn searches(
    world: &World,
    service: &Service,
    rate: Option<f64>,
    continues: &(dyn Fn(Duration) -> bool + Sync),
) -> Latencies {
    let queries: Vec<Vec<String>> = (0..VIEWERS.len() * MAX_WORDS)
        .map(|index| world.queries(index % VIEWERS.len(), index / VIEWERS.len() + 1, 500))
        .collect();
    let load = Load {
        clients: CLIENTS[1],
        rate,
    };
    let open =
        |_| [0, 1, 2].map(|viewer: usize| Client::connect(&service.address, &world.keys[viewer]));
    let search = |clients: &mut [Client; 3], turn: usize| {
        let index = turn % queries.len();
        assert!(
            clients[index % VIEWERS.len()].search(&queries[index][turn / queries.len() % 500]) > 0
        );
    };
    load.run(continues, open, search)
}

fn during_rebuild(world: &World, service: &Service, rate: f64) -> (Latencies, f64) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let rebuilding = scope.spawn(|| {
            let (seconds, _) = service::rebuild(world.folder.path());
            done.store(true, Ordering::Relaxed);
            seconds
        });
        let during = searches(world, service, Some(rate), &|_| {
            !done.load(Ordering::Relaxed)
        });
        (during, rebuilding.join().expect("the rebuild finishes"))
    })
}
