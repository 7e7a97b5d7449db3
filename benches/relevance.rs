//! How good are the answers? nDCG@10 of the product's own path over the judged sets.
//!
//! `cargo bench --bench relevance -- --sets DIR [NAME…]`. Each set is `DIR/NAME/{docs.jsonl.gz, dev.queries.jsonl, dev.qrels.tsv}`;
//! `gzip` unpacks. The figures beside ours are those of the recipe in the design's reference run.

use jiff::Timestamp;
use quarry::domain::ids::ProjectId;
use quarry::domain::kind::Kind;
use quarry::search::{Attachments, Index, Mapping, Order, Query, Question, Visibility};
use quarry::store::searchable::Source;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The sets with the recipe's figure, where there is one.
const SETS: [(&str, Option<f64>); 9] = [
    ("titanium", Some(0.358)),
    ("redmine_log", Some(0.289)),
    ("hadoop", Some(0.549)),
    ("scifact", Some(0.696)),
    ("cranfield", Some(0.378)),
    ("cacm", Some(0.518)),
    ("npl", Some(0.408)),
    ("med", None),
    ("seamonkey", None),
];

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let (Some("--sets"), Some(directory)) = (arguments.first().map(String::as_str), arguments.get(1)) else {
        println!("relevance: skipped; say `cargo bench --bench relevance -- --sets DIR [NAME…]`");
        return Ok(());
    };
    let wanted = &arguments[2..];
    println!(
        "{:<24} {:<7} {:>7} {:>7} {:>7} {:>9} {:>9} {:>8}",
        "set", "field", "nDCG@10", "recipe", "R@100", "docs/s", "p50 ms", "p95 ms"
    );
    for (name, recipe) in SETS {
        if !wanted.is_empty() && !wanted.iter().any(|one| one == name) {
            continue;
        }
        let directory = Path::new(directory).join(name);
        measure(&directory, name, recipe, None)?;
        if name == "titanium" {
            measure(&directory, "titanium +comments", Some(0.377), Some(comments(&directory)?))?;
        }
    }
    Ok(())
}

/// Indexes one set and asks its questions in each of their forms.
fn measure(directory: &Path, name: &str, recipe: Option<f64>, notes: Option<HashMap<String, String>>) -> Result<(), Failure> {
    let docs = lines(&directory.join("docs.jsonl.gz"))?;
    let names: Vec<String> = docs.iter().map(|doc| text(doc, "id")).collect();
    let index = Index::in_memory(Arc::new(Mapping::embedded()?))?;
    let begun = Instant::now();
    index.fill(docs.iter().zip(1..).map(|(doc, id)| source(doc, id, notes.as_ref())))?;
    let speed = docs.len() as f64 / begun.elapsed().as_secs_f64();
    let judged = judgements(&directory.join("dev.qrels.tsv"))?;
    let queries = lines(&directory.join("dev.queries.jsonl"))?;
    for field in ["text", "short", "typo", "prefix"] {
        let dated = notes.is_some();
        for recent in if dated { [false, true].as_slice() } else { &[false] } {
            let (mut gain, mut recall, mut times) = (0.0, 0.0, Vec::new());
            for query in &queries {
                let Some(grades) = judged.get(&text(query, "id")) else { continue };
                let now = if *recent { date(&text(query, "created")) } else { Timestamp::MAX };
                let (found, time) = ask(&index, &text(query, field), field == "prefix", now)?;
                let found: Vec<&str> = found.iter().map(|id| names[*id as usize - 1].as_str()).collect();
                gain += ndcg(&found, grades);
                recall += found.iter().filter(|id| grades.contains_key(**id)).count() as f64 / grades.len() as f64;
                times.push(time);
            }
            times.sort_unstable();
            let (count, full) = (judged.len() as f64, field == "text" && !recent);
            let shown =
                recipe.filter(|_| full).or((field == "text" && *recent).then_some(0.463)).map_or("-".to_owned(), |f| format!("{f:.3}"));
            let at = |part: usize| times[(times.len() - 1) * part / 100].as_secs_f64() * 1000.0;
            let name = if *recent { format!("{name} +recency") } else { name.to_owned() };
            println!(
                "{name:<24} {field:<7} {:>7.4} {shown:>7} {:>7.4} {speed:>9.0} {:>9.2} {:>8.2}",
                gain / count,
                recall / count,
                at(50),
                at(95)
            );
        }
    }
    Ok(())
}

