//! The fields of the index. It stores no text: only postings and columns.

use std::collections::BTreeMap;
use tantivy::schema::{FAST, Field, INDEXED, IndexRecordOption, NumericOptions, Schema, SchemaBuilder, TextFieldIndexing, TextOptions};

use super::facts::Fact;
use super::mapping::{Mapping, Role};
use crate::domain::ids::{ProjectId, StatusId};
use crate::domain::kind::Kind;

/// The name under which tantivy knows our analyzer.
pub(super) const WORDS: &str = "words";

const STATUS_BITS: u64 = 20;

/// What a record is, for the filter: project, status, content type and whether it is private, in one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Class(pub u64);

impl Class {
    /// Packs the facts.
    pub fn new(project: ProjectId, kind: Kind, private: bool, status: Option<StatusId>) -> Class {
        let status = status.map_or(0, |id| id.0.clamp(0, (1 << STATUS_BITS) - 1)).unsigned_abs();
        let project = project.0.max(0).unsigned_abs();
        Class(project << (STATUS_BITS + 8) | status << 8 | u64::from(kind.code()) << 1 | u64::from(private))
    }

    /// The project to which the record belongs.
    pub fn project(self) -> ProjectId {
        ProjectId((self.0 >> (STATUS_BITS + 8)).cast_signed())
    }

    /// The status; 0 when it has none.
    pub fn status(self) -> StatusId {
        StatusId(((self.0 >> 8) & ((1 << STATUS_BITS) - 1)).cast_signed())
    }

    /// The content type and the private flag in one number: the place of their bit in a mask.
    pub fn combination(self) -> u32 {
        (self.0 & 15) as u32
    }

    /// The class without its status: what a term of the field `scope` says.
    pub fn scope(self) -> u64 {
        (self.0 >> (STATUS_BITS + 8)) << 4 | (self.0 & 15)
    }
}

/// The place of a content type and a private flag in a mask.
pub fn combination(kind: Kind, private: bool) -> u32 {
    u32::from(kind.code()) << 1 | u32::from(private)
}

const KEY_BITS: u32 = 56;

/// One number for a record of any content type.
pub fn key(kind: Kind, id: i64) -> u64 {
    u64::from(kind.code()) << KEY_BITS | (id.unsigned_abs() & ((1 << KEY_BITS) - 1))
}

/// The record that has this key.
pub fn record(key: u64) -> Option<(Kind, i64)> {
    let kind = Kind::from_code((key >> KEY_BITS) as u8)?;
    Some((kind, (key & ((1 << KEY_BITS) - 1)).cast_signed()))
}

/// A text field with its weight.
#[derive(Clone, Debug)]
pub struct Text {
    /// The field.
    pub field: Field,
    /// Its scores are multiplied by this.
    pub weight: f32,
}

/// A restricted text field, and the field in which its authors find their own text.
#[derive(Clone, Debug)]
pub struct Restricted {
    /// For those who may read it all.
    pub any: Text,
    /// The same text, each term behind the id of its author.
    pub own: Text,
}

/// The handles of all fields.
#[derive(Clone, Debug)]
pub struct Fields {
    /// Content type and id.
    pub key: Field,
    /// See [`Class`].
    pub class: Field,
    /// The class without its status, as a term.
    pub scope: Field,
    /// Who wrote it; 0 for nobody.
    pub author: Field,
    /// To whom it is assigned; 0 for nobody.
    pub assignee: Field,
    /// Columns of facts by which hits are narrowed and counted.
    pub facts: Vec<(Fact, Field)>,
    /// Seconds since 1970: the date that orders the record and fades it.
    pub date: Field,
    /// The number of the change under which the record was indexed.
    pub change: Field,
    /// Searched by default.
    pub text: Vec<Text>,
    /// Searched when only titles are asked for.
    pub titles: Vec<Text>,
    /// Searched when attachments are asked for.
    pub attachments: Vec<Text>,
    /// Searched when attachments are asked for, by those who may see the files of the project.
    pub project_files: Vec<Text>,
    /// Searched by those who may read it.
    pub restricted: Vec<Restricted>,
    /// Values of custom fields, each term behind the number of its field.
    pub custom: Vec<Text>,
    names: BTreeMap<String, Target>,
}

/// Where the text of a record field goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Into this field.
    Open(Field),
    /// Into the field for all who may read it, and into the one for its author.
    Restricted(Field, Field),
    /// Into this field, each term behind the number of the custom field.
    Custom(Field),
}

impl Fields {
    /// The field with this name in `index-schema/`.
    pub fn target(&self, name: &str) -> Option<Target> {
        self.names.get(name).copied()
    }
}

/// A column for each fact that has no other.
fn facts(builder: &mut SchemaBuilder) -> Vec<(Fact, Field)> {
    let column = || NumericOptions::default() | FAST;
    let numbers = [Fact::Tracker, Fact::Priority, Fact::Version, Fact::Category, Fact::Files];
    let numbers = numbers.into_iter().filter_map(|fact| Some((fact, builder.add_u64_field(fact.column()?, column()))));
    let mut facts: Vec<(Fact, Field)> = numbers.collect();
    let instants = [Fact::Created, Fact::Updated];
    facts.extend(instants.into_iter().filter_map(|fact| Some((fact, builder.add_i64_field(fact.column()?, column())))));
    facts
}

/// The schema that the mapping asks for.
pub fn schema(mapping: &Mapping) -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let column = || NumericOptions::default() | FAST;
    let mut fields = Fields {
        key: builder.add_u64_field("key", NumericOptions::default() | INDEXED | FAST),
        class: builder.add_u64_field("class", column()),
        scope: builder.add_u64_field("scope", NumericOptions::default() | INDEXED),
        author: builder.add_u64_field("author", column()),
        assignee: builder.add_u64_field("assignee", column()),
        facts: facts(&mut builder),
        date: builder.add_i64_field("date", column()),
        change: builder.add_u64_field("change", column()),
        text: Vec::new(),
        titles: Vec::new(),
        attachments: Vec::new(),
        project_files: Vec::new(),
        restricted: Vec::new(),
        custom: Vec::new(),
        names: BTreeMap::new(),
    };
    let indexing = TextFieldIndexing::default().set_tokenizer(WORDS).set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let options = TextOptions::default().set_indexing_options(indexing);
    for (name, wanted) in &mapping.fields {
        let field = builder.add_text_field(&format!("text.{name}"), options.clone());
        let text = Text { field, weight: wanted.weight };
        let mut target = Target::Open(field);
        match wanted.role {
            Role::Text => fields.text.push(text),
            Role::Titles => fields.titles.push(text),
            Role::Attachments => fields.attachments.push(text),
            Role::ProjectFiles => fields.project_files.push(text),
            Role::Custom => {
                target = Target::Custom(field);
                fields.custom.push(text);
            }
            Role::Restricted => {
                let own = builder.add_text_field(&format!("own.{name}"), options.clone());
                target = Target::Restricted(field, own);
                fields.restricted.push(Restricted { any: text, own: Text { field: own, weight: wanted.weight } });
            }
        }
        fields.names.insert(name.clone(), target);
    }
    (builder.build(), fields)
}
