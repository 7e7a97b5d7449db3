//! The test collections as files: `DIR/NAME/{docs.jsonl.gz, dev.queries.jsonl, dev.qrels.tsv}`.

use jiff::Timestamp;
use quarry::domain::ids::ProjectId;
use quarry::domain::index_feed::indexed_record::IndexedRecord;
use quarry::domain::index_feed::kind::Kind;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::{Command, Stdio};

/// Whatever goes wrong ends the measurement.
pub type Failure = Box<dyn std::error::Error>;

/// A report as the index reads it.
pub fn source(doc: &Value, id: i64, notes: Option<&HashMap<String, String>>) -> IndexedRecord {
    let mut fields = vec![
        ("subject", text(doc, "title")),
        ("description", text(doc, "text")),
    ];
    fields.extend(
        notes
            .and_then(|notes| notes.get(&text(doc, "id")))
            .map(|notes| ("notes", notes.clone())),
    );
    let created_on = date(&text(doc, "created"));
    IndexedRecord {
        kind: Kind::Issue,
        id,
        change: id,
        project: ProjectId(1),
        created_on,
        updated_on: created_on,
        fields,
        ..IndexedRecord::default()
    }
}

/// The comments of each report, joined.
pub fn comments(directory: &Path) -> Result<HashMap<String, String>, Failure> {
    let mut notes: HashMap<String, String> = HashMap::new();
    for comment in lines(&directory.join("comments.jsonl.gz"))? {
        let joined = notes.entry(text(&comment, "issue")).or_default();
        joined.push('\n');
        joined.push_str(&text(&comment, "text"));
    }
    Ok(notes)
}

/// Which reports are right for each question, and how right.
pub fn judgements(path: &Path) -> Result<BTreeMap<String, HashMap<String, f64>>, Failure> {
    let mut judged: BTreeMap<String, HashMap<String, f64>> = BTreeMap::new();
    for line in std::fs::read_to_string(path)?.lines() {
        if let [query, doc, grade] = line.split('\t').collect::<Vec<_>>()[..] {
            judged
                .entry(query.to_owned())
                .or_default()
                .insert(doc.to_owned(), grade.parse()?);
        }
    }
    Ok(judged)
}

/// The records of a file, one a line; `gzip` unpacks.
pub fn lines(path: &Path) -> Result<Vec<Value>, Failure> {
    let bytes = match path.extension().is_some_and(|extension| extension == "gz") {
        true => {
            Command::new("gzip")
                .arg("-dc")
                .arg(path)
                .stdout(Stdio::piped())
                .output()?
                .stdout
        }
        false => std::fs::read(path)?,
    };
    Ok(bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(serde_json::from_slice)
        .collect::<Result<_, _>>()?)
}

/// A field as text; empty when there is none.
pub fn text(value: &Value, field: &str) -> String {
    value
        .get(field)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

/// `2015-01-30T00:43:49.000+0000`; the epoch if there is none.
pub fn date(text: &str) -> Timestamp {
    let seconds = text.get(..19).map(|seconds| format!("{seconds}Z"));
    seconds
        .and_then(|text| text.parse().ok())
        .unwrap_or(Timestamp::UNIX_EPOCH)
}
