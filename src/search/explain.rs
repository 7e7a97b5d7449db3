//! Why a hit stands where it stands: what each word and each bonus added to its score.
//!
//! Everything is told as a part of the hit's own score, which is itself a part of the best hit's. Only clauses over texts that the
//! viewer may read add anything. The parts still tell how rare words are; that hidden records have next to no part in that is the
//! work of [`Statistics`].

use tantivy::collector::DocSetCollector;
use tantivy::query::TermQuery;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, Searcher};

use super::bonus::{Bonuses, Reason, Weighed, weighed};
use super::error::SearchError;
use super::index::{Hit, Index, Question};
use super::matching::Sought;
use super::plan::Plan;
use super::query::{Query, Step, Word};
use super::snapshot::Segment;
use super::statistics::Statistics;
use super::visibility::Filter;

/// Of what the score of a hit is made. The parts sum to the score.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// What each word added, in the order of [`Query::every_word`].
    pub words: Vec<f32>,
    /// What every hit of a question without words has.
    pub base: f32,
    /// What words that stand in the title exactly as they were asked added.
    pub exact_title: f32,
    /// What neighbours in the question that are neighbours in the text added.
    pub adjacent_words: f32,
    /// What the age of the record added.
    pub recency: f32,
}

impl Explanation {
    /// The parts with their sum brought to `score`.
    fn brought_to(mut self, score: f32) -> Explanation {
        let sum = self.words.iter().sum::<f32>() + self.base + self.exact_title + self.adjacent_words + self.recency;
        let factor = if sum > 0.0 { score / sum } else { 0.0 };
        let beside = [&mut self.base, &mut self.exact_title, &mut self.adjacent_words, &mut self.recency];
        self.words.iter_mut().chain(beside).for_each(|part| *part *= factor);
        self
    }
}

/// The word as it is compared: without case and accents, before stemming; pairs of CJK characters put together again.
pub fn compared(word: &Word) -> String {
    let steps: &[Step] = word.readings.last().map_or(&[], Vec::as_slice);
    let mut said = String::new();
    for (number, step) in steps.iter().enumerate() {
        let mut letters = step.plain.chars();
        let first = letters.next();
        let paired = number > 0
            && letters.clone().count() == 1
            && first.is_some_and(|first| !first.is_ascii() && said.ends_with(first))
            && step.offset == steps[number - 1].offset + 1;
        if paired {
            said.extend(letters);
        } else {
            said.push_str(if number == 0 { "" } else { " " });
            said.push_str(&step.plain);
        }
    }
    if word.prefix {
        said.push('*');
    }
    said
}

/// One clause: its scores at the hits, 0 where it does not match.
struct Scores<'s> {
    segments: &'s [Segment<'s>],
    /// Where each hit is; `None` when it is there no more.
    hits: &'s [Option<DocAddress>],
}

fn same_segment((one, _): &(DocAddress, usize), (other, _): &(DocAddress, usize)) -> bool {
    one.segment_ord == other.segment_ord
}

impl Scores<'_> {
    fn of(&self, sought: &Sought) -> tantivy::Result<Vec<f32>> {
        let mut scores = vec![0.0; self.hits.len()];
        for segment in self.in_order().chunk_by(same_segment) {
            let mut cursor = sought.open(self.segments[segment[0].0.segment_ord as usize])?;
            for (address, hit) in segment {
                if cursor.seek(address.doc_id) == address.doc_id && cursor.holds() {
                    scores[*hit] = cursor.score();
                }
            }
        }
        Ok(scores)
    }

    /// What each bonus adds to each hit.
    fn of_bonuses(&self, weighed: &[Weighed]) -> tantivy::Result<Vec<Vec<(Reason, f32)>>> {
        let mut added = vec![Vec::new(); self.hits.len()];
        for segment in self.in_order().chunk_by(same_segment) {
            let mut bonuses = Bonuses::open(weighed, self.segments[segment[0].0.segment_ord as usize]);
            for (address, hit) in segment {
                added[*hit] = bonuses.of(address.doc_id)?;
            }
        }
        Ok(added)
    }

    /// The hits as they stand in the segments, each with its place among the hits.
    fn in_order(&self) -> Vec<(DocAddress, usize)> {
        let mut order: Vec<(DocAddress, usize)> = self.hits.iter().enumerate().filter_map(|(n, hit)| Some(((*hit)?, n))).collect();
        order.sort_unstable();
        order
    }
}

