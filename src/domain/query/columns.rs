//! The columns of the issue list: their names and labels, and how the list is sorted, grouped and
//! summed by them (compatibility 6.3 and 13.7).

use super::associations::Association;
use super::criterion::{self, split};
use super::issues::{self, ASSOCIATIONS, Field};
use crate::access::permission::Permission;
use crate::access::viewer::Viewer;
use crate::administration::custom_field::{CustomField, Format};
use crate::catalogue::Catalogue;
use crate::ids::CustomFieldId;
use std::borrow::Cow;

pub use criterion::MAX_CRITERIA;

use Groups::{By, ByDescending, Never};

/// One criterion of the order.
pub type Criterion = criterion::Criterion<Column>;

/// How a list can be sorted by a column, and in which order at first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Never,
    Ascending,
    Descending,
}

/// Whether a list can be grouped by a column, in which order of the groups by default, and by which
/// field the issues of a group are found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Groups {
    Never,
    By(Field),
    ByDescending(Field),
}

/// What the values of a column are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    Numbers,
    /// Numbers that can be summed.
    Sums,
    Others,
}

struct Row {
    column: Column,
    name: &'static str,
    label: &'static str,
    sort: Sort,
    groups: Groups,
    values: Values,
}

/// Defines [`Column`] and its `TABLE`, with a row for each column that has neither parameters nor
/// another purpose.
macro_rules! columns {
    (
        $($column:ident $name:literal $label:literal $sort:ident, $groups:expr, $values:ident;)*
        $(#[$doc:meta] $other:ident $(($($parameter:ty),*))?;)*
    ) => {
        /// A column of the issue list.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Column {
            $($column,)*
            $(#[$doc] $other $(($($parameter),*))?,)*
        }

        const TABLE: &[Row] = &[$(Row {
            column: Column::$column,
            name: $name,
            label: $label,
            sort: Sort::$sort,
            groups: $groups,
            values: Values::$values,
        },)*];
    };
}

columns! {
    Id                  "id"                    "#"                    Descending, Never, Numbers;
    Project             "project"               "Project"              Ascending,  By(Field::Project), Others;
    Tracker             "tracker"               "Tracker"              Ascending,  By(Field::Tracker), Others;
    Parent              "parent"                "Parent task"          Ascending,  Never, Others;
    Status              "status"                "Status"               Ascending,  By(Field::Status), Others;
    Priority            "priority"              "Priority"             Descending, ByDescending(Field::Priority), Others;
    Subject             "subject"               "Subject"              Ascending,  Never, Others;
    Author              "author"                "Author"               Ascending,  By(Field::Author), Others;
    Assignee            "assigned_to"           "Assignee"             Ascending,  By(Field::Assignee), Others;
    UpdatedOn           "updated_on"            "Updated"              Descending, ByDescending(Field::UpdatedOn), Others;
    Category            "category"              "Category"             Ascending,  By(Field::Category), Others;
    Version             "fixed_version"         "Target version"       Ascending,  By(Field::Version), Others;
    StartDate           "start_date"            "Start date"           Ascending,  By(Field::StartDate), Others;
    DueDate             "due_date"              "Due date"             Ascending,  By(Field::DueDate), Others;
    EstimatedHours      "estimated_hours"       "Estimated time"       Ascending,  Never, Sums;
    TotalEstimatedHours "total_estimated_hours" "Total estimated time" Ascending,  Never, Numbers;
    SpentHours          "spent_hours"           "Spent time"           Ascending,  Never, Sums;
    TotalSpentHours     "total_spent_hours"     "Total spent time"     Ascending,  Never, Numbers;
    DoneRatio           "done_ratio"            "% Done"               Ascending,  By(Field::DoneRatio), Numbers;
    CreatedOn           "created_on"            "Created"              Descending, ByDescending(Field::CreatedOn), Others;
    ClosedOn            "closed_on"             "Closed"               Descending, ByDescending(Field::ClosedOn), Others;
    Private             "is_private"            "Private"              Ascending,  By(Field::Private), Others;
    LastUpdatedBy       "last_updated_by"       "Last updated by"      Ascending,  Never, Others;
    Files               "attachments"           "Files"                Never,      Never, Others;
    Description         "description"           "Description"          Never,      Never, Others;
    LastNotes           "last_notes"            "Last note"            Never,      Never, Others;
    ParentSubject       "parent.subject"        "Parent task subject"  Never,      Never, Others;
    Relations           "relations"             "Related issues"       Never,      Never, Others;
    Watchers            "watcher_users"         "Watchers"             Never,      Never, Others;
    /// A custom field.
    Custom(CustomFieldId);
    /// A custom field of an associated record.
    OfAssociation(Association, CustomFieldId);
    /// The order by hand, by which lists can be sorted. It has no values to show.
    Rank;
    /// The day of the creation, for the viewer. Days are for orders of groups only.
    CreatedDay;
    /// The day of the last update.
    UpdatedDay;
    /// The day of the closing.
    ClosedDay;
}

/// Name and label of [`Column::Rank`].
const RANK: (&str, &str) = ("rank", "Rank (order by hand)");

impl Column {
    /// Returns the column with this name, if the viewer may see it.
    pub fn parse(catalogue: &Catalogue, viewer: &Viewer, name: &str) -> Option<Column> {
        if let Some(row) = TABLE.iter().find(|row| row.name == name) {
            return Some(row.column);
        }
        if name == RANK.0 {
            return Some(Column::Rank);
        }
        if let Some(id) = criterion::custom_field_id(name) {
            let mut fields = issues::custom_fields(catalogue, viewer);
            return fields
                .any(|field| field.id == id)
                .then_some(Column::Custom(id));
        }
        let (record, field) = name.split_once('.')?;
        let association = ASSOCIATIONS
            .iter()
            .find(|association| association.names().0 == record)?;
        let id = criterion::custom_field_id(field)?;
        let mut fields = fields_of_association(catalogue, viewer, *association);
        fields
            .any(|field| field.id == id)
            .then_some(Column::OfAssociation(*association, id))
    }

    fn row(self) -> Option<&'static Row> {
        TABLE.iter().find(|row| row.column == self)
    }

    /// Returns name and label of a column without parameters.
    pub(super) fn name_and_label(self) -> (&'static str, &'static str) {
        match self {
            Column::Rank => RANK,
            _ => self.row().map_or(("", ""), |row| (row.name, row.label)),
        }
    }

    /// Returns its name in addresses and saved queries.
    pub fn name(self) -> Cow<'static, str> {
        match self {
            Column::Custom(id) => format!("cf_{id}").into(),
            Column::OfAssociation(association, id) => {
                format!("{}.cf_{id}", association.names().0).into()
            }
            _ => self.name_and_label().0.into(),
        }
    }

    /// Returns its name on pages.
    pub fn label(self, catalogue: &Catalogue) -> String {
        match self {
            Column::Custom(id) => {
                custom_field(catalogue, id).map_or(String::new(), |field| field.name.clone())
            }
            Column::OfAssociation(association, id) => {
                let name = custom_field(catalogue, id).map_or("", |field| &field.name);
                format!("{}'s {name}", association.names().1)
            }
            _ => self.name_and_label().1.to_owned(),
        }
    }

    /// Whether the list can be sorted by it.
    pub fn is_sortable(self) -> bool {
        let is_in_table = self.row().is_some_and(|row| row.sort != Sort::Never);
        is_in_table || matches!(self, Column::Custom(_) | Column::Rank)
    }

    /// Whether the list is sorted in descending order first: the largest numbers and latest times.
    pub fn starts_descending(self) -> bool {
        self.row().is_some_and(|row| row.sort == Sort::Descending)
    }

    fn groups(self) -> Groups {
        match self {
            Column::Custom(id) => By(Field::Custom(id)),
            _ => self.row().map_or(Never, |row| row.groups),
        }
    }

    /// Returns the field that the issues of a group have in common; `None` if the list cannot be
    /// grouped by the column.
    pub fn group_field(self) -> Option<Field> {
        match self.groups() {
            Never => None,
            By(field) | ByDescending(field) => Some(field),
        }
    }

    fn is_groupable(self) -> bool {
        self.groups() != Never
    }

    /// Whether its values are numbers.
    pub fn is_number(self, catalogue: &Catalogue) -> bool {
        match self {
            Column::Custom(id) => {
                let field = custom_field(catalogue, id);
                field.is_some_and(|field| matches!(field.format, Format::Integer | Format::Float))
            }
            _ => self.row().is_some_and(|row| row.values != Values::Others),
        }
    }

    /// Whether its values can be summed for the viewer.
    fn is_summable(self, catalogue: &Catalogue, viewer: &Viewer) -> bool {
        match self {
            Column::Custom(_) => self.is_number(catalogue),
            Column::SpentHours => viewer.may_somewhere(Permission::ViewTimeEntries),
            _ => self.row().is_some_and(|row| row.values == Values::Sums),
        }
    }
}

