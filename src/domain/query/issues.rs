//! The fields by which a list of issues can be filtered (compatibility 6.3).

use super::associations::{Association, ValueField, association_fields, value_fields};
use super::filter::{self, FilterField, FilterType, Keyword};
use super::filter_field::Row;
use crate::access::permission::Permission;
use crate::access::viewer::Viewer;
use crate::administration::custom_field::{CustomField, Customized};
use crate::catalogue::Catalogue;
use crate::ids::CustomFieldId;
use crate::issues::relation::RelationType;

/// One condition on an issue.
pub type Condition = filter::Condition<Field>;

/// A field of an issue, or of a related record, by which a list can be filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The id.
    Id,
    /// Its project. In the long form only: the parameter `project_id` of the short form selects the
    /// project of the list.
    Project,
    /// The projects below the one whose issues are listed.
    Subproject,
    /// Its status.
    Status,
    /// Its tracker.
    Tracker,
    /// Its priority.
    Priority,
    /// Its author.
    Author,
    /// The group of the author.
    AuthorGroup,
    /// The role that the author has in its project.
    AuthorRole,
    /// Its assignee.
    Assignee,
    /// The group of the assignee.
    AssigneeGroup,
    /// The role that the assignee has in its project.
    AssigneeRole,
    /// Its category.
    Category,
    /// Its target version.
    Version,
    /// The state of its target version.
    VersionStatus,
    /// The due date of its target version.
    VersionDueDate,
    /// The state of its project.
    ProjectStatus,
    /// Its subject.
    Subject,
    /// Its description.
    Description,
    /// Its notes.
    Notes,
    /// Subject, description, notes and searchable custom fields.
    AnySearchable,
    /// The names of its attachments.
    Attachment,
    /// The descriptions of its attachments.
    AttachmentDescription,
    /// When it was created.
    CreatedOn,
    /// When it was last updated.
    UpdatedOn,
    /// When it was closed.
    ClosedOn,
    /// The start date.
    StartDate,
    /// The due date.
    DueDate,
    /// The done ratio in per cent.
    DoneRatio,
    /// The estimated time in hours.
    EstimatedHours,
    /// The spent time in hours.
    SpentTime,
    /// Whether it is private.
    Private,
    /// Its watchers.
    Watcher,
    /// The users who have updated it.
    UpdatedBy,
    /// The user who last updated it.
    LastUpdatedBy,
    /// Its parent.
    Parent,
    /// Its subtasks.
    Child,
    /// The issues to which it has a relation of this type.
    Related(RelationType),
    /// A custom field.
    Custom(CustomFieldId),
    /// A field of the user or version in a custom field.
    OfValue(CustomFieldId, ValueField),
    /// A custom field of an associated record.
    OfAssociation(Association, CustomFieldId),
}

/// The associated records by whose custom fields a list can be filtered.
const ASSOCIATIONS: &[Association] = &[
    Association::Project,
    Association::Author,
    Association::Assignee,
    Association::Version,
];

