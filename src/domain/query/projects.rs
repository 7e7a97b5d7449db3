//! The fields by which the list of projects can be filtered and sorted (compatibility 8).

use super::associations::{ValueField, value_fields};
use super::criterion::{criteria, custom_field_id, split};
use super::filter::FilterType::{List, OptionalList, PastDate, Text};
use super::filter::{self, FilterField, Predicate, Records};
use super::filter_field::filter_fields;
use crate::access::viewer::Viewer;
use crate::administration::custom_field::{CustomField, Customized, Format, Values};
use crate::catalogue::Catalogue;
use crate::ids::{CustomFieldId, ProjectId};
use crate::projects::project::Project;
use crate::values::stable_sort::StableSort;
use std::cmp::Reverse;
use std::collections::HashMap;

/// One condition on a project.
pub type Condition = filter::Condition<Field>;

filter_fields! {
    /// A field of a project by which the list can be filtered.
    pub enum Field;
    "Project" {
        /// The code of its state.
        Status       "status"      "Status"        List(Records::ProjectStatuses);
        Id           "id"          "Project"       List(Records::Projects);
        Name         "name"        "Name"          Text;
        Description  "description" "Description"   Text;
        Parent       "parent_id"   "Subproject of" OptionalList(Records::Projects);
        /// Whether it is public: 1 or 0.
        Public       "is_public"   "Public"        List(Records::Unnamed);
        CreatedOn    "created_on"  "Created"       PastDate;
        UpdatedOn    "updated_on"  "Updated"       PastDate;
    }
    /// A custom field.
    Custom(CustomFieldId);
    /// A field of the user or version in a custom field.
    OfValue(CustomFieldId, ValueField);
}

/// Returns the fields by which the viewer can filter the list: only custom fields that the viewer
/// may see somewhere.
pub fn filter_fields(catalogue: &Catalogue, viewer: &Viewer) -> Vec<FilterField<Field>> {
    let own_fields = || {
        catalogue
            .custom_fields_of(Customized::Project)
            .filter(|field| field.is_filter && field.is_visible_somewhere(viewer))
    };
    let custom =
        own_fields().map(|field| FilterField::from_custom_field(field, Field::Custom(field.id)));
    let of_values = value_fields(catalogue, viewer, own_fields(), Field::OfValue);
    TABLE
        .iter()
        .map(FilterField::from_row)
        .chain(custom)
        .chain(of_values)
        .collect()
}

/// Returns the parent project if the viewer can see it. A hidden parent counts as none, in filters
/// and sort orders.
fn parent(project: &Project, viewer: &Viewer) -> Option<ProjectId> {
    project.parent.filter(|parent| viewer.sees(*parent))
}

/// Whether the visible parent project matches the predicate.
pub fn parent_matches(project: &Project, predicate: &Predicate, viewer: &Viewer) -> bool {
    let parent = parent(project, viewer);
    match predicate {
        Predicate::OneOf(ids) => parent.is_some_and(|parent| ids.contains(&parent.0)),
        Predicate::NoneOf(ids) => parent.is_none_or(|parent| !ids.contains(&parent.0)),
        Predicate::Empty => parent.is_none(),
        Predicate::NotEmpty => parent.is_some(),
        _ => false,
    }
}

/// A column by which projects can be sorted.
#[derive(Clone, Copy)]
enum Column {
    /// The order of the tree, in which projects are sorted first; it has no reverse.
    Tree,
    /// A column of the project.
    Own(fn(&Project) -> SortKey),
    /// A custom field.
    Custom(CustomFieldId),
}

/// Returns the custom fields by which `sort` sorts, of those that the viewer may see.
pub fn sort_fields<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    text: &str,
) -> Vec<&'c CustomField> {
    let requested: Vec<CustomFieldId> = split(text)
        .filter_map(|(name, _)| custom_field_id(name))
        .collect();
    let fields = catalogue.custom_fields_of(Customized::Project);
    fields
        .filter(|field| requested.contains(&field.id) && field.is_visible_somewhere(viewer))
        .collect()
}

