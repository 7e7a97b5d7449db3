//! A clause over text that not everyone may read, which holds only in the projects whose text of this kind the viewer may read.

use std::fmt;
use std::sync::Arc;
use tantivy::columnar::ColumnValues;
use tantivy::query::{EmptyScorer, EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::{DocId, DocSet, Score, SegmentReader, TERMINATED};

use super::collector::plain;
use super::schema::Class;
use super::visibility::Visibility;
use crate::domain::visibility::Facts;

/// Which text a clause is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// Everybody's private notes.
    AnyNotes,
    /// The viewer's own private notes.
    OwnNotes,
    /// The values of a custom field, by its place in [`Visibility::fields`].
    Field(usize),
}

/// A query that matches only documents whose text of this kind the viewer may read.
#[derive(Clone)]
pub(super) struct Gate {
    pub inner: Arc<dyn Query>,
    pub text: Text,
    pub visibility: Visibility,
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gate({:?}, {:?})", self.text, self.inner)
    }
}

impl Query for Gate {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(GateWeight { inner: self.inner.weight(scoring)?, text: self.text, visibility: self.visibility.clone() }))
    }
}

struct GateWeight {
    inner: Box<dyn Weight>,
    text: Text,
    visibility: Visibility,
}

impl Weight for GateWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let inner = self.inner.scorer(reader, boost)?;
        if inner.doc() == TERMINATED {
            return Ok(Box::new(EmptyScorer));
        }
        let class = plain(reader.fast_fields().u64("class")?);
        let mut scorer = GateScorer { inner, class, text: self.text, visibility: self.visibility.clone() };
        scorer.settle();
        Ok(Box::new(scorer))
    }

    fn explain(&self, reader: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        self.inner.explain(reader, doc)
    }
}

struct GateScorer {
    inner: Box<dyn Scorer>,
    class: Arc<dyn ColumnValues<u64>>,
    text: Text,
    visibility: Visibility,
}

impl GateScorer {
    /// Goes on to the first document that may be read.
    fn settle(&mut self) -> DocId {
        let mut doc = self.inner.doc();
        while doc != TERMINATED && !self.open(doc) {
            doc = self.inner.advance();
        }
        doc
    }

    fn open(&self, doc: DocId) -> bool {
        let project = Class(self.class.get_val(doc)).project();
        match self.text {
            Text::AnyNotes => self.visibility.notes(project).0,
            Text::OwnNotes => self.visibility.notes(project).1,
            Text::Field(place) => {
                let facts = Facts { project, private: false, author: None, assignee: None, tracker: None };
                self.visibility.fields().get(place).is_some_and(|(_, visible)| visible.admits(&facts))
            }
        }
    }
}

impl DocSet for GateScorer {
    fn advance(&mut self) -> DocId {
        self.inner.advance();
        self.settle()
    }

    fn seek(&mut self, target: DocId) -> DocId {
        self.inner.seek(target);
        self.settle()
    }

    fn doc(&self) -> DocId {
        self.inner.doc()
    }

    fn size_hint(&self) -> u32 {
        self.inner.size_hint()
    }

    fn cost(&self) -> u64 {
        self.inner.cost()
    }
}

impl Scorer for GateScorer {
    fn score(&mut self) -> Score {
        self.inner.score()
    }
}
