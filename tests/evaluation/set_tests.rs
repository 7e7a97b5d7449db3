//! Tests of reading sets.

use super::*;
use crate::set_files;
use std::path::PathBuf;

/// A folder with the files of a set.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Folder {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Folder(folder)
    }

    fn read(&self) -> Result<Set, String> {
        let found = set_files::find(self.0.path(), None).unwrap();
        let set = Set::read(&found.sets[0], true);
        set.map_err(|error| self.relative(&error.to_string()))
    }

    fn relative(&self, message: &str) -> String {
        message.replace(&format!("{}/", self.0.path().display()), "")
    }

    fn warnings(&self) -> Vec<String> {
        let set = self.read().unwrap();
        let warnings = set.warnings.iter();
        warnings
            .map(|warning| self.relative(&warning.to_string()))
            .collect()
    }
}

const CORPUS: &str = r#"{"_id": "d1", "title": "Leak", "text": "memory leaks"}
{"_id": "d2", "title": "", "text": "a crash"}
{"_id": "d3", "text": "a hang", "metadata": {}}
"#;

fn beir(queries: &str, judgements: &str) -> Folder {
    Folder::new(&[
        ("corpus.jsonl", CORPUS),
        ("queries.jsonl", queries),
        ("qrels/test.tsv", judgements),
    ])
}

const QUERIES: &str = r#"{"_id": "q1", "text": "leak", "metadata": {}}
{"_id": "q2", "text": "crash"}
"#;

#[test]
fn set_in_the_form_of_beir_is_read() {
    let folder = beir(
        QUERIES,
        "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td3\t1\nq2\td2\t1\n",
    );
    let set = folder.read().unwrap();
    assert_eq!(set.warnings, []);
    assert_eq!(set.documents.len(), 3);
    assert_eq!(set.documents[0].title, "Leak");
    assert_eq!(set.documents[2].text, "a hang");
    let QueryForm {
        queries, lacking, ..
    } = set.queries(TEXT);
    assert_eq!(lacking, None);
    assert_eq!(queries[0].text, "leak");
    assert_eq!(
        queries[0].relevant.documents,
        HashMap::from([(0, 2.0), (2, 1.0)])
    );
    assert_eq!(queries[1].relevant.documents, HashMap::from([(1, 1.0)]));
    assert_eq!(set.undated_count(), 2);
}

#[test]
fn judgements_of_trec_are_read() {
    let folder = Folder::new(&[
        ("corpus.jsonl", CORPUS),
        ("queries.jsonl", QUERIES),
        ("qrels/test.txt", "q1 0 d1 2\nq1 0 d3 -2\nq2 0 d2 1\n"),
    ]);
    let set = folder.read().unwrap();
    let queries = set.queries(TEXT).queries;
    assert_eq!(queries[0].relevant.documents, HashMap::from([(0, 2.0)]));
    assert_eq!(queries.len(), 2);
}

#[test]
fn set_in_own_form_has_comments_dates_and_forms() {
    let folder = Folder::new(&[
        (
            "docs.jsonl",
            "{\"id\": \"1\", \"title\": \"Leak\", \"text\": \"t\", \"created\": \"2015-01-30T00:43:49.000+0000\"}\n",
        ),
        (
            "comments.jsonl",
            "{\"issue\": \"1\", \"text\": \"me too\"}\n{\"issue\": \"2\", \"text\": \"?\"}\n",
        ),
        (
            "dev.queries.jsonl",
            "{\"id\": \"q\", \"text\": \"a leak\", \"short\": \"leak\", \"typo\": \"\", \"created\": \"2016-01-01\"}\n",
        ),
        ("dev.qrels.tsv", "q\t1\t1\n"),
    ]);
    let set = folder.read().unwrap();
    assert!(set.name.ends_with(" with comments"));
    assert_eq!(set.documents[0].notes, "\nme too");
    assert_eq!(set.documents[0].created, 1_422_578_629);
    assert_eq!(set.undated_count(), 0);
    assert_eq!(set.queries("short").queries[0].text, "leak");
    // A blank form is made from the text; one of another name is lacking.
    let line = Location::new(&folder.0.path().join("dev.queries.jsonl"), 1);
    let typo = set.queries("typo");
    assert_eq!(typo.queries[0].text, "leak");
    assert_eq!((typo.made, typo.lacking), (Some((1, line.clone())), None));
    let other = set.queries("created");
    assert_eq!((other.queries.len(), other.made), (0, None));
    assert_eq!(other.lacking, Some((1, line)));
    assert_eq!(
        folder.warnings(),
        ["comments.jsonl:2: comments on documents that the set lacks: 1; they are left out"]
    );
}

