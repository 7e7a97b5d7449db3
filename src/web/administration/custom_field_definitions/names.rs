//! The words for the types of records that have custom fields and for formats, and the addresses.

use crate::components::list_page::Link;
use quarry_domain::administration::custom_field::{CustomField, Customized, Format};
use quarry_domain::ids::CustomFieldId;

/// The address of all fields.
pub const PATH: &str = "/custom_fields";

/// The types of records in the order of the tabs.
pub const TABS: [Customized; 10] = [
    Customized::Issue,
    Customized::TimeEntry,
    Customized::Project,
    Customized::Version,
    Customized::Document,
    Customized::User,
    Customized::Group,
    Customized::TimeEntryActivity,
    Customized::IssuePriority,
    Customized::DocumentCategory,
];

/// What a field is for: these never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    pub customized: Customized,
    pub format: Format,
}

impl Target {
    /// Returns a new field, with what most fields have.
    pub fn new_field(self) -> CustomField {
        CustomField {
            is_filter: false,
            searchable: false,
            ..CustomField::new(self.customized, "", self.format)
        }
    }
}

/// Returns the label of a type of records.
pub fn label(customized: Customized) -> &'static str {
    match customized {
        Customized::Issue => "Issues",
        Customized::TimeEntry => "Time entries",
        Customized::Project => "Projects",
        Customized::Version => "Versions",
        Customized::Document => "Documents",
        Customized::User => "Users",
        Customized::Group => "Groups",
        Customized::TimeEntryActivity => "Activities",
        Customized::IssuePriority => "Priorities",
        Customized::DocumentCategory => "Document categories",
    }
}

/// Returns the label of its tab, which is shorter where the other tabs make clear what is meant.
pub fn tab_label(customized: Customized) -> &'static str {
    match customized {
        Customized::DocumentCategory => "Categories",
        _ => label(customized),
    }
}

/// Returns the words for a record of the type, and for several.
pub fn records_name(customized: Customized) -> (&'static str, &'static str) {
    match customized {
        Customized::Issue => ("issue", "issues"),
        Customized::TimeEntry => ("time entry", "time entries"),
        Customized::Project => ("project", "projects"),
        Customized::Version => ("version", "versions"),
        Customized::Document => ("document", "documents"),
        Customized::User => ("user", "users"),
        Customized::Group => ("group", "groups"),
        Customized::TimeEntryActivity => ("activity", "activities"),
        Customized::IssuePriority => ("priority", "priorities"),
        Customized::DocumentCategory => ("category", "categories"),
    }
}

/// Returns the label of a format.
pub fn format_label(format: Format) -> &'static str {
    match format {
        Format::Line => "Text",
        Format::Text => "Long text",
        Format::Link => "Link",
        Format::Integer => "Whole number",
        Format::Float => "Number",
        Format::Date => "Date",
        Format::List => "List",
        Format::Enumeration => "List of named values",
        Format::Bool => "Yes or no",
        Format::User => "User",
        Format::Version => "Version",
        Format::Other => "Other",
    }
}

/// Returns the address of the fields of a type of records.
pub fn address(customized: Customized) -> String {
    format!("{PATH}?tab={}", customized.type_name())
}

/// Returns the address of the form of a field.
pub fn edit_path(field: CustomFieldId) -> String {
    format!("{PATH}/{field}/edit")
}

/// Returns the address of the possible values of a field.
pub fn values_path(field: CustomFieldId) -> String {
    format!("{PATH}/{field}/enumerations")
}

/// Returns the link to the possible values of a field, if it has the format `enumeration`.
pub fn values_link(field: &CustomField) -> Option<Link> {
    (field.format == Format::Enumeration).then(|| {
        let label = format!("Values ({})", field.enumeration.len());
        Link::new(label, values_path(field.id))
    })
}
