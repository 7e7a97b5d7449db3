//! The fields by which a list of issues can be filtered (compatibility 6.3).

use super::filter::{self, FilterField, FilterType, Keyword};
use super::filter_field::Row;
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{CustomField, Customized};
use crate::domain::ids::{CustomFieldId, ProjectId};
use crate::domain::permission::Permission;
use crate::domain::relation::RelationType;
use crate::domain::viewer::Viewer;

/// One condition on an issue.
pub type Condition = filter::Condition<Field>;

/// A field of an issue, or of what is around it, by which a list can be filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The id.
    Id,
    /// Its project; in the long form only, for the short one is a place.
    Project,
    /// The projects below the one whose issues are listed.
    Subproject,
    /// Its status.
    Status,
    /// Its tracker.
    Tracker,
    /// Its priority.
    Priority,
    /// Who wrote it.
    Author,
    /// To whom it is assigned.
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
    /// When its target version is to be done.
    VersionDueDate,
    /// The state of its project.
    ProjectStatus,
    /// Its subject.
    Subject,
    /// Its description.
    Description,
    /// Its notes.
    Notes,
    /// Subject, description, notes and the custom fields that are searched.
    AnySearchable,
    /// The names of its files.
    Attachment,
    /// What is said about its files.
    AttachmentDescription,
    /// When it was written.
    CreatedOn,
    /// When it was last updated.
    UpdatedOn,
    /// When it was closed.
    ClosedOn,
    /// The start date.
    StartDate,
    /// The due date.
    DueDate,
    /// How much of it is done, in per cent.
    DoneRatio,
    /// How many hours it will take.
    EstimatedHours,
    /// How many hours it has taken.
    SpentTime,
    /// Whether it is private.
    Private,
    /// Who watches it.
    Watcher,
    /// Who has changed it.
    UpdatedBy,
    /// Who has changed it last.
    LastUpdatedBy,
    /// What is above it.
    Parent,
    /// What is below it.
    Child,
    /// To which issues it relates.
    Related(RelationType),
    /// A custom field.
    Custom(CustomFieldId),
}

const TABLE: &[Row<Field>] = &[
    (Field::Id, "issue_id", "Issue", FilterType::Id),
    (Field::Project, "project_id", "Project", FilterType::List(Keyword::Projects)),
    (Field::Subproject, "subproject_id", "Subproject", FilterType::OptionalList(Keyword::None)),
    (Field::Status, "status_id", "Status", FilterType::Status),
    (Field::Tracker, "tracker_id", "Tracker", FilterType::List(Keyword::None)),
    (Field::Priority, "priority_id", "Priority", FilterType::List(Keyword::None)),
    (Field::Author, "author_id", "Author", FilterType::List(Keyword::User)),
    (Field::Assignee, "assigned_to_id", "Assignee", FilterType::OptionalList(Keyword::Principals)),
    (Field::AssigneeGroup, "member_of_group", "Assignee's group", FilterType::OptionalList(Keyword::None)),
    (Field::AssigneeRole, "assigned_to_role", "Assignee's role", FilterType::OptionalList(Keyword::None)),
    (Field::Category, "category_id", "Category", FilterType::OptionalList(Keyword::None)),
    (Field::Version, "fixed_version_id", "Target version", FilterType::OptionalList(Keyword::None)),
    (Field::VersionStatus, "fixed_version.status", "Target version's Status", FilterType::Choice),
    (Field::VersionDueDate, "fixed_version.due_date", "Target version's Due date", FilterType::Date),
    (Field::ProjectStatus, "project.status", "Project's Status", FilterType::List(Keyword::None)),
    (Field::Subject, "subject", "Subject", FilterType::Subject),
    (Field::Description, "description", "Description", FilterType::Text),
    (Field::Notes, "notes", "Notes", FilterType::Text),
    (Field::AnySearchable, "any_searchable", "Any searchable text", FilterType::AnyText),
    (Field::Attachment, "attachment", "File", FilterType::Text),
    (Field::AttachmentDescription, "attachment_description", "File description", FilterType::Text),
    (Field::CreatedOn, "created_on", "Created", FilterType::PastDate),
    (Field::UpdatedOn, "updated_on", "Updated", FilterType::PastDate),
    (Field::ClosedOn, "closed_on", "Closed", FilterType::PastDate),
    (Field::StartDate, "start_date", "Start date", FilterType::Date),
    (Field::DueDate, "due_date", "Due date", FilterType::Date),
    (Field::DoneRatio, "done_ratio", "% Done", FilterType::Number),
    (Field::EstimatedHours, "estimated_hours", "Estimated time", FilterType::Hours),
    (Field::SpentTime, "spent_time", "Spent time", FilterType::Hours),
    (Field::Private, "is_private", "Private", FilterType::List(Keyword::None)),
    (Field::Watcher, "watcher_id", "Watcher", FilterType::List(Keyword::User)),
    (Field::UpdatedBy, "updated_by", "Updated by", FilterType::List(Keyword::User)),
    (Field::LastUpdatedBy, "last_updated_by", "Last updated by", FilterType::List(Keyword::User)),
    (Field::Parent, "parent_id", "Parent task", FilterType::Tree),
    (Field::Child, "child_id", "Subtasks", FilterType::Tree),
    (Field::Related(RelationType::Relates), "relates", "Related to", FilterType::Relation),
    (Field::Related(RelationType::Duplicates), "duplicates", "Is duplicate of", FilterType::Relation),
    (Field::Related(RelationType::Duplicated), "duplicated", "Has duplicate", FilterType::Relation),
    (Field::Related(RelationType::Blocks), "blocks", "Blocks", FilterType::Relation),
    (Field::Related(RelationType::Blocked), "blocked", "Blocked by", FilterType::Relation),
    (Field::Related(RelationType::Precedes), "precedes", "Precedes", FilterType::Relation),
    (Field::Related(RelationType::Follows), "follows", "Follows", FilterType::Relation),
    (Field::Related(RelationType::CopiedTo), "copied_to", "Copied to", FilterType::Relation),
    (Field::Related(RelationType::CopiedFrom), "copied_from", "Copied from", FilterType::Relation),
];

