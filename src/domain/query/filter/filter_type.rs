//! The types of filters: which operators they have, and what their values are.

use crate::administration::custom_field::Format;
use crate::query::dates;

/// How operators and values of a field are parsed, and what the values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterType {
    /// Ids of statuses; `o` for open and `c` for closed ones.
    Status,
    /// Ids of records, in a field that always has one.
    List(Records),
    /// Ids of records, in a field that can be empty.
    OptionalList(Records),
    /// True or false: 0 is false, everything else is true.
    Flag,
    /// Statuses of versions by name, in a field that always has one.
    VersionStatus,
    /// Words or ids of records, in a field that can be empty.
    OptionalChoice(Records),
    /// A number.
    Number,
    /// Hours: a number, or a notation such as `1:30`.
    Hours,
    /// An integer. `=` also accepts lists with commas.
    Integer,
    /// The id of the listed record; like [`FilterType::Integer`].
    Id,
    /// Text; without an operator it means "contains" (compatibility 6.3).
    Subject,
    /// Text in several fields, each word in any of them; without an operator it means "contains".
    AnyText,
    /// Text; without an operator it means "equals".
    Text,
    /// A text in the language of the search, verbatim (docs/search.md, section 1).
    Search,
    /// One line of text; `=` and `!` accept several values.
    Line,
    /// A day or an instant that is not in the future.
    PastDate,
    /// A day.
    Date,
    /// Ids of related issues, or of their projects.
    Relation,
    /// Ids of parents, or of all ancestors.
    Parent,
    /// Ids of subtasks, or of all descendants.
    Subtask,
    /// Ids of issues, or of their ancestors. Text that is not a number matches nothing.
    IssueTree,
}

/// The records whose ids are the values of a filter. Words stand for some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Records {
    /// `mine` are the projects of which the viewer is a member, `bookmarks` those that the viewer
    /// has bookmarked.
    Projects,
    /// The projects below that of the list.
    Subprojects,
    /// States of projects.
    ProjectStatuses,
    Trackers,
    Priorities,
    Activities,
    /// `me` is the viewer.
    Users,
    /// Users and groups; `me` is the viewer and the viewer's groups.
    Assignees,
    Groups,
    Roles,
    Categories,
    Versions,
    /// Other records, or codes: pages show the values as typed, unless a custom field names them.
    Unnamed,
}

/// The operators for the history of a status, which exist in the long form only: the short `cf5`
/// means "closed" (compatibility 6.3).
pub const HISTORY_OPERATORS: [&str; 3] = ["ev", "!ev", "cf"];

/// Returns the operators of a field, longest first, without [`HISTORY_OPERATORS`].
pub fn operators(kind: FilterType) -> &'static [&'static str] {
    match kind {
        FilterType::Status => &["=", "!", "o", "c", "*"],
        FilterType::List(_) | FilterType::Flag | FilterType::VersionStatus => &["=", "!"],
        FilterType::OptionalList(_) | FilterType::OptionalChoice(_) => &["!*", "=", "!", "*"],
        FilterType::Number | FilterType::Hours | FilterType::Integer | FilterType::Id => {
            &["><", ">=", "<=", "!*", "=", "*"]
        }
        FilterType::Subject | FilterType::Text => &["*~", "!~", "!*", "~", "^", "$", "=", "*"],
        FilterType::AnyText => &["*~", "!~", "~", "^", "$", "="],
        FilterType::Search => &["="],
        FilterType::Line => &["*~", "!~", "!*", "~", "^", "$", "=", "!", "*"],
        FilterType::PastDate => dates::PAST_OPERATORS,
        FilterType::Date => dates::OPERATORS,
        FilterType::Relation => &["=!p", "=p", "!p", "*o", "!o", "!*", "=", "!", "*"],
        FilterType::Parent | FilterType::Subtask | FilterType::IssueTree => &["!*", "=", "~", "*"],
    }
}

impl FilterType {
    /// Returns the type for a format of custom fields (compatibility 6.3).
    pub fn for_format(format: Format) -> FilterType {
        match format {
            Format::Line | Format::Link => FilterType::Line,
            Format::Text | Format::Other => FilterType::Text,
            Format::Integer => FilterType::Integer,
            Format::Float => FilterType::Number,
            Format::Date => FilterType::Date,
            Format::List | Format::Enumeration | Format::Bool | Format::Version => {
                FilterType::OptionalChoice(Records::Unnamed)
            }
            Format::User => FilterType::OptionalChoice(Records::Users),
        }
    }
}
