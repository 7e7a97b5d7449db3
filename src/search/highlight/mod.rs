//! Where do the words of a question stand in a text?
//!
//! The same analyzer that made the index reads the texts, so what is marked is what matched: stems, prefixes, phrases, parts of
//! identifiers, pairs of CJK characters. What must not stand in a hit (`-word`) is never looked for.

mod excerpt;
mod passage;
mod places;

pub use excerpt::Excerpt;
pub use passage::Passage;
pub use places::Place;

use super::analyzer::{Firsts, Pieces};
use super::query::{Query, Step, Word};

/// A place in a text that answers a word of the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    /// Which text.
    text: usize,
    /// Its first byte, and the first behind it.
    from: usize,
    to: usize,
    /// Which word, in the order of [`Query::every_word`].
    word: usize,
}

/// Title and excerpt of a hit.
#[derive(Debug, PartialEq, Eq)]
pub struct RenderedHit {
    /// The title, with the words marked.
    pub title: Passage,
    /// The text around the words that the title does not show.
    pub excerpt: Excerpt,
}

/// Which of the words asked are shown already, in a title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known(Vec<bool>);

/// Finds the words of one question in texts. Make it once and use it for every hit.
pub struct Highlighter<'q> {
    /// Every term that is looked for, sorted.
    terms: Vec<Wanted<'q>>,
    /// The ways in which words are found.
    readings: Vec<Reading>,
    /// Beginnings of words, with the reading that each ends.
    prefixes: Vec<(&'q str, usize)>,
    /// With which letters what is looked for begins.
    firsts: Firsts,
    /// How many positions behind its first term a reading ends at most.
    reach: usize,
    /// For each word which of the words asked it stands for: an alternative stands for the word before it.
    stands_for: Vec<usize>,
}

struct Wanted<'q> {
    term: &'q str,
    /// The readings that end with it.
    ends: Vec<usize>,
    /// Whether it stands before the end of some reading.
    inner: bool,
}

struct Reading {
    word: usize,
    /// The terms before the last, each with its distance from the last, in positions.
    before: Vec<(usize, usize)>,
}

/// What was seen of a text so far: it may be read in parts.
#[derive(Default)]
struct Trace {
    /// Terms that stand before the end of a phrase, in their order: which, at which position, and their first byte.
    seen: Vec<(usize, usize, usize)>,
    position: usize,
    /// Below which position some reading that has begun may end.
    counted: usize,
}

