//! The fields by which a list of issues can be filtered (contract 4.3).

use super::filter::{self, Known, Me, Type};
use super::known::Row;
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
    /// Its number.
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
    /// When it was last changed.
    UpdatedOn,
    /// When it was closed.
    ClosedOn,
    /// When work begins.
    StartDate,
    /// When it is to be done.
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
    (Field::Id, "issue_id", "Issue", Type::Id),
    (Field::Project, "project_id", "Project", Type::List(Me::Projects)),
    (Field::Subproject, "subproject_id", "Subproject", Type::OptionalList(Me::Unknown)),
    (Field::Status, "status_id", "Status", Type::Status),
    (Field::Tracker, "tracker_id", "Tracker", Type::List(Me::Unknown)),
    (Field::Priority, "priority_id", "Priority", Type::List(Me::Unknown)),
    (Field::Author, "author_id", "Author", Type::List(Me::Asker)),
    (Field::Assignee, "assigned_to_id", "Assignee", Type::OptionalList(Me::Principals)),
    (Field::AssigneeGroup, "member_of_group", "Assignee's group", Type::OptionalList(Me::Unknown)),
    (Field::AssigneeRole, "assigned_to_role", "Assignee's role", Type::OptionalList(Me::Unknown)),
    (Field::Category, "category_id", "Category", Type::OptionalList(Me::Unknown)),
    (Field::Version, "fixed_version_id", "Target version", Type::OptionalList(Me::Unknown)),
    (Field::VersionStatus, "fixed_version.status", "Target version's Status", Type::Choice),
    (Field::VersionDueDate, "fixed_version.due_date", "Target version's Due date", Type::Date),
    (Field::ProjectStatus, "project.status", "Project's Status", Type::List(Me::Unknown)),
    (Field::Subject, "subject", "Subject", Type::Contained),
    (Field::Description, "description", "Description", Type::Text),
    (Field::Notes, "notes", "Notes", Type::Text),
    (Field::AnySearchable, "any_searchable", "Any searchable text", Type::Anywhere),
    (Field::Attachment, "attachment", "File", Type::Text),
    (Field::AttachmentDescription, "attachment_description", "File description", Type::Text),
    (Field::CreatedOn, "created_on", "Created", Type::PastDate),
    (Field::UpdatedOn, "updated_on", "Updated", Type::PastDate),
    (Field::ClosedOn, "closed_on", "Closed", Type::PastDate),
    (Field::StartDate, "start_date", "Start date", Type::Date),
    (Field::DueDate, "due_date", "Due date", Type::Date),
    (Field::DoneRatio, "done_ratio", "% Done", Type::Number),
    (Field::EstimatedHours, "estimated_hours", "Estimated time", Type::Hours),
    (Field::SpentTime, "spent_time", "Spent time", Type::Hours),
    (Field::Private, "is_private", "Private", Type::List(Me::Unknown)),
    (Field::Watcher, "watcher_id", "Watcher", Type::List(Me::Asker)),
    (Field::UpdatedBy, "updated_by", "Updated by", Type::List(Me::Asker)),
    (Field::LastUpdatedBy, "last_updated_by", "Last updated by", Type::List(Me::Asker)),
    (Field::Parent, "parent_id", "Parent task", Type::Tree),
    (Field::Child, "child_id", "Subtasks", Type::Tree),
    (Field::Related(RelationType::Relates), "relates", "Related to", Type::Relation),
    (Field::Related(RelationType::Duplicates), "duplicates", "Is duplicate of", Type::Relation),
    (Field::Related(RelationType::Duplicated), "duplicated", "Has duplicate", Type::Relation),
    (Field::Related(RelationType::Blocks), "blocks", "Blocks", Type::Relation),
    (Field::Related(RelationType::Blocked), "blocked", "Blocked by", Type::Relation),
    (Field::Related(RelationType::Precedes), "precedes", "Precedes", Type::Relation),
    (Field::Related(RelationType::Follows), "follows", "Follows", Type::Relation),
    (Field::Related(RelationType::CopiedTo), "copied_to", "Copied to", Type::Relation),
    (Field::Related(RelationType::CopiedFrom), "copied_from", "Copied from", Type::Relation),
];

/// The fields by which this viewer can filter a list of the issues in these projects; everywhere, when there are none. What the
/// viewer may not see is not among them.
pub fn known(catalogue: &Catalogue, viewer: &Viewer, place: Option<&[ProjectId]>) -> Vec<Known<Field>> {
    let may = |permission| match place {
        Some(projects) => projects.iter().any(|project| viewer.may(permission, *project)),
        None => viewer.projects_with(permission).next().is_some(),
    };
    let offered = |field: Field| match field {
        Field::Subproject => place.is_some(),
        Field::SpentTime => may(Permission::ViewTimeEntries),
        Field::Private => may(Permission::SetIssuesPrivate) || may(Permission::SetOwnIssuesPrivate),
        _ => true,
    };
    let own = TABLE.iter().filter(|row| offered(row.0)).map(Known::of);
    let custom = custom_fields(catalogue, viewer).filter(|field| field.filters);
    let custom = custom.map(|field| Known::custom(field, Field::Custom(field.id)));
    own.chain(custom).collect()
}

/// The custom fields of issues whose values this viewer may see in some project.
pub fn custom_fields<'c>(catalogue: &'c Catalogue, viewer: &Viewer) -> impl Iterator<Item = &'c CustomField> {
    catalogue.custom_fields_of(Customized::Issue).filter(|field| field.is_visible_somewhere(viewer))
}

impl Field {
    /// Whether the answer depends on nothing but the issue's own row and on names and rights.
    pub fn is_of_the_issue_itself(self) -> bool {
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
pub fn described(field: Field) -> (Type, &'static str) {
    TABLE.iter().find(|row| row.0 == field).map_or((Type::Choice, ""), |row| (row.3, row.2))
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
