//! The fields of the index. No text is stored, only postings and fast fields.

use std::collections::BTreeMap;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, NumericOptions, Schema, SchemaBuilder,
    TextFieldIndexing, TextOptions,
};

use super::columns::Attribute;
use super::config::{IndexConfig, Role};

/// The name of the analyzer in tantivy.
pub(crate) const ANALYZER: &str = "words";

/// A text field with its weight.
#[derive(Clone, Debug)]
pub struct WeightedField {
    pub field: Field,
    /// Its scores are multiplied by this.
    pub weight: f32,
}

/// A field of restricted text, with a second field in which authors find their own text.
#[derive(Clone, Debug)]
pub struct RestrictedField {
    /// For viewers who may read all of it.
    pub any: WeightedField,
    /// The same text, with the id of its author before each term.
    pub own: WeightedField,
}

/// The fields of the index.
#[derive(Clone, Debug)]
pub struct Fields {
    /// Content type and id.
    pub key: Field,
    /// See [`AccessClass`](super::access_class::AccessClass).
    pub class: Field,
    /// The class without its status, as a term.
    pub scope: Field,
    /// The author; 0 for none.
    pub author: Field,
    /// The assignee; 0 for none.
    pub assignee: Field,
    /// Fast fields of other attributes.
    pub attributes: Vec<(Attribute, Field)>,
    /// The date by which the record is sorted and loses score, in seconds since 1970.
    pub date: Field,
    /// The change with which the record was indexed.
    pub change: Field,
    /// Searched by default.
    pub text: Vec<WeightedField>,
    /// Searched instead with `titles_only`.
    pub titles: Vec<WeightedField>,
    /// Searched when the request includes attachments.
    pub attachments: Vec<WeightedField>,
    /// Searched together with attachments, for viewers who may see the files of the project.
    pub project_files: Vec<WeightedField>,
    /// Searched for viewers who may read it.
    pub restricted: Vec<RestrictedField>,
    /// Values of custom fields, with the id of the field before each term.
    pub custom: Vec<WeightedField>,
    names: BTreeMap<String, Target>,
}

/// The index field, or fields, of a record field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A field that everybody may search.
    Unrestricted(Field),
    /// The field for viewers who may read all of it, and the one for its authors.
    Restricted(Field, Field),
    /// A field whose terms start with the id of the custom field.
    Custom(Field),
}

impl Fields {
    /// Returns the target with this name in `index-schema/`.
    pub fn target(&self, name: &str) -> Option<Target> {
        self.names.get(name).copied()
    }
}

/// The options of a fast field that is not indexed.
fn fast() -> NumericOptions {
    NumericOptions::default() | FAST
}

/// Adds a fast field for each attribute that has no other.
fn add_attributes(builder: &mut SchemaBuilder) -> Vec<(Attribute, Field)> {
    let ids = [
        Attribute::Tracker,
        Attribute::Priority,
        Attribute::Version,
        Attribute::Category,
        Attribute::Files,
    ];
    let ids = ids.into_iter().filter_map(|attribute| {
        Some((
            attribute,
            builder.add_u64_field(attribute.fast_field()?, fast()),
        ))
    });
    let mut attributes: Vec<(Attribute, Field)> = ids.collect();
    let times = [Attribute::Created, Attribute::Updated];
    attributes.extend(times.into_iter().filter_map(|attribute| {
        Some((
            attribute,
            builder.add_i64_field(attribute.fast_field()?, fast()),
        ))
    }));
    attributes
}

/// Builds the tantivy schema for a configuration.
pub fn build_schema(config: &IndexConfig) -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let mut fields = Fields {
        key: builder.add_u64_field("key", NumericOptions::default() | INDEXED | FAST),
        class: builder.add_u64_field("class", fast()),
        scope: builder.add_u64_field("scope", NumericOptions::default() | INDEXED),
        author: builder.add_u64_field("author", fast()),
        assignee: builder.add_u64_field("assignee", fast()),
        attributes: add_attributes(&mut builder),
        date: builder.add_i64_field("date", fast()),
        change: builder.add_u64_field("change", fast()),
        text: Vec::new(),
        titles: Vec::new(),
        attachments: Vec::new(),
        project_files: Vec::new(),
        restricted: Vec::new(),
        custom: Vec::new(),
        names: BTreeMap::new(),
    };
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(ANALYZER)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let options = TextOptions::default().set_indexing_options(indexing);
    for (name, config) in &config.fields {
        let field = builder.add_text_field(&format!("text.{name}"), options.clone());
        let text = WeightedField {
            field,
            weight: config.weight,
        };
        let mut target = Target::Unrestricted(field);
        match config.role {
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
                fields.restricted.push(RestrictedField {
                    any: text,
                    own: WeightedField {
                        field: own,
                        weight: config.weight,
                    },
                });
            }
        }
        fields.names.insert(name.clone(), target);
    }
    (builder.build(), fields)
}
