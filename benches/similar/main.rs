//! Are duplicates found? Recall@5 and the mean reciprocal rank over reports that people marked as
//! duplicates.
//!
//! `cargo bench --bench similar -- --sets DIR [--with KEY=NUMBER]… [NAME…]`; `--with` tries another
//! value of `[similar]` in `index-schema/index.toml`. Two kinds of question: `draft`, the subject
//! of a duplicate that is not in the index; and `report`, a whole report of the index whose
//! duplicates are in the index as well. It is compared with `search`: the subject as words of which
//! any will do.

mod sets;

use jiff::Timestamp;
use quarry::domain::ids::IssueId;
use quarry::domain::index_feed::kind::Kind;
use quarry::search::{
    Attachments, Index, IndexConfig, Order, ParsedQuery, SearchRequest, SimilarConfig,
    SimilarRequest, Visibility,
};
use sets::{Failure, comments, date, judgements, lines, source, text};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const SETS: [&str; 3] = ["titanium", "hadoop", "seamonkey"];
/// How many hits are looked at.
const LOOKED_AT: usize = 5;
/// Number of requested hits. Later ones count as not found.
const LIMIT: usize = 20;

/// A text and its duplicate reports.
struct Case {
    subject: String,
    description: String,
    notes: Vec<String>,
    except: Option<IssueId>,
    written: Timestamp,
    wanted: HashSet<i64>,
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench");
    let mut directory = None;
    let mut tried = Vec::new();
    let mut wanted = Vec::new();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--sets" => directory = arguments.next(),
            "--with" => tried.extend(arguments.next()),
            _ => wanted.push(argument),
        }
    }
    let Some(directory) = directory else {
        println!(
            "similar: skipped; run `cargo bench --bench similar -- --sets DIR [--with KEY=NUMBER]… [NAME…]`"
        );
        return Ok(());
    };
    println!(
        "{:<20} {:<7} {:>6} {:<8} {:>7} {:>7} {:>8} {:>8}",
        "set", "form", "cases", "how", "R@5", "MRR", "p50 ms", "p95 ms"
    );
    for name in SETS
        .into_iter()
        .filter(|name| wanted.is_empty() || wanted.iter().any(|one| one == name))
    {
        let directory = Path::new(&directory).join(name);
        measure(&directory, name, None, &tried)?;
        if name == "titanium" {
            measure(
                &directory,
                "titanium +comments",
                Some(comments(&directory)?),
                &tried,
            )?;
        }
    }
    Ok(())
}

fn written(text: &str) -> Timestamp {
    if text.is_empty() {
        Timestamp::MAX
    } else {
        date(text)
    }
}

/// Indexes one set and runs its cases in both ways, under each set of values that is tried.
fn measure(
    directory: &Path,
    name: &str,
    notes: Option<HashMap<String, String>>,
    tried: &[String],
) -> Result<(), Failure> {
    let docs = lines(&directory.join("docs.jsonl.gz"))?;
    let numbers: HashMap<String, i64> = docs.iter().map(|doc| text(doc, "id")).zip(1..).collect();
    let judged: BTreeMap<String, HashSet<i64>> = judgements(&directory.join("dev.qrels.tsv"))?
        .into_iter()
        .map(|(query, grades)| {
            (
                query,
                grades
                    .keys()
                    .filter_map(|id| numbers.get(id))
                    .copied()
                    .collect(),
            )
        })
        .collect();
    let mut drafts = Vec::new();
    for query in lines(&directory.join("dev.queries.jsonl"))? {
        let Some(wanted) = judged.get(&text(&query, "id")) else {
            continue;
        };
        drafts.push(Case {
            subject: text(&query, "text"),
            description: text(&query, "description"),
            notes: Vec::new(),
            except: None,
            written: written(&text(&query, "created")),
            wanted: wanted.clone(),
        });
    }
    let mut reports: BTreeMap<i64, Case> = BTreeMap::new();
    for group in judged.values().filter(|group| group.len() > 1) {
        for id in group {
            let doc = &docs[*id as usize - 1];
            let case = reports.entry(*id).or_insert_with(|| Case {
                subject: text(doc, "title"),
                description: text(doc, "text"),
                notes: notes
                    .iter()
                    .flat_map(|notes| notes.get(&text(doc, "id")))
                    .cloned()
                    .collect(),
                except: Some(IssueId(*id)),
                written: written(&text(doc, "created")),
                wanted: HashSet::new(),
            });
            case.wanted
                .extend(group.iter().filter(|other| *other != id));
        }
    }
    let reports: Vec<Case> = reports.into_values().collect();
    let mapping = Arc::new(IndexConfig::embedded()?);
    let index = Index::in_memory(Arc::clone(&mapping))?;
    index.add_all(
        docs.iter()
            .zip(1..)
            .map(|(doc, id)| source(doc, id, notes.as_ref())),
    )?;
    for (form, cases) in [("draft", &drafts), ("report", &reports)] {
        table(name, form, "search", cases, |case| searched(&index, case))?;
        table(name, form, "similar", cases, |case| {
            similar(&index, case, &mapping.similar)
        })?;
        for values in tried {
            let mut likeness = mapping.similar.clone();
            values
                .split(',')
                .try_for_each(|value| set(&mut likeness, value))?;
            table(name, form, values, cases, |case| {
                similar(&index, case, &likeness)
            })?;
        }
    }
    Ok(())
}

