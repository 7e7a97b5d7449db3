//! The fields by which a list of time entries can be filtered and sorted (compatibility 9).

use super::associations::{Association, ValueField, association_fields, value_fields};
use super::filter::FilterType::{IssueTree, List, OptionalList, PastDate, Text};
use super::filter::{self, FilterField, FilterType, Records};
use super::filter_field::filter_fields;
use super::{criterion, issues};
use crate::access::viewer::Viewer;
use crate::administration::custom_field::{CustomField, Customized};
use crate::catalogue::Catalogue;
use crate::ids::{CustomFieldId, ProjectId};

/// One condition on a time entry.
pub type Condition = filter::Condition<Field>;

filter_fields! {
    /// A field of a time entry, or of a related record, by which a list can be filtered.
    pub enum Field;
    "Time entry" {
        /// In the long form only: the parameter `project_id` of the short form selects the project
        /// of the list.
        Project        "project_id"     "Project"          List(Records::Projects);
        Subproject     "subproject_id"  "Subproject"       OptionalList(Records::Subprojects);
        ProjectStatus  "project.status" "Project's Status" List(Records::ProjectStatuses);
        Issue          "issue_id"       "Issue"            IssueTree;
        /// The user who spent the time.
        User           "user_id"        "User"             List(Records::Users);
        UserGroup      "user.group"     "User's group"     OptionalList(Records::Groups);
        /// The role that the user has in the project.
        UserRole       "user.role"      "User's role"      OptionalList(Records::Roles);
        /// The user who logged it.
        Author         "author_id"      "Author"           List(Records::Users);
        Activity       "activity_id"    "Activity"         List(Records::Activities);
        SpentOn        "spent_on"       "Date"             PastDate;
        Hours          "hours"          "Hours"            FilterType::Hours;
        Comments       "comments"       "Comment"          Text;
    }
    /// A field of its issue.
    OfIssue(issues::Field);
    /// A custom field.
    Custom(CustomFieldId);
    /// A field of the user or version in a custom field.
    OfValue(CustomFieldId, ValueField);
    /// A custom field of an associated record.
    OfAssociation(Association, CustomFieldId);
}

/// The fields of issues by which time entries can be filtered in every list.
const ISSUE_FIELDS: [issues::Field; 5] = [
    issues::Field::Status,
    issues::Field::Tracker,
    issues::Field::Version,
    issues::Field::Subject,
    issues::Field::Parent,
];

/// The associated records by whose custom fields a list can be filtered.
const ASSOCIATIONS: &[Association] = &[Association::Project, Association::User];

/// Returns the fields by which the viewer can filter the time entries of a project with its
/// subprojects, or of all projects with `None`. Fields that the viewer may not see are left out,
/// and so is the state of the project if there is only one project.
pub fn filter_fields(
    catalogue: &Catalogue,
    viewer: &Viewer,
    project: Option<ProjectId>,
) -> Vec<FilterField<Field>> {
    let builtin = TABLE
        .iter()
        .filter(|row| is_offered(row.field, catalogue, viewer, project))
        .map(FilterField::from_row);
    let custom = custom_fields(catalogue, viewer)
        .filter(|field| field.is_filter)
        .map(|field| FilterField::from_custom_field(field, Field::Custom(field.id)));
    let of_values = value_fields(
        catalogue,
        viewer,
        custom_fields(catalogue, viewer).filter(|field| field.is_filter),
        Field::OfValue,
    );
    let of_issue = issues::filter_fields(catalogue, viewer, project.is_some()).into_iter();
    let of_issue = of_issue.filter(|field| match field.field {
        issues::Field::Custom(_) => true,
        issues::Field::Category => project.is_some(),
        builtin => ISSUE_FIELDS.contains(&builtin),
    });
    let of_issue = of_issue.map(|field| field.map(Field::OfIssue).of_record("issue", "Issue"));
    let of_associations = association_fields(catalogue, viewer, ASSOCIATIONS, Field::OfAssociation);
    builtin
        .chain(custom)
        .chain(of_values)
        .chain(of_issue)
        .chain(of_associations)
        .collect()
}

/// Whether the field is offered to the viewer.
fn is_offered(
    field: Field,
    catalogue: &Catalogue,
    viewer: &Viewer,
    project: Option<ProjectId>,
) -> bool {
    match field {
        Field::ProjectStatus => project.is_none_or(|project| {
            catalogue
                .subtree(project)
                .iter()
                .filter(|id| viewer.sees(**id))
                .nth(1)
                .is_some()
        }),
        Field::Subproject => project.is_some(),
        _ => true,
    }
}

/// Returns the custom fields of time entries that the viewer may see for their roles in any
/// project, also in archived ones.
pub fn custom_fields<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
) -> impl Iterator<Item = &'c CustomField> {
    catalogue
        .custom_fields_of(Customized::TimeEntry)
        .filter(|field| field.is_visible_somewhere(viewer))
}

