//! Filters by custom fields of the records to which a listed record refers (compatibility 6.3): of
//! its associations, such as `project.cf_5` and `author.cf_7`, and of the user or version in a
//! custom field, such as `cf_3.cf_7`.

use super::filter::{FilterField, FilterType};
use super::filter_field::{CUSTOM_FIELDS, Row};
use crate::access::viewer::Viewer;
use crate::administration::custom_field::{CustomField, Customized, Format};
use crate::catalogue::Catalogue;
use crate::ids::CustomFieldId;

/// A record to which a listed record refers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Association {
    /// Its project.
    Project,
    /// The author of an issue.
    Author,
    /// The assignee of an issue: a user or a group.
    Assignee,
    /// The target version of an issue.
    Version,
    /// The user who spent the time.
    User,
}

impl Association {
    /// Returns the name in requests and saved queries, and the name in messages.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Project => ("project", "Project"),
            Self::Author => ("author", "Author"),
            Self::Assignee => ("assigned_to", "Assignee"),
            Self::Version => ("fixed_version", "Target version"),
            Self::User => ("user", "User"),
        }
    }

    /// Returns the types of record that it can be.
    pub fn customized(self) -> &'static [Customized] {
        match self {
            Self::Project => &[Customized::Project],
            Self::Author | Self::User => &[Customized::User],
            Self::Assignee => &[Customized::User, Customized::Group],
            Self::Version => &[Customized::Version],
        }
    }
}

/// A field of the user or version in a custom field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueField {
    /// A custom field.
    Custom(CustomFieldId),
    /// The status of a version.
    VersionStatus,
    /// The due date of a version.
    VersionDueDate,
}

/// The fields of the versions in a custom field, besides custom fields.
const VERSION_FIELDS: [Row<ValueField>; 2] = [
    Row {
        field: ValueField::VersionDueDate,
        name: "due_date",
        label: "Due date",
        group: CUSTOM_FIELDS,
        kind: FilterType::Date,
    },
    Row {
        field: ValueField::VersionStatus,
        name: "status",
        label: "Status",
        group: CUSTOM_FIELDS,
        kind: FilterType::VersionStatus,
    },
];

/// Returns the type of record whose ids are the values of a format.
fn record_type(format: Format) -> Option<Customized> {
    match format {
        Format::User => Some(Customized::User),
        Format::Version => Some(Customized::Version),
        _ => None,
    }
}

/// Returns the filter fields of these associations: the custom fields that are filters and that the
/// viewer may see somewhere.
pub(super) fn association_fields<Field: Copy>(
    catalogue: &Catalogue,
    viewer: &Viewer,
    associations: &[Association],
    field: impl Fn(Association, CustomFieldId) -> Field,
) -> Vec<FilterField<Field>> {
    let mut fields = Vec::new();
    for association in associations {
        let (name, label) = association.names();
        for custom in association
            .customized()
            .iter()
            .flat_map(|customized| filters_of(catalogue, viewer, *customized))
        {
            let own = FilterField::from_custom_field(custom, field(*association, custom.id));
            fields.push(own.of_record(name, label));
        }
    }
    fields
}

/// Returns the filter fields of the users and versions in these custom fields.
pub(super) fn value_fields<'c, Field: Copy>(
    catalogue: &Catalogue,
    viewer: &Viewer,
    through: impl Iterator<Item = &'c CustomField>,
    field: impl Fn(CustomFieldId, ValueField) -> Field,
) -> Vec<FilterField<Field>> {
    let mut fields = Vec::new();
    for through in through {
        let Some(customized) = record_type(through.format) else {
            continue;
        };
        let custom = filters_of(catalogue, viewer, customized).map(|custom| {
            let of_value = field(through.id, ValueField::Custom(custom.id));
            FilterField::from_custom_field(custom, of_value)
        });
        let of_version = VERSION_FIELDS
            .iter()
            .filter(|_| customized == Customized::Version)
            .map(|row| FilterField::from_row(row).map(|of_value| field(through.id, of_value)));
        let name = format!("cf_{}", through.id);
        fields.extend(
            custom
                .chain(of_version)
                .map(|field| field.of_record(&name, &through.name)),
        );
    }
    fields
}

/// Returns the custom fields of a type of record that are filters and that the viewer may see
/// somewhere.
fn filters_of<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    customized: Customized,
) -> impl Iterator<Item = &'c CustomField> {
    catalogue
        .custom_fields_of(customized)
        .filter(|field| field.is_filter && field.is_visible_somewhere(viewer))
}
