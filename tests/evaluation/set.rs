//! A set: documents, queries in several forms, and the judgements of their relevance.

use super::dates;
use super::document::{Document, PARAGRAPH, PASTE};
use super::forms::MadeForms;
use super::judgements::{self, Judgement};
use super::lines::{for_each_object, id, text};
use super::set_files::SetFiles;
use super::warnings::{Location, Problems, SetError, Warning, WarningKind, Warnings};
use jiff::Timestamp;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

/// The form of a query that every set has: its text.
pub const TEXT: &str = "text";
/// Fields of a query that are no forms of it.
const OTHER_FIELDS: [&str; 5] = ["_id", "id", "created", "date", "metadata"];

/// The relevant documents of a query, with their grades, which are positive.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relevant {
    /// By the index of the document.
    pub documents: HashMap<usize, f64>,
    /// The grades of documents that the set lacks. No search finds them, but they count: a set is
    /// scored by its judgements, so that figures of different corpora cannot be mistaken for better
    /// ones.
    pub missing: Vec<f64>,
}

impl Relevant {
    /// Returns their number.
    pub fn count(&self) -> usize {
        self.documents.len() + self.missing.len()
    }

    /// Returns all grades.
    pub fn grades(&self) -> impl Iterator<Item = f64> + '_ {
        self.documents.values().chain(&self.missing).copied()
    }
}

/// One query in one of its forms.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    pub id: String,
    pub text: String,
    /// When the query was written, if known.
    pub created: Option<Timestamp>,
    /// The document whose text it is, which does not count as found.
    pub source: Option<usize>,
    pub relevant: Relevant,
}

/// A query of the set in all of its forms.
struct JudgedQuery {
    id: String,
    forms: HashMap<String, String>,
    created: Option<Timestamp>,
    relevant: Relevant,
    location: Location,
}

/// The queries of a set in one form.
#[derive(Default)]
pub struct QueryForm {
    pub queries: Vec<Query>,
    /// How many of them lack the form, so that it was made from the text, and the first.
    pub made: Option<(usize, Location)>,
    /// How many queries lack the form and are left out, and the first.
    pub lacking: Option<(usize, Location)>,
}

/// A set that was read.
pub struct Set {
    pub name: String,
    pub documents: Vec<Document>,
    pub warnings: Vec<Warning>,
    queries: Vec<JudgedQuery>,
}

impl Set {
    /// Reads a set, with the comments on its documents or without. Fails if a line cannot be used, and
    /// if no query has a relevant document.
    pub fn read(files: &SetFiles, with_comments: bool) -> Result<Set, SetError> {
        let mut reader = Reader::default();
        reader.read_documents(files)?;
        let comments = files.comments.as_ref().filter(|_| with_comments);
        if let Some(comments) = comments {
            reader.read_comments(comments)?;
        }
        reader.read_queries(files)?;
        let judgements = judgements::read(&files.judgements, &mut reader.problems)?;
        reader.add_judgements(judgements, files);
        reader.finish(files.set_name(comments.is_some()), files)
    }

    /// Returns how many queries have a relevant document.
    pub fn query_count(&self) -> usize {
        self.queries.len()
    }

    /// Returns how many of these queries have no date.
    pub fn undated_count(&self) -> usize {
        let undated = self.queries.iter().filter(|query| query.created.is_none());
        undated.count()
    }

    /// Returns the queries in one form. Those made of documents are fewer where documents are too short,
    /// or alone relevant.
    pub fn queries(&self, form: &str) -> QueryForm {
        if form == PASTE || form == PARAGRAPH {
            let queries = self.queries.iter();
            return QueryForm {
                queries: queries
                    .filter_map(|query| self.of_document(query, form))
                    .collect(),
                ..QueryForm::default()
            };
        }
        let mut found = QueryForm::default();
        for query in &self.queries {
            let count = |place: &mut Option<(usize, Location)>| {
                place.get_or_insert((0, query.location.clone())).0 += 1
            };
            let text = match query.forms.get(form) {
                Some(text) => text.clone(),
                None => {
                    let forms = query.forms.get(TEXT).and_then(|text| MadeForms::of(text));
                    let made = forms.as_ref().and_then(|forms| forms.get(form));
                    let Some(made) = made else {
                        count(&mut found.lacking);
                        continue;
                    };
                    count(&mut found.made);
                    made.to_owned()
                }
            };
            found.queries.push(Query {
                id: query.id.clone(),
                text,
                created: query.created,
                source: None,
                relevant: query.relevant.clone(),
            });
        }
        found
    }

