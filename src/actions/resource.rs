//! The use cases that kinds of records have in common: create, update, delete.

use crate::prelude::*;
use std::fmt::Display;

/// A kind of records, and how they are changed. Each function is one use case.
pub trait Resource: 'static {
    type Id: Copy + Display + From<i64> + Into<i64> + Send + 'static;
    /// What a record belongs to: its project, or `()` for the whole installation.
    type Parent: Send + 'static;
    /// The requested attributes of a record.
    type Change: Send + 'static;

    /// Creates a record, and returns its id.
    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        parent: Self::Parent,
        change: &Self::Change,
    ) -> Result<Self::Id, ActionError>;

    /// Updates the record.
    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: Self::Id,
        change: &Self::Change,
    ) -> Result<(), ActionError>;

    /// Deletes the record. In what refers to it, `replacement` takes its place; kinds without
    /// replacements ignore it.
    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: Self::Id,
        replacement: Option<Self::Id>,
    ) -> Result<(), ActionError>;
}
