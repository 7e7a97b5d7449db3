//! Reference implementation of similar issues: scores every issue.

use super::expected::Reference;
use super::records::{Reader, Record};
use super::{Comparison, hits};
use jiff::Timestamp;
use quarry::domain::access::permission::Permission;
use quarry::domain::ids::ProjectId;
use quarry::domain::index_feed::kind::Kind;
use quarry_world::search::random::Random;
use quarry_world::search::random_world::PROJECTS;
use quarry_world::search::words::{Atom, NAMES, Text};
use std::collections::{BTreeMap, BTreeSet};

/// Requested number of results.
const LIMIT: usize = 25;

/// A text for which similar issues are searched.
struct Like {
    subject: Text,
    description: Text,
    notes: Vec<Text>,
    except: Option<i64>,
    /// Microseconds since 1970.
    written: i64,
}

impl Comparison<'_> {
    /// Compares the issues similar to a random issue or draft.
    pub fn like(&mut self, reference: &Reference<'_>, login: Option<&str>, random: &mut Random) {
        self.tally.likes += 1;
        let project = random.chance(2).then(|| ProjectId(random.up_to(PROJECTS)));
        let open = random.chance(2);
        let mut query = format!("limit={LIMIT}&open_issues={}", u8::from(open));
        if let Some(project) = project {
            query += &format!("&project_id={project}");
        }
        let issues: Vec<&Record> = reference
            .records
            .iter()
            .filter(|record| record.kind == Kind::Issue)
            .collect();
        let (like, address, body, allowed);
        if random.chance(6) && !issues.is_empty() {
            let issue: &Record = issues[random.up_to(issues.len() as i64) as usize - 1];
            address = format!("/issues/{}/similar.json?{query}", issue.id);
            like = Like {
                subject: Text::of(&issue.written.0),
                description: Text::of(&issue.written.1),
                notes: issue
                    .notes
                    .iter()
                    .filter(|note| reference.reader.may_read(issue, note))
                    .map(|note| Text::of(&note.written))
                    .collect(),
                except: Some(issue.id),
                written: issue.created,
            };
            (body, allowed) = (None, reference.reader.may_see(issue));
        } else {
            let subject = random.text(3);
            let description = random.text(4);
            address = format!("/issues/similar.json?{query}&description=0");
            body = Some(format!(
                "{{\"issue\":{{\"subject\":\"{subject}\",\"description\":\"{description}\"}}}}"
            ));
            let now: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
            let subject = Text::of(&subject);
            let description = Text::of(&description);
            like = Like {
                subject,
                description,
                notes: Vec::new(),
                except: None,
                written: now.as_microsecond(),
            };
            allowed = true;
        }
        let context = format!("seed {}, {login:?} requests {address} {body:?}", self.seed);
        let (status, response) = self.server.send(login, &address, body);
        let may_search = project
            .is_none_or(|project| reference.reader.viewer.may(Permission::ViewIssues, project));
        if !allowed || !may_search {
            assert!(
                matches!(status, 401 | 403),
                "{context}: {status} {response}"
            );
            return;
        }
        assert_eq!(status, 200, "{context}: {response}");
        let within = project.map(|project| super::expected::below(reference.catalogue(), project));
        let scores = weigh(reference, &like);
        let mut wanted: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
        for record in &issues {
            let is_wanted = reference.reader.may_see(record)
                && like.except != Some(record.id)
                && within
                    .as_ref()
                    .is_none_or(|within| within.contains(&record.project))
                && !(open && reference.is_closed(record.status));
            if !is_wanted {
                continue;
            }
            wanted.extend(scores(record).map(|score| (record.id, score)));
        }
        let got: Vec<i64> = hits(&response)
            .into_iter()
            .map(|(kind, id)| {
                if kind == Kind::Issue {
                    id
                } else {
                    panic!("{context}: {response}")
                }
            })
            .collect();
        self.tally.alike += u64::from(!got.is_empty());
        let set: BTreeSet<i64> = got.iter().copied().collect();
        assert_eq!(set.len(), got.len(), "{context}: an issue comes twice");
        let leaked: Vec<_> = set.iter().filter(|id| !wanted.contains_key(id)).collect();
        assert!(leaked.is_empty(), "{context}: {leaked:?} are not like it");
        assert_eq!(
            got.is_empty(),
            wanted.is_empty(),
            "{context}: got {got:?}, wanted {wanted:?}"
        );
        // Updated documents count in the statistics until a merge, so exact scores are unknown
        // then.
        if self.written {
            return;
        }
        let top = wanted.values().fold((0.0_f64, 0.0_f64), |top, score| {
            (top.0.max(score.0), top.1.max(score.1))
        });
        let worst = got.iter().map(|id| wanted[id].1).fold(f64::MAX, f64::min);
        for (id, (low, high)) in &wanted {
            let must = *low > 0.2 * top.1 && (got.len() < LIMIT || *low > worst);
            let may = *high >= 0.2 * top.0;
            assert!(
                set.contains(id) || !must,
                "{context}: {id} is missing ({low}, {high}, best {top:?}) in {got:?}"
            );
            assert!(
                !set.contains(id) || may,
                "{context}: {id} is not alike enough ({low}, {high}, best {top:?})"
            );
        }
    }
}