fn custom_field(catalogue: &Catalogue, id: CustomFieldId) -> Option<&CustomField> {
    let mut fields = catalogue.custom_fields.iter();
    fields.find(|field| field.id == id)
}

/// Returns the custom fields of an associated record that the viewer may see.
fn fields_of_association<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    association: Association,
) -> impl Iterator<Item = &'c CustomField> {
    catalogue.custom_fields.iter().filter(move |field| {
        association.customized().contains(&field.customized) && field.is_visible_somewhere(viewer)
    })
}

/// Returns all columns that the viewer may see: those of issues, custom fields, and custom fields of
/// associated records.
pub fn all(catalogue: &Catalogue, viewer: &Viewer) -> Vec<Column> {
    let mut columns: Vec<Column> = TABLE.iter().map(|row| row.column).collect();
    let custom = issues::custom_fields(catalogue, viewer);
    columns.extend(custom.map(|field| Column::Custom(field.id)));
    for association in ASSOCIATIONS {
        let fields = fields_of_association(catalogue, viewer, *association);
        columns.extend(fields.map(|field| Column::OfAssociation(*association, field.id)));
    }
    columns
}

/// Returns all columns by which the viewer can sort the list.
pub fn sortable(catalogue: &Catalogue, viewer: &Viewer) -> Vec<Column> {
    let mut columns = all(catalogue, viewer);
    columns.retain(|column| column.is_sortable());
    columns.push(Column::Rank);
    columns
}

