//! tantivy alone: its `BooleanQuery` with `TopDocs` and `Count` over the same index, without
//! viewer, rows, excerpts and HTTP; and the same with the 25 rows of a viewer who may see
//! everything, and an excerpt of each.

use super::world::World;
use quarry::domain::access::viewer::Viewer;
use quarry::domain::ids::UserId;
use quarry::domain::index_feed::kind::Kind;
use quarry::domain::index_feed::search_record::SearchRecord;
use quarry::search::{Highlighter, IndexConfig, ParsedQuery, TextField};
use quarry::store::StoreError;
use quarry::store::index_feed::search_records;
use tantivy::collector::{Count, TopDocs};
use tantivy::query::{BooleanQuery, Query as EngineQuery, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, Term};

pub struct TantivyBaseline<'w> {
    world: &'w World,
    mapping: IndexConfig,
    viewer: Viewer,
    searcher: Searcher,
    field: Field,
}

impl<'w> TantivyBaseline<'w> {
    pub fn open(world: &'w World) -> TantivyBaseline<'w> {
        let index = tantivy::Index::open_in_dir(world.index()).expect("the index opens");
        let field = index
            .schema()
            .get_field("text.all")
            .expect("the text field");
        let catalogue = world.store.catalogue().expect("the store can be read");
        // A member of every project: like the viewers of the HTTP searches, not an administrator.
        let viewer = Viewer::new(
            &catalogue,
            catalogue
                .user_by_login("user13")
                .map(|user| UserId(user.id.0)),
        );
        let mapping = IndexConfig::embedded().expect("the mapping can be read");
        TantivyBaseline {
            world,
            mapping,
            viewer,
            searcher: index.reader().expect("a reader").searcher(),
            field,
        }
    }

    /// Finds the top_hits 25 records with all words; returns how many there are.
    pub fn search(&self, text: &str) -> u64 {
        self.top_hits(&self.parse(text)).0
    }

    /// The same with rows and excerpts; returns the bytes of the excerpts.
    pub fn search_with_rows(&self, text: &str) -> u64 {
        let query = self.parse(text);
        let (_, records) = self.top_hits(&query);
        let highlighter = Highlighter::new(&query, false);
        let mut bytes = 0;
        let rows = self.world.store.read::<_, StoreError>(|db| {
            for kind in Kind::ALL {
                let ids: Vec<i64> = records
                    .iter()
                    .filter(|record| record.0 == kind)
                    .map(|record| record.1)
                    .collect();
                if !ids.is_empty() {
                    let records = search_records::load_with_related(db, &self.viewer, kind, &ids)?;
                    bytes += records
                        .values()
                        .map(|found| excerpt(&highlighter, found))
                        .sum::<u64>();
                }
            }
            Ok(())
        });
        rows.expect("the store can be read");
        bytes
    }

    fn parse(&self, text: &str) -> ParsedQuery {
        ParsedQuery::parse(text, &self.mapping.bounds).expect("the query is short")
    }

    fn top_hits(&self, query: &ParsedQuery) -> (u64, Vec<(Kind, i64)>) {
        let term = |word: &str| {
            Box::new(TermQuery::new(
                Term::from_field_text(self.field, word),
                IndexRecordOption::WithFreqs,
            )) as Box<dyn EngineQuery>
        };
        let query = BooleanQuery::intersection(
            query
                .words
                .iter()
                .flat_map(|word| word.finest())
                .map(|step| term(&step.term))
                .collect(),
        );
        let (count, top_hits) = self
            .searcher
            .search(&query, &(Count, TopDocs::with_limit(25).order_by_score()))
            .expect("tantivy searches");
        let record = |address: &tantivy::DocAddress| {
            let keys = self
                .searcher
                .segment_reader(address.segment_ord)
                .fast_fields()
                .u64("key")
                .expect("the key column");
            let key = keys
                .first(address.doc_id)
                .expect("every document has a key");
            (
                Kind::from_code((key >> 56) as u8).expect("a content type"),
                (key & ((1 << 56) - 1)) as i64,
            )
        };
        (
            count as u64,
            top_hits
                .iter()
                .map(|(_, address)| record(address))
                .collect(),
        )
    }
}

fn excerpt(highlighter: &Highlighter<'_>, found: &SearchRecord) -> u64 {
    let (_, known) = highlighter.title("", found.title.lines().next().unwrap_or_default());
    let own = if found.kind == Kind::Changeset {
        found.title.as_str()
    } else {
        found.text.as_deref().unwrap_or_default()
    };
    let texts = std::iter::once((TextField::Text, own)).chain(
        found
            .notes
            .iter()
            .map(|note| (TextField::Notes, note.as_str())),
    );
    highlighter.excerpt(texts, &known).html().len() as u64
}
