//! What is measured of one world, in this order: how fast it is indexed, how searches go, what a rebuild does to them, and how soon a
//! write is found.

use super::bare::Bare;
use super::client::Client;
use super::fresh::{self, Fresh};
use super::fulltext::FullText;
use super::load::{Load, Times};
use super::service::{self, Memory, Service};
use super::words::Words;
use super::world::{VIEWERS, World};
use std::iter::repeat_with;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The most words of a question.
pub const WORDS: usize = 5;
/// Who asks at once.
pub const CLIENTS: [usize; 2] = [1, 8];
/// Writes a second.
const RATES: [usize; 3] = [20, 200, 2_000];
/// Questions that are asked in turn.
const QUESTIONS: usize = 5_000;
/// How often a rebuild is made while searches run.
const TURNS: usize = 3;

/// One engine under questions of so many words.
pub struct Line {
    pub clients: usize,
    pub words: usize,
    /// The service, for each of the viewers.
    pub http: [Times; VIEWERS.len()],
    /// The engine alone; with rows and excerpts; SQLite's full-text search.
    pub bare: Times,
    pub shown: Times,
    pub fulltext: Times,
}

pub struct Outcome {
    pub documents: usize,
    /// Bytes of the texts and of the index.
    pub text: usize,
    pub index: u64,
    /// Bytes of SQLite's full-text index, and seconds that it took to make; it is made for the searches.
    pub fulltext: Option<(u64, f64)>,
    /// Seconds that the world and the index took to make.
    pub made_in: f64,
    pub indexed_in: f64,
    /// Of the process that made the index; of the service when it was ready, and after the searches.
    pub indexing: Memory,
    pub at_rest: Memory,
    pub searched: Memory,
    /// Of the service after everything.
    pub at_last: Memory,
    pub lines: Vec<Line>,
    pub rebuild: Option<Rebuild>,
    pub fresh: Vec<Fresh>,
}

/// Searches at half the rate that eight clients reach, without and beside a rebuild that took so many seconds: of several turns the one
/// that raised p99 by the middle of what they did.
pub struct Rebuild {
    pub alone: Times,
    pub beside: Times,
    pub took: f64,
}

impl Rebuild {
    /// How many times p99 it made of p99.
    pub fn raised(&self) -> f64 {
        self.beside.p99() / self.alone.p99()
    }
}

/// What of it is measured; making the world and the index is always.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Searches,
    Rebuild,
    Writes,
}

impl Part {
    pub const ALL: [(&str, Part); 3] = [("searches", Part::Searches), ("rebuild", Part::Rebuild), ("writes", Part::Writes)];
}

pub fn measure(documents: usize, words: &Words, time: Duration, only: Option<Part>) -> Outcome {
    let wanted = |part: Part| only.is_none_or(|only| only == part);
    let world = World::of(documents, words);
    let said = |what: &str| eprintln!("{documents} documents: {what}");
    said(&format!("made in {:.1} s", world.made_in));
    let (indexed_in, indexing) = service::rebuild(world.folder.path());
    let index = world.index_bytes();
    said(&format!("indexed in {indexed_in:.1} s"));
    let fulltext = wanted(Part::Searches).then(|| FullText::of(&world.store, world.folder.path()));
    let service = Service::start(world.folder.path());
    let at_rest = service.memory();
    let mut lines = Vec::new();
    if let Some(fulltext) = &fulltext {
        said(&format!("indexed by SQLite in {:.1} s", fulltext.made_in));
        let bare = Bare::over(&world);
        for clients in CLIENTS {
            lines.extend((1..=WORDS).map(|words| line(&world, &service, &bare, fulltext, clients, words, time)));
        }
        said("searched");
    }
    let searched = service.memory();
    let rebuild = wanted(Part::Rebuild).then(|| {
        let most = searches(&world, &service, None, &|so_far| so_far < time * 3).rate;
        // Machines are not always equally fast: before and after each turn.
        let apart = || searches(&world, &service, Some(most / 2.0), &|so_far| so_far < time * 4);
        let mut before = apart();
        let turn = || {
            let (beside, took) = while_rebuilt(&world, &service, most / 2.0);
            let after = apart();
            let mut alone = Times::joined([&before, &after]);
            alone.rate = after.rate;
            before = after;
            said(&format!("indexed in {took:.1} s beside searches, p99 {:.2} ms instead of {:.2} ms", beside.p99(), alone.p99()));
            Rebuild { alone, beside, took }
        };
        let mut turns: Vec<Rebuild> = repeat_with(turn).take(TURNS).collect();
        turns.sort_by(|one, other| one.raised().total_cmp(&other.raised()));
        turns.swap_remove(TURNS / 2)
    });
    let rates = RATES.iter().filter(|_| wanted(Part::Writes));
    let fresh = rates.map(|rate| fresh::measure(&world, &service, words, *rate, time * 3)).collect();
    Outcome {
        documents: world.documents,
        text: world.text,
        index,
        fulltext: fulltext.map(|fulltext| (fulltext.bytes(), fulltext.made_in)),
        made_in: world.made_in,
        indexed_in,
        indexing,
        at_rest,
        searched,
        at_last: service.memory(),
        lines,
        rebuild,
        fresh,
    }
}