/// Returns the terms of a text in the index: stems, and words as written that differ.
fn terms(text: &Text) -> impl Iterator<Item = &Atom> {
    text.atoms()
}

/// Returns the terms for which similar issues are searched: of a name with punctuation, the name
/// and not its letters alone.
fn significant(text: &Text) -> impl Iterator<Item = &Atom> {
    text.0.iter().flat_map(|place| {
        let has_name = place
            .iter()
            .any(|atom| NAMES.contains(&atom.plain.as_str()));
        place.iter().take(if has_name { 1 } else { place.len() })
    })
}

/// Returns the number of terms in the index.
fn length<'t>(texts: impl IntoIterator<Item = &'t Text>) -> usize {
    texts
        .into_iter()
        .flat_map(terms)
        .map(|atom| 1 + usize::from(atom.stem != atom.plain))
        .sum()
}

/// Returns the texts of the main field, repeated by their weight.
fn main_texts<'r>(reader: &Reader<'_>, record: &'r Record) -> Vec<&'r Text> {
    let titles = record.titles.iter().enumerate().flat_map(|(place, text)| {
        let times = if record.kind == Kind::Project && place == 1 {
            1
        } else {
            3
        };
        std::iter::repeat_n(text, times)
    });
    let open = reader.open(record);
    titles
        .chain(open.into_iter().skip(record.titles.len()))
        .collect()
}

/// Rounds a field length as the index does: exact up to 40, then in coarser steps.
fn coarse(length: usize) -> usize {
    let mut value = 40;
    let mut step = 2;
    if length < value {
        return length;
    }
    loop {
        for _ in 0..8 {
            if value + step > length {
                return value;
            }
            value += step;
        }
        step *= 2;
    }
}

/// Returns whether a word matches as written; a word equal to its stem shares its term with the
/// stem.
fn is_same_term(requested: &Atom, other: &Atom) -> bool {
    if requested.plain == requested.stem {
        other.stem == requested.stem
    } else {
        other.plain == requested.plain
    }
}

/// Okapi BM25 with the default constants.
fn bm25(count: f64, having: f64, records: f64, length: f64, average: f64) -> f64 {
    let rarity = (1.0 + (records - having + 0.5) / (having + 0.5)).ln();
    rarity * 2.2 * count / (count + 1.2 * (0.25 + 0.75 * length / average))
}

fn count_titles_with(records: &[&Record], atom: &Atom) -> f64 {
    records
        .iter()
        .filter(|record| count_in_titles(record, atom) > 0.0)
        .count() as f64
}

fn count_in_titles(record: &Record, atom: &Atom) -> f64 {
    record
        .titles
        .iter()
        .flat_map(|text| text.atoms())
        .filter(|other| is_same_term(atom, other))
        .count() as f64
}

