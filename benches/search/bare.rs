//! The same words put straight to the index engine: no viewer, no records, no excerpts, no HTTP.

use super::World;
use tantivy::collector::{Count, TopDocs};
use tantivy::query::{BooleanQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, Term};

pub struct Bare<'w> {
    world: &'w World,
    searcher: Searcher,
    field: Field,
}

impl<'w> Bare<'w> {
    pub fn over(world: &'w World) -> Bare<'w> {
        let index = tantivy::Index::open_in_dir(world.app.search.directory().expect("there is an index")).expect("the index opens");
        let field = index.schema().get_field("text.all").expect("the text field");
        Bare { world, searcher: index.reader().expect("a reader").searcher(), field }
    }

    /// The best 25 records with all the words, and how many there are.
    pub fn ask(&self, question: &str) -> u64 {
        let words = self.world.app.search.parse(question).expect("the question is short").words;
        let term =
            |word: &str| Box::new(TermQuery::new(Term::from_field_text(self.field, word), IndexRecordOption::WithFreqs)) as Box<dyn Query>;
        let query = BooleanQuery::intersection(words.iter().flat_map(|word| word.finest()).map(|step| term(&step.term)).collect());
        let (count, _) = self.searcher.search(&query, &(Count, TopDocs::with_limit(25).order_by_score())).expect("the engine answers");
        count as u64
    }
}
