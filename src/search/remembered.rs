//! Answers that were given lately, of one state of the index.
//!
//! People turn pages, refine, and ask what others ask; as long as nothing was written the answer is the same. It is remembered with
//! everything that it depends on, and dropped with the state of the index that it is of.
//! Invariant: an answer is given again only for the same question by viewers who may find the same: those who share one compiled
//! [`Visibility`].

use jiff::Timestamp;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::facts::{Facet, Need};
use super::index::{Answer, Question};
use super::order::Order;
use super::plan::Attachments;
use super::query::Query;
use super::visibility::Visibility;
use crate::domain::id_set::IdSet;
use crate::domain::kind::Kind;

/// So many answers are remembered at most; when there are more, all are put away.
const ANSWERS: usize = 1_024;
/// An answer with more hits is not remembered.
const HITS: usize = 100;
/// For so many seconds the age of records is taken to be the same.
const FRESH: i64 = 60;

/// The answers of one state of the index.
#[derive(Default)]
pub(super) struct Remembered(Mutex<HashMap<u64, (Asked, Arc<Answer>)>>);

/// A question, with all that its answer depends on but the state of the index.
struct Asked {
    words: Query,
    visibility: Visibility,
    kinds: Vec<Kind>,
    projects: Option<IdSet>,
    closed: Option<IdSet>,
    only: (bool, bool, Attachments),
    order: Order,
    needs: Vec<Need>,
    facets: Vec<Facet>,
    page: (usize, usize),
    now: Timestamp,
}

impl Asked {
    fn of(question: &Question<'_>) -> Asked {
        Asked {
            words: question.words.clone(),
            visibility: question.visibility.clone(),
            kinds: question.kinds.to_vec(),
            projects: question.projects.cloned(),
            closed: question.closed.cloned(),
            only: (question.titles_only, question.all_words, question.attachments),
            order: question.order,
            needs: question.needs.to_vec(),
            facets: question.facets.to_vec(),
            page: (question.offset, question.limit),
            now: question.now,
        }
    }

    /// Whether that was the question, a moment ago.
    fn is(&self, question: &Question<'_>) -> bool {
        (self.now.as_second() - question.now.as_second()).abs() < FRESH
            && self.words == *question.words
            && self.visibility.is_the_same_as(question.visibility)
            && self.kinds == question.kinds
            && self.projects.as_ref() == question.projects
            && self.closed.as_ref() == question.closed
            && self.only == (question.titles_only, question.all_words, question.attachments)
            && self.order == question.order
            && self.needs == question.needs
            && self.facets == question.facets
            && self.page == (question.offset, question.limit)
    }
}

/// Tells most questions apart; what it does not tell apart is compared.
fn key(question: &Question<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    question.words.said.hash(&mut hasher);
    (question.visibility.number(), question.offset, question.limit, question.titles_only, question.all_words, question.kinds.len())
        .hash(&mut hasher);
    hasher.finish()
}

impl Remembered {
    /// The answer, as it was given before or as it is made now.
    pub fn answer<E>(&self, question: &Question<'_>, make: impl FnOnce() -> Result<Answer, E>) -> Result<Answer, E> {
        if question.limit > HITS {
            return make();
        }
        let key = key(question);
        let known = self.lock().get(&key).filter(|(asked, _)| asked.is(question)).map(|(_, answer)| Arc::clone(answer));
        if let Some(known) = known {
            return Ok(Answer::clone(&known));
        }
        let answer = Arc::new(make()?);
        let mut answers = self.lock();
        if answers.len() >= ANSWERS {
            answers.clear();
        }
        answers.insert(key, (Asked::of(question), Arc::clone(&answer)));
        drop(answers);
        Ok(Answer::clone(&answer))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, (Asked, Arc<Answer>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::mapping::Mapping;
    use std::cell::Cell;

    #[test]
    fn the_same_question_of_the_same_viewer_is_answered_once() {
        let bounds = Mapping::embedded().unwrap().bounds;
        let (pump, motor) = (Query::parse("pump", &bounds).unwrap(), Query::parse("motor", &bounds).unwrap());
        let (viewer, other) = (Visibility::everything(), Visibility::everything());
        let (projects, now) = (IdSet::from_iter([1]), Timestamp::UNIX_EPOCH);
        let plain = Question::plain(&pump, &viewer, now, 25);
        let (remembered, made) = (Remembered::default(), Cell::new(0));
        let ask = |question: &Question<'_>| {
            let make = || -> Result<Answer, ()> {
                made.set(made.get() + 1);
                Ok(Answer { total: made.get(), ..Answer::default() })
            };
            remembered.answer(question, make).unwrap().total
        };
        assert_eq!([ask(&plain), ask(&plain), ask(&Question { visibility: &viewer.clone(), ..plain.clone() })], [1, 1, 1]);
        let typing = pump.clone().typing(&bounds);
        let others = [
            Question { words: &motor, ..plain.clone() },
            Question { words: &typing, ..plain.clone() },
            Question { visibility: &other, ..plain.clone() },
            Question { kinds: &[Kind::News], ..plain.clone() },
            Question { projects: Some(&projects), ..plain.clone() },
            Question { closed: Some(&projects), ..plain.clone() },
            Question { titles_only: true, ..plain.clone() },
            Question { attachments: Attachments::With, ..plain.clone() },
            Question { all_words: false, ..plain.clone() },
            Question { order: Order::Date, ..plain.clone() },
            Question { facets: &[Facet::ALL[0]], ..plain.clone() },
            Question { offset: 25, ..plain.clone() },
            Question { limit: 50, ..plain.clone() },
            Question { now: now + jiff::SignedDuration::from_secs(FRESH), ..plain.clone() },
        ];
        for (number, question) in (2..).zip(&others) {
            assert_eq!(ask(question), number, "{question:?}");
        }
        let long = Question { limit: HITS + 1, ..plain.clone() };
        assert_ne!(ask(&long), ask(&long), "long answers are not remembered");
        for offset in 0..ANSWERS * 2 {
            ask(&Question { offset, ..plain.clone() });
            assert!(remembered.lock().len() <= ANSWERS);
        }
    }
}
