//! The fields by which a list of issues can be filtered (compatibility 6.3).

use super::associations::{Association, ValueField, association_fields, value_fields};
use super::filter::FilterType::{
    AnyText, Date, Flag, Hours, Id, Integer, List, OptionalList, PastDate, Subtask, Text,
};
use super::filter::{self, FilterField, FilterType, Records};
use super::filter_field::{Row, filter_fields};
use crate::access::permission::Permission;
use crate::access::viewer::Viewer;
use crate::administration::custom_field::{CustomField, Customized};
use crate::catalogue::Catalogue;
use crate::ids::CustomFieldId;
use crate::issues::relation::RelationType;

/// One condition on an issue.
pub type Condition = filter::Condition<Field>;

filter_fields! {
    /// A field of an issue, or of a related record, by which a list can be filtered.
    pub enum Field;
    "Issue" {
        Id             "issue_id"             "Issue"                   Id;
        /// In the long form only: the parameter `project_id` of the short form selects the project
        /// of the list.
        Project        "project_id"           "Project"                 List(Records::Projects);
        Subproject     "subproject_id"        "Subproject"              OptionalList(Records::Subprojects);
        Status         "status_id"            "Status"                  FilterType::Status;
        Tracker        "tracker_id"           "Tracker"                 List(Records::Trackers);
        Priority       "priority_id"          "Priority"                List(Records::Priorities);
        Author         "author_id"            "Author"                  List(Records::Users);
        Assignee       "assigned_to_id"       "Assignee"                OptionalList(Records::Assignees);
        Category       "category_id"          "Category"                OptionalList(Records::Categories);
        Version        "fixed_version_id"     "Target version"          OptionalList(Records::Versions);
        VersionStatus  "fixed_version.status" "Target version's Status" FilterType::VersionStatus;
        ProjectStatus  "project.status"       "Project's Status"        List(Records::ProjectStatuses);
        DoneRatio      "done_ratio"           "% Done"                  Integer;
        Private        "is_private"           "Private"                 Flag;
    }
    "Dates and time" {
        VersionDueDate "fixed_version.due_date" "Target version's Due date" Date;
        CreatedOn      "created_on"             "Created"                   PastDate;
        UpdatedOn      "updated_on"             "Updated"                   PastDate;
        ClosedOn       "closed_on"              "Closed"                    PastDate;
        StartDate      "start_date"             "Start date"                Date;
        DueDate        "due_date"               "Due date"                  Date;
        EstimatedHours "estimated_hours"        "Estimated time"            Hours;
        SpentTime      "spent_time"             "Spent time"                Hours;
    }
    "Text and files" {
        /// What the search finds. A list replaces it by the ids of those issues.
        Search         "q"              "Search"              FilterType::Search;
        Subject        "subject"        "Subject"             FilterType::Subject;
        Description    "description"    "Description"         Text;
        Notes          "notes"          "Notes"               Text;
        /// Subject, description, notes and searchable custom fields.
        AnySearchable  "any_searchable" "Any searchable text" AnyText;
        /// The names of files.
        Attachment     "attachment"     "File"                Text;
        AttachmentDescription "attachment_description" "File description" Text;
    }
    "People" {
        AuthorGroup    "author.group"     "Author's group"   OptionalList(Records::Groups);
        /// The role that the author has in the project of the issue.
        AuthorRole     "author.role"      "Author's role"    OptionalList(Records::Roles);
        AssigneeGroup  "member_of_group"  "Assignee's group" OptionalList(Records::Groups);
        AssigneeRole   "assigned_to_role" "Assignee's role"  OptionalList(Records::Roles);
        Watcher        "watcher_id"       "Watcher"          List(Records::Users);
        UpdatedBy      "updated_by"       "Updated by"       List(Records::Users);
        LastUpdatedBy  "last_updated_by"  "Last updated by"  List(Records::Users);
    }
    "Related issues" {
        Parent         "parent_id" "Parent task" FilterType::Parent;
        Child          "child_id"  "Subtasks"    Subtask;
    }
    /// The issues to which it has a relation of this type.
    Related(RelationType);
    /// A custom field.
    Custom(CustomFieldId);
    /// A field of the user or version in a custom field.
    OfValue(CustomFieldId, ValueField);
    /// A custom field of an associated record.
    OfAssociation(Association, CustomFieldId);
}

/// The name of the filter by a text for the search.
pub const TEXT_FILTER: &str = "q";

/// The types of relations, each with its label.
const RELATIONS: [(RelationType, &str); 9] = [
    (RelationType::Relates, "Related to"),
    (RelationType::Duplicates, "Is duplicate of"),
    (RelationType::Duplicated, "Has duplicate"),
    (RelationType::Blocks, "Blocks"),
    (RelationType::Blocked, "Blocked by"),
    (RelationType::Precedes, "Precedes"),
    (RelationType::Follows, "Follows"),
    (RelationType::CopiedTo, "Copied to"),
    (RelationType::CopiedFrom, "Copied from"),
];

/// The associated records by whose custom fields a list can be filtered.
pub(super) const ASSOCIATIONS: &[Association] = &[
    Association::Project,
    Association::Author,
    Association::Assignee,
    Association::Version,
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
        .filter(|row| is_offered(row.field, viewer, in_project))
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
        .chain(relation_rows().iter().map(FilterField::from_row))
        .chain(custom)
        .chain(of_values)
        .chain(of_associations)
        .collect()
}

/// Returns the rows of the types of relations.
fn relation_rows() -> [Row<Field>; RELATIONS.len()] {
    RELATIONS.map(|(relation, label)| Row {
        field: Field::Related(relation),
        name: relation.name(),
        label,
        group: "Related issues",
        kind: FilterType::Relation,
    })
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

/// Returns the type and the name in messages of a field that has a row.
#[cfg(test)]
pub fn type_and_label(field: Field) -> (FilterType, &'static str) {
    let relations = relation_rows();
    let Some(row) = TABLE
        .iter()
        .chain(&relations)
        .find(|row| row.field == field)
    else {
        unreachable!("{field:?} has no row");
    };
    (row.kind, row.label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique() {
        let relations = relation_rows();
        let rows = TABLE.iter().chain(&relations);
        let names: HashSet<&str> = rows.map(|row| row.name).collect();
        assert_eq!(names.len(), TABLE.len() + RELATIONS.len());
    }
}
