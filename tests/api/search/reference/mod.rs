//! Search against a reference implementation that reads every record of a random world and checks
//! visibility and words for each query. Hits, totals, facets, suggestions, corrections and similar
//! issues must equal the responses of the real server, also after changes of permissions and
//! records.
//!
//! `QUARRY_COMPARISONS` is the number of comparisons, `QUARRY_SEED` the seed of the first world.

mod dates;
mod expected;
mod issue_attributes;
mod records;
mod scope;
mod similar;
mod spelling;
mod trees;

use axum::body::{Body, to_bytes};
use axum::http::Request;
use expected::{Alternative, Expected, Reference, Rejected};
use quarry::domain::access::viewer::Viewer;
use quarry::domain::index_feed::kind::Kind;
use quarry_world::environment;
use quarry_world::search::query::{self, SearchQuery};
use quarry_world::search::random::Random;
use quarry_world::search::random_world;
use quarry_world::search::words::{self, Term, Text};
use quarry_world::{RUNTIME, World, percent_encode};
use records::Reader;
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;
use tower::ServiceExt;

/// Number of comparisons per world.
const IN_A_WORLD: u64 = 400;
/// Number of comparisons in all rounds.
const ALL_COMPARISONS: u64 = 2_000;
/// Number of trees of one comparison, because a tree is compared fast.
const TREES: u64 = 4;
/// The first seed of all rounds. From it on, they have every kind of search that is counted below,
/// also the rare ones.
const FIRST_SEED: u64 = 50;
/// The viewers; `None` is anonymous.
const VIEWERS: [Option<&str>; 6] = [
    Some("admin"),
    Some("alice"),
    Some("bob"),
    Some("carol"),
    Some("dave"),
    None,
];

#[test]
fn search_matches_the_reference_implementation() {
    let wanted = environment::rounds("QUARRY_COMPARISONS", ALL_COMPARISONS);
    let is_seed_given = environment::number("QUARRY_SEED").is_some();
    let first = if wanted == ALL_COMPARISONS && !is_seed_given {
        FIRST_SEED
    } else {
        environment::seed()
    };
    let mut tally = Tally::default();
    for seed in first.. {
        if tally.compared() >= wanted {
            break;
        }
        let compared = std::panic::catch_unwind(|| {
            compare_world(seed, IN_A_WORLD.min(wanted - tally.compared()))
        });
        match compared {
            Ok(found) => tally.add(&found),
            Err(panic) => {
                println!(
                    "to see it again: QUARRY_SEED={seed} QUARRY_COMPARISONS={IN_A_WORLD} cargo test --test api search::reference"
                );
                std::panic::resume_unwind(panic);
            }
        }
    }
    println!("{tally:?}");
    assert!(
        tally.found * 4 > tally.searches,
        "hardly anything is found: {tally:?}"
    );
    assert!(
        tally.trees_found * 3 > tally.trees
            && tally.lists_found * 4 > tally.trees
            && tally.too_deep * 10 < tally.trees,
        "{tally:?}"
    );
    assert!(
        wanted < ALL_COMPARISONS
            || (tally.likelier > 0 && tally.fewer_words > 20 && tally.any_word > 50),
        "{tally:?}"
    );
    assert!(
        wanted < ALL_COMPARISONS
            || (tally.meant > 20
                && tally.rejected > 20
                && tally.suggested > 100
                && tally.alike > 100),
        "{tally:?}"
    );
}

/// Counts of comparisons, so that a test of nothing fails.
#[derive(Debug, Default)]
struct Tally {
    searches: u64,
    suggests: u64,
    likes: u64,
    trees: u64,
    /// Trees with results, and trees that are too deep for the search.
    trees_found: u64,
    too_deep: u64,
    /// Trees as texts of lists of issues, with results.
    lists_found: u64,
    /// Searches with results, rejected searches, and searches with a correction.
    found: u64,
    rejected: u64,
    meant: u64,
    suggested: u64,
    alike: u64,
    /// Alternatives with a likelier word, with fewer words, and with any word.
    likelier: u64,
    fewer_words: u64,
    any_word: u64,
}

impl Tally {
    fn compared(&self) -> u64 {
        self.searches + self.suggests + self.likes + self.trees / TREES
    }

    fn add(&mut self, other: &Tally) {
        self.searches += other.searches;
        self.suggests += other.suggests;
        self.likes += other.likes;
        self.trees += other.trees;
        self.trees_found += other.trees_found;
        self.too_deep += other.too_deep;
        self.lists_found += other.lists_found;
        self.found += other.found;
        self.rejected += other.rejected;
        self.meant += other.meant;
        self.suggested += other.suggested;
        self.alike += other.alike;
        self.likelier += other.likelier;
        self.fewer_words += other.fewer_words;
        self.any_word += other.any_word;
    }
}