impl Index {
    /// Explains hits of a question that has scores; `None` for a hit that has none or is there no more.
    pub fn explain(&self, question: &Question<'_>, page: &[Hit]) -> Result<Vec<Option<Explanation>>, SearchError> {
        let snapshot = self.snapshot();
        let hits = page.iter().map(|hit| self.address(&snapshot.searcher, hit)).collect::<Result<Vec<_>, _>>()?;
        let segments: Vec<Segment<'_>> = snapshot.segments()?.collect();
        let scores = Scores { segments: &segments, hits: &hits };
        let statistics = Statistics::new(&snapshot, &self.fields, question.visibility);
        let filter = Filter::new(question.visibility, question.kinds, question.projects, question.closed);
        let plan = Plan {
            statistics: &statistics,
            fields: &self.fields,
            mapping: &self.mapping,
            visibility: question.visibility,
            titles_only: question.titles_only || question.words.is_in_title(),
            attachments: question.attachments,
            all_words: question.all_words,
        };
        let clause =
            |words: &Query| -> tantivy::Result<Vec<f32>> { scores.of(&Sought::of(&plan.query(words, &filter)?, true, &statistics)?) };
        let alone = |word: &Word| {
            let word = Word { or: Vec::new(), apart: Vec::new(), ..word.clone() };
            clause(&Query { words: vec![word], ..Query::default() })
        };
        let mut explained = vec![Explanation::default(); hits.len()];
        let lenient = !question.all_words && question.words.words.len() > 1;
        for asked in &question.words.words {
            // Where any word will do, the parts of a word count, and the whole besides.
            let parts = if lenient { asked.apart.as_slice() } else { &[] };
            let whole = if parts.is_empty() { 1.0 } else { self.mapping.ranking.compound };
            let mut sums = vec![0.0; hits.len()];
            for part in parts {
                add(&mut sums, &alone(part)?, 1.0);
            }
            for (number, word) in std::iter::once(asked).chain(&asked.or).enumerate() {
                let mut added = if number == 0 { std::mem::take(&mut sums) } else { vec![0.0; hits.len()] };
                add(&mut added, &alone(word)?, whole);
                explained.iter_mut().zip(added).for_each(|(hit, added)| hit.words.push(added));
            }
        }
        let plain = clause(question.words)?;
        let bonuses = weighed(plan.bonuses(question.words), &statistics)?;
        for (hit, bonuses) in explained.iter_mut().zip(scores.of_bonuses(&bonuses)?) {
            for (reason, added) in bonuses {
                match reason {
                    Reason::ExactTitle => hit.exact_title += added,
                    Reason::AdjacentWords => hit.adjacent_words += added,
                }
            }
        }
        for (n, hit) in explained.iter_mut().enumerate() {
            hit.base = if question.words.words.is_empty() { plain[n] } else { 0.0 };
            let all = plain[n] + hit.exact_title + hit.adjacent_words;
            hit.recency = all * self.recency(&segments, hits[n], question.now.as_second());
        }
        let told = |((explanation, address), hit): ((Explanation, &Option<DocAddress>), &Hit)| {
            Some(explanation.brought_to(address.and(hit.score)?))
        };
        Ok(explained.into_iter().zip(&hits).zip(page).map(told).collect())
    }

    fn address(&self, searcher: &Searcher, hit: &Hit) -> Result<Option<DocAddress>, SearchError> {
        let key = TermQuery::new(self.key(hit.kind, hit.id), IndexRecordOption::Basic);
        Ok(searcher.search(&key, &DocSetCollector)?.into_iter().next())
    }

    /// By which part of itself the age of a record raises its score.
    fn recency(&self, segments: &[Segment<'_>], address: Option<DocAddress>, now: i64) -> f32 {
        let Some(address) = address else { return 0.0 };
        let date = segments[address.segment_ord as usize].columns.date(address.doc_id);
        self.mapping.ranking.recency(date, now) - 1.0
    }
}

fn add(sums: &mut [f32], more: &[f32], factor: f32) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more * factor);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::mapping::Mapping;

    #[test]
    fn words_are_told_as_they_are_compared() {
        let bounds = Mapping::embedded().unwrap().bounds;
        for (asked, told) in [
            ("Rockets", "rockets"),
            ("Café*", "cafe*"),
            ("\"quick Fox\"", "quick fox"),
            ("issue_query.rb", "issue_query.rb"),
            ("東京都", "東京都"),
            ("\"東京 大阪\"", "東京 大阪"),
        ] {
            assert_eq!(Query::parse(asked, &bounds).unwrap().words.iter().map(compared).collect::<Vec<_>>(), [told], "{asked}");
        }
    }
}
