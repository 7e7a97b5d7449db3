//! The values to choose from in the form of a filter: only what the viewer may see.

use crate::components::form_field::{Choice, choice, sort_by_label};
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::{CustomField, Format};
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::ids::{CustomFieldId, PrincipalId};
use quarry_domain::query::filter::{FilterField, FilterType, Records};

/// The context of the choices.
#[derive(Clone, Copy)]
pub struct FilterChoices<'a> {
    pub viewer: &'a Viewer,
    pub catalogue: &'a Catalogue,
    /// The project of the list.
    pub project: Option<ProjectId>,
}

impl FilterChoices<'_> {
    /// Returns the choices for a field; `None` if its values are typed.
    pub fn of<Field>(&self, field: &FilterField<Field>) -> Option<Vec<Choice>> {
        if let Some(id) = field.custom_field {
            return self.custom(id);
        }
        match field.kind {
            FilterType::Status => {
                let statuses = self.catalogue.statuses.iter();
                let choices = statuses.map(|status| choice(status.id, &status.name));
                Some(choices.collect())
            }
            FilterType::List(records) | FilterType::OptionalList(records) => self.records(records),
            FilterType::VersionStatus => Some(vec![
                choice("open", "open"),
                choice("locked", "locked"),
                choice("closed", "closed"),
            ]),
            FilterType::Flag => Some(vec![choice(1, "yes"), choice(0, "no")]),
            _ => None,
        }
    }

    /// Returns the records that the viewer may see; `None` for those without names.
    pub fn records(&self, records: Records) -> Option<Vec<Choice>> {
        let catalogue = self.catalogue;
        Some(match records {
            Records::Projects => self.projects(),
            Records::Subprojects => self.projects_except(self.project),
            Records::ProjectStatuses => vec![choice(1, "active"), choice(5, "closed")],
            Records::Trackers => self.trackers(),
            Records::Priorities => self.enumerations(EnumerationKind::IssuePriority),
            Records::Activities => self.enumerations(EnumerationKind::TimeEntryActivity),
            Records::Users => self.people(|id| catalogue.users.contains_key(&id.0.into())),
            Records::Assignees => self.people(|_| true),
            Records::Groups => {
                let groups = self.principals().into_iter();
                self.named(groups.filter(|id| catalogue.groups.contains_key(id)))
            }
            Records::Roles => {
                let roles = catalogue.roles.iter();
                roles.map(|role| choice(role.id, &role.name)).collect()
            }
            Records::Categories => self.categories(),
            Records::Versions => self.versions(),
            Records::Unnamed => return None,
        })
    }

    fn enumerations(&self, kind: EnumerationKind) -> Vec<Choice> {
        let enumerations = self.catalogue.enumerations_of(kind);
        enumerations
            .map(|enumeration| choice(enumeration.id, &enumeration.name))
            .collect()
    }

    fn trackers(&self) -> Vec<Choice> {
        let project = self.project.and_then(|id| self.catalogue.projects.get(&id));
        let trackers = self.catalogue.trackers.iter();
        trackers
            .filter(|tracker| {
                project.is_none_or(|project| {
                    project.trackers.is_empty() || project.trackers.contains(&tracker.id)
                })
            })
            .map(|tracker| choice(tracker.id, &tracker.name))
            .collect()
    }

    /// Returns the projects of the list, those of the viewer as words first.
    fn projects(&self) -> Vec<Choice> {
        let mut choices = Vec::new();
        if self.viewer.user.is_some() {
            choices.push(choice("mine", "my projects"));
            choices.push(choice("bookmarks", "my bookmarks"));
        }
        choices.extend(self.projects_except(None));
        choices
    }

    /// Returns all projects, also those outside of the list.
    pub fn all_projects(&self) -> Vec<Choice> {
        let everywhere = FilterChoices {
            project: None,
            ..*self
        };
        everywhere.projects()
    }

    /// Returns the projects of the list but one, in the order of the tree. Projects whose issues the
    /// viewer cannot see have nothing to list.
    fn projects_except(&self, excluded: Option<ProjectId>) -> Vec<Choice> {
        let subtree = self.project.map(|root| self.catalogue.subtree(root));
        let projects = self.catalogue.tree.iter().filter(|id| {
            subtree.as_ref().is_none_or(|ids| ids.contains(id))
                && excluded != Some(**id)
                && self.viewer.may(Permission::ViewIssues, **id)
        });
        projects
            .map(|id| choice(id, self.catalogue.project_name(*id)))
            .collect()
    }

    fn principals(&self) -> Vec<PrincipalId> {
        let ids = visibility::principals(self.viewer, self.catalogue);
        ids.as_slice().iter().copied().map(PrincipalId).collect()
    }

    /// Returns the viewer as `me`, then the others by name.
    fn people(&self, is_offered: impl Fn(&PrincipalId) -> bool) -> Vec<Choice> {
        let mut choices = Vec::new();
        if self.viewer.user.is_some() {
            choices.push(choice("me", "me"));
        }
        let people = self.principals().into_iter().filter(is_offered);
        choices.extend(self.named(people));
        choices
    }

    fn named(&self, ids: impl Iterator<Item = PrincipalId>) -> Vec<Choice> {
        let mut choices: Vec<Choice> = ids
            .filter_map(|id| Some(choice(id, self.catalogue.principal_name(id)?)))
            .collect();
        sort_by_label(&mut choices);
        choices
    }

    fn categories(&self) -> Vec<Choice> {
        let catalogue = self.catalogue;
        let categories = catalogue.categories.values().filter(|category| {
            self.project.map_or_else(
                || self.viewer.may(Permission::ViewIssues, category.project),
                |project| category.project == project,
            )
        });
        let mut choices: Vec<Choice> = categories
            .map(|category| {
                choice(
                    category.id,
                    self.with_project(category.project, &category.name),
                )
            })
            .collect();
        sort_by_label(&mut choices);
        choices
    }

    fn versions(&self) -> Vec<Choice> {
        let catalogue = self.catalogue;
        let versions = visibility::versions(self.viewer, catalogue).filter(|version| {
            self.project
                .is_none_or(|id| catalogue.is_shared_with(version, id))
        });
        let mut choices: Vec<Choice> = versions
            .map(|version| {
                choice(
                    version.id,
                    self.with_project(version.project, &version.name),
                )
            })
            .collect();
        sort_by_label(&mut choices);
        choices
    }

    /// Returns a name with its project, unless that is the one of the list.
    fn with_project(&self, project: ProjectId, name: &str) -> String {
        if self.project == Some(project) {
            name.to_owned()
        } else {
            format!("{} – {name}", self.catalogue.project_name(project))
        }
    }

    fn custom(&self, id: CustomFieldId) -> Option<Vec<Choice>> {
        let field: &CustomField = self
            .catalogue
            .custom_fields
            .iter()
            .find(|field| field.id == id)?;
        match field.format {
            Format::List => {
                let values = field.possible_values.iter();
                Some(values.map(|value| choice(value, value.clone())).collect())
            }
            Format::Enumeration => {
                let values = field.enumeration.iter();
                Some(
                    values
                        .map(|(id, name, _)| choice(id, name.clone()))
                        .collect(),
                )
            }
            Format::Bool => Some(vec![choice(1, "yes"), choice(0, "no")]),
            Format::User => Some(self.people(|id| self.catalogue.users.contains_key(&id.0.into()))),
            Format::Version => Some(self.versions()),
            _ => None,
        }
    }
}
