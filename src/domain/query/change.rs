//! Changes of issues for which one can search (docs/search.md, section 1.1).

use super::dates::{DayOrInstant, Range};
use crate::ids::CustomFieldId;

/// A change of an issue.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The changed attribute is one of these.
    pub attributes: Vec<ChangedAttribute>,
    /// The previous value is one of these ids; `None` for any value.
    pub from: Option<Vec<i64>>,
    /// The ids of the users of whom one made it; `None` for anybody.
    pub by: Option<Vec<i64>>,
    /// When it was made; `None` for any time.
    pub on: Option<Range<DayOrInstant>>,
}

/// An attribute as the history of issues names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedAttribute {
    /// An attribute that every issue has, such as `status_id`.
    Builtin(&'static str),
    /// A custom field.
    Custom(CustomFieldId),
}
