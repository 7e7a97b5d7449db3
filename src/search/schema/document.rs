//! Converts a record to a document of the index, as `index-schema/` configures it.

use tantivy::schema::TantivyDocument;
use tantivy::tokenizer::{PreTokenizedString, Token, TokenStream, Tokenizer};

use super::access_class::{AccessClass, record_key};
use super::columns::Attribute;
use super::config::{DateField, IndexConfig};
use super::fields::{Fields, Target};
use super::scoped_term::owner_prefix;
use crate::analyzer::{SEPARATOR, Section, WordTokenizer, without_marks};
use quarry_domain::index_feed::indexed_record::IndexedRecord;
use std::collections::BTreeMap;

/// Titles, as `index-schema/` names their field.
const TITLE: &str = "title";
/// Notes that everybody may read.
const NOTES: &str = "notes";
/// Private notes, as `index-schema/` names them.
const RESTRICTED: &str = "restricted";
/// Names and descriptions of attachments.
const ATTACHMENTS: &str = "attachments";
/// Names and descriptions of project files.
const PROJECT_FILES: &str = "project_files";
/// Values of custom fields.
const CUSTOM: &str = "custom";

/// Builds the document of a record.
pub(crate) fn build_document(
    source: &IndexedRecord,
    config: &IndexConfig,
    fields: &Fields,
) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    let class = AccessClass::new(source.project, source.kind, source.private, source.status);
    let date = match config.date(source.kind) {
        DateField::CreatedOn => source.created_on,
        DateField::UpdatedOn => source.updated_on,
    };
    document.add_u64(fields.key, record_key(source.kind, source.id));
    document.add_u64(fields.class, class.0);
    document.add_u64(fields.scope, class.scope());
    document.add_u64(fields.author, id_value(source.author));
    document.add_u64(fields.assignee, id_value(source.assignee));
    document.add_i64(fields.date, date.as_second());
    for (attribute, field) in &fields.attributes {
        match attribute {
            Attribute::Created => document.add_i64(*field, source.created_on.as_second()),
            Attribute::Updated => document.add_i64(*field, source.updated_on.as_second()),
            Attribute::Files => document.add_u64(*field, file_count(source)),
            Attribute::Tracker => document.add_u64(*field, id_value(source.tracker)),
            Attribute::Priority => document.add_u64(*field, id_value(source.priority)),
            Attribute::Version => document.add_u64(*field, id_value(source.version)),
            Attribute::Category => document.add_u64(*field, id_value(source.category)),
            _ => {}
        }
    }
    document.add_u64(fields.change, source.change.max(0).unsigned_abs());

    for (target, text) in texts(source, config) {
        if let Some(Target::Unrestricted(field)) = fields.target(target) {
            document.add_text(field, text);
        }
    }
    for (target, times) in config.feeds(source.kind, CUSTOM) {
        let Some(Target::Custom(field)) = fields.target(target) else {
            continue;
        };
        for (custom, text) in &source.custom {
            for _ in 0..times {
                document.add_pre_tokenized_text(field, tokenize_for_owner(custom.0, text.clone()));
            }
        }
    }
    if !source.restricted.is_empty() {
        add_restricted_text(source, config, fields, &mut document);
    }
    document
}

/// Returns the texts of the fields of the index, each section of a record after the one before.
fn texts<'c>(source: &IndexedRecord, config: &'c IndexConfig) -> BTreeMap<&'c str, String> {
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    let mut fields: Vec<(Section, &str, &str)> = source
        .fields
        .iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(name, text)| (section(source, config, name), *name, text.as_str()))
        .collect();
    fields.sort_by_key(|(section, ..)| *section);
    let mut current: BTreeMap<&str, Section> = BTreeMap::new();
    for (section, name, text) in fields {
        let text = without_marks(text);
        for (target, times) in config.feeds(source.kind, name) {
            let joined = texts.entry(target).or_default();
            let before = current.insert(target, section).unwrap_or(Section::Title);
            if before != section {
                joined.extend(section.mark());
                joined.push_str(&text);
            } else {
                append(joined, &text);
            }
            for _ in 1..times {
                append(joined, &text);
            }
        }
    }
    texts
}

/// Returns the section to which a field of a record belongs.
fn section(source: &IndexedRecord, config: &IndexConfig, name: &str) -> Section {
    let mut targets = config.feeds(source.kind, name).map(|(target, _)| target);
    match name {
        NOTES => Section::Notes,
        _ if targets.any(|target| target == TITLE || target == ATTACHMENTS) => Section::Title,
        _ => Section::Text,
    }
}

/// Returns the value of the column of an id: 0 for none.
fn id_value(id: Option<impl Into<i64>>) -> u64 {
    id.map_or(0, Into::into).max(0).unsigned_abs()
}

fn file_count(source: &IndexedRecord) -> u64 {
    source
        .fields
        .iter()
        .filter(|(name, _)| matches!(*name, ATTACHMENTS | PROJECT_FILES))
        .count() as u64
}

fn append(joined: &mut String, text: &str) {
    if !joined.is_empty() {
        joined.push(SEPARATOR);
    }
    joined.push_str(text);
}

/// Adds private notes: once for viewers who may read all of them, and once per author with the
/// author's id before each term.
fn add_restricted_text(
    source: &IndexedRecord,
    config: &IndexConfig,
    fields: &Fields,
    document: &mut TantivyDocument,
) {
    for (target, times) in config.feeds(source.kind, RESTRICTED) {
        let Some(Target::Restricted(all_notes, own_notes)) = fields.target(target) else {
            continue;
        };
        let mut all = String::new();
        let mut by_author: BTreeMap<i64, String> = BTreeMap::new();
        for (author, text) in &source.restricted {
            for _ in 0..times {
                append(&mut all, text);
                append(by_author.entry(author.0).or_default(), text);
            }
        }
        document.add_text(all_notes, all);
        for (author, text) in by_author {
            document.add_pre_tokenized_text(own_notes, tokenize_for_owner(author, text));
        }
    }
}

/// Tokenizes text with the id of its owner before each term.
fn tokenize_for_owner(owner: i64, text: String) -> PreTokenizedString {
    let prefix = owner_prefix(owner);
    let mut tokens: Vec<Token> = Vec::new();
    let mut tokenizer = WordTokenizer;
    let mut stream = tokenizer.token_stream(&text);
    while stream.advance() {
        let mut token = stream.token().clone();
        token.text.insert_str(0, &prefix);
        tokens.push(token);
    }
    drop(stream);
    PreTokenizedString { text, tokens }
}