fn count_stem(texts: &[&Text], stem: &str) -> f64 {
    texts
        .iter()
        .flat_map(|text| text.atoms())
        .filter(|atom| atom.stem == stem)
        .count() as f64
}

/// Returns a function from a record to lower and upper bounds of its score; the proximity boost is
/// only bounded.
fn weigh<'a>(
    reference: &'a Reference<'_>,
    like: &Like,
) -> impl Fn(&Record) -> Option<(f64, f64)> + 'a {
    let reader = &reference.reader;
    // Hidden records do not affect document frequencies; small indexes use fixed statistics.
    assert!(reference.records.len() < 1_000);
    let records = 1_024.0;
    let average = 100.0;
    let average_title = 10.0;
    let visible: Vec<&Record> = reference
        .records
        .iter()
        .filter(|record| reader.may_see(record))
        .collect();
    let all: Vec<Vec<&Text>> = visible
        .iter()
        .map(|record| main_texts(reader, record))
        .collect();
    let having = move |stem: &str| {
        all.iter()
            .filter(|texts| {
                texts
                    .iter()
                    .any(|text| text.atoms().any(|atom| atom.stem == stem))
            })
            .count() as f64
    };
    let mut weights: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    let own = f64::from(u8::from(like.except.is_some()));
    let notes: Vec<&Text> = like.notes.iter().collect();
    for (weight, texts, least) in [
        (5.0, vec![&like.subject], 1.0 + own),
        (1.0, vec![&like.description], 1.0 + own),
        (0.5, notes, 1.0),
    ] {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for atom in texts.iter().flat_map(|text| significant(text)) {
            *counts.entry(&atom.stem).or_default() += 1;
        }
        for (stem, count) in counts {
            weights.entry(stem.to_owned()).or_insert((0.0, least)).0 +=
                weight * (1.0 + f64::from(count).ln());
        }
    }
    let telling: Vec<(String, f64, f64)> = weights
        .into_iter()
        .map(|(stem, (weight, least))| (having(&stem), stem, weight, least))
        .filter(|(having, _, _, least)| having >= least)
        .map(|(having, stem, weight, _)| (stem, weight, having))
        .collect();
    assert!(telling.len() <= 40, "more terms than requested");
    let subject: Vec<(Atom, f64)> = like
        .subject
        .0
        .iter()
        .map(|place| (place[0].clone(), count_titles_with(&visible, &place[0])))
        .collect();
    let pairs: f64 = subject
        .windows(2)
        .map(|pair| {
            pair.iter()
                .map(|(atom, _)| (1.0 + records / (0.5 + having(&atom.stem))).ln())
                .sum::<f64>()
        })
        .sum();
    let written = like.written;
    let pairs = pairs * 2.2 * 0.1 * 5.0;
    move |record: &Record| {
        let texts = main_texts(reader, record);
        // A term of its own begins the description, and one the notes.
        let has_text = record.texts.iter().any(|text| !text.0.is_empty());
        let has_notes = record.notes.iter().any(|note| !note.private);
        let sections = usize::from(has_text) + usize::from(has_notes);
        let long = coarse(length(texts.iter().copied()) + sections) as f64;
        let found: f64 = telling
            .iter()
            .map(|(stem, weight, having)| {
                weight * bm25(count_stem(&texts, stem), *having, records, long, average)
            })
            .sum();
        if found == 0.0 {
            return None;
        }
        let title = coarse(length(&record.titles)) as f64;
        let exact: f64 = subject
            .iter()
            .map(|(atom, having)| {
                0.3 * 5.0
                    * bm25(
                        count_in_titles(record, atom),
                        *having,
                        records,
                        title,
                        average_title,
                    )
            })
            .sum();
        let age = (record.created - written).abs() as f64 / 86_400e6;
        let near = 1.0 + 0.5 * (-age / 365.0).exp();
        Some((
            (found + exact) * near * 0.999,
            (found + exact + pairs) * near * 1.001,
        ))
    }
}
