//! The same words put straight to the index engine: no viewer, no records, no excerpts, no HTTP.

use super::World;
use quarry::search::analyzer::words;
use tantivy::collector::{Count, TopDocs};
use tantivy::query::{BooleanQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, Term};

pub struct Bare {
    searcher: Searcher,
    field: Field,
}

impl Bare {
    pub fn over(world: &World) -> Bare {
        let index = tantivy::Index::open_in_dir(world.app.search.directory()).expect("the index opens");
        let field = index.schema().get_field("all").expect("the text field");
        Bare { searcher: index.reader().expect("a reader").searcher(), field }
    }

    /// The best 25 records with all the words, and how many there are.
    pub fn ask(&self, question: &str) -> u64 {
        let term = |word: String| Box::new(TermQuery::new(Term::from_field_text(self.field, &word), IndexRecordOption::WithFreqs)) as Box<dyn Query>;
        let query = BooleanQuery::intersection(words(question).into_iter().map(term).collect());
        let (count, _) = self.searcher.search(&query, &(Count, TopDocs::with_limit(25).order_by_score())).expect("the engine answers");
        count as u64
    }
}