const TABLE: &[Row<Field>] = &[
    (Field::Id, "issue_id", "Issue", FilterType::Integer),
    (
        Field::Project,
        "project_id",
        "Project",
        FilterType::List(Keyword::Projects),
    ),
    (
        Field::Subproject,
        "subproject_id",
        "Subproject",
        FilterType::OptionalList(Keyword::None),
    ),
    (Field::Status, "status_id", "Status", FilterType::Status),
    (
        Field::Tracker,
        "tracker_id",
        "Tracker",
        FilterType::List(Keyword::None),
    ),
    (
        Field::Priority,
        "priority_id",
        "Priority",
        FilterType::List(Keyword::None),
    ),
    (
        Field::Author,
        "author_id",
        "Author",
        FilterType::List(Keyword::User),
    ),
    (
        Field::AuthorGroup,
        "author.group",
        "Author's group",
        FilterType::OptionalList(Keyword::None),
    ),
    (
        Field::AuthorRole,
        "author.role",
        "Author's role",
        FilterType::OptionalList(Keyword::None),
    ),
    (
        Field::Assignee,
        "assigned_to_id",
        "Assignee",
        FilterType::OptionalList(Keyword::Principals),
    ),
    (
        Field::AssigneeGroup,
        "member_of_group",
        "Assignee's group",
        FilterType::OptionalList(Keyword::None),
    ),
    (
        Field::AssigneeRole,
        "assigned_to_role",
        "Assignee's role",
        FilterType::OptionalList(Keyword::None),
    ),
    (
        Field::Category,
        "category_id",
        "Category",
        FilterType::OptionalList(Keyword::None),
    ),
    (
        Field::Version,
        "fixed_version_id",
        "Target version",
        FilterType::OptionalList(Keyword::None),
    ),
    (
        Field::VersionStatus,
        "fixed_version.status",
        "Target version's Status",
        FilterType::Choice,
    ),
    (
        Field::VersionDueDate,
        "fixed_version.due_date",
        "Target version's Due date",
        FilterType::Date,
    ),
    (
        Field::ProjectStatus,
        "project.status",
        "Project's Status",
        FilterType::List(Keyword::None),
    ),
    (Field::Subject, "subject", "Subject", FilterType::Subject),
    (
        Field::Description,
        "description",
        "Description",
        FilterType::Text,
    ),
    (Field::Notes, "notes", "Notes", FilterType::Text),
    (
        Field::AnySearchable,
        "any_searchable",
        "Any searchable text",
        FilterType::AnyText,
    ),
    (Field::Attachment, "attachment", "File", FilterType::Text),
    (
        Field::AttachmentDescription,
        "attachment_description",
        "File description",
        FilterType::Text,
    ),
    (
        Field::CreatedOn,
        "created_on",
        "Created",
        FilterType::PastDate,
    ),
    (
        Field::UpdatedOn,
        "updated_on",
        "Updated",
        FilterType::PastDate,
    ),
    (Field::ClosedOn, "closed_on", "Closed", FilterType::PastDate),
    (
        Field::StartDate,
        "start_date",
        "Start date",
        FilterType::Date,
    ),
    (Field::DueDate, "due_date", "Due date", FilterType::Date),
    (
        Field::DoneRatio,
        "done_ratio",
        "% Done",
        FilterType::Integer,
    ),
    (
        Field::EstimatedHours,
        "estimated_hours",
        "Estimated time",
        FilterType::Hours,
    ),
    (
        Field::SpentTime,
        "spent_time",
        "Spent time",
        FilterType::Hours,
    ),
    (Field::Private, "is_private", "Private", FilterType::Flag),
    (
        Field::Watcher,
        "watcher_id",
        "Watcher",
        FilterType::List(Keyword::User),
    ),
    (
        Field::UpdatedBy,
        "updated_by",
        "Updated by",
        FilterType::List(Keyword::User),
    ),
    (
        Field::LastUpdatedBy,
        "last_updated_by",
        "Last updated by",
        FilterType::List(Keyword::User),
    ),
    (Field::Parent, "parent_id", "Parent task", FilterType::Tree),
    (Field::Child, "child_id", "Subtasks", FilterType::Tree),
    (
        Field::Related(RelationType::Relates),
        "relates",
        "Related to",
        FilterType::Relation,
    ),
    (
        Field::Related(RelationType::Duplicates),
        "duplicates",
        "Is duplicate of",
        FilterType::Relation,
    ),
    (
        Field::Related(RelationType::Duplicated),
        "duplicated",
        "Has duplicate",
        FilterType::Relation,
    ),
    (
        Field::Related(RelationType::Blocks),
        "blocks",
        "Blocks",
        FilterType::Relation,
    ),
    (
        Field::Related(RelationType::Blocked),
        "blocked",
        "Blocked by",
        FilterType::Relation,
    ),
    (
        Field::Related(RelationType::Precedes),
        "precedes",
        "Precedes",
        FilterType::Relation,
    ),
    (
        Field::Related(RelationType::Follows),
        "follows",
        "Follows",
        FilterType::Relation,
    ),
    (
        Field::Related(RelationType::CopiedTo),
        "copied_to",
        "Copied to",
        FilterType::Relation,
    ),
    (
        Field::Related(RelationType::CopiedFrom),
        "copied_from",
        "Copied from",
        FilterType::Relation,
    ),
];

/// Returns the fields by which the viewer can filter issues: only those that the viewer may see.
/// `in_project` adds the fields that exist in the list of one project only.
///
/// Permissions in closed and archived projects count: closing a project must not remove a filter,
/// which would make a list longer.
pub fn filter_fields(
    catalogue: &Catalogue,
    viewer: &Viewer,
    in_project: bool,
) -> Vec<FilterField<Field>> {
    let builtin = TABLE
        .iter()
        .filter(|row| is_offered(row.0, viewer, in_project))
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
    let of_associations = association_fields(catalogue, viewer, ASSOCIATIONS, Field::OfAssociation);
    builtin
        .chain(custom)
        .chain(of_values)
        .chain(of_associations)
        .collect()
}

/// Whether the field is offered to the viewer.
fn is_offered(field: Field, viewer: &Viewer, in_project: bool) -> bool {
    match field {
        Field::Subproject => in_project,
        Field::SpentTime => viewer.may_somewhere(Permission::ViewTimeEntries),
        Field::Private => {
            viewer.may_somewhere(Permission::SetIssuesPrivate)
                || viewer.may_somewhere(Permission::SetOwnIssuesPrivate)
        }
        Field::Watcher => viewer.user.is_some(),
        _ => true,
    }
}

/// Returns the custom fields of issues that the viewer may see for their roles in any project, also
/// in archived ones.
pub fn custom_fields<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
) -> impl Iterator<Item = &'c CustomField> {
    catalogue
        .custom_fields_of(Customized::Issue)
        .filter(|field| field.is_visible_somewhere(viewer))
}

impl Field {
    /// Whether a filter by the field needs the row of the issue only, and no other tables.
    pub fn is_own_column(self) -> bool {
        use Field::{
            Assignee, Author, Category, ClosedOn, CreatedOn, Description, DoneRatio, DueDate,
            EstimatedHours, Id, Priority, Project, StartDate, Status, Subject, Tracker, UpdatedOn,
            Version,
        };
        matches!(
            self,
            Id | Project
                | Status
                | Tracker
                | Priority
                | Author
                | Assignee
                | Category
                | Version
                | Subject
                | Description
                | CreatedOn
                | UpdatedOn
                | ClosedOn
                | StartDate
                | DueDate
                | DoneRatio
                | EstimatedHours
        )
    }
}

/// Returns the type and the name in messages of a field that is not a custom field.
#[cfg(test)]
pub fn type_and_label(field: Field) -> (FilterType, &'static str) {
    TABLE
        .iter()
        .find(|row| row.0 == field)
        .map_or((FilterType::Choice, ""), |row| (row.3, row.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_fields_are_unique() {
        for (index, row) in TABLE.iter().enumerate() {
            assert!(
                TABLE[..index]
                    .iter()
                    .all(|before| before.1 != row.1 && before.0 != row.0),
                "{}",
                row.1
            );
        }
    }
}