/// The first hundred hits of a question, any word.
fn ask(index: &Index, text: &str, typing: bool, now: Timestamp) -> Result<(Vec<i64>, Duration), Failure> {
    let begun = Instant::now();
    let bounds = &index.mapping().bounds;
    let mut words = Query::parse(text, bounds)?;
    if typing {
        words = words.typing(bounds);
    }
    let visibility = Visibility::everything();
    let question = Question {
        words: &words,
        visibility: &visibility,
        kinds: &Kind::ALL,
        projects: None,
        closed: None,
        titles_only: false,
        attachments: Attachments::Without,
        all_words: false,
        order: Order::Relevance,
        offset: 0,
        limit: 100,
        now,
    };
    let answer = index.ask(&question)?;
    Ok((answer.page.iter().map(|hit| hit.id).collect(), begun.elapsed()))
}

fn source(doc: &Value, id: i64, notes: Option<&HashMap<String, String>>) -> Source {
    let mut fields = vec![("subject", text(doc, "title")), ("description", text(doc, "text"))];
    fields.extend(notes.and_then(|notes| notes.get(&text(doc, "id"))).map(|notes| ("notes", notes.clone())));
    let created_on = date(&text(doc, "created"));
    Source {
        kind: Kind::Issue,
        id,
        change: id,
        project: ProjectId(1),
        private: false,
        status: None,
        author: None,
        assignee: None,
        created_on,
        updated_on: created_on,
        fields,
        restricted: Vec::new(),
    }
}

/// The comments of each report, joined.
fn comments(directory: &Path) -> Result<HashMap<String, String>, Failure> {
    let mut notes: HashMap<String, String> = HashMap::new();
    for comment in lines(&directory.join("comments.jsonl.gz"))? {
        let joined = notes.entry(text(&comment, "issue")).or_default();
        joined.push('\n');
        joined.push_str(&text(&comment, "text"));
    }
    Ok(notes)
}

fn judgements(path: &Path) -> Result<BTreeMap<String, HashMap<String, f64>>, Failure> {
    let mut judged: BTreeMap<String, HashMap<String, f64>> = BTreeMap::new();
    for line in std::fs::read_to_string(path)?.lines() {
        if let [query, doc, grade] = line.split('\t').collect::<Vec<_>>()[..] {
            judged.entry(query.to_owned()).or_default().insert(doc.to_owned(), grade.parse()?);
        }
    }
    Ok(judged)
}

/// Linear gain, log2(rank + 1), ideal from all judged grades: as `tools/score.py` does.
fn ndcg(found: &[&str], grades: &HashMap<String, f64>) -> f64 {
    let sum = |gains: &[f64]| gains.iter().zip(2..).map(|(gain, rank)| gain / f64::from(rank).log2()).sum::<f64>();
    let mut ideal: Vec<f64> = grades.values().copied().collect();
    ideal.sort_by(|one, other| other.total_cmp(one));
    ideal.truncate(10);
    let gains: Vec<f64> = found.iter().take(10).map(|id| grades.get(*id).copied().unwrap_or(0.0)).collect();
    sum(&gains) / sum(&ideal)
}

fn lines(path: &Path) -> Result<Vec<Value>, Failure> {
    let bytes = match path.extension().is_some_and(|extension| extension == "gz") {
        true => Command::new("gzip").arg("-dc").arg(path).stdout(Stdio::piped()).output()?.stdout,
        false => std::fs::read(path)?,
    };
    Ok(bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(serde_json::from_slice).collect::<Result<_, _>>()?)
}

fn text(value: &Value, field: &str) -> String {
    value.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// `2015-01-30T00:43:49.000+0000`; the beginning of time when there is none.
fn date(text: &str) -> Timestamp {
    let seconds = text.get(..19).map(|seconds| format!("{seconds}Z"));
    seconds.and_then(|text| text.parse().ok()).unwrap_or(Timestamp::UNIX_EPOCH)
}
