//! The schema of the index: fields, fast fields and documents, as configured in `index-schema/`.
//!
//! A document is built from one record of the store. Its text is indexed and not stored; its
//! [`AccessClass`](access_class::AccessClass) packs the attributes that decide who may see it. May
//! import: `analyzer`.

pub mod access_class;
pub mod columns;
pub mod config;
mod config_files;
pub mod document;
pub mod fields;
pub mod scoped_term;
pub mod store_condition;
