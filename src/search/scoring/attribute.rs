//! Iterates over all documents of a segment, and over those that have an attribute.

use std::sync::Arc;
use tantivy::{DocId, TERMINATED};

use crate::schema::access_class::AccessClass;
use crate::schema::columns::{AttributeFilter, FastFields};
use crate::snapshot::Segment;

/// All documents of a segment, one after another.
pub(crate) struct Docs {
    doc: DocId,
    /// The first id after the last document.
    max_doc: DocId,
}

impl Docs {
    /// Starts at the first document of a segment with this many.
    pub fn new(max_doc: DocId) -> Docs {
        Docs { doc: 0, max_doc }
    }

    /// Returns the current document; [`TERMINATED`] at the end.
    pub fn doc(&self) -> DocId {
        if self.doc < self.max_doc {
            self.doc
        } else {
            TERMINATED
        }
    }

    /// Advances to the first document from `target` on.
    pub fn seek(&mut self, target: DocId) -> DocId {
        self.doc = target.max(self.doc);
        self.doc()
    }

    /// Returns the number of documents.
    pub fn cost(&self) -> u64 {
        u64::from(self.max_doc)
    }
}

/// Matches the documents with an attribute.
pub(crate) struct AttributeScorer {
    pub(super) docs: Docs,
    filter: AttributeFilter,
    fields: FastFields,
    classes: Arc<[AccessClass]>,
}

impl AttributeScorer {
    pub(super) fn new(
        filter: &AttributeFilter,
        segment: Segment<'_>,
    ) -> tantivy::Result<AttributeScorer> {
        let attribute = std::iter::once(filter.attribute);
        let max_doc = segment.reader.max_doc();
        Ok(AttributeScorer {
            docs: Docs::new(max_doc),
            filter: filter.clone(),
            fields: FastFields::open(segment.reader, attribute)?,
            classes: segment.columns.classes(),
        })
    }

    pub(super) fn matches(&self) -> bool {
        let doc = self.docs.doc();
        let class = self.classes[doc as usize];
        let filters = std::slice::from_ref(&self.filter);
        self.fields.pass(filters, class, doc)
    }
}
