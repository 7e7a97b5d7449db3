//! Priorities of issues, activities of time entries and categories of documents.

use crate::ids::{EnumerationId, ProjectId};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The type of an enumeration.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray,
)]
pub enum EnumerationKind {
    /// Priorities of issues.
    #[default]
    IssuePriority,
    /// Activities of time entries.
    TimeEntryActivity,
    /// Categories of documents.
    DocumentCategory,
}

impl EnumerationKind {
    /// All types.
    pub const ALL: &[EnumerationKind] = Self::VARIANTS;

    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A value of an enumeration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enumeration {
    pub id: EnumerationId,
    /// The enumeration that it belongs to.
    pub kind: EnumerationKind,
    pub name: String,
    /// Position in lists.
    pub position: i64,
    /// Whether it is the default.
    pub is_default: bool,
    /// Whether it can be selected.
    pub active: bool,
    /// The project that it is limited to; `None` for a shared value. Set for activities only.
    pub project: Option<ProjectId>,
    /// The shared value that it replaces in its project.
    pub parent: Option<EnumerationId>,
}
