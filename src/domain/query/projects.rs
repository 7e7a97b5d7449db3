//! The fields by which the list of projects can be filtered and sorted (compatibility 8).

use super::filter::{self, FilterField, FilterType, Keyword, Predicate};
use super::filter_field::Row;
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::Customized;
use crate::domain::ids::{CustomFieldId, ProjectId};
use crate::domain::project::Project;
use crate::domain::viewer::Viewer;
use std::cmp::Reverse;

/// One condition on a project.
pub type Condition = filter::Condition<Field>;

/// A field of a project by which the list can be filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The code of its state.
    Status,
    /// The id.
    Id,
    /// The name.
    Name,
    /// The description.
    Description,
    /// The parent project.
    Parent,
    /// Whether it is public.
    Public,
    /// When it was created.
    CreatedOn,
    /// A custom field.
    Custom(CustomFieldId),
}

const TABLE: &[Row<Field>] = &[
    (Field::Status, "status", "Status", FilterType::List(Keyword::None)),
    (Field::Id, "id", "Project", FilterType::List(Keyword::Projects)),
    (Field::Name, "name", "Name", FilterType::Text),
    (Field::Description, "description", "Description", FilterType::Text),
    (Field::Parent, "parent_id", "Subproject of", FilterType::OptionalList(Keyword::Projects)),
    (Field::Public, "is_public", "Public", FilterType::List(Keyword::None)),
    (Field::CreatedOn, "created_on", "Created", FilterType::PastDate),
];

/// Returns the fields by which the viewer can filter the list: only custom fields that the viewer may see somewhere.
pub fn filter_fields(catalogue: &Catalogue, viewer: &Viewer) -> Vec<FilterField<Field>> {
    let custom = catalogue.custom_fields_of(Customized::Project).filter(|field| field.is_filter && field.is_visible_somewhere(viewer));
    let custom = custom.map(|field| FilterField::from_custom_field(field, Field::Custom(field.id)));
    TABLE.iter().map(FilterField::from_row).chain(custom).collect()
}

/// Returns the parent project if the viewer can see it. A hidden parent counts as none, in filters and sort orders.
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

/// Maximum number of sort criteria; further ones are ignored (compatibility 6.3).
const MAX_CRITERIA: usize = 3;

/// Sorts projects by `sort=column[:desc],…`. The sort is stable; unknown columns are ignored.
pub fn sort(projects: &mut [&Project], text: &str, viewer: &Viewer) {
    let criteria = text.split(',').filter_map(|part| {
        let (name, suffix) = part.trim().split_once(':').unwrap_or((part.trim(), ""));
        Some((sort_key(name)?, suffix == "desc"))
    });
    let criteria: Vec<(SortKeyFn, bool)> = criteria.take(MAX_CRITERIA).collect();
    // From the last criterion to the first: every sort is stable.
    for (sort_key, descending) in criteria.into_iter().rev() {
        match descending {
            true => projects.sort_by_cached_key(|project| Reverse(sort_key(project, viewer))),
            false => projects.sort_by_cached_key(|project| sort_key(project, viewer)),
        }
    }
}

/// The value of a column.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum SortKey {
    Text(Option<String>),
    Number(Option<i64>),
}

type SortKeyFn = fn(&Project, &Viewer) -> SortKey;

fn sort_key(name: &str) -> Option<SortKeyFn> {
    Some(match name {
        "name" => |project, _| SortKey::Text(Some(project.name.clone())),
        "identifier" => |project, _| SortKey::Text(Some(project.identifier.clone())),
        "status" => |project, _| SortKey::Number(Some(project.status.code())),
        "short_description" => |project, _| SortKey::Text(project.description.clone()),
        "homepage" => |project, _| SortKey::Text(Some(project.homepage.clone())),
        "parent_id" => |project, viewer| SortKey::Number(parent(project, viewer).map(|parent| parent.0)),
        "is_public" => |project, _| SortKey::Number(Some(project.is_public.into())),
        "created_on" => |project, _| SortKey::Number(Some(project.created_on.as_microsecond())),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sort_is_stable() {
        let now = jiff::Timestamp::UNIX_EPOCH;
        let project = |id: i64, name: &str, public| Project {
            id: id.into(),
            name: name.to_owned(),
            identifier: format!("p{id}"),
            description: None,
            homepage: String::new(),
            parent: None,
            is_public: public,
            inherit_members: false,
            status: crate::domain::project::ProjectStatus::Active,
            modules: crate::domain::module::ModuleSet::default(),
            trackers: Vec::new(),
            default_version: None,
            default_assignee: None,
            created_on: now,
            updated_on: now,
        };
        let projects = [project(3, "b", true), project(1, "A", false), project(2, "a", true)];
        let viewer = Viewer::new(&Catalogue::default(), None);
        let sorted = |text| {
            let mut list: Vec<&Project> = projects.iter().collect();
            sort(&mut list, text, &viewer);
            list.into_iter().map(|project| project.id.0).collect::<Vec<_>>()
        };
        assert_eq!(sorted("id,nonsense"), [3, 1, 2]);
        // By bytes: upper case comes first, as in the tree.
        assert_eq!(sorted("name"), [1, 2, 3]);
        assert_eq!(sorted("name:desc"), [3, 2, 1]);
        assert_eq!(sorted("is_public:desc,name"), [2, 3, 1]);
    }
}
