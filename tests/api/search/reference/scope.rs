//! Reference implementation of corrections and alternatives: runs every search that may be one.

use super::expected::{Alternative, Reference};
use super::records::Record;
use super::spelling::{Slip, Spelling};
use quarry::domain::ids::ProjectId;
use quarry::domain::index_feed::kind::Kind;
use quarry_world::search::query::{Item, SearchQuery};
use quarry_world::search::words::Term;

/// With fewer hits there are alternatives.
const FEW: usize = 10;

/// What is searched, whatever the words.
pub struct Scope<'a> {
    pub reference: &'a Reference<'a>,
    pub requested: &'a SearchQuery,
    pub visible: &'a [&'a Record],
    pub kinds: &'a [Kind],
    pub projects: &'a Option<Vec<ProjectId>>,
}

/// The corrections of each misspelled word, each with how likely its edits are.
type Slips = Vec<(String, Vec<(String, usize)>)>;
/// The hits, the corrected query with the number of its hits, and the alternatives.
type Found<'a> = (Vec<&'a Record>, Option<(String, usize)>, Vec<Alternative>);

impl<'a> Scope<'a> {
    pub fn search(&self) -> Found<'a> {
        let typed = self.requested;
        if !typed.all_words && typed.words().len() > 1 {
            return self.search_any_word(typed);
        }
        let mut hits = self.hits(typed);
        let mut did_you_mean = None;
        let mut meant = typed.clone();
        if hits.is_empty() {
            let slips = self.slips(typed, Slip::Unknown);
            let corrected = self.hits(&righted(typed, &slips));
            meant = self.best(typed, slips.clone());
            if !slips.is_empty() && !corrected.is_empty() {
                hits = corrected;
                did_you_mean = Some((meant.typed(), self.hits(&meant).len()));
            }
        }
        if hits.len() >= FEW {
            return (hits, did_you_mean, Vec::new());
        }
        let mut alternatives = Vec::new();
        let slips = self.slips(&meant, Slip::Rare);
        let corrected = self.best(&meant, slips.clone());
        let mut total = hits.len();
        if !slips.is_empty() && self.hits(&corrected).len() > total {
            total = self.hits(&corrected).len();
            did_you_mean.get_or_insert_with(|| (corrected.typed(), total));
            alternatives.push(Alternative {
                typed: corrected.typed(),
                all_words: true,
                without: Vec::new(),
                total,
            });
        }
        if corrected.words().len() > 1 {
            let any = self
                .search_any_word(&SearchQuery {
                    all_words: false,
                    ..corrected.clone()
                })
                .0
                .len();
            if any > hits.len() {
                alternatives.push(Alternative {
                    typed: corrected.typed(),
                    all_words: false,
                    without: Vec::new(),
                    total: any,
                });
            }
            if total < FEW {
                alternatives.extend(self.with_fewer_words(&corrected, total));
            }
        }
        (hits, did_you_mean, alternatives)
    }

    fn search_any_word(&self, typed: &SearchQuery) -> Found<'a> {
        let slips = self.slips(typed, Slip::Unknown);
        let hits = self.hits(&righted(typed, &slips));
        let meant = self.best(typed, slips.clone());
        let did_you_mean = (!slips.is_empty()).then(|| (meant.typed(), self.hits(&meant).len()));
        (hits, did_you_mean, Vec::new())
    }

    /// Leaves out the word without which most is found; if nothing is, more words, the rarest
    /// first.
    fn with_fewer_words(&self, meant: &SearchQuery, total: usize) -> Option<Alternative> {
        let words = meant.words();
        let spelling = self.spelling();
        let mut rarest: Vec<(usize, &Vec<Term>)> = words
            .iter()
            .map(|(word, joined)| (spelling.count(word, joined), *word))
            .collect();
        rarest.sort_by_key(|(count, _)| *count);
        let mut left_out: Vec<&Vec<Term>> = Vec::new();
        while rarest.len() > 1 && left_out.len() < 3 {
            let mut best: Option<Alternative> = None;
            for (_, word) in rarest.iter().take(6) {
                let (query, without) =
                    meant.leave_out(&left_out.iter().copied().chain([*word]).collect::<Vec<_>>());
                // An empty query finds nothing.
                let found = match query.items.is_empty() {
                    true => 0,
                    false => self.hits(&query).len(),
                };
                if found > best.as_ref().map_or(total, |best| best.total) {
                    best = Some(Alternative {
                        typed: query.typed(),
                        all_words: true,
                        without,
                        total: found,
                    });
                }
            }
            if best.is_some() {
                return best;
            }
            left_out.push(rarest.remove(0).1);
        }
        None
    }

    /// Returns how likely these corrections are together: their hits, in records that have all
    /// words, and their edits.
    fn likelihood(&self, typed: &SearchQuery, slips: &Slips) -> usize {
        let hits = self.hits(&SearchQuery {
            all_words: true,
            ..righted(typed, slips)
        });
        // A word with several candidates left counts the same in all choices.
        let edits = slips
            .iter()
            .map(|(_, ways)| if ways.len() == 1 { ways[0].1 } else { 1 });
        hits.len() * edits.product::<usize>()
    }

    /// Returns the first of the most likely choices.
    fn best_of(&self, typed: &SearchQuery, choices: Vec<Slips>) -> Slips {
        let counts: Vec<usize> = choices
            .iter()
            .map(|choice| self.likelihood(typed, choice))
            .collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        let best = counts.iter().position(|count| *count == most).unwrap();
        choices[best].clone()
    }

    /// Returns the query with the corrections that have the most hits together, in records that
    /// have all words.
    fn best(&self, typed: &SearchQuery, mut slips: Slips) -> SearchQuery {
        // More than nine combinations are reduced word by word.
        for place in 0..slips.len() {
            if slips.iter().map(|(_, ways)| ways.len()).product::<usize>() > 9 {
                let choices = slips[place]
                    .1
                    .iter()
                    .map(|way| with_only(&slips, place, way));
                slips = self.best_of(typed, choices.collect());
            }
        }
        let mut choices = vec![(0, slips)];
        for place in 0..choices[0].1.len() {
            let narrower = choices.iter().flat_map(|(rank, slips)| {
                slips[place]
                    .1
                    .iter()
                    .enumerate()
                    .map(move |(n, way)| (rank + n, with_only(slips, place, way)))
            });
            choices = narrower.collect();
        }
        choices.sort_by_key(|(rank, _)| *rank);
        let best = righted(
            typed,
            &self.best_of(typed, choices.into_iter().map(|(_, slips)| slips).collect()),
        );
        SearchQuery {
            all_words: typed.all_words,
            ..best
        }
    }

    /// Returns the corrections of each misspelled word.
    fn slips(&self, typed: &SearchQuery, slip: Slip) -> Slips {
        let spelling = self.spelling();
        let words = typed.words();
        let mut terms: Vec<(usize, &str, &[String])> = Vec::new();
        for term in typed.groups().flatten() {
            let Term::Word(word) = term else { continue };
            if terms.iter().all(|(_, known, _)| known != word) {
                let joined = words
                    .iter()
                    .find(|(group, _)| group[0] == *term)
                    .map_or(&[][..], |(_, joined)| joined);
                terms.push((
                    spelling.count(std::slice::from_ref(term), joined),
                    word,
                    joined,
                ));
            }
        }
        if slip == Slip::Rare {
            // Only the rarest word.
            let rarest = terms
                .iter()
                .map(|(count, ..)| *count)
                .filter(|count| *count > 0)
                .min();
            terms.retain(|(count, ..)| Some(*count) == rarest);
            terms.truncate(1);
        }
        let mut slips: Slips = Vec::new();
        for (_, word, joined) in terms {
            let ways = if slips.len() < 5 {
                spelling.meant(word, joined, slip)
            } else {
                Vec::new()
            };
            slips.extend((!ways.is_empty()).then(|| (word.to_owned(), ways)));
        }
        slips
    }

    fn spelling(&self) -> Spelling<'_> {
        Spelling {
            reader: &self.reference.reader,
            visible: self.visible,
            files: self.requested.attachments != "0",
        }
    }

    fn hits(&self, query: &SearchQuery) -> Vec<&'a Record> {
        self.reference.hits(
            query,
            self.requested,
            self.visible,
            self.kinds,
            self.projects,
        )
    }
}

/// Returns the corrections with a single candidate for one of the words.
fn with_only(slips: &Slips, place: usize, way: &(String, usize)) -> Slips {
    let mut narrower = slips.clone();
    narrower[place].1 = vec![way.clone()];
    narrower
}

/// Returns the corrections of a term, or the term itself if it has none.
fn alternatives(term: &Term, slips: &Slips) -> Vec<Term> {
    let slip = slips
        .iter()
        .find(|(slip, _)| matches!(term, Term::Word(word) if word == slip));
    slip.map_or_else(
        || vec![term.clone()],
        |(_, ways)| {
            ways.iter()
                .map(|(way, _)| Term::Word(way.clone()))
                .collect()
        },
    )
}

/// Returns the query with the corrections of its words as alternatives.
fn righted(typed: &SearchQuery, slips: &Slips) -> SearchQuery {
    let mut righted = typed.clone();
    for item in &mut righted.items {
        if let Item::Group(group) = item {
            *group = group
                .iter()
                .flat_map(|term| alternatives(term, slips))
                .collect();
        }
    }
    righted
}