fn percentile(times: &[Duration], part: usize) -> f64 {
    times
        .get((times.len().max(1) - 1) * part / 100)
        .map_or(0.0, Duration::as_secs_f64)
        * 1000.0
}

/// One line of the table.
fn table(
    name: &str,
    form: &str,
    how: &str,
    cases: &[Case],
    answer: impl Fn(&Case) -> Result<Vec<i64>, Failure>,
) -> Result<(), Failure> {
    let mut recall = 0.0;
    let mut reciprocal = 0.0;
    let mut times = Vec::new();
    for case in cases {
        let begun = Instant::now();
        let found = answer(case)?;
        times.push(begun.elapsed());
        let right = found
            .iter()
            .take(LOOKED_AT)
            .filter(|id| case.wanted.contains(id))
            .count();
        recall += right as f64 / case.wanted.len().clamp(1, LOOKED_AT) as f64;
        reciprocal += found
            .iter()
            .position(|id| case.wanted.contains(id))
            .map_or(0.0, |place| 1.0 / (place as f64 + 1.0));
    }
    times.sort_unstable();
    let count = cases.len().max(1) as f64;
    let recall = recall / count;
    let reciprocal = reciprocal / count;
    let number = cases.len();
    println!(
        "{name:<20} {form:<7} {number:>6} {how:<8} {recall:>7.4} {reciprocal:>7.4} {:>8.2} {:>8.2}",
        percentile(&times, 50),
        percentile(&times, 95)
    );
    Ok(())
}

/// The subject as words of which any will do.
fn searched(index: &Index, case: &Case) -> Result<Vec<i64>, Failure> {
    let words = ParsedQuery::parse(&case.subject, &index.config().bounds)?;
    let question = SearchRequest {
        query: &words,
        visibility: &Visibility::everything(),
        kinds: &[Kind::Issue],
        projects: None,
        closed: None,
        titles_only: false,
        attachments: Attachments::Without,
        all_words: false,
        order: Order::Relevance,
        filters: &[],
        resolved: &[],
        facets: &[],
        offset: 0,
        limit: LIMIT + 1,
        with_alternatives: false,
        now: case.written,
    };
    let hits = index.search(&question)?.hits.into_iter().map(|hit| hit.id);
    Ok(hits
        .filter(|id| case.except.is_none_or(|except| except.0 != *id))
        .take(LIMIT)
        .collect())
}

fn similar(index: &Index, case: &Case, likeness: &SimilarConfig) -> Result<Vec<i64>, Failure> {
    let like = SimilarRequest {
        subject: &case.subject,
        description: &case.description,
        notes: &case.notes,
        except: case.except,
        visibility: &Visibility::everything(),
        projects: None,
        closed: None,
        written: case.written,
        limit: LIMIT,
    };
    Ok(index
        .similar(&like, likeness)?
        .into_iter()
        .map(|hit| hit.id)
        .collect())
}

/// Tries another value: `terms=20`.
fn set(likeness: &mut SimilarConfig, value: &str) -> Result<(), Failure> {
    let (key, number) = value.split_once('=').ok_or("expected KEY=NUMBER")?;
    let number: f32 = number.parse()?;
    match key {
        "subject" => likeness.subject = number,
        "description" => likeness.description = number,
        "notes" => likeness.notes = number,
        "terms" => likeness.terms = number as usize,
        "nearness_weight" => likeness.nearness_weight = number,
        "nearness_days" => likeness.nearness_days = number,
        "least" => likeness.least = number,
        _ => return Err(format!("{key} is not in [similar]").into()),
    }
    Ok(())
}