    /// Returns the query that is the text of the first relevant document.
    fn of_document(&self, query: &JudgedQuery, form: &str) -> Option<Query> {
        let mut relevant = query.relevant.clone();
        let source = relevant.documents.keys().copied().min()?;
        relevant.documents.remove(&source);
        let text = self.documents.get(source)?.as_query(form)?;
        (relevant.count() > 0).then(|| Query {
            id: query.id.clone(),
            text,
            created: query.created,
            source: Some(source),
            relevant,
        })
    }
}

/// Whether a text has anything to search for.
fn is_blank(text: &str) -> bool {
    !text.chars().any(char::is_alphanumeric)
}

/// A query as it is read: its forms and date, and where it is.
struct ReadQuery {
    forms: HashMap<String, String>,
    created: Option<Timestamp>,
    location: Location,
}

/// What was read so far.
#[derive(Default)]
struct Reader {
    problems: Problems,
    warnings: Warnings,
    documents: Vec<Document>,
    /// The index of each document.
    indexes: HashMap<String, usize>,
    /// The queries by their ids, and the ids in the order of the file.
    queries: HashMap<String, ReadQuery>,
    order: Vec<String>,
    /// The grades of each query, by document.
    grades: HashMap<String, HashMap<String, Judgement>>,
}

impl Reader {
    fn read_documents(&mut self, files: &SetFiles) -> Result<(), SetError> {
        let Reader {
            problems,
            warnings,
            documents,
            indexes,
            ..
        } = self;
        for_each_object(
            &files.documents,
            problems,
            |object, location, problems| match document(&object) {
                Ok((document, has_unreadable_date)) => {
                    if has_unreadable_date {
                        warnings.add(WarningKind::UnreadableDate, location.clone());
                    }
                    if is_blank(&document.title) && is_blank(&document.text) {
                        warnings.add(WarningKind::BlankDocument, location.clone());
                    }
                    match indexes.entry(document.id.clone()) {
                        Entry::Occupied(_) => problems.add(
                            location,
                            format!("the document {} is there twice", document.id),
                        ),
                        Entry::Vacant(entry) => {
                            entry.insert(documents.len());
                            documents.push(document);
                        }
                    }
                }
                Err(problem) => problems.add(location, problem),
            },
        )
    }

    fn read_comments(&mut self, path: &Path) -> Result<(), SetError> {
        let Reader {
            problems,
            warnings,
            documents,
            indexes,
            ..
        } = self;
        for_each_object(path, problems, |object, location, problems| {
            let issue = text(&object, "issue");
            let words = text(&object, "text");
            let (Ok(Some(issue)), Ok(Some(words))) = (issue, words) else {
                problems.add(location, "a comment needs the texts `issue` and `text`");
                return;
            };
            let index = indexes.get(&issue);
            match index.and_then(|index| documents.get_mut(*index)) {
                Some(document) => {
                    document.notes.push('\n');
                    document.notes.push_str(&words);
                }
                None => warnings.add(WarningKind::CommentOnUnknownDocument, location),
            }
        })
    }

    fn read_queries(&mut self, files: &SetFiles) -> Result<(), SetError> {
        let Reader {
            problems,
            warnings,
            queries,
            order,
            ..
        } = self;
        for_each_object(&files.queries, problems, |object, location, problems| {
            let parsed = id(&object).and_then(|id| Ok((id, forms(&object)?)));
            let (id, forms) = match parsed {
                Ok(parsed) => parsed,
                Err(problem) => return problems.add(location, problem),
            };
            let created = date(&object);
            if created.is_err() {
                warnings.add(WarningKind::UnreadableDate, location.clone());
            }
            let query = ReadQuery {
                forms,
                created: created.unwrap_or_default(),
                location: location.clone(),
            };
            match queries.entry(id.clone()) {
                Entry::Occupied(_) => {
                    problems.add(location, format!("the query {id} is there twice"))
                }
                Entry::Vacant(entry) => {
                    entry.insert(query);
                    order.push(id);
                }
            }
        })
    }

    fn add_judgements(&mut self, judgements: Vec<Judgement>, files: &SetFiles) {
        if judgements.is_empty() && self.problems.is_empty() {
            self.problems.add(
                Location::new(&files.judgements, 1),
                "the file has no judgement",
            );
        }
        for judgement in judgements {
            let location = judgement.location.clone();
            let grades = self.grades.entry(judgement.query.clone()).or_default();
            match grades.entry(judgement.document.clone()) {
                Entry::Vacant(entry) => {
                    entry.insert(judgement);
                }
                Entry::Occupied(entry) if entry.get().grade == judgement.grade => {
                    self.warnings.add(WarningKind::RepeatedJudgement, location);
                }
                Entry::Occupied(entry) => {
                    let problem = format!(
                        "the grade of {} for {} is {}, in line {} it is {}",
                        judgement.document,
                        judgement.query,
                        judgement.grade,
                        entry.get().location.line,
                        entry.get().grade
                    );
                    self.problems.add(location, problem);
                }
            }
        }
        self.count_unknown();
    }