impl<'q> Highlighter<'q> {
    /// Looks for the words of this question. Where any of them will do, a part of a word of several parts does as well.
    pub fn of(query: &'q Query, any_word: bool) -> Highlighter<'q> {
        let mut stands_for = Vec::new();
        let mut wanted: Vec<(usize, &'q [Step], bool)> = Vec::new();
        for (place, asked) in query.words.iter().enumerate() {
            for word in std::iter::once(asked).chain(&asked.or) {
                let ways = std::iter::once(word).chain(word.apart.iter().filter(|_| any_word));
                let ways = ways.flat_map(|way: &Word| way.readings.iter().map(|steps| (steps.as_slice(), way.prefix)));
                wanted.extend(ways.map(|(steps, prefix)| (stands_for.len(), steps, prefix)));
                stands_for.push(place);
            }
        }
        let mut terms: Vec<&str> = wanted.iter().flat_map(|(_, steps, _)| steps.iter().map(|step| step.term.as_str())).collect();
        terms.sort_unstable();
        terms.dedup();
        let terms = terms.into_iter().map(|term| Wanted { term, ends: Vec::new(), inner: false }).collect();
        let mut made = Highlighter { terms, readings: Vec::new(), prefixes: Vec::new(), firsts: Firsts::of([]), reach: 0, stands_for };
        for (word, steps, prefix) in wanted {
            made.look_for(word, steps, prefix);
        }
        let prefixes = made.prefixes.iter().map(|(prefix, _)| *prefix);
        made.firsts = Firsts::of(made.terms.iter().map(|wanted| wanted.term).chain(prefixes));
        made.reach = made.readings.iter().flat_map(|reading| &reading.before).map(|(_, back)| *back).max().unwrap_or_default();
        made
    }

    fn look_for(&mut self, word: usize, steps: &'q [Step], prefix: bool) {
        let Some((last, before)) = steps.split_last() else { return };
        let mut inner = Vec::with_capacity(before.len());
        for step in before {
            if let Some(term) = self.place(&step.term) {
                self.terms[term].inner = true;
                inner.push((term, last.offset - step.offset));
            }
        }
        let reading = self.readings.len();
        self.readings.push(Reading { word, before: inner });
        if prefix {
            self.prefixes.push((&last.plain, reading));
        } else if let Some(term) = self.place(&last.term) {
            self.terms[term].ends.push(reading);
        }
    }

    fn place(&self, term: &str) -> Option<usize> {
        self.terms.binary_search_by(|wanted| wanted.term.cmp(term)).ok()
    }

    /// Adds where the words stand in this part of a text, which begins at `base`.
    fn read(&self, part: &str, (text, base): (usize, usize), trace: &mut Trace, marks: &mut Vec<Mark>) {
        let mut pieces = Pieces::looking_for(part, &self.firsts);
        pieces.count(trace.counted.saturating_sub(trace.position));
        while let Some(piece) = pieces.advance() {
            let (from, to, position) = (base + piece.from, base + piece.to, trace.position + piece.position);
            let mut end = |reading: usize| {
                let Reading { word, before } = &self.readings[reading];
                let start = before.iter().try_fold(from, |start, (term, back)| {
                    let at = position.checked_sub(*back)?;
                    let to = trace.seen.partition_point(|(_, position, _)| *position <= at);
                    let mut there = trace.seen[..to].iter().rev().take_while(|(_, position, _)| *position == at);
                    there.find(|(seen, ..)| seen == term).map(|(.., from)| start.min(*from))
                });
                marks.extend(start.map(|from| Mark { text, from, to, word: *word }));
            };
            let term = self.place(&piece.term);
            if let Some(term) = term {
                self.terms[term].ends.iter().for_each(|reading| end(*reading));
            }
            for (prefix, reading) in &self.prefixes {
                if piece.plain.starts_with(prefix) || piece.term.starts_with(prefix) {
                    end(*reading);
                }
            }
            if let Some(term) = term.filter(|term| self.terms[*term].inner) {
                trace.seen.push((term, position, from));
                trace.counted = position + self.reach + 1;
                pieces.count(trace.counted - trace.position);
            }
        }
        trace.position += pieces.position();
    }

    /// Renders a hit: `before` is put before its title, and the excerpt is made of the texts.
    pub fn render<'t>(&self, before: &str, title: &str, texts: impl Iterator<Item = (Place, &'t str)> + Clone) -> RenderedHit {
        let (title, known) = self.title(before, title);
        RenderedHit { title, excerpt: self.excerpt(texts, &known) }
    }

    /// A title with the words of the question marked in it, and which these are; `before` is what the service puts before it.
    pub fn title(&self, before: &str, title: &str) -> (Passage, Known) {
        let mut marks = Vec::new();
        self.read(title, (0, before.len()), &mut Trace::default(), &mut marks);
        sort(&mut marks);
        let text = format!("{before}{title}");
        let passage = Passage { place: Place::Title, text, marks: passage::joined(marks.iter().map(|mark| (mark.from, mark.to))) };
        (passage, self.seen(&marks))
    }

    /// Which of the words asked are marked somewhere, or another in their place.
    fn seen(&self, marks: &[Mark]) -> Known {
        let mut seen = vec![false; self.stands_for.last().map_or(0, |last| last + 1)];
        marks.iter().for_each(|mark| seen[self.stands_for[mark.word]] = true);
        Known(seen)
    }
}

impl Known {
    /// Whether the words of both together are all that was asked.
    fn is_all_with(&self, other: &Known) -> bool {
        self.0.iter().enumerate().all(|(word, seen)| *seen || other.0.get(word).copied().unwrap_or(false))
    }
}

/// Puts marks into the order of the texts, longer ones first.
fn sort(marks: &mut Vec<Mark>) {
    marks.sort_unstable_by_key(|mark| (mark.text, mark.from, usize::MAX - mark.to, mark.word));
    marks.dedup();
}