fn compare_world(seed: u64, comparisons: u64) -> Tally {
    let mut random = Random::new(seed);
    let world = random_world::world(&mut random);
    let mut requested = Comparison {
        seed,
        server: Server::new(&world),
        tally: Tally::default(),
        written: false,
    };
    let mut records = Vec::new();
    let mut read = None;
    while requested.tally.compared() < comparisons {
        requested.server.wait_for_index();
        let change = world.app.store.last_change();
        if read.replace(change) != Some(change) {
            records = records::all(&world.database());
        }
        // Scores are compared only while the index is freshly built.
        for _ in 0..6 {
            let login = random.of(&VIEWERS);
            let catalogue = world.app.store.catalogue().unwrap();
            let viewer = Viewer::new(&catalogue, login.map(quarry_world::user));
            let reference = Reference {
                reader: Reader {
                    viewer: &viewer,
                    catalogue: &catalogue,
                },
                records: &records,
            };
            match random.up_to(10) {
                1 | 2 => requested.suggest(&reference, login, &mut random),
                3 | 4 => requested.like(&reference, login, &mut random),
                5 | 6 => {
                    for _ in 0..TREES {
                        requested.tree(&reference, login, &mut random);
                    }
                }
                _ => requested.search(&reference, login, &SearchQuery::random(&mut random)),
            }
            if random.chance(5) {
                random_world::rights(&world, &mut random, !requested.written);
                if requested.written {
                    break;
                }
            }
        }
        if requested.tally.compared() > comparisons / 2 {
            requested.written = true;
            random_world::content(&world, &mut random);
        }
    }
    requested.tally
}

/// The server, called without a network.
struct Server<'w> {
    world: &'w World,
}

impl<'w> Server<'w> {
    fn new(world: &'w World) -> Server<'w> {
        Server { world }
    }

    /// Waits until the index has all changes; otherwise slow machines would fail.
    fn wait_for_index(&self) {
        let last = self.world.app.store.last_change();
        assert!(
            self.world
                .app
                .search
                .wait_until(last, Duration::from_secs(60))
        );
    }

    /// Sends a request as this user and returns status and body.
    fn send(&self, login: Option<&str>, address: &str, body: Option<String>) -> (u16, Value) {
        let method = if body.is_some() { "POST" } else { "GET" };
        let mut request = Request::builder()
            .method(method)
            .uri(address)
            .header("Host", "quarry.test");
        if let Some(login) = login {
            request = request.header("X-Service-API-Key", self.world.key(login));
        }
        let request = request
            .header("Content-Type", "application/json")
            .body(Body::from(body.unwrap_or_default()))
            .unwrap();
        RUNTIME.block_on(async {
            let response = self.world.router.clone().oneshot(request).await.unwrap();
            let status = response.status().as_u16();
            let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
            (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
        })
    }
}

/// The comparisons of one world.
struct Comparison<'w> {
    seed: u64,
    server: Server<'w>,
    tally: Tally,
    /// Whether records were written since the index was built.
    written: bool,
}

impl Comparison<'_> {
    fn search(&mut self, reference: &Reference<'_>, login: Option<&str>, question: &SearchQuery) {
        self.tally.searches += 1;
        let wanted = reference.respond(question);
        let context = format!(
            "seed {}, {login:?} requests {:?} at {}",
            self.seed,
            question.typed(),
            question.address(0)
        );
        let (status, first) = self.server.send(login, &question.address(0), None);
        let wanted = match wanted {
            Ok(wanted) => wanted,
            Err(Rejected(wanted)) => {
                assert_eq!(status, wanted, "{context}: {first}");
                self.tally.rejected += 1;
                return;
            }
        };
        assert_eq!(status, 200, "{context}: {first}");
        let total = first["total_count"].as_i64().unwrap();
        let mut page = hits(&first);
        while (page.len() as i64) < total {
            let (_, next) = self.server.send(login, &question.address(page.len()), None);
            let next = hits(&next);
            assert!(
                !next.is_empty(),
                "{context}: {} of {total} hits",
                page.len()
            );
            page.extend(next);
        }
        let got = Expected {
            hits: page.iter().copied().collect(),
            by_date: if question.sort == "date" {
                page.clone()
            } else {
                wanted.by_date.clone()
            },
            counts: wanted
                .counts
                .keys()
                .map(|name| (*name, first["counts"][*name].as_i64().unwrap()))
                .collect(),
            facets: query::FACETS
                .split(',')
                .map(|name| (name, facet_values(&first["facets"][name])))
                .collect(),
            did_you_mean: first["did_you_mean"].as_str().map(|typed| {
                (
                    typed.to_owned(),
                    first["did_you_mean_count"].as_u64().unwrap() as usize,
                )
            }),
            alternatives: first["alternatives"]
                .as_array()
                .into_iter()
                .flatten()
                .map(alternative)
                .collect(),
        };
        assert_eq!(page.len(), got.hits.len(), "{context}: a hit comes twice");
        assert_eq!(
            first["counts"].as_object().unwrap().len(),
            wanted.counts.len(),
            "{context}"
        );
        assert_eq!(got.counts.values().sum::<i64>(), total, "{context}");
        if got != wanted {
            let missing: Vec<_> = wanted.hits.difference(&got.hits).collect();
            let leaked: Vec<_> = got.hits.difference(&wanted.hits).collect();
            panic!(
                "{context}: missing {missing:?}, leaked {leaked:?}\ngot    {got:?}\nwanted {wanted:?}"
            );
        }
        self.tally.found += u64::from(total > 0);
        self.tally.meant += u64::from(got.did_you_mean.is_some());
        for alternative in &got.alternatives {
            match (alternative.all_words, alternative.without.is_empty()) {
                (true, true) => self.tally.likelier += 1,
                (true, false) => self.tally.fewer_words += 1,
                (false, _) => self.tally.any_word += 1,
            }
        }
    }