/// A column by which time entries can be sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    Id,
    SpentOn,
    Hours,
    User,
    Author,
    Activity,
    Project,
    Issue,
    IssueTracker,
    IssueStatus,
    IssueCategory,
    IssueVersion,
    Week,
    CreatedOn,
    UpdatedOn,
    Custom(CustomFieldId),
    /// The day of the creation, for the viewer; for groups only.
    CreatedDay,
}

/// Whether a list can be grouped by a column, and in which order of the groups by default.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Groups {
    Never,
    Ascending,
    Descending,
}

/// The columns by their names.
const COLUMNS: [(&str, Column, Groups); 15] = [
    ("id", Column::Id, Groups::Never),
    ("spent_on", Column::SpentOn, Groups::Descending),
    ("hours", Column::Hours, Groups::Never),
    ("user", Column::User, Groups::Ascending),
    ("author", Column::Author, Groups::Ascending),
    ("activity", Column::Activity, Groups::Ascending),
    ("project", Column::Project, Groups::Ascending),
    ("issue", Column::Issue, Groups::Ascending),
    ("issue.tracker", Column::IssueTracker, Groups::Ascending),
    ("issue.status", Column::IssueStatus, Groups::Ascending),
    ("issue.category", Column::IssueCategory, Groups::Ascending),
    (
        "issue.fixed_version",
        Column::IssueVersion,
        Groups::Ascending,
    ),
    ("tweek", Column::Week, Groups::Never),
    ("created_on", Column::CreatedOn, Groups::Descending),
    ("updated_on", Column::UpdatedOn, Groups::Never),
];

/// One criterion of a sort order.
pub type Criterion = criterion::Criterion<Column>;

/// The default order: the latest day first (compatibility 9).
pub const DEFAULT_SORT: [Criterion; 2] = [
    Criterion {
        column: Column::SpentOn,
        descending: true,
    },
    Criterion {
        column: Column::Id,
        descending: true,
    },
];

impl Column {
    /// Returns the column with this name, if the viewer may see it.
    fn parse(catalogue: &Catalogue, viewer: &Viewer, name: &str) -> Option<Column> {
        if let Some(id) = criterion::custom_field_id(name) {
            let mut fields = custom_fields(catalogue, viewer);
            return fields
                .any(|field| field.id == id)
                .then_some(Column::Custom(id));
        }
        COLUMNS.iter().find(|row| row.0 == name).map(|row| row.1)
    }

    fn groups(self) -> Groups {
        match self {
            Column::Custom(_) => Groups::Ascending,
            _ => {
                let row = COLUMNS.iter().find(|row| row.1 == self);
                row.map_or(Groups::Never, |row| row.2)
            }
        }
    }
}

/// Parses pairs of name and direction.
pub fn criteria<'t>(
    catalogue: &Catalogue,
    viewer: &Viewer,
    parts: impl Iterator<Item = (&'t str, &'t str)>,
) -> Vec<Criterion> {
    criterion::criteria(parts, |name| Column::parse(catalogue, viewer, name))
}

/// Returns the column with this name by which the viewer can group the list.
pub fn group(catalogue: &Catalogue, viewer: &Viewer, name: &str) -> Option<Column> {
    Column::parse(catalogue, viewer, name.trim()).filter(|column| column.groups() != Groups::Never)
}

/// Returns the criteria of a list that is grouped by this column: it leads the order, in the direction
/// that the criteria or else the column have.
pub fn grouped(group: Option<Column>, order: Vec<Criterion>) -> Vec<Criterion> {
    let Some(column) = group else {
        return order;
    };
    let is_descending = column.groups() == Groups::Descending;
    let day = (column == Column::CreatedOn).then_some(Column::CreatedDay);
    criterion::grouped(column, is_descending, day, order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique() {
        let columns: HashSet<&str> = COLUMNS.iter().map(|row| row.0).collect();
        assert_eq!(columns.len(), COLUMNS.len());
        let fields: HashSet<&str> = TABLE.iter().map(|row| row.name).collect();
        assert_eq!(fields.len(), TABLE.len());
    }

    #[test]
    fn first_three_known_columns_are_used() {
        let parts = [
            ("comments", ""),
            ("user", "desc"),
            ("cf_7", ""),
            ("cf_8", ""),
            ("hours", "down"),
            ("id", ""),
        ];
        let field = CustomField {
            id: CustomFieldId(8),
            customized: Customized::TimeEntry,
            visible: true,
            ..CustomField::default()
        };
        let catalogue = Catalogue {
            custom_fields: vec![field],
            ..Catalogue::default()
        };
        let viewer = Viewer::new(&catalogue, None);
        let criteria = criteria(&catalogue, &viewer, parts.into_iter());
        let columns: Vec<_> = criteria
            .iter()
            .map(|criterion| (criterion.column, criterion.descending))
            .collect();
        assert_eq!(
            columns,
            [
                (Column::User, true),
                (Column::Custom(CustomFieldId(8)), false),
                (Column::Hours, false)
            ]
        );
    }
}
