use super::Snapshot;
use crate::analyzer::WordTokenizer;
use crate::schema::access_class::AccessClass;
use crate::schema::config::IndexConfig;
use crate::schema::fields::{ANALYZER, build_schema};
use proptest::prelude::*;
use tantivy::schema::TantivyDocument;
use tantivy::{Index, IndexWriter};

/// Creates a snapshot with these documents: class, author, date.
fn snapshot_of(documents: &[(AccessClass, u64, i64)]) -> Snapshot {
    let (schema, fields) = build_schema(&IndexConfig::embedded().unwrap());
    let index = Index::create_in_ram(schema);
    index.tokenizers().register(ANALYZER, WordTokenizer);
    let mut writer: IndexWriter<TantivyDocument> =
        index.writer_with_num_threads(1, 15_000_000).unwrap();
    for (class, author, date) in documents {
        let mut document = TantivyDocument::default();
        for (column, value) in [
            (fields.key, 1),
            (fields.class, class.0),
            (fields.author, *author),
            (fields.assignee, 0),
        ] {
            document.add_u64(column, value);
        }
        document.add_i64(fields.date, *date);
        writer.add_document(document).unwrap();
    }
    writer.commit().unwrap();
    Snapshot::new(index.reader().unwrap().searcher())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..proptest::test_runner::Config::default() })]
    #[test]
    fn recency_of_a_bucket_bounds_that_of_its_records(
        dates in proptest::collection::vec(prop_oneof![0..100_i64, -4_000_000_000..40_000_000_000_i64, 1_700_000_000..1_710_000_000_i64], 1..50),
        now in 0..3_000_000_000_i64,
        recency_weight in -0.5..2.0_f32,
    ) {
        let mut ranking = IndexConfig::embedded().unwrap().ranking.clone();
        ranking.recency_weight = recency_weight;
        let documents: Vec<(AccessClass, u64, i64)> = dates.into_iter().map(|date| (AccessClass(1), 0, date)).collect();
        let snapshot = snapshot_of(&documents);
        for segment in snapshot.segments().unwrap() {
            for doc in 0..segment.reader.max_doc() {
                let columns = segment.columns;
                let date = segment.columns.date(doc);
                let (start, end) = columns.bucket_range(columns.date_bucket(doc));
                prop_assert!(start <= date && date <= end);
                prop_assert!(ranking.recency(date, now) <= ranking.max_recency((start, end), now));
            }
        }
    }
}