#[test]
fn what_is_left_out_is_counted_with_file_and_line() {
    let queries = format!(
        "{QUERIES}{}",
        r#"{"_id": "q3", "text": "of another split"}
{"_id": "q4", "text": "judged, nothing is relevant"}
{"_id": "q5", "text": "?!"}
"#
    );
    let judgements =
        "q1\td1\t1\nq1\td9\t1\nq1\td8\t0\nq1\td1\t1\nq4\td2\t0\nq5\td2\t1\nq9\td2\t1\n";
    let folder = beir(&queries, judgements);
    assert_eq!(
        folder.warnings(),
        [
            "qrels/test.tsv:2: judgements of documents that the set lacks: 2, the first here; relevant ones count as not found",
            "qrels/test.tsv:7: judgements of queries that the set lacks: 1; they are left out",
            "qrels/test.tsv:4: repeated judgements: 1; they are counted once",
            "queries.jsonl:2: queries without a judgement: 2, the first here; they are left out",
            "queries.jsonl:4: queries without a relevant document: 1; they are left out",
            "queries.jsonl:5: queries without words: 1; they are left out",
        ]
    );
    let set = folder.read().unwrap();
    assert_eq!(set.query_count(), 1);
    let relevant = &set.queries(TEXT).queries[0].relevant;
    assert_eq!(relevant.documents, HashMap::from([(0, 1.0)]));
    assert_eq!(relevant.missing, [1.0], "that with grade 0 is not relevant");
}

#[test]
fn two_relevant_documents_that_are_missing_both_count() {
    let folder = beir(QUERIES, "q1\td1\t1\nq1\td8\t1\nq1\td9\t1\n");
    let set = folder.read().unwrap();
    assert_eq!(set.queries(TEXT).queries[0].relevant.count(), 3);
}

#[test]
fn unusable_lines_are_errors() {
    for (file, text, problem) in [
        (
            "corpus.jsonl",
            "{\"title\": \"a\"}",
            "corpus.jsonl:1: there is neither `_id` nor `id`",
        ),
        (
            "corpus.jsonl",
            "{\"_id\": \"d1\"}",
            "corpus.jsonl:1: there is neither `title` nor `text`",
        ),
        (
            "corpus.jsonl",
            "{\"_id\": \"d1\", \"text\": 1}",
            "corpus.jsonl:1: `text` is not a text",
        ),
        (
            "corpus.jsonl",
            "{\"_id\": \"d1\", \"text\": \"\"}\n{\"_id\": \"d1\", \"text\": \"\"}",
            "corpus.jsonl:2: the document d1 is there twice",
        ),
        (
            "queries.jsonl",
            "{\"_id\": \"q1\"}",
            "queries.jsonl:1: there is no `text`",
        ),
        (
            "queries.jsonl",
            "{\"_id\": \"q1\", \"text\": \"a\"}\n{\"_id\": \"q1\", \"text\": \"b\"}",
            "queries.jsonl:2: the query q1 is there twice",
        ),
        (
            "qrels/test.tsv",
            "q1\td1\t1\nq1\td1\t2",
            "qrels/test.tsv:2: the grade of d1 for q1 is 2, in line 1 it is 1",
        ),
        (
            "qrels/test.tsv",
            "q1\td1",
            "qrels/test.tsv:1: there are 2 columns; 3 (query, document, grade) or 4 (query, iteration, document, grade) are expected",
        ),
        (
            "qrels/test.tsv",
            "query-id\tcorpus-id\tscore\n",
            "qrels/test.tsv:1: the file has no judgement",
        ),
    ] {
        let folder = beir(QUERIES, "q1\td1\t1\n");
        std::fs::write(folder.0.path().join(file), text).unwrap();
        assert_eq!(folder.read().err().unwrap(), problem);
    }
}

