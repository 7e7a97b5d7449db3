//! The names of the enumerations in addresses and bodies.

use crate::domain::catalogue::EnumerationKind;
use crate::http::{Error, RequestContext};

/// An enumeration with its names.
#[derive(Clone, Copy)]
pub struct Names {
    /// The enumeration.
    pub kind: EnumerationKind,
    /// The name of its list.
    pub list: &'static str,
    /// The name of one of its values.
    pub item: &'static str,
}

const ALL: [Names; 3] = [
    Names {
        kind: EnumerationKind::IssuePriority,
        list: "issue_priorities",
        item: "issue_priority",
    },
    Names {
        kind: EnumerationKind::TimeEntryActivity,
        list: "time_entry_activities",
        item: "time_entry_activity",
    },
    Names {
        kind: EnumerationKind::DocumentCategory,
        list: "document_categories",
        item: "document_category",
    },
];

/// Returns the enumeration in the path; 404 for an unknown one.
pub fn from_path(request: &RequestContext) -> Result<Names, Error> {
    ALL.into_iter()
        .find(|names| names.list == request.path_param("id"))
        .ok_or(Error::NotFound)
}
