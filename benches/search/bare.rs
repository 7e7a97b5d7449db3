//! The same words put straight to the index engine: no viewer, no records, no excerpts, no HTTP; and the same with the 25 records
//! read for somebody who may see everything and an excerpt made of each.

use super::world::World;
use quarry::domain::ids::UserId;
use quarry::domain::kind::Kind;
use quarry::domain::viewer::Viewer;
use quarry::search::{Highlighter, Mapping, Place, Query};
use quarry::store::StoreError;
use quarry::store::found::{self, Found};
use tantivy::collector::{Count, TopDocs};
use tantivy::query::{BooleanQuery, Query as EngineQuery, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, Term};

pub struct Bare<'w> {
    world: &'w World,
    mapping: Mapping,
    viewer: Viewer,
    searcher: Searcher,
    field: Field,
}

impl<'w> Bare<'w> {
    pub fn over(world: &'w World) -> Bare<'w> {
        let index = tantivy::Index::open_in_dir(world.index()).expect("the index opens");
        let field = index.schema().get_field("text.all").expect("the text field");
        let catalogue = world.store.catalogue().expect("the store answers");
        // The viewer who is a member everywhere, as the other questions are asked by members.
        let viewer = Viewer::new(&catalogue, catalogue.user_by_login("user13").map(|user| UserId(user.id.0)));
        let mapping = Mapping::embedded().expect("the mapping can be read");
        Bare { world, mapping, viewer, searcher: index.reader().expect("a reader").searcher(), field }
    }

    /// The best 25 records with all the words, and how many there are.
    pub fn ask(&self, question: &str) -> u64 {
        self.best(&self.parse(question)).0
    }

    /// The same with rows and excerpts; how many bytes the excerpts have.
    pub fn ask_and_show(&self, question: &str) -> u64 {
        let query = self.parse(question);
        let (_, records) = self.best(&query);
        let highlighter = Highlighter::of(&query, false);
        let mut bytes = 0;
        let shown = self.world.store.read::<_, StoreError>(|db| {
            for kind in Kind::ALL {
                let ids: Vec<i64> = records.iter().filter(|record| record.0 == kind).map(|record| record.1).collect();
                if !ids.is_empty() {
                    let records = found::load(db, &self.viewer, kind, &ids)?;
                    bytes += records.values().map(|found| excerpt(&highlighter, found)).sum::<u64>();
                }
            }
            Ok(())
        });
        shown.expect("the store answers");
        bytes
    }

    fn parse(&self, question: &str) -> Query {
        Query::parse(question, &self.mapping.bounds).expect("the question is short")
    }

    fn best(&self, query: &Query) -> (u64, Vec<(Kind, i64)>) {
        let term = |word: &str| {
            Box::new(TermQuery::new(Term::from_field_text(self.field, word), IndexRecordOption::WithFreqs)) as Box<dyn EngineQuery>
        };
        let query = BooleanQuery::intersection(query.words.iter().flat_map(|word| word.finest()).map(|step| term(&step.term)).collect());
        let (count, best) = self.searcher.search(&query, &(Count, TopDocs::with_limit(25).order_by_score())).expect("the engine answers");
        let record = |address: &tantivy::DocAddress| {
            let keys = self.searcher.segment_reader(address.segment_ord).fast_fields().u64("key").expect("the key column");
            let key = keys.first(address.doc_id).expect("every document has a key");
            (Kind::from_code((key >> 56) as u8).expect("a content type"), (key & ((1 << 56) - 1)) as i64)
        };
        (count as u64, best.iter().map(|(_, address)| record(address)).collect())
    }
}

fn excerpt(highlighter: &Highlighter<'_>, found: &Found) -> u64 {
    let (_, known) = highlighter.title("", found.title.lines().next().unwrap_or_default());
    let own = if found.kind == Kind::Changeset { &found.title } else { &found.text };
    let texts = std::iter::once((Place::Text, own.as_str())).chain(found.notes.iter().map(|note| (Place::Notes, note.as_str())));
    highlighter.excerpt(texts, &known).html().len() as u64
}