#[test]
fn set_with_nothing_to_find_is_an_error_that_says_why() {
    let folder = beir(QUERIES, "1\td1\t1\n2\td2\t1\n");
    let message = folder.read().err().unwrap();
    assert!(message.contains("there is nothing to measure"), "{message}");
    assert!(
        message.contains("qrels/test.tsv:1: judgements of queries that the set lacks: 2"),
        "{message}"
    );
    let folder = beir(QUERIES, "q1\t1\t1\n");
    let message = folder.read().err().unwrap();
    assert!(
        message.contains("judgements of documents that the set lacks"),
        "{message}"
    );
}

#[test]
fn date_that_cannot_be_read_is_counted() {
    let queries = r#"{"_id": "q1", "text": "leak", "created": "yesterday"}"#;
    let folder = beir(queries, "q1\td1\t1\n");
    assert_eq!(
        folder.warnings(),
        ["queries.jsonl:1: dates that cannot be read: 1; they count as unknown"]
    );
    assert_eq!(folder.read().unwrap().undated_count(), 1);
}

#[test]
fn text_of_a_relevant_document_is_a_query_for_the_others() {
    let long = "word ".repeat(130);
    let corpus = format!(
        "{{\"_id\": \"d1\", \"title\": \"Leak: -x\", \"text\": \"{long}\"}}\n{{\"_id\": \"d2\", \"text\": \"short\"}}\n"
    );
    let folder = Folder::new(&[
        ("corpus.jsonl", &corpus),
        ("queries.jsonl", QUERIES),
        ("qrels/test.tsv", "q1\td1\t1\nq1\td2\t1\nq2\td2\t1\n"),
    ]);
    let set = folder.read().unwrap();
    let pasted = set.queries(PASTE);
    assert_eq!((pasted.queries.len(), pasted.lacking), (1, None));
    let query = &pasted.queries[0];
    assert!(query.text.starts_with("Leak x word"), "{}", query.text);
    assert_eq!(query.source, Some(0));
    assert_eq!(query.relevant.documents, HashMap::from([(1, 1.0)]));
    let paragraphs = set.queries(PARAGRAPH).queries;
    assert_eq!(paragraphs[0].text.split(' ').count(), 120);
}

/// The sets of the repository have no line that is left out, and their forms are those that are made
/// from texts.
#[test]
fn sets_of_the_repository_are_complete() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/relevance");
    let found = set_files::find(&folder, None).unwrap();
    assert_eq!(found.incomplete, [""; 0]);
    let names: Vec<&str> = found.sets.iter().map(|set| set.name.as_str()).collect();
    assert_eq!(names, ["hadoop", "scifact", "seamonkey", "titanium"]);
    let counts = [(2_444, 59), (5_183, 809), (1_031, 45), (5_704, 163)];
    for (files, expected) in found.sets.iter().zip(counts) {
        let set = Set::read(files, true).unwrap();
        assert_eq!(set.warnings, [], "{}", set.name);
        assert_eq!(
            (set.documents.len(), set.query_count()),
            expected,
            "{}",
            set.name
        );
        for form in ["short", "typo", "prefix"] {
            let form_of_set = set.queries(form);
            assert_eq!((form_of_set.made, form_of_set.lacking), (None, None));
            for (query, text) in form_of_set.queries.iter().zip(set.queries(TEXT).queries) {
                let made = MadeForms::of(&text.text).unwrap();
                assert_eq!(made.get(form), Some(query.text.as_str()), "{}", text.text);
            }
        }
    }
}
