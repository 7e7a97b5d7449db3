use super::Snapshot;
use crate::search::analyzer::WordTokenizer;
use crate::search::mapping::Mapping;
use crate::search::schema::{Class, WORDS, schema};
use proptest::prelude::*;
use tantivy::schema::TantivyDocument;
use tantivy::{Index, IndexWriter};

/// A state of an index with these documents: class, author, date.
pub(in crate::search) fn snapshot_of(documents: &[(Class, u64, i64)]) -> Snapshot {
    let (schema, fields) = schema(&Mapping::embedded().unwrap());
    let index = Index::create_in_ram(schema);
    index.tokenizers().register(WORDS, WordTokenizer);
    let mut writer: IndexWriter<TantivyDocument> = index.writer_with_num_threads(1, 15_000_000).unwrap();
    for (class, author, date) in documents {
        let mut document = TantivyDocument::default();
        for (column, value) in [(fields.key, 1), (fields.class, class.0), (fields.author, *author), (fields.assignee, 0)] {
            document.add_u64(column, value);
        }
        document.add_i64(fields.date, *date);
        writer.add_document(document).unwrap();
    }
    writer.commit().unwrap();
    Snapshot::of(index.reader().unwrap().searcher())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_record_is_fresher_than_its_span_of_time(
        dates in proptest::collection::vec(prop_oneof![0..100_i64, -4_000_000_000..40_000_000_000_i64, 1_700_000_000..1_710_000_000_i64], 1..50),
        now in 0..3_000_000_000_i64,
        recency_weight in -0.5..2.0_f32,
    ) {
        let mut ranking = Mapping::embedded().unwrap().ranking.clone();
        ranking.recency_weight = recency_weight;
        let documents: Vec<(Class, u64, i64)> = dates.into_iter().map(|date| (Class(1), 0, date)).collect();
        let snapshot = snapshot_of(&documents);
        for segment in snapshot.segments().unwrap() {
            for doc in 0..segment.reader.max_doc() {
                let (columns, date) = (segment.columns, segment.columns.date(doc));
                let (begins, ends) = columns.begins_and_ends(columns.span(doc));
                prop_assert!(begins <= date && date <= ends);
                prop_assert!(ranking.recency(date, now) <= ranking.highest_recency((begins, ends), now));
            }
        }
    }
}