    /// Counts the judgements of unknown queries and documents.
    fn count_unknown(&mut self) {
        let mut judgements: Vec<&Judgement> =
            self.grades.values().flat_map(HashMap::values).collect();
        judgements.sort_by_key(|judgement| judgement.location.line);
        for judgement in judgements {
            if !self.queries.contains_key(&judgement.query) {
                self.warnings
                    .add(WarningKind::UnknownQuery, judgement.location.clone());
            } else if !self.indexes.contains_key(&judgement.document) {
                self.warnings
                    .add(WarningKind::UnknownDocument, judgement.location.clone());
            }
        }
    }

    /// Puts queries and judgements together.
    fn finish(mut self, name: String, files: &SetFiles) -> Result<Set, SetError> {
        std::mem::take(&mut self.problems).check()?;
        let mut queries = Vec::new();
        for id in std::mem::take(&mut self.order) {
            let Some(query) = self.queries.remove(&id) else {
                continue;
            };
            let leave_out = match self.grades.remove(&id) {
                None => WarningKind::QueryWithoutJudgement,
                Some(_) if query.forms.get(TEXT).is_none_or(|text| is_blank(text)) => {
                    WarningKind::BlankQuery
                }
                Some(grades) => {
                    let relevant = self.relevant(&grades);
                    if relevant.count() > 0 {
                        queries.push(JudgedQuery {
                            id,
                            forms: query.forms,
                            created: query.created,
                            relevant,
                            location: query.location,
                        });
                        continue;
                    }
                    WarningKind::QueryWithoutRelevant
                }
            };
            self.warnings.add(leave_out, query.location);
        }
        let is_answerable = |query: &JudgedQuery| !query.relevant.documents.is_empty();
        if !queries.iter().any(is_answerable) {
            let mut message = format!(
                "{}: no query has a relevant document that the set has, so that there is nothing to measure",
                files.judgements.display()
            );
            for warning in self.warnings.list() {
                message.push_str(&format!("\n{warning}"));
            }
            return Err(SetError::Unusable(message));
        }
        Ok(Set {
            name,
            documents: self.documents,
            warnings: self.warnings.list(),
            queries,
        })
    }

    fn relevant(&self, grades: &HashMap<String, Judgement>) -> Relevant {
        let mut relevant = Relevant::default();
        for judgement in grades.values().filter(|judgement| judgement.grade > 0.0) {
            match self.indexes.get(&judgement.document) {
                Some(index) => {
                    relevant.documents.insert(*index, judgement.grade);
                }
                None => relevant.missing.push(judgement.grade),
            }
        }
        relevant
    }
}

/// Returns a document, and whether it has a date that cannot be read.
fn document(object: &Map<String, Value>) -> Result<(Document, bool), String> {
    let title = text(object, "title")?;
    let body = text(object, "text")?;
    if title.is_none() && body.is_none() {
        return Err("there is neither `title` nor `text`".to_owned());
    }
    let created = date(object);
    let document = Document {
        id: id(object)?,
        title: title.unwrap_or_default(),
        text: body.unwrap_or_default(),
        notes: String::new(),
        created: created.unwrap_or_default().map_or(0, Timestamp::as_second),
    };
    Ok((document, created.is_err()))
}

/// Returns the date of a document or query, from `created` or `date`; `Err` if it cannot be read.
fn date(object: &Map<String, Value>) -> Result<Option<Timestamp>, ()> {
    for field in ["created", "date"] {
        let text = text(object, field).map_err(|_| ())?;
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            return dates::parse(&text).map(Some).ok_or(());
        }
    }
    Ok(None)
}

/// Returns the forms of a query: its fields with texts that are not blank. The text itself must be
/// there.
fn forms(object: &Map<String, Value>) -> Result<HashMap<String, String>, String> {
    if text(object, TEXT)?.is_none() {
        return Err("there is no `text`".to_owned());
    }
    let fields = object
        .iter()
        .filter(|(name, _)| !OTHER_FIELDS.contains(&name.as_str()));
    let forms = fields.filter_map(|(name, value)| {
        let text = value.as_str().filter(|text| !is_blank(text))?;
        Some((name.clone(), text.to_owned()))
    });
    Ok(forms.collect())
}

#[cfg(test)]
#[path = "set_tests.rs"]
mod tests;
