//! From a record to a document of the index, as `index-schema/` says.

use tantivy::schema::TantivyDocument;
use tantivy::tokenizer::{PreTokenizedString, Token, TokenStream, Tokenizer};

use super::analyzer::{SEPARATOR, WordTokenizer};
use super::facts::Fact;
use super::mapping::{DateField, Mapping};
use super::plan::owner;
use super::schema::{Class, Fields, Target, key};
use crate::store::searchable::Source;
use std::collections::BTreeMap;

/// The name under which `index-schema/` speaks of private notes.
const RESTRICTED: &str = "restricted";
/// The name under which it speaks of files.
const ATTACHMENTS: &str = "attachments";
/// The name under which it speaks of the files of projects.
const PROJECT_FILES: &str = "project_files";
/// The name under which it speaks of the values of custom fields.
const CUSTOM: &str = "custom";

/// The document of a record.
pub(super) fn document(source: &Source, mapping: &Mapping, fields: &Fields) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    let class = Class::new(source.project, source.kind, source.private, source.status);
    let date = match mapping.date(source.kind) {
        DateField::CreatedOn => source.created_on,
        DateField::UpdatedOn => source.updated_on,
    };
    let number = |id: Option<i64>| id.unwrap_or(0).max(0).unsigned_abs();
    document.add_u64(fields.key, key(source.kind, source.id));
    document.add_u64(fields.class, class.0);
    document.add_u64(fields.scope, class.scope());
    document.add_u64(fields.author, number(source.author.map(i64::from)));
    document.add_u64(fields.assignee, number(source.assignee.map(i64::from)));
    document.add_i64(fields.date, date.as_second());
    for (fact, field) in &fields.facts {
        match fact {
            Fact::Created => document.add_i64(*field, source.created_on.as_second()),
            Fact::Updated => document.add_i64(*field, source.updated_on.as_second()),
            Fact::Files => document.add_u64(*field, file_count(source)),
            Fact::Tracker => document.add_u64(*field, number(source.tracker.map(i64::from))),
            Fact::Priority => document.add_u64(*field, number(source.priority.map(i64::from))),
            Fact::Version => document.add_u64(*field, number(source.version.map(i64::from))),
            Fact::Category => document.add_u64(*field, number(source.category.map(i64::from))),
            _ => {}
        }
    }
    document.add_u64(fields.change, source.change.max(0).unsigned_abs());

    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    for (name, text) in &source.fields {
        for (target, times) in mapping.feeds(source.kind, name) {
            let joined = texts.entry(target).or_default();
            for _ in 0..times {
                append(joined, text);
            }
        }
    }
    for (target, text) in texts {
        if let Some(Target::Open(field)) = fields.target(target) {
            document.add_text(field, text);
        }
    }
    for (target, times) in mapping.feeds(source.kind, CUSTOM) {
        let Some(Target::Custom(field)) = fields.target(target) else { continue };
        for (custom, text) in &source.custom {
            for _ in 0..times {
                document.add_pre_tokenized_text(field, owned(custom.0, text.clone()));
            }
        }
    }
    if !source.restricted.is_empty() {
        restricted(source, mapping, fields, &mut document);
    }
    document
}

fn file_count(source: &Source) -> u64 {
    source.fields.iter().filter(|(name, _)| matches!(*name, ATTACHMENTS | PROJECT_FILES)).count() as u64
}

fn append(joined: &mut String, text: &str) {
    if !joined.is_empty() {
        joined.push(SEPARATOR);
    }
    joined.push_str(text);
}

/// Private notes: once for those who may read them all, and once for each author with the author's id before each term.
fn restricted(source: &Source, mapping: &Mapping, fields: &Fields, document: &mut TantivyDocument) {
    for (target, times) in mapping.feeds(source.kind, RESTRICTED) {
        let Some(Target::Restricted(any, own)) = fields.target(target) else { continue };
        let mut all = String::new();
        let mut by_author: BTreeMap<i64, String> = BTreeMap::new();
        for (author, text) in &source.restricted {
            for _ in 0..times {
                append(&mut all, text);
                append(by_author.entry(author.0).or_default(), text);
            }
        }
        document.add_text(any, all);
        for (author, text) in by_author {
            document.add_pre_tokenized_text(own, owned(author, text));
        }
    }
}

fn owned(author: i64, text: String) -> PreTokenizedString {
    let owner = owner(author);
    let mut tokens: Vec<Token> = Vec::new();
    let mut tokenizer = WordTokenizer;
    let mut stream = tokenizer.token_stream(&text);
    while stream.advance() {
        let mut token = stream.token().clone();
        token.text.insert_str(0, &owner);
        tokens.push(token);
    }
    drop(stream);
    PreTokenizedString { text, tokens }
}