/// The fields by which this viewer can filter a list of the issues in these projects; everywhere, when there are none. What the
/// viewer may not see is not among them.
pub fn filter_fields(catalogue: &Catalogue, viewer: &Viewer, projects: Option<&[ProjectId]>) -> Vec<FilterField<Field>> {
    let may = |permission| match projects {
        Some(projects) => projects.iter().any(|project| viewer.may(permission, *project)),
        None => viewer.projects_with(permission).next().is_some(),
    };
    let offered = |field: Field| match field {
        Field::Subproject => projects.is_some(),
        Field::SpentTime => may(Permission::ViewTimeEntries),
        Field::Private => may(Permission::SetIssuesPrivate) || may(Permission::SetOwnIssuesPrivate),
        _ => true,
    };
    let own = TABLE.iter().filter(|row| offered(row.0)).map(FilterField::from_row);
    let custom = custom_fields(catalogue, viewer).filter(|field| field.is_filter);
    let custom = custom.map(|field| FilterField::custom(field, Field::Custom(field.id)));
    own.chain(custom).collect()
}

/// The custom fields of issues whose values this viewer may see in some project.
pub fn custom_fields<'c>(catalogue: &'c Catalogue, viewer: &Viewer) -> impl Iterator<Item = &'c CustomField> {
    catalogue.custom_fields_of(Customized::Issue).filter(|field| field.is_visible_somewhere(viewer))
}

impl Field {
    /// Whether the answer depends on nothing but the issue's own row and on names and rights.
    pub fn is_own_column(self) -> bool {
        use Field::{
            Assignee, Author, Category, ClosedOn, CreatedOn, Description, DoneRatio, DueDate, EstimatedHours, Id, Priority, Project,
            StartDate, Status, Subject, Tracker, UpdatedOn, Version,
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

/// How values and operators of a field that is no custom one are read, and its name in sentences.
#[cfg(test)]
pub fn type_and_label(field: Field) -> (FilterType, &'static str) {
    TABLE.iter().find(|row| row.0 == field).map_or((FilterType::Choice, ""), |row| (row.3, row.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_stands_in_the_table_twice() {
        for (place, row) in TABLE.iter().enumerate() {
            assert!(TABLE[..place].iter().all(|other| other.1 != row.1 && other.0 != row.0), "{}", row.1);
        }
    }
}
