//! Converts a record to a document of the index, as `index-schema/` configures it.

use tantivy::schema::TantivyDocument;
use tantivy::tokenizer::{PreTokenizedString, Token, TokenStream, Tokenizer};

use super::access_class::{AccessClass, record_key};
use super::columns::Attribute;
use super::config::{DateField, IndexConfig};
use super::fields::{Fields, Target};
use super::scoped_term::owner_prefix;
use crate::analyzer::{SEPARATOR, WordTokenizer};
use quarry_domain::index_feed::indexed_record::IndexedRecord;
use std::collections::BTreeMap;

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

    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    for (name, text) in &source.fields {
        for (target, times) in config.feeds(source.kind, name) {
            let joined = texts.entry(target).or_default();
            for _ in 0..times {
                append(joined, text);
            }
        }
    }
    for (target, text) in texts {
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