fn line(world: &World, service: &Service, bare: &Bare<'_>, fulltext: &FullText, clients: usize, words: usize, time: Duration) -> Line {
    let load = Load { clients, rate: None };
    let goes_on = |so_far: Duration| so_far < time;
    let http = std::array::from_fn(|viewer| {
        let questions = world.questions(viewer, words, QUESTIONS);
        let ask = |client: &mut Client, turn: usize| {
            let question = &questions[turn % QUESTIONS];
            assert!(client.search(question) > 0, "{question} stands in an issue that the viewer sees");
        };
        load.run(goes_on, |_| Client::connect(&service.address, &world.keys[viewer]), ask)
    });
    let questions = world.questions(VIEWERS.len() - 1, words, QUESTIONS);
    let question = |turn: usize| questions[turn % QUESTIONS].as_str();
    Line {
        clients,
        words,
        http,
        bare: load.run(goes_on, |_| (), |(), turn| assert!(bare.ask(question(turn)) > 0)),
        shown: load.run(
            goes_on,
            |_| (),
            |(), turn| {
                std::hint::black_box(bare.ask_and_show(question(turn)));
            },
        ),
        fulltext: load.run(goes_on, |_| fulltext.connect(), |asker, turn| assert!(asker.ask(question(turn)) > 0)),
    }
}

/// Every viewer and every number of words in turn, so many a second or as fast as they are answered.
fn searches(world: &World, service: &Service, rate: Option<f64>, goes_on: &(dyn Fn(Duration) -> bool + Sync)) -> Times {
    let questions: Vec<Vec<String>> =
        (0..VIEWERS.len() * WORDS).map(|place| world.questions(place % VIEWERS.len(), place / VIEWERS.len() + 1, 500)).collect();
    let load = Load { clients: CLIENTS[1], rate };
    let open = |_| [0, 1, 2].map(|viewer: usize| Client::connect(&service.address, &world.keys[viewer]));
    let ask = |clients: &mut [Client; 3], turn: usize| {
        let place = turn % questions.len();
        assert!(clients[place % VIEWERS.len()].search(&questions[place][turn / questions.len() % 500]) > 0);
    };
    load.run(goes_on, open, ask)
}

fn while_rebuilt(world: &World, service: &Service, rate: f64) -> (Times, f64) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let rebuilding = scope.spawn(|| {
            let (seconds, _) = service::rebuild(world.folder.path());
            done.store(true, Ordering::Relaxed);
            seconds
        });
        let beside = searches(world, service, Some(rate), &|_| !done.load(Ordering::Relaxed));
        (beside, rebuilding.join().expect("the index is made"))
    })
}