    /// Compares suggestions.
    fn suggest(&mut self, reference: &Reference<'_>, login: Option<&str>, random: &mut Random) {
        self.tally.suggests += 1;
        let mut words: Vec<&str> = (0..random.up_to(2))
            .map(|_| random.word())
            .filter(|word| words::word_parts(word).len() == 1)
            .collect();
        words.dedup();
        let mut terms: Vec<Term> = words
            .iter()
            .map(|word| Term::Word((*word).to_owned()))
            .collect();
        let mut typed = words.join(" ");
        if random.chance(8)
            && let Some(Term::Word(last)) = terms.pop()
        {
            let begin: String = last.chars().take(1 + random.up_to(5) as usize).collect();
            typed.truncate(typed.len() - last.len());
            typed += &begin;
            terms.push(Term::Begin(begin));
        } else {
            typed.push(' ');
        }
        let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|_| random.chance(3)).collect();
        let kinds = if kinds.is_empty() {
            Kind::ALL.to_vec()
        } else {
            kinds
        };
        let open = random.chance(3);
        let chosen: String = kinds
            .iter()
            .map(|kind| format!("{}=1&", kind.parameter()))
            .collect();
        let address = format!(
            "/search/suggest.json?{chosen}open_issues={}&limit=25&q={}",
            u8::from(open),
            percent_encode(&typed)
        );
        let visible = if terms.is_empty() {
            Vec::new()
        } else {
            reference.visible()
        };
        let wanted: BTreeSet<(Kind, i64)> = visible
            .iter()
            .filter(|record| {
                let titles: Vec<&Text> = record.titles.iter().collect();
                kinds.contains(&record.kind)
                    && !(open && record.kind == Kind::Issue && reference.is_closed(record.status))
                    && terms.iter().all(|word| expected::stands(word, &titles))
            })
            .map(|record| (record.kind, record.id))
            .collect();
        let (status, answer) = self.server.send(login, &address, None);
        assert_eq!(status, 200, "{answer}");
        let page = hits(&answer);
        let got: BTreeSet<(Kind, i64)> = page.iter().copied().collect();
        let message = format!(
            "seed {}, {login:?} types {typed:?} at {address}: got {got:?}, wanted {wanted:?}",
            self.seed
        );
        assert!(
            got.len() == page.len() && got.len() == wanted.len().min(25) && got.is_subset(&wanted),
            "{message}"
        );
        self.tally.suggested += u64::from(!got.is_empty());
    }
}

fn alternative(value: &Value) -> Alternative {
    let words = value["without"].as_array().unwrap().iter();
    Alternative {
        typed: value["q"].as_str().unwrap().to_owned(),
        all_words: value["all_words"].as_bool().unwrap(),
        without: words
            .map(|word| word.as_str().unwrap().to_owned())
            .collect(),
        total: value["total_count"].as_u64().unwrap() as usize,
    }
}

fn kind_and_id(result: &Value) -> (Kind, i64) {
    let kind = match result["type"].as_str().unwrap() {
        "issue" | "issue-closed" => Kind::Issue,
        "news" => Kind::News,
        "document" => Kind::Document,
        "changeset" => Kind::Changeset,
        "wiki-page" => Kind::WikiPage,
        "message" | "reply" => Kind::Message,
        "project" => Kind::Project,
        other => panic!("{other}"),
    };
    (kind, result["id"].as_i64().unwrap())
}

fn facet_values(values: &Value) -> Vec<(Option<i64>, String, i64)> {
    values
        .as_array()
        .unwrap()
        .iter()
        .map(|value| {
            (
                value["id"].as_i64(),
                value["name"].as_str().unwrap().to_owned(),
                value["count"].as_i64().unwrap(),
            )
        })
        .collect()
}

/// Returns the records of a response in order.
fn hits(answer: &Value) -> Vec<(Kind, i64)> {
    let results = answer["results"]
        .as_array()
        .unwrap_or_else(|| panic!("{answer}"));
    results.iter().map(kind_and_id).collect()
}