/// Sorts projects, which are in the order of the tree, by `sort=column[:desc],…`. The sort is
/// stable; unknown columns are ignored. `values` are the values of the custom `fields` by project.
pub fn sort(
    projects: &mut [&Project],
    text: &str,
    viewer: &Viewer,
    fields: &[&CustomField],
    values: &HashMap<i64, Values>,
) {
    let positions: HashMap<ProjectId, i64> = (0..)
        .zip(projects.iter())
        .map(|(position, project)| (project.id, position))
        .collect();
    let custom = |project: &Project, id: CustomFieldId| {
        let field = fields
            .iter()
            .find(|field| field.id == id && field.is_visible_to(viewer, project.id))?;
        let value = values
            .get(&project.id.0)?
            .get(id)?
            .first()
            .filter(|value| !value.is_empty())?;
        Some((*field, value.as_str()))
    };
    let key = |project: &Project, column: Column| match column {
        Column::Tree => SortKey::Number(positions.get(&project.id).copied()),
        Column::Own(key) => key(project),
        Column::Custom(id) => {
            custom(project, id).map_or(SortKey::Missing, |(field, value)| custom_key(field, value))
        }
    };
    let criteria = criteria(split(text), |name| match custom_field_id(name) {
        Some(id) if fields.iter().any(|field| field.id == id) => Some(Column::Custom(id)),
        Some(_) => None,
        None => column(name),
    });
    // From the last criterion to the first: every sort is stable.
    for criterion in criteria.into_iter().rev() {
        let column = criterion.column;
        if criterion.descending && !matches!(column, Column::Tree) {
            projects.stable_sort_by_key(|project| Reverse(key(project, column)))
        } else {
            projects.stable_sort_by_key(|project| key(project, column))
        }
    }
}

/// Returns the key of a value: numbers by size, values of an enumeration by position, others as
/// texts.
fn custom_key(field: &CustomField, value: &str) -> SortKey {
    match field.format {
        Format::Integer | Format::Float => value
            .trim()
            .parse::<f64>()
            .map_or(SortKey::Missing, |number| SortKey::Real(ordered(number))),
        Format::Enumeration => {
            let position = field
                .enumeration
                .iter()
                .position(|(id, _, _)| id.to_string() == value);
            SortKey::Number(position.and_then(|position| i64::try_from(position).ok()))
        }
        _ => SortKey::Text(Some(value.to_owned())),
    }
}

/// Returns an integer that is ordered like the number.
fn ordered(number: f64) -> i64 {
    let bits = number.to_bits().cast_signed();
    if bits < 0 { i64::MIN - bits } else { bits }
}

/// The value of a column. Missing values come first in ascending order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum SortKey {
    Missing,
    Text(Option<String>),
    Number(Option<i64>),
    /// A number as [`ordered`] returns it.
    Real(i64),
}

/// Returns the column with this name that is not that of a custom field.
fn column(name: &str) -> Option<Column> {
    Some(match name {
        "name" => Column::Own(|project| SortKey::Text(Some(project.name.clone()))),
        "identifier" => Column::Own(|project| SortKey::Text(Some(project.identifier.clone()))),
        "status" => Column::Own(|project| SortKey::Number(Some(project.status.code()))),
        "short_description" => Column::Own(|project| SortKey::Text(project.description.clone())),
        "homepage" => Column::Own(|project| SortKey::Text(project.homepage.clone())),
        // In Redmine it is the order of the tree, too.
        "parent_id" => Column::Tree,
        "is_public" => Column::Own(|project| SortKey::Number(Some(project.is_public.into()))),
        "created_on" => {
            Column::Own(|project| SortKey::Number(Some(project.created_on.as_microsecond())))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordered_numbers_compare_like_numbers() {
        let numbers = [-1e9, -2.5, -0.5, 0.0, 0.25, 3.0, 1e9];
        assert!(
            numbers
                .windows(2)
                .all(|pair| ordered(pair[0]) < ordered(pair[1]))
        );
    }

    #[test]
    fn sort_is_stable() {
        let now = jiff::Timestamp::UNIX_EPOCH;
        let project = |id: i64, name: &str, public| Project {
            id: id.into(),
            name: name.to_owned(),
            identifier: format!("p{id}"),
            homepage: Some(String::new()),
            is_public: public,
            created_on: now,
            updated_on: now,
            ..Project::default()
        };
        let projects = [
            project(3, "b", true),
            project(1, "A", false),
            project(2, "a", true),
        ];
        let viewer = Viewer::new(&Catalogue::default(), None);
        let sorted = |text| {
            let mut list: Vec<&Project> = projects.iter().collect();
            sort(&mut list, text, &viewer, &[], &HashMap::new());
            list.into_iter()
                .map(|project| project.id.0)
                .collect::<Vec<_>>()
        };
        assert_eq!(sorted("id,nonsense"), [3, 1, 2]);
        // By bytes: upper case comes first.
        assert_eq!(sorted("name"), [1, 2, 3]);
        assert_eq!(sorted("name:desc"), [3, 2, 1]);
        assert_eq!(sorted("is_public:desc,name"), [2, 3, 1]);
        assert_eq!(sorted("parent_id"), [3, 1, 2], "the order of the tree");
        assert_eq!(
            sorted("parent_id:desc"),
            [3, 1, 2],
            "the tree has no other order"
        );
        assert_eq!(sorted("is_public,parent_id:desc"), [1, 3, 2]);
    }
}
