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

/// The fields of issues by which time entries can be filtered.
const ISSUE_FIELDS: [issues::Field; 6] = [
    issues::Field::Status,
    issues::Field::Tracker,
    issues::Field::Version,
    issues::Field::Category,
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

/// The columns by which a list can be grouped, each with whether its groups are in descending order
/// by default.
const GROUPS: &[(Column, bool)] = &[
    (Column::Project, false),
    (Column::SpentOn, true),
    (Column::User, false),
    (Column::Author, false),
    (Column::Activity, false),
    (Column::Issue, false),
    (Column::IssueTracker, false),
    (Column::IssueStatus, false),
    (Column::IssueCategory, false),
    (Column::IssueVersion, false),
    (Column::CreatedOn, true),
];

const NAMES: &[(&str, Column)] = &[
    ("id", Column::Id),
    ("spent_on", Column::SpentOn),
    ("hours", Column::Hours),
    ("user", Column::User),
    ("author", Column::Author),
    ("activity", Column::Activity),
    ("project", Column::Project),
    ("issue", Column::Issue),
    ("issue.tracker", Column::IssueTracker),
    ("issue.status", Column::IssueStatus),
    ("issue.category", Column::IssueCategory),
    ("issue.fixed_version", Column::IssueVersion),
    ("tweek", Column::Week),
    ("created_on", Column::CreatedOn),
    ("updated_on", Column::UpdatedOn),
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

/// Parses pairs of name and direction. `is_sortable` tells whether the viewer can sort by a custom
/// field.
pub fn criteria<'t>(
    parts: impl Iterator<Item = (&'t str, &'t str)>,
    is_sortable: impl Fn(CustomFieldId) -> bool,
) -> Vec<Criterion> {
    criterion::criteria(parts, NAMES, |field| {
        is_sortable(field).then_some(Column::Custom(field))
    })
}

/// Returns the criteria of a list that is grouped by the column with this name: it leads the order,
/// in the direction that the criteria or else the column have. A column that makes no groups is
/// ignored.
pub fn grouped(
    name: &str,
    order: Vec<Criterion>,
    is_sortable: impl Fn(CustomFieldId) -> bool,
) -> Vec<Criterion> {
    let group = criteria(std::iter::once((name.trim(), "")), is_sortable)
        .first()
        .map(|criterion| criterion.column);
    match group {
        Some(custom @ Column::Custom(_)) => {
            criterion::grouped(group, &[(custom, false)], day, order)
        }
        _ => criterion::grouped(group, GROUPS, day, order),
    }
}

/// Returns the column of the days of an instant.
fn day(column: Column) -> Option<Column> {
    (column == Column::CreatedOn).then_some(Column::CreatedDay)
}

/// Returns the custom field by which a list is grouped, if the column with this name is one.
pub fn group_field(
    name: &str,
    is_sortable: impl Fn(CustomFieldId) -> bool,
) -> Option<CustomFieldId> {
    match criteria(std::iter::once((name.trim(), "")), is_sortable)
        .first()?
        .column
    {
        Column::Custom(field) => Some(field),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let criteria = criteria(parts.into_iter(), |field| field.0 == 8);
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