/// Whether the list has a column with this name that the viewer may see.
pub fn is_column(catalogue: &Catalogue, viewer: &Viewer, name: &str) -> bool {
    Column::parse(catalogue, viewer, name).is_some_and(|column| column != Column::Rank)
}

/// Whether the viewer can sort the list by the column with this name.
pub fn is_sortable(catalogue: &Catalogue, viewer: &Viewer, name: &str) -> bool {
    Column::parse(catalogue, viewer, name).is_some_and(Column::is_sortable)
}

/// Whether the viewer can group the list by the column with exactly this name.
pub fn is_groupable(catalogue: &Catalogue, viewer: &Viewer, name: &str) -> bool {
    Column::parse(catalogue, viewer, name).is_some_and(Column::is_groupable)
}

/// Whether the column with this name has numbers that can be summed, and the viewer may see it.
pub fn is_summable(catalogue: &Catalogue, viewer: &Viewer, name: &str) -> bool {
    Column::parse(catalogue, viewer, name)
        .is_some_and(|column| column.is_summable(catalogue, viewer))
}

/// Returns the column with this name by which the viewer can group the list.
pub fn group(catalogue: &Catalogue, viewer: &Viewer, name: &str) -> Option<Column> {
    Column::parse(catalogue, viewer, name.trim()).filter(|column| column.is_groupable())
}

/// Parses `sort=column[:desc],…`. Unknown columns are ignored, and any suffix but `:desc` is
/// ascending.
pub fn parse_order(catalogue: &Catalogue, viewer: &Viewer, text: &str) -> Vec<Criterion> {
    order(catalogue, viewer, split(text))
}

/// Like [`parse_order`], for pairs of name and direction.
pub fn order<'t>(
    catalogue: &Catalogue,
    viewer: &Viewer,
    parts: impl Iterator<Item = (&'t str, &'t str)>,
) -> Vec<Criterion> {
    criterion::criteria(parts, |name| {
        Column::parse(catalogue, viewer, name).filter(|column| column.is_sortable())
    })
}

/// Returns the criteria of a list that is grouped by this column: it leads the order, in the direction
/// that the criteria or else the column have.
pub fn grouped(group: Option<Column>, criteria: Vec<Criterion>) -> Vec<Criterion> {
    let Some(column) = group else {
        return criteria;
    };
    let day = match column {
        Column::CreatedOn => Some(Column::CreatedDay),
        Column::UpdatedOn => Some(Column::UpdatedDay),
        Column::ClosedOn => Some(Column::ClosedDay),
        _ => None,
    };
    let is_descending = matches!(column.groups(), ByDescending(_));
    criterion::grouped(column, is_descending, day, criteria)
}

#[cfg(test)]
mod tests;
